import Foundation

@testable import CoreData

/// The items of `ShapesModel` with managed properties.
final class ShapeItem: NSManagedObject {
  @Persisted var name: String?
  @Persisted var int16: Int16
  @Persisted var int32: Int32
  @Persisted var int64: Int64
  @Persisted var boolean: Bool
  @Persisted var double: Double
  @Persisted var float: Float
  @Persisted var decimal: Decimal?
  @Persisted var string: String?
  @Persisted var date: Date?
  @Persisted var uuid: UUID?
  @Persisted var uri: URL?
  @Persisted var data: Data?
  @Persisted var external: Data?
  @Persisted var box: NSManagedObject?
  @Persisted var tags: Set<NSManagedObject>
}
