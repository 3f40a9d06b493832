import Foundation
import TestSupport
import Testing

@testable import CoreData

/// What is posted around a save (reference/CONTEXT.md 63).
@Suite struct SaveNotificationTests {
  @Test
  func `CONTEXT 63: before a save nothing is told but that it comes, after it the objects, and their ids for anybody`()
    throws
  {
    let office = try Office { context in for name in ["ann", "bob", "cid"] { context.new("Person", name) } }
    try office.work { context in
      let log = NotificationLog(
        context, .NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave,
        NSManagedObjectContext.didSaveObjectIDsNotification)
      let (ann, cid) = (try context.one("Person", "ann"), try context.one("Person", "cid"))
      ann.setValue("anna", forKey: "name")
      context.delete(cid)
      let eve = context.new("Person", "eve")
      try context.save()
      let posted = log.take()
      #expect(
        posted.map(\.name) == [
          .NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave,
          NSManagedObjectContext.didSaveObjectIDsNotification,
        ])
      #expect(posted[0].userInfo == nil)
      #expect(posted[1].userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> == [eve])
      #expect(posted[1].userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject> == [ann])
      #expect(posted[1].userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject> == [cid])
      #expect(posted[2].userInfo?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID> == [eve.objectID])
      #expect(posted[2].userInfo?[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID> == [ann.objectID])
      #expect(posted[2].userInfo?[NSDeletedObjectIDsKey] as? Set<NSManagedObjectID> == [cid.objectID])
      #expect(!eve.objectID.isTemporaryID && posted[2].userInfo?.count == 3)
    }
  }
}
