import CNcurses
import Dispatch

/// Signals brought to the main queue, and a way back to a usable terminal when the process dies.
///
/// The handlers do async-signal-safe things alone: they write the number into a pipe, or give the screen back. This is the
/// only file that calls the shim's signal functions, and none of them may be inlined elsewhere: their state belongs to one
/// object file.
@MainActor final class CursesSignals {
  private var source: (any DispatchSourceRead)?

  /// Calls `handler` on the main queue for each signal that changes the screen or asks for the end.
  @inline(never) func start(_ handler: @escaping @MainActor (Int32) -> Void) {
    guard source == nil else { return }
    let descriptor = cn_install_signals()
    guard descriptor >= 0 else { return }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler {
      var numbers = [UInt8](repeating: 0, count: 64)
      let count = read(descriptor, &numbers, numbers.count)
      guard count > 0 else { return }
      MainActor.assumeIsolated {
        // Many changes of the size are one.
        var seen: Set<UInt8> = []
        for number in numbers[..<count] where seen.insert(number).inserted { handler(Int32(number)) }
      }
    }
    source.activate()
    self.source = source
  }

  /// Puts the handlers back that were there before.
  @inline(never) func stop() {
    guard let source else { return }
    source.cancel()
    self.source = nil
    cn_remove_signals()
  }

  /// From now on the end of the process, by a crash too, writes `farewell` and sets the modes `cooked`.
  @inline(never) func arm(terminal: Int32, cooked: termios, farewell: String) {
    withUnsafePointer(to: cooked) { cn_arm_farewell(terminal, $0, farewell, farewell.utf8.count) }
  }

  /// The screen has been given back.
  @inline(never) func disarm() {
    cn_disarm_farewell()
  }

  /// Ends the process after some seconds, should it not end by itself.
  @inline(never) func endWithin(seconds: UInt32) {
    cn_end_within(seconds)
  }

  /// Stops the process as a shell expects of `^Z`; returns when it continues.
  @inline(never) func stopProcess() {
    cn_stop_process_group()
  }
}
