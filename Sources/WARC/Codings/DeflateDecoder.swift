/// A decoder for the content codings `gzip` and `deflate`; the latter with or without the zlib
/// header that it should have. A stream of zlib that is declared as gzip is decoded, too, and white
/// space before a gzip stream, which scripts of servers write, is skipped.
final class DeflateDecoder: ContentDecoder {
  private enum Content {
    case gzip, deflate, plain
  }

  private let isGzip: Bool
  /// Whether binary content without the header of gzip is passed through unchanged.
  private let passesBinary: Bool
  /// The kind of the content; nil before its first bytes have arrived.
  private var content: Content?
  /// Whether white space before the content was skipped.
  private var hasBlank = false
  private var inflater: Inflater

  /// The first byte of a gzip member (RFC 1952 §2.3.1).
  private static let firstByte: UInt8 = 0x1F
  /// The bytes of white space and of the byte-order mark of UTF-8.
  private static let blankBytes: [UInt8] = [0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF]

  /// Creates a decoder.
  /// - Parameters:
  ///   - isGzip: whether the coding is gzip.
  ///   - passesBinary: whether binary content that does not begin like gzip is treated as not
  ///     encoded, despite its `Content-Encoding`, and passed through; otherwise, it is an error.
  init(isGzip: Bool, passesBinary: Bool = false) {
    self.isGzip = isGzip
    self.passesBinary = passesBinary
    // Content without the header of gzip may be no deflate stream at all.
    inflater = Inflater(format: isGzip ? .gzip : .automatic, keepsOutput: isGzip)
  }

  var isFinished: Bool {
    switch content {
    case nil: hasBlank
    case .plain: true
    case .gzip, .deflate: inflater.isFinished
    }
  }

  var hasAllContent: Bool { isFinished || content == .gzip && inflater.hasAllBlocks }

  func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DecodingFailure) -> (consumed: Int, produced: Int) {
    if content == nil, !input.isEmpty {
      let blankCount = isGzip ? Self.blankCount(input) : 0
      if blankCount > 0, blankCount == input.count || input[blankCount] == Self.firstByte {
        hasBlank = true
        return (blankCount, 0)
      }
      begin(with: input)
    }
    if content == .plain {
      let count = min(input.count, output.count)
      output.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[..<count]))
      return (count, count)
    }
    do throws(DeflateError) {
      // A gzip file may consist of several members (RFC 1952 §2.2).
      if content == .gzip, inflater.isFinished, input.first == Self.firstByte {
        try inflater.reset()
      }
      return try inflater.step(input, into: output)
    } catch {
      throw DecodingFailure("\(error)")
    }
  }

  /// Determines the kind of the content from its first bytes.
  private func begin(with input: UnsafeRawBufferPointer) {
    if !isGzip {
      content = input.beginsWithText ? .plain : .deflate
    } else if input.first == Self.firstByte {
      content = .gzip
    } else if passesBinary || input.isTextOrEmpty {
      content = .plain
    } else if Self.isZlib(input) {
      content = .deflate
      inflater = Inflater(format: .zlib)
    } else {
      // The decoder reports that this is not a gzip stream.
      content = .gzip
    }
  }

  /// Returns the number of bytes of white space and byte-order marks at the start.
  private static func blankCount(_ input: UnsafeRawBufferPointer) -> Int {
    input.prefix { blankBytes.contains($0) }.count
  }

  /// Returns whether the bytes begin with a zlib header (RFC 1950 §2.2): method 8, a window of at
  /// most 32 KB, and the first two bytes are a multiple of 31.
  private static func isZlib(_ input: UnsafeRawBufferPointer) -> Bool {
    guard input.count >= 2, input[0] & 0x0F == 8, input[0] >> 4 <= 7 else { return false }
    return (Int(input[0]) << 8 | Int(input[1])) % 31 == 0
  }
}
