import CDigest
import Foundation

/// A SHA-256 digest that is fed piece by piece.
struct SHA256Digest {
  private var context = SHA2_CTX()

  init() {
    SHA256Init(&context)
  }

  /// Adds bytes.
  mutating func update(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    SHA256Update(&context, bytes, bytes.count)
  }

  /// Adds a number, least significant byte first.
  mutating func update(littleEndian number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { update($0) }
  }

  /// The 32 bytes of the digest.
  consuming func finish() -> Data {
    var output = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    SHA256Final(&output, &context)
    return Data(output)
  }
}

/// A SHA-512 digest that is fed piece by piece.
struct SHA512Digest {
  private var context = SHA2_CTX()

  init() {
    SHA512Init(&context)
  }

  /// Adds bytes.
  mutating func update(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    SHA512Update(&context, bytes, bytes.count)
  }

  /// The 64 bytes of the digest.
  consuming func finish() -> Data {
    var output = [UInt8](repeating: 0, count: Int(SHA512_DIGEST_LENGTH))
    SHA512Final(&output, &context)
    return Data(output)
  }
}
