import Foundation

/// Commits of every kind to a store of `ShapesModel`, from a seed.
struct RandomCommits {
  private var numbers: SeededNumbers
  private let isWAL: Bool

  init(seed: UInt64, isWAL: Bool) {
    numbers = SeededNumbers(state: seed)
    self.isWAL = isWAL
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &numbers) }

  /// Statements, each of which is one commit at most.
  mutating func next() -> [String] {
    let (item, tag, box) = (number(1...90), number(1...13), number(1...7))
    let value = number(0...999)
    switch number(0...27) {
    case 0: return ["UPDATE ZITEM SET ZNAME='n\(value)' WHERE Z_PK=\(item);"]
    case 1: return ["UPDATE ZITEM SET ZRANK=\(value), ZDOUBLE=\(value)+0.5, Z_OPT=Z_OPT+1 WHERE Z_PK=\(item);"]
    case 2: return [insert(item, value)]
    case 3: return ["DELETE FROM ZITEM WHERE Z_PK BETWEEN \(item) AND \(item + 4);"]
    case 4, 5:
      // Writes one page in the middle of a chain, no leaf, and does not raise Z_OPT.
      let overflow = "substr(ZSTRING,1,5000)||'\(value % 10)'||substr(ZSTRING,5002)"
      return ["UPDATE ZITEM SET ZSTRING=\(overflow) WHERE Z_PK=\(1 + value % 15) AND length(ZSTRING)>6000;"]
    case 6:
      return [
        "UPDATE ZITEM SET ZBOX=\(box), Z1_BOX=1+\(box)%2, Z_OPT=Z_OPT+1 WHERE Z_PK BETWEEN \(item) AND \(item + 2);"
      ]
    case 7: return ["INSERT OR IGNORE INTO Z_3TAGS VALUES(\(item),\(tag));"]
    case 8: return ["DELETE FROM Z_3TAGS WHERE Z_3ITEMS=\(item) OR (Z_6TAGS=\(tag) AND Z_3ITEMS>70);"]
    case 9:
      return [
        "INSERT OR REPLACE INTO Z_3RANKED(Z_3RANKEDBY,Z_6RANKED,Z_FOK_3RANKEDBY,Z_FOK_6RANKED) "
          + "VALUES(\(item),\(tag),\(value),\(value % 7));"
      ]
    case 10: return ["UPDATE Z_3RANKED SET Z_FOK_6RANKED=Z_FOK_6RANKED+\(value % 3) WHERE Z_6RANKED=\(tag);"]
    case 11: return ["UPDATE ZITEM SET Z_ENT=3+\(value % 3), ZEXTRA=NULL, ZEXTRA1=NULL WHERE Z_PK=\(item);"]
    case 12:
      // One key, gone and there again between two looks.
      return ["DELETE FROM ZITEM WHERE Z_PK=\(item);", insert(item, value)]
    case 13:
      let single = (0..<12).map { "UPDATE ZITEM SET ZRANK=\(value + $0) WHERE Z_PK=\(1 + (item + $0 * 7) % 90);" }
      return single
    case 14: return ["UPDATE ZITEM SET ZRANK=ifnull(ZRANK,0)+1;"]
    case 15:
      return [
        "INSERT OR REPLACE INTO ZITEM(Z_PK,Z_ENT,Z_OPT,ZNAME,ZBOX,Z1_BOX) SELECT 100+value, 3, 1, 'big'||value, "
          + "1+value%6, 1+(1+value%6)%2 FROM generate_series(1,\(200 + value % 200));"
      ]
    case 16: return ["DELETE FROM ZITEM WHERE Z_PK>100;"]
    case 17 where isWAL:
      let kind = ["RESTART", "TRUNCATE", "PASSIVE", "FULL"][value % 4]
      return ["UPDATE ZTAG SET ZNAME='w\(value)' WHERE Z_PK=\(tag); PRAGMA wal_checkpoint(\(kind));"]
    case 18: return ["BEGIN; UPDATE ZITEM SET ZNAME='never'; DELETE FROM ZTAG; ROLLBACK;"]
    case 19: return ["PRAGMA incremental_vacuum(\(1 + value % 20));"]
    case 20: return [value % 4 == 0 ? "VACUUM;" : "UPDATE ZTAG SET Z_OPT=Z_OPT+1 WHERE Z_PK=\(tag);"]
    case 21:
      return ["UPDATE ZTAG SET ZPARENT=\(value % 3 == 0 ? "NULL" : String(tag)) WHERE Z_PK=\(1 + value % 12);"]
    case 22: return ["UPDATE ZTAG SET ZFAVOURITE=\(item), Z3_FAVOURITE=3 WHERE Z_PK=\(tag);"]
    case 23:
      return ["INSERT OR REPLACE INTO Z_6FOLLOWING(Z_6FOLLOWERS,Z_6FOLLOWING) VALUES(\(tag),\(1 + value % 12));"]
    case 24: return ["UPDATE ZITEM SET ZDATA=x'\(1000 + value)', ZDATE=\(value) WHERE Z_PK=\(item);"]
    case 25:
      return [
        "INSERT OR REPLACE INTO ZBOX(Z_PK,Z_ENT,Z_OPT,ZNAME,Z6LOOSE,Z6STACK,Z_FOK_6STACK) "
          + "VALUES(\(box),1+\(box)%2,\(1 + value % 3),'b\(value % 5)',\(tag),\(1 + value % 12),\(value));"
      ]
    case 26:
      return [
        "UPDATE ZITEM SET ZLINEOF=\(box), Z1_LINEOF=1+\(box)%2, Z_FOK_LINEOF=\(value) WHERE Z_PK=\(item);"
      ]
    default: return ["UPDATE ZITEM SET ZNAME=ZNAME, ZRANK=ZRANK;"]
    }
  }

  private func insert(_ item: Int, _ value: Int) -> String {
    "INSERT OR REPLACE INTO ZITEM(Z_PK,Z_ENT,Z_OPT,ZNAME,ZRANK,ZSTRING) VALUES(\(item),\(3 + value % 3),1,"
      + "'i\(value)',\(value),\(item <= 15 ? "hex(randomblob(5000))" : "NULL"));"
  }
}
