import TestSupport
import Testing
import WARC

@Suite struct DeflateCodecTests {
  static let texts: [[UInt8]] = [
    [], [0], Array("hello, hello, hello".utf8), [UInt8](repeating: 7, count: 200_000),
    (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) },
  ]

  static func deflated(_ bytes: [UInt8], _ format: DeflateFormat, level: Int = 6) -> [UInt8] {
    let deflater = Deflater(format: format, level: level)
    var output: [UInt8] = []
    deflater.deflate(bytes) { output += $0 }
    deflater.finish { output += $0 }
    return output
  }

  static func inflated(
    _ bytes: [UInt8], _ format: DeflateFormat, piece: Int = .max
  ) throws -> (bytes: [UInt8], isFinished: Bool) {
    let inflater = Inflater(format: format)
    var output: [UInt8] = []
    var start = 0
    while start < bytes.count {
      let end = start + min(piece, bytes.count - start)
      try inflater.inflate(Array(bytes[start..<end])) { output += $0 }
      start = end
    }
    return (output, inflater.isFinished)
  }

  @Test(arguments: [DeflateFormat.gzip, .zlib, .raw], [0, 1, 6, 9])
  func `compressed data inflates to the same bytes`(_ format: DeflateFormat, _ level: Int) throws {
    for text in Self.texts {
      let packed = Self.deflated(text, format, level: level)
      let result = try Self.inflated(packed, format)
      #expect(result.bytes == text)
      #expect(result.isFinished)
      let guessed = try Self.inflated(packed, .automatic, piece: 1000)
      #expect(guessed.bytes == text)
      #expect(guessed.isFinished)
    }
  }

  @Test(arguments: [DeflateFormat.gzip, .zlib, .raw, .automatic])
  func `a stream received byte by byte gives the same data`(_ format: DeflateFormat) throws {
    let packed = Self.deflated(Self.texts[2], format)
    #expect(try Self.inflated(packed, format, piece: 1).bytes == Self.texts[2])
  }

  @Test(arguments: [DeflateFormat.gzip, .zlib, .raw])
  func `a truncated stream is reported as unfinished, wherever it is truncated`(
    _ format: DeflateFormat
  ) throws {
    let packed = Self.deflated(Array("some text that is long enough".utf8), format)
    for count in 0..<packed.count {
      #expect(try !Self.inflated(Array(packed[..<count]), format).isFinished, "\(count) bytes")
    }
  }

  @Test func `the members of a gzip stream are read as one stream`() throws {
    let packed = Self.deflated([1, 2, 3], .gzip) + Self.deflated([4, 5], .gzip)
    for piece in [1, 7, 1000] {
      let result = try Self.inflated(packed, .gzip, piece: piece)
      #expect(result.bytes == [1, 2, 3, 4, 5])
      #expect(result.isFinished)
    }
  }

  @Test func `data after the end of the stream is ignored`() throws {
    let packed = Self.deflated([1, 2, 3], .gzip) + [0, 0, 9, 0x1F]
    #expect(try Self.inflated(packed, .gzip).bytes == [1, 2, 3])
    #expect(try Self.inflated(packed, .gzip).isFinished)
  }

  /// Pieces of a stream, and what an `Inflater` makes of them.
  private struct Stream {
    var format = DeflateFormat.gzip
    var pieces: [[UInt8]]
    var bytes: [UInt8]
    /// Whether the stream is finished after each piece.
    var isFinished: [Bool]
  }

  @Test func `a stream changes its state with each piece`() throws {
    let (first, second) = (Self.deflated([1, 2], .gzip), Self.deflated([3], .gzip))
    let zlib = Self.deflated([4, 5], .zlib)
    let streams = [
      Stream(pieces: [first, second], bytes: [1, 2, 3], isFinished: [true, true]),
      Stream(pieces: [first + second], bytes: [1, 2, 3], isFinished: [true]),
      Stream(
        pieces: [first, Array(second.prefix(4)), Array(second.dropFirst(4))], bytes: [1, 2, 3],
        isFinished: [true, false, true]),
      // Data after the end is ignored for good, even if it contains another member.
      Stream(pieces: [first, [0], second], bytes: [1, 2], isFinished: [true, true, true]),
      Stream(pieces: [[], first], bytes: [1, 2], isFinished: [false, true]),
      Stream(
        format: .automatic, pieces: [[first[0]], Array(first.dropFirst()), second],
        bytes: [1, 2, 3], isFinished: [false, true, true]),
      Stream(
        format: .automatic, pieces: [[zlib[0]], Array(zlib.dropFirst()), zlib], bytes: [4, 5],
        isFinished: [false, true, true]),
    ]
    for (index, stream) in streams.enumerated() {
      let inflater = Inflater(format: stream.format)
      var bytes: [UInt8] = []
      let isFinished = try stream.pieces.map { piece in
        try inflater.inflate(piece) { bytes += $0 }
        return inflater.isFinished
      }
      #expect(bytes == stream.bytes, "stream \(index)")
      #expect(isFinished == stream.isFinished, "stream \(index)")
    }
  }

  @Test func `a wrong checksum is an error`() throws {
    var packed = Self.deflated([1, 2, 3], .gzip)
    packed[packed.count - 6] ^= 1
    #expect(throws: DeflateError.self) { try Self.inflated(packed, .gzip) }
  }

  @Test func `CRC-32 is the checksum of gzip and ZIP`() {
    #expect(CRC32.checksum(Array("123456789".utf8)) == 0xCBF4_3926)
    #expect(CRC32.checksum([]) == 0)
  }

  @Test(arguments: Seeds.all)
  func `random input passes no checksum, and decodes alike in chunks of any size`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let noise = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
      let piece = Int.random(in: 1...50, using: &random)
      for format in [DeflateFormat.gzip, .zlib, .raw, .automatic] {
        let whole = try? Self.inflated(noise, format)
        let pieces = try? Self.inflated(noise, format, piece: piece)
        #expect(whole?.bytes == pieces?.bytes && whole?.isFinished == pieces?.isFinished)
        // DEFLATE expands a byte to at most 1032 bytes.
        #expect(whole?.bytes.count ?? 0 <= noise.count * 1032)
        if format == .gzip || format == .zlib { #expect(whole?.isFinished != true) }
      }
    }
  }

  @Test(arguments: [DeflateFormat.gzip, .zlib])
  func `a changed byte in a stream with a checksum never yields different text`(
    _ format: DeflateFormat
  ) {
    let text = Self.texts[2]
    let packed = Self.deflated(text, format)
    for index in packed.indices {
      var damaged = packed
      damaged[index] ^= 0x55
      guard let result = try? Self.inflated(damaged, format), result.isFinished else { continue }
      #expect(result.bytes == text, "byte \(index)")
    }
  }
}
