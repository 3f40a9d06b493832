import Foundation

@testable import CoreData

/// Models made here, so that the suite says something without the corpus.
enum SampleModels {
  /// A model with one of nearly everything, built in code.
  static func library() -> NSManagedObjectModel {
    let publication = NSEntityDescription()
    publication.name = "Publication"
    publication.managedObjectClassName = "Publication"
    publication.isAbstract = true
    let title = attribute("title", .stringAttributeType)
    title.isOptional = false
    title.setValidationPredicates([NSPredicate(format: "length <= 50")], withValidationWarnings: ["too long"])
    let added = attribute("added", .dateAttributeType)
    added.defaultValue = Date(timeIntervalSinceReferenceDate: 60)
    publication.properties = [title, added]
    publication.uniquenessConstraints = [["title"]]

    let book = NSEntityDescription()
    book.name = "Book"
    book.versionHashModifier = "2"
    let price = attribute("price", .decimalAttributeType)
    price.defaultValue = NSDecimalNumber(string: "9.99")
    let cover = attribute("cover", .binaryDataAttributeType)
    cover.allowsExternalBinaryDataStorage = true
    let shelfMark = attribute("shelfMark", .stringAttributeType)
    shelfMark.isTransient = true
    let lower = NSDerivedAttributeDescription()
    lower.name = "canonicalTitle"
    lower.attributeType = .stringAttributeType
    lower.derivationExpression = NSExpression(format: "canonical:(title)")
    book.properties = [price, cover, shelfMark, lower]
    publication.subentities = [book]

    let author = NSEntityDescription()
    author.name = "Author"
    author.userInfo = ["order": "first"]
    let name = attribute("name", .stringAttributeType)
    name.renamingIdentifier = "fullName"
    author.properties = [name]
    let books = NSRelationshipDescription()
    books.name = "books"
    books.isOrdered = true
    let authors = NSRelationshipDescription()
    authors.name = "authors"
    authors.minCount = 1
    authors.deleteRule = .denyDeleteRule
    (books.destinationEntity, authors.destinationEntity) = (book, author)
    (books.inverseRelationship, authors.inverseRelationship) = (authors, books)
    author.properties += [books]
    book.properties += [authors]
    let element = NSFetchIndexElementDescription(property: name, collationType: .binary)
    author.indexes = [NSFetchIndexDescription(name: "byName", elements: [element])]

    let model = NSManagedObjectModel()
    model.entities = [publication, book, author]
    model.versionIdentifiers = ["1"]
    model.setEntities([author], forConfigurationName: "People")
    return model
  }

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    return attribute
  }

  /// The same model as the editor would save it.
  static let xml = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="1">
      <entity name="Publication" representedClassName=".Publication" isAbstract="YES" syncable="YES">
        <attribute name="title" attributeType="String"/>
        <attribute name="added" optional="YES" attributeType="Date" defaultDateTimeInterval="60"/>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="title"/></uniquenessConstraint>
        </uniquenessConstraints>
      </entity>
      <entity name="Book" parentEntity="Publication" versionHashModifier="2">
        <attribute name="price" optional="YES" attributeType="Decimal" defaultValueString="9.99"/>
        <attribute name="cover" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
        <attribute name="shelfMark" optional="YES" transient="YES" attributeType="String"/>
        <attribute name="canonicalTitle" optional="YES" attributeType="String" derived="YES"
          derivationExpression="canonical:(title)"/>
        <relationship name="authors" optional="YES" toMany="YES" minCount="1" deletionRule="Deny"
          destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
      </entity>
      <entity name="Author">
        <attribute name="name" optional="YES" attributeType="String" elementID="fullName"/>
        <relationship name="books" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify"
          destinationEntity="Book" inverseName="authors" inverseEntity="Book"/>
        <fetchIndex name="byName"><fetchIndexElement property="name" type="Binary" order="ascending"/></fetchIndex>
        <userInfo><entry key="order" value="first"/></userInfo>
      </entity>
      <configuration name="People"><memberEntity name="Author"/></configuration>
    </model>
    """
}
