import Foundation
import Testing

@testable import CoreData

@Suite(.timeLimit(.minutes(1))) struct StoreWatcherTests {
  @Test(arguments: [
    ("UPDATE ZITEM SET ZNAME='new', Z_OPT=2 WHERE Z_PK=5;", ["update 5/5 name:'item5'>'new'"]),
    ("UPDATE ZITEM SET ZRANK=NULL WHERE Z_PK=5;", ["update 5/5 rank:5>NULL"]),
    ("INSERT INTO ZTAG(Z_PK,Z_ENT,Z_OPT,ZNAME) VALUES(13,6,1,'t');", ["insert 6/13 name:?>'t'"]),
    ("DELETE FROM ZTAG WHERE Z_PK=12;", ["delete 6/12 name:'tag12'>?"]),
    // A row's own table tells of the to-one end, and of the to-many end at its owners, new and old.
    (
      "UPDATE ZITEM SET ZBOX=2, Z1_BOX=1 WHERE Z_PK=6;",
      ["update 1/2 items:?>?", "update 2/1 items:?>?", "update 3/6 box:2/1>1/2"]
    ),
    // A join row is no object: it changes both ends.
    ("INSERT INTO Z_3TAGS VALUES(3, 12);", ["update 3/3 tags:?>?", "update 6/12 items:?>?"]),
    ("DELETE FROM Z_3TAGS WHERE Z_3ITEMS=3;", ["update 3/3 tags:?>?", "update 6/4 items:?>?"]),
    // The place in an ordered relationship belongs to the owner.
    (
      "UPDATE ZITEM SET ZLINEOF=1, Z1_LINEOF=2, Z_FOK_LINEOF=2048 WHERE Z_PK=6;",
      ["update 2/1 line:?>?", "update 3/6 lineOf:NULL>2/1"]
    ),
    (
      "INSERT INTO Z_3RANKED(Z_3RANKEDBY,Z_6RANKED,Z_FOK_3RANKEDBY,Z_FOK_6RANKED) VALUES(3,1,1024,1024);",
      ["update 3/3 ranked:?>?", "update 6/1 rankedBy:?>?"]
    ),
    // A to-many relationship without inverse is kept at its destination and is no property of it.
    ("UPDATE ZBOX SET Z6LOOSE=3 WHERE Z_PK=2;", ["update 6/3 loose:?>?"]),
    // Another entity is another object.
    (
      "UPDATE ZITEM SET Z_ENT=4, ZEXTRA='x' WHERE Z_PK=18;",
      [
        "delete 3/18 box:2/1>? date:700000018>? double:18.5>? name:'item18'>? rank:8>?",
        "insert 4/18 box:?>2/1 date:?>700000018 double:?>18.5 extra:?>'x' name:?>'item18' rank:?>8",
      ]
    ),
    // FRC 18: what a writer saved without another value is an update all the same.
    ("UPDATE ZTAG SET Z_OPT=Z_OPT+1 WHERE Z_PK=2;", ["update 6/2"]),
    // A whole number in a column of reals, a text in a column of numbers.
    ("UPDATE ZITEM SET ZDOUBLE=7 WHERE Z_PK=4;", ["update 4/4 double:4.5>7.0"]),
    ("UPDATE ZITEM SET ZRANK='x' WHERE Z_PK=4;", ["update 4/4 rank:4>x"]),
    // Keys that lead nowhere change no object but their own.
    ("UPDATE ZITEM SET ZBOX=99, Z1_BOX=1 WHERE Z_PK=5;", ["update 1/6 items:?>?", "update 5/5 box:1/6>1/99"]),
  ])
  func `a commit is told in the model's terms`(sql: String, expected: [String]) async throws {
    let shapes = try await WatchedShapes()
    try shapes.run(sql)
    let changes = await shapes.log.nextChanges()
    #expect(changes.lines == expected)
    #expect(changes.source == .pages)
    #expect(changes.isComplete)
  }
}
