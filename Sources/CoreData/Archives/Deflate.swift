import CZlib
import Foundation

/// Raw DEFLATE streams (RFC 1951) without header or checksum, as the model cache of a store holds them.
enum Deflate {
  /// No model inflates to more; a photo library's takes about 2 MB.
  static let outputLimit = 64 << 20

  /// Inflates one complete stream.
  ///
  /// - Throws: `ArchiveError` when the stream is damaged, ends too early, or inflates to more than `limit` bytes.
  static func inflate(_ input: [UInt8], limit: Int = outputLimit) throws -> [UInt8] {
    var stream = z_stream()
    guard inflateInit2_(&stream, rawWindowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw ArchiveError("the inflater did not start")
    }
    defer { inflateEnd(&stream) }
    var output = [UInt8]()
    let status = try run(&stream, over: input, into: &output, limit: limit) { CZlib.inflate(&$0, Z_NO_FLUSH) }
    switch status {
    case Z_STREAM_END: return output
    case Z_BUF_ERROR, Z_OK: throw ArchiveError("the compressed stream is cut short")
    default: throw ArchiveError("the compressed stream is damaged")
    }
  }

  /// Deflates bytes into one complete stream.
  ///
  /// - Throws: `ArchiveError` when memory runs out.
  static func deflate(_ input: [UInt8]) throws -> [UInt8] {
    var stream = z_stream()
    let started = deflateInit2_(
      &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, rawWindowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard started == Z_OK else { throw ArchiveError("the deflater did not start") }
    defer { deflateEnd(&stream) }
    var output = [UInt8]()
    let status = try run(&stream, over: input, into: &output, limit: .max) { CZlib.deflate(&$0, Z_FINISH) }
    guard status == Z_STREAM_END else { throw ArchiveError("the deflater stopped") }
    return output
  }

  /// Negative window bits mean: no header, no checksum.
  private static let rawWindowBits: Int32 = -15

  private static func run(
    _ stream: inout z_stream, over input: [UInt8], into output: inout [UInt8], limit: Int,
    step: (inout z_stream) -> Int32
  ) throws -> Int32 {
    guard input.count <= Int(UInt32.max) else { throw ArchiveError("the stream is too long") }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var source = input
    return try source.withUnsafeMutableBufferPointer { source in
      stream.next_in = source.baseAddress
      stream.avail_in = UInt32(source.count)
      while true {
        let status = chunk.withUnsafeMutableBufferPointer { target in
          stream.next_out = target.baseAddress
          stream.avail_out = UInt32(target.count)
          return step(&stream)
        }
        let produced = chunk.count - Int(stream.avail_out)
        guard output.count + produced <= limit else { throw ArchiveError("the compressed stream inflates too far") }
        output += chunk[..<produced]
        // A step that fills the chunk has more to give; one that does not has said its last word.
        if status != Z_OK || produced < chunk.count { return status }
      }
    }
  }
}
