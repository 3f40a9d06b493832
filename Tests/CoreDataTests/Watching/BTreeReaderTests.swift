import Testing

@testable import CoreData

@Suite struct BTreeReaderTests {
  private static func setup(_ autoVacuum: String) -> String {
    """
    PRAGMA page_size=1024; PRAGMA auto_vacuum=\(autoVacuum); PRAGMA journal_mode=wal;
    CREATE TABLE t(a INTEGER PRIMARY KEY, b, c); CREATE INDEX i ON t(b); CREATE TABLE u(x);
    INSERT INTO t SELECT value, 'b'||value, hex(zeroblob(value*37%2500)) FROM generate_series(1,400);
    INSERT INTO u SELECT value FROM generate_series(1,50); DELETE FROM t WHERE a BETWEEN 100 AND 180;
    """
  }

  @Test(arguments: ["NONE", "FULL", "INCREMENTAL"]) func `the role of every page is what dbstat says`(mode: String)
    throws
  {
    let writer = try SecondWriter(Self.setup(mode))
    let (pages, header) = try writer.snapshot()
    let reader = BTreeReader(source: pages, usableSize: header.usableSize)
    let schema = try PageSchema(reader)
    #expect(header.hasPointerMap == (mode != "NONE"))
    let owners: any PageOwners =
      header.hasPointerMap
      ? PointerMap(source: pages, header: header)
      : try WalkedOwners(reader, schema: schema, firstFreePage: header.firstFreePage)
    let roots = Dictionary(
      uniqueKeysWithValues: try writer.run("SELECT name||' '||rootpage FROM sqlite_schema;").map { line in
        let parts = line.split(separator: " ")
        return (String(parts[0]), try #require(UInt32(parts[1])))
      })

    var seen: [String: Int] = [:]
    for line in try writer.run("SELECT pageno||' '||name||' '||pagetype FROM dbstat;") {
      let parts = line.split(separator: " ").map(String.init)
      let page = try #require(UInt32(parts[0]))
      let root = parts[1] == "sqlite_schema" ? 1 : try #require(roots[parts[1]])
      seen[parts[2], default: 0] += 1
      switch (try owners.role(of: page), parts[2]) {
      case (.tree(let found), "leaf"), (.tree(let found), "internal"): #expect(found == root)
      case (.overflow(_, _, let found), "overflow"): #expect(found == root)
      case (.unknown, "overflow"): #expect(!header.hasPointerMap)
      case (let role, let type): Issue.record("page \(page) is \(type), found \(role)")
      }
    }
    #expect(seen.keys.sorted() == ["internal", "leaf", "overflow"])
  }

  @Test func `rows are those that a query gives, long ones whole`() throws {
    let writer = try SecondWriter(Self.setup("INCREMENTAL"))
    let (pages, header) = try writer.snapshot()
    let reader = BTreeReader(source: pages, usableSize: header.usableSize)
    let root = try #require(UInt32(try writer.run("SELECT rootpage FROM sqlite_schema WHERE name='t';")[0]))

    var lines: [String] = []
    var longest = 0
    try reader.forEachRow(under: root) { cell, page in
      let values = try #require(try reader.record(cell, on: page).values())
      guard case .text(let b) = values[1], case .text(let c) = values[2] else {
        Issue.record("\(values)")
        return
      }
      #expect(values[0] == .null)
      longest = max(longest, try reader.overflowPages(of: cell).count)
      lines.append("\(cell.rowid)|\(String(decoding: b, as: UTF8.self))|\(String(decoding: c, as: UTF8.self))")
    }

    #expect(try writer.run("SELECT a, b, c FROM t ORDER BY a;") == lines)
    #expect(longest > 1)
  }

  @Test func `every kind of value is decoded`() throws {
    let writer = try SecondWriter(
      """
      PRAGMA journal_mode=wal; CREATE TABLE t(a, b);
      INSERT INTO t VALUES(NULL,0),(1,-1),(127,-128),(128,-129),(32767,-32768),(32768,8388607),(-8388609,2147483647),
        (2147483648,-140737488355328),(140737488355328,9223372036854775807),(-9223372036854775808,0.5),(-1e300,'text'),
        ('',x''),(x'00ff','é');
      """)
    let (pages, header) = try writer.snapshot()
    let reader = BTreeReader(source: pages, usableSize: header.usableSize)
    var found: [RecordValue] = []
    try reader.forEachRow(under: 2) { found += try #require(try reader.record($0, on: $1).values()) }

    #expect(
      found == [
        .null, .integer(0), .integer(1), .integer(-1), .integer(127), .integer(-128), .integer(128), .integer(-129),
        .integer(32767), .integer(-32768), .integer(32768), .integer(8_388_607), .integer(-8_388_609),
        .integer(2_147_483_647), .integer(2_147_483_648), .integer(-140_737_488_355_328),
        .integer(140_737_488_355_328), .integer(.max), .integer(.min), .real(0.5), .real(-1e300),
        .text(Array("text".utf8)), .text([]), .blob([]), .blob([0, 255]), .text(Array("é".utf8)),
      ])
  }

  @Test func `broken files end in an error, never in a crash or a loop`() throws {
    let writer = try SecondWriter(Self.setup("FULL"))
    try writer.run("PRAGMA wal_checkpoint(TRUNCATE);")
    let sound = try writer.bytes("")
    var numbers = SeededNumbers(state: 7)
    var (whole, broken) = (0, 0)
    for _ in 0..<600 {
      var bytes = sound
      // Heads of pages, pointer-map pages and the schema matter more than text.
      for _ in 0..<Int.random(in: 1...12, using: &numbers) {
        let page =
          Int.random(in: 0..<4, using: &numbers) == 0 ? 1 : Int.random(in: 0..<bytes.count / 1024, using: &numbers)
        let offset = Int.random(in: 0..<(Bool.random(using: &numbers) ? 16 : 1024), using: &numbers)
        bytes[page * 1024 + offset] = UInt8.random(in: 0...255, using: &numbers)
      }
      if Int.random(in: 0..<10, using: &numbers) == 0 {
        bytes.removeLast(Int.random(in: 0..<bytes.count, using: &numbers))
      }
      do {
        try Self.readEverything(bytes)
        whole += 1
      } catch { broken += 1 }
    }
    #expect(whole + broken == 600)
    #expect(broken > 100)
  }

  private static func readEverything(_ bytes: [UInt8]) throws {
    let pages = WALSnapshot(
      pageCount: UInt32(bytes.count / 1024), pageSize: 1024, main: Bytes(content: bytes), log: nil, frames: [:])
    guard let header = DatabaseHeader(try pages.page(1).bytes) else { throw PageError.malformed(page: 1) }
    let reader = BTreeReader(source: pages, usableSize: header.usableSize)
    let schema = try PageSchema(reader)
    let map = PointerMap(source: pages, header: header)
    for page in 1...max(1, pages.pageCount) { _ = try map.role(of: page) }
    _ = try WalkedOwners(reader, schema: schema, firstFreePage: header.firstFreePage)
    for (root, owner) in schema.owners {
      guard case .table = owner else { continue }
      try reader.forEachRow(under: root) { cell, page in
        _ = try reader.overflowPages(of: cell)
        _ = try reader.record(cell, on: page).values()
      }
    }
  }
}
