public import Foundation

extension NotificationCenter {
  /// A publisher of the notifications named `name`, those of `object` only if one is given.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
    Publisher(center: self, name: name, object: object)
  }

  /// Publishes notifications on the thread that posts them; never ends.
  ///
  /// A notification posted while there is no demand is missed.
  public struct Publisher: Combine.Publisher {
    /// What is published.
    public typealias Output = Notification
    /// How it can fail.
    public typealias Failure = Never

    /// The center watched.
    public let center: NotificationCenter
    /// The name watched for.
    public let name: Notification.Name
    /// The only poster watched, if not nil.
    public let object: AnyObject?

    /// Makes a publisher of the notifications named `name`, those of `object` only if one is given.
    public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
      self.center = center
      self.name = name
      self.object = object
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Notification, S.Failure == Never {
      // A subject gives each subscriber the demand, turns and cancelling it needs.
      let subject = PassthroughSubject<Notification, Never>()
      let target = Transfer(subject)
      let token = center.addObserver(forName: name, object: object, queue: nil) { target.value.send($0) }
      subject.handleEvents(receiveCancel: { [center] in center.removeObserver(token) }).receive(subscriber: subscriber)
    }
  }
}
