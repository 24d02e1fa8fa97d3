import CZlib

/// A streaming encoder of gzip, zlib and raw deflate data.
///
/// It is a class because zlib's state must not move in memory. Use it from one thread at a time.
package final class Deflater {
  private let stream: UnsafeMutablePointer<z_stream>
  private var level: Int32
  /// Whether no data of the current stream was encoded yet.
  private var isNew = true

  /// Creates an encoder.
  /// - Parameters:
  ///   - format: the container format; `.automatic` means gzip.
  ///   - level: 0 stores without compressing, 1 is fastest, 9 is smallest.
  package init(format: DeflateFormat = .gzip, level: Int = 6) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let windowBits: Int32 =
      switch format {
      case .gzip, .automatic: 15 + 16
      case .zlib: 15
      case .raw: -15
      }
    let size = Int32(MemoryLayout<z_stream>.size)
    self.level = Int32(max(0, min(level, 9)))
    let code = deflateInit2_(
      stream, self.level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY,
      ZLIB_VERSION, size)
    precondition(code == Z_OK, "zlib has no memory for an encoder")
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Encodes the next piece of a stream, and passes finished output to `sink` in chunks of at most
  /// 64 KB.
  package func deflate(
    _ input: UnsafeRawBufferPointer, into sink: ([UInt8]) throws -> Void
  ) rethrows {
    var rest = input
    while !rest.isEmpty {
      let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
      try run(piece, flush: Z_NO_FLUSH, into: sink)
      rest = UnsafeRawBufferPointer(rebasing: rest[piece.count...])
    }
  }

  /// Encodes the next piece of a stream; see `deflate(_:into:)`.
  package func deflate(_ input: [UInt8], into sink: ([UInt8]) throws -> Void) rethrows {
    try input.withUnsafeBytes { try deflate($0, into: sink) }
  }

  /// Ends the stream, and passes the remaining output to `sink`. The encoder can then be used for a
  /// new stream.
  package func finish(into sink: ([UInt8]) throws -> Void) rethrows {
    try run(UnsafeRawBufferPointer(start: nil, count: 0), flush: Z_FINISH, into: sink)
    deflateReset(stream)
    isNew = true
  }

  /// Begins a new stream of the same format, discarding the current one. This is much cheaper than
  /// a new encoder, whose tables are a quarter of a megabyte.
  /// - Parameter level: as in `init`.
  package func restart(level: Int) {
    // Each reset clears tables of 64 KB.
    if !isNew { deflateReset(stream) }
    isNew = true
    let level = Int32(max(0, min(level, 9)))
    if level != self.level { deflateParams(stream, level, Z_DEFAULT_STRATEGY) }
    self.level = level
  }

  private func run(
    _ input: UnsafeRawBufferPointer, flush: Int32, into sink: ([UInt8]) throws -> Void
  ) rethrows {
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(input.count)
    isNew = false
    var isFull = true
    while isFull {
      let chunk = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
        stream.pointee.next_out = buffer.baseAddress
        stream.pointee.avail_out = UInt32(buffer.count)
        _ = CZlib.deflate(stream, flush)
        count = buffer.count - Int(stream.pointee.avail_out)
      }
      isFull = chunk.count == 65_536
      if !chunk.isEmpty { try sink(chunk) }
    }
  }
}
