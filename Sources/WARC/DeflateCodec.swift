import CZlib

/// The container formats of a deflate stream (RFC 1950, 1951, 1952).
package enum DeflateFormat: Sendable, Equatable {
  /// gzip; when decoding, with one or more members.
  case gzip
  /// zlib; HTTP calls it "deflate".
  case zlib
  /// Raw deflate blocks without a container.
  case raw
  /// One of the other formats, according to the first two bytes; only for decoding.
  case automatic
}

/// An error of decoding a deflate stream.
package enum DeflateError: Error, Sendable, Equatable {
  /// The data is not a deflate stream of the expected format, or a checksum is wrong.
  case malformed(String)
  case outOfMemory
}

extension DeflateError: CustomStringConvertible {
  /// A message for the user, in one line.
  package var description: String {
    switch self {
    case .malformed(let reason): reason
    case .outOfMemory: "there is not enough memory"
    }
  }
}

/// The CRC-32 checksum of gzip and ZIP (RFC 1952 §8).
package struct CRC32: Sendable {
  /// The checksum of the bytes so far.
  package private(set) var value: UInt32 = 0

  package init() {}

  package mutating func update(_ bytes: [UInt8]) {
    var checksum = UInt(value)
    bytes.withUnsafeBufferPointer { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let piece = UnsafeBufferPointer(rebasing: rest.prefix(1 << 30))
        checksum = crc32(checksum, piece.baseAddress, UInt32(piece.count))
        rest = UnsafeBufferPointer(rebasing: rest[piece.count...])
      }
    }
    value = UInt32(truncatingIfNeeded: checksum)
  }

  package static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var checksum = CRC32()
    checksum.update(bytes)
    return checksum.value
  }
}

/// A streaming decoder of gzip, zlib and raw deflate data.
///
/// It is a class because zlib's state must not move in memory. Use it from one thread at a time.
package final class Inflater {
  /// The state of the decoder. The legal transitions are:
  ///
  /// - `undetermined` (zlib has received nothing): to `decoding` when the format is known, which
  ///   takes two bytes of an `.automatic` stream.
  /// - `decoding`: to `awaitingChecksum` with the end of the last block, which is undone if the
  ///   checksum is wrong.
  /// - `decoding`, `awaitingChecksum`: to `finished` with the end of a stream whose checksum is
  ///   correct.
  /// - `finished`: to `decoding` with the next gzip member, to `ignoring` with other bytes.
  /// - `ignoring` (the data after the end is ignored, as gzip(1) does): to `decoding` by `reset`.
  private enum State {
    case undetermined(prefix: [UInt8])
    case decoding, awaitingChecksum, finished, ignoring
  }

  /// Whether the end of the stream was reached and its checksum is correct. If a transfer ends
  /// while this is false, it was truncated.
  package var isFinished: Bool {
    switch state {
    case .finished, .ignoring: true
    case .undetermined, .decoding, .awaitingChecksum: false
    }
  }

  /// Whether the last block of the stream (of gzip: of the member) was decoded to its end. The
  /// checksum after it may still be missing.
  package var hasAllBlocks: Bool {
    switch state {
    case .awaitingChecksum, .finished, .ignoring: true
    case .undetermined, .decoding: false
    }
  }

  /// The format that was requested.
  package let format: DeflateFormat

  private let stream: UnsafeMutablePointer<z_stream>
  private var state = State.undetermined(prefix: [])
  /// The format of the stream; not yet known while the state is `undetermined`.
  private var detected = DeflateFormat.raw

  /// Whether `step` returns the bytes that were decoded before damaged data, and reports the damage
  /// in the next call.
  private let keepsOutput: Bool

  package init(format: DeflateFormat, keepsOutput: Bool = false) {
    self.format = format
    self.keepsOutput = keepsOutput
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
  }

  deinit {
    switch state {
    case .undetermined: break
    case .decoding, .awaitingChecksum, .finished, .ignoring: inflateEnd(stream)
    }
    stream.deallocate()
  }

  /// Decodes the next piece of a stream, and passes the result to `sink` in chunks of at most 64
  /// KB.
  ///
  /// Several gzip members are decoded as one stream. Bytes after the end are ignored.
  /// - Throws: `DeflateError`, or errors of `sink`.
  package func inflate(_ input: UnsafeRawBufferPointer, into sink: ([UInt8]) throws -> Void) throws
  {
    var rest = input
    while !rest.isEmpty {
      switch state {
      case .undetermined, .decoding, .awaitingChecksum: break
      case .finished:
        // A gzip file may consist of several members (RFC 1952 §2.2).
        guard stream.pointee.total_in > 0, isGzip, rest[0] == 0x1F else {
          state = .ignoring
          return
        }
        try reset()
      case .ignoring: return
      }
      var consumed = 0
      let chunk = try [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
        (consumed, count) = try step(rest, into: UnsafeMutableRawBufferPointer(buffer))
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[consumed...])
      if !chunk.isEmpty { try sink(chunk) }
      if chunk.count == 65_536 { try drain(into: sink) }
    }
  }

  /// Decodes the next piece of a stream; see `inflate(_:into:)`.
  package func inflate(_ input: [UInt8], into sink: ([UInt8]) throws -> Void) throws {
    try input.withUnsafeBytes { try inflate($0, into: sink) }
  }

  /// Decodes into a buffer, until the input is consumed, the buffer is full, or the stream (of
  /// gzip: the member) has ended.
  /// - Returns: the number of bytes read and written.
  package func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DeflateError) -> (consumed: Int, produced: Int) {
    guard !isFinished else { return (0, 0) }
    var skipped = 0
    if case .undetermined(var prefix) = state {
      while format == .automatic, prefix.count < 2, skipped < input.count {
        prefix.append(input[skipped])
        skipped += 1
      }
      state = .undetermined(prefix: prefix)
      guard format != .automatic || prefix.count == 2 else { return (skipped, 0) }
      try open(prefix)
      if !prefix.isEmpty {
        try withUnsafeBytes(of: (prefix[0], prefix[1])) { bytes throws(DeflateError) in
          _ = try run(bytes, into: UnsafeMutableRawBufferPointer(start: nil, count: 0))
        }
      }
    }
    let rest = UnsafeRawBufferPointer(rebasing: input[skipped...])
    let (consumed, produced) = try run(rest, into: output)
    return (skipped + consumed, produced)
  }

  /// Begins a new stream (of gzip: the next member) of the same format.
  package func reset() throws(DeflateError) {
    switch state {
    case .undetermined: return
    case .decoding, .awaitingChecksum, .finished, .ignoring: state = .decoding
    }
    guard inflateReset(stream) == Z_OK else {
      throw .malformed("the next gzip member cannot be decoded")
    }
  }

  private var isGzip: Bool { format == .gzip || (format == .automatic && detected == .gzip) }

  private func drain(into sink: ([UInt8]) throws -> Void) throws {
    while !isFinished {
      let chunk = try [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        (_, count) = try step(none, into: UnsafeMutableRawBufferPointer(buffer))
      }
      guard !chunk.isEmpty else { return }
      try sink(chunk)
    }
  }

  /// Initializes zlib's state.
  /// - Parameter prefix: the first two bytes of an `.automatic` stream; not used for others.
  /// - Throws: `DeflateError.outOfMemory`.
  private func open(_ prefix: [UInt8]) throws(DeflateError) {
    detected = format
    if format == .automatic {
      if prefix == [0x1F, 0x8B] {
        detected = .gzip
      } else {
        // RFC 1950 §2.2: method 8, and the first two bytes are a multiple of 31.
        let isZlib = prefix[0] & 0x0F == 8 && (Int(prefix[0]) << 8 | Int(prefix[1])) % 31 == 0
        detected = isZlib ? .zlib : .raw
      }
    }
    let windowBits: Int32 =
      switch detected {
      case .gzip: 15 + 16
      case .zlib: 15
      case .raw, .automatic: -15
      }
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(stream, windowBits, ZLIB_VERSION, size) == Z_OK else { throw .outOfMemory }
    state = .decoding
  }

  private func run(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DeflateError) -> (consumed: Int, produced: Int) {
    let maxCount = Int(Int32.max)
    let inputCount = min(input.count, maxCount)
    let outputCount = min(output.count, maxCount)
    // zlib requires a valid output pointer even if there is no space.
    var placeholderOutput: UInt8 = 0
    let code = withUnsafeMutablePointer(to: &placeholderOutput) { placeholderOutput in
      stream.pointee.next_in = UnsafeMutablePointer(
        mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
      stream.pointee.avail_in = UInt32(inputCount)
      stream.pointee.next_out =
        output.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? placeholderOutput
      stream.pointee.avail_out = UInt32(outputCount)
      if stream.pointee.next_in == nil { stream.pointee.next_in = placeholderOutput }
      return inflateBlocks()
    }
    let consumed = inputCount - Int(stream.pointee.avail_in)
    let produced = outputCount - Int(stream.pointee.avail_out)
    if code == Z_DATA_ERROR { state = .decoding }
    switch code {
    case Z_STREAM_END: state = .finished
    case Z_OK, Z_BUF_ERROR: break
    case Z_MEM_ERROR: throw .outOfMemory
    // After damaged data, zlib returns the same code in every call.
    case Z_DATA_ERROR where keepsOutput && produced > 0: break
    default:
      let message = stream.pointee.msg.map { String(cString: $0) }
      throw .malformed(message ?? "not a deflate stream")
    }
    return (consumed, produced)
  }

  /// Decodes until the input is consumed, the buffer is full, or the stream has ended. With
  /// `Z_BLOCK`, zlib returns at the end of each block, also of the last one.
  /// - Returns: zlib's result code.
  private func inflateBlocks() -> Int32 {
    var code: Int32
    var isAtBlockEnd: Bool
    repeat {
      code = CZlib.inflate(stream, Z_BLOCK)
      isAtBlockEnd =
        (code == Z_OK || code == Z_BUF_ERROR) && stream.pointee.data_type & Self.blockEndFlag != 0
      if isAtBlockEnd, stream.pointee.data_type & Self.lastBlockFlag != 0 {
        state = .awaitingChecksum
      }
    } while isAtBlockEnd
    return code
  }

  /// The flag in `data_type` of a stream for the position after a block or a header.
  private static let blockEndFlag: Int32 = 128
  /// The flag in `data_type` of a stream for the last block.
  private static let lastBlockFlag: Int32 = 64
}

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
