/// Carries a value that is not `Sendable` to one place that runs later or elsewhere.
///
/// Sendable is unchecked: whoever hands the value over uses it no more, or only where the receiver does, one at a time. Apple's
/// signatures, which the repositories follow, do not ask closures and results to be `Sendable`.
struct Handed<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
