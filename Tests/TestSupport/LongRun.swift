import Foundation

/// Whether tests run at their full length: `LONG=1` in the environment.
public enum LongRun {
  /// True for the long run.
  public static let isOn = ProcessInfo.processInfo.environment["LONG"] == "1"
}
