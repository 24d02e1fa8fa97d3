import WARC

/// Writes sorted lines in blocks, each a gzip member, with a second index of the first line of each
/// block (ZipNum), so that a lookup reads only a few blocks of a file of any size.
package struct ZipNumWriter {
  /// The format of the second index.
  package enum IndexFormat: Sendable, Equatable {
    /// The format of pywb: key and timestamp, name of the part, offset, length and number,
    /// separated by tabs. A separate file maps the name of the part to the path of its file.
    case tabs(part: String)
    /// The format of WACZ: key and timestamp, followed by a JSON object with offset, length and
    /// digest.
    case objects(file: String)
  }

  private let format: IndexFormat
  private let linesPerBlock: Int
  private let deflater = Deflater(format: .gzip, level: 6)
  /// The lines of the open block.
  private var block: [UInt8] = []
  /// The key and timestamp of the first line of the open block.
  private var firstLine: [UInt8] = []
  /// The number of lines in the open block.
  private var lineCount = 0
  /// The number of blocks written.
  private var blockCount = 0
  /// The offset of the open block in the file of blocks.
  private var offset: Int64 = 0

  /// Creates a writer.
  /// - Parameters:
  ///   - format: The format of the second index.
  ///   - linesPerBlock: The number of lines in a block.
  package init(_ format: IndexFormat, linesPerBlock: Int = 300) {
    self.format = format
    self.linesPerBlock = max(1, linesPerBlock)
  }

  /// Adds a line.
  /// - Parameters:
  ///   - line: The line including its line feed; it must sort after all previous lines.
  ///   - blocks: Receives data for the file of blocks.
  ///   - index: Receives data for the second index.
  /// - Throws: Errors that these functions throw.
  package mutating func add(
    _ line: ArraySlice<UInt8>, blocks: ([UInt8]) throws -> Void, index: ([UInt8]) throws -> Void
  ) throws {
    if lineCount == 0 { firstLine = Array(line.prefix { $0 != UInt8(ascii: "{") }) }
    block += line
    lineCount += 1
    if lineCount == linesPerBlock { try close(blocks, index) }
  }

  /// Writes the last block.
  /// - Parameters:
  ///   - blocks: Receives data for the file of blocks.
  ///   - index: Receives data for the second index.
  /// - Throws: Errors that these functions throw.
  package mutating func finish(
    blocks: ([UInt8]) throws -> Void, index: ([UInt8]) throws -> Void
  ) throws {
    if lineCount > 0 || blockCount == 0 { try close(blocks, index) }
  }

  private mutating func close(
    _ blocks: ([UInt8]) throws -> Void, _ index: ([UInt8]) throws -> Void
  ) throws {
    var compressedBlock: [UInt8] = []
    deflater.deflate(block) { compressedBlock += $0 }
    deflater.finish { compressedBlock += $0 }
    if blockCount == 0, case .objects(let file) = format {
      var line = Array("!meta 0 {\"format\": \"cdxj-gzip-1.0\", \"filename\": ".utf8)
      CDXJLine.append(file, to: &line)
      try index(line + [0x7D, 0x0A])
    }
    blockCount += 1
    if lineCount > 0 {
      while firstLine.last == 32 { firstLine.removeLast() }
      switch format {
      case .tabs(let part):
        try index(
          firstLine + Array("\t\(part)\t\(offset)\t\(compressedBlock.count)\t\(blockCount)\n".utf8))
      case .objects:
        let digest = Hexadecimal.text(DigestBuilder.bytes(of: compressedBlock, .sha256))
        let blockDescription =
          " {\"offset\": \(offset), \"length\": \(compressedBlock.count), \"digest\": \"sha256:\(digest)\"}\n"
        try index(firstLine + Array(blockDescription.utf8))
      }
    }
    try blocks(compressedBlock)
    offset += Int64(compressedBlock.count)
    block.removeAll(keepingCapacity: true)
    lineCount = 0
  }
}
