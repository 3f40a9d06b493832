import Dispatch
import Foundation

private let mainKey: DispatchSpecificKey<UInt8> = {
  let key = DispatchSpecificKey<UInt8>()
  DispatchQueue.main.setSpecific(key: key, value: 1)
  return key
}()

/// Whether the calling code runs on the main queue, which a test runner may have moved off the main thread.
func isOnMainQueue() -> Bool { DispatchQueue.getSpecific(key: mainKey) != nil || Thread.isMainThread }
