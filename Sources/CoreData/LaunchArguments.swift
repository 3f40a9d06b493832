import Foundation
import Synchronization

/// What a program was asked for when it was launched, in Apple's spelling: `-com.apple.CoreData.SQLDebug 3`.
///
/// Source: reference/CONTEXT.md 76 and 110.
enum LaunchArguments {
  /// `-com.apple.CoreData.ConcurrencyDebug 1`: whether using a context or its objects off its queue stops the program.
  ///
  /// Debug builds look after the contexts' methods without it too.
  static let checksQueues = Atomic(number(after: "-com.apple.CoreData.ConcurrencyDebug", in: arguments) > 0)
  /// `-com.apple.CoreData.SQLDebug 1` to `4`; 0 without it.
  static let sqlDebugLevel = number(after: "-com.apple.CoreData.SQLDebug", in: arguments)

  private static let arguments = ProcessInfo.processInfo.arguments

  /// The number that follows an argument; 0 where there is none.
  static func number(after name: String, in arguments: [String]) -> Int {
    guard let place = arguments.lastIndex(of: name), place + 1 < arguments.count else { return 0 }
    return Int(arguments[place + 1]) ?? 0
  }
}
