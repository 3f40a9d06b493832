import Foundation

/// Stops a change to a description of a model that is in use.
///
/// Apple raises `NSInternalInconsistencyException` with these words; here the program stops.
func requireEditable(_ isFrozen: Bool) {
  precondition(!isFrozen, "Can't modify an immutable model.")
}
