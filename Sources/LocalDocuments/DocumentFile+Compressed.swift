import Containers
import Exchange
import Formats
import OfflineCache
import Pages

/// Opens files that are compressed as a whole with gzip or Zstandard.
extension DocumentFile {
  /// The number of bytes that are read to recognize the format of compressed content. A block of
  /// Zstandard, which is decompressed as a whole, is shorter (RFC 8878 §3.1.1.2.4).
  private static let examinedCompressedLength = 1 << 18
  /// The maximum size of decompressed content in bytes.
  private static let maxContentLength: Int64 = 1 << 30

  /// Opens a compressed book, archive, or page with its resources. Compressed mail is read as a
  /// single page instead.
  /// - Parameters:
  ///   - file: the file.
  ///   - path: its path.
  /// - Returns: the file; nil if its content has another format or cannot be decompressed.
  /// - Throws: `ContainerError`, `ReaderError`, or the errors of reading the file.
  static func compressedDocument(in file: OpenFile, at path: String) throws -> DocumentFile? {
    let name = MediaType.nameOfContent(inFileNamed: path)
    let start = try unpacked(file.bytes(at: 0, count: examinedCompressedLength))
    guard
      isMessage(start, named: name) || SafariArchive.isPossible(start)
        || ZIPArchive.isFormat(of: start)
    else { return nil }
    let size = min(try file.status().size, maxContentLength)
    let content = unpacked(try file.bytes(at: 0, count: Int(size)))
    guard isMessage(start, named: name) else { return try open(content, from: path) }
    // A message that cannot be parsed is read as text.
    let message = try? page(in: content, named: name)
    return message.map {
      DocumentFile(location: DocumentLocation(path: path), form: .message($0))
    }
  }

  /// Returns decompressed bytes, or those before an error; empty if there are none or too many.
  private static func unpacked(_ bytes: [UInt8]) -> [UInt8] {
    var isTruncated = false
    let content = try? PageContent.unpackedLayers(
      of: bytes, limit: maxContentLength, isTruncated: &isTruncated)
    return content ?? []
  }
}
