import CZlib

/// A streaming decoder of gzip, zlib and raw deflate data.
///
/// It is a class because zlib's state must not move in memory. Use it from one thread at a time.
package final class Inflater {
  /// Whether the end of the stream was reached and its checksum is correct. If a transfer ends
  /// while this is false, it was truncated.
  package private(set) var isFinished = false

  /// The format that was requested.
  package let format: DeflateFormat

  private let stream: UnsafeMutablePointer<z_stream>
  /// The first two bytes of an `.automatic` stream, until both have arrived.
  private var prefix: [UInt8] = []
  private var isOpen = false
  /// Whether the data after the end is ignored, as gzip(1) does.
  private var ignoresRest = false

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
    if isOpen { inflateEnd(stream) }
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
    while !rest.isEmpty, !ignoresRest {
      if isFinished {
        // A gzip file may consist of several members (RFC 1952 §2.2).
        guard stream.pointee.total_in > 0, isGzip, rest[0] == 0x1F else {
          ignoresRest = true
          return
        }
        try reset()
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
    if !isOpen {
      skipped = try start(input)
      guard isOpen else { return (skipped, 0) }
      if !prefix.isEmpty {
        let first = (prefix[0], prefix[1])
        prefix = []
        try withUnsafeBytes(of: first) { bytes throws(DeflateError) in
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
    isFinished = false
    guard isOpen else { return }
    guard inflateReset(stream) == Z_OK else {
      throw .malformed("the next gzip member cannot be decoded")
    }
  }

  private var isGzip: Bool { format == .gzip || (format == .automatic && detected == .gzip) }
  private var detected = DeflateFormat.raw

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

  /// Initializes zlib's state, once the format is known.
  /// - Returns: the number of input bytes that were consumed for that.
  private func start(_ input: UnsafeRawBufferPointer) throws(DeflateError) -> Int {
    var consumedCount = 0
    detected = format
    if format == .automatic {
      while prefix.count < 2, consumedCount < input.count {
        prefix.append(input[consumedCount])
        consumedCount += 1
      }
      guard prefix.count == 2 else { return consumedCount }
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
    isOpen = true
    return consumedCount
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
      return CZlib.inflate(stream, Z_NO_FLUSH)
    }
    let consumed = inputCount - Int(stream.pointee.avail_in)
    let produced = outputCount - Int(stream.pointee.avail_out)
    switch code {
    case Z_STREAM_END: isFinished = true
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
}
