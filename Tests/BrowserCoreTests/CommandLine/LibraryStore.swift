import BrowserTestSupport
import CoreData
import TestSupport

/// A small store for the command line: books and novels by authors, with tags, and values of every kind.
///
/// Numbers: Author 1, Book 2, Novel 3, Tag 4.
struct LibraryStore {
  let file: TemporaryStore
  var path: String { file.url.path }

  static func model() -> NSManagedObjectModel {
    typealias Sketch = ModelSketch
    let novel = Sketch.entity("Novel", [Sketch.attribute("genre", .stringAttributeType)])
    let book = Sketch.entity(
      "Book",
      [
        Sketch.attribute("title", .stringAttributeType), Sketch.attribute("pages", .integer64AttributeType),
        Sketch.attribute("price", .decimalAttributeType), Sketch.attribute("added", .dateAttributeType),
        Sketch.attribute("rating", .floatAttributeType), Sketch.attribute("score", .doubleAttributeType),
        Sketch.attribute("code", .UUIDAttributeType), Sketch.attribute("site", .URIAttributeType),
        Sketch.attribute("cover", .binaryDataAttributeType), Sketch.attribute("done", .booleanAttributeType),
      ], children: [novel])
    let author = Sketch.entity("Author", [Sketch.attribute("name", .stringAttributeType)])
    let tag = Sketch.entity("Tag", [Sketch.attribute("name", .stringAttributeType)])
    Sketch.relate(author, "books", .ordered, to: book, inverse: "author", .one)
    Sketch.relate(book, "tags", .many, to: tag, inverse: "books", .many)
    return Sketch.model([author, book, novel, tag])
  }

  init(named name: String = "Library.sqlite") throws {
    file = try TemporaryStore(model: Self.model(), named: name)
    try file.write(
      """
      UPDATE Z_METADATA SET Z_UUID = 'STORE';
      INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Ann'), (2, 1, 1, '日本語');
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 4, 1, 'red'), (2, 4, 1, 'blue'), (10, 4, 1, 'green');
      INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZPAGES, ZPRICE, ZADDED, ZRATING, ZSCORE, ZCODE, ZSITE, ZCOVER, ZDONE,
      ZAUTHOR, Z_FOK_AUTHOR) VALUES
      (1, 2, 1, 'Ünder, "quoted"' || char(10) || 'line', 9223372036854775807, 3.25, 783799445.25, 0.1, 1e300,
      x'123456789ABCDEF0123456789ABCDEF0', 'not a url %%', x'00FF', 1, 1, 3072);
      INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZGENRE, ZAUTHOR, Z_FOK_AUTHOR)
      VALUES (2, 3, 1, '', 'a' || char(9) || 'b\\c', 1, 2048);
      INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZSCORE, ZRATING, ZDONE, ZPRICE) VALUES
      (3, 2, 1, char(27) || '[31m', 'nan', '-inf', 0, 1e-7);
      INSERT INTO Z_2TAGS (Z_2BOOKS, Z_4TAGS) VALUES (1, 10), (1, 2), (2, 1);
      """)
  }
}
