import LocalDocuments
import Pages
import Profiles
import Containers
import Exchange
import Formats
import Library
import OfflineCache

/// Imports books, whose files are archived unchanged, or decompressed if they are compressed.
extension LibraryImport {
  /// The number of bytes that are read to recognize a PDF file, which may be compressed.
  private static let examinedLength = 1 << 14

  /// Whether a file is a PDF file, judged by its first bytes.
  func isPDF(_ path: String) throws -> Bool {
    guard let file = try files.openForReading(path), try file.status().isFile else { return false }
    let start = try file.bytes(at: 0, count: Self.examinedLength)
    let content = (try? Self.unpacked(start, of: path)) ?? start
    return PDFText.isFormat(of: Array(content.prefix(PDFSignature.maxExaminedLength)))
  }

  /// Returns the content of a file that may be compressed.
  private static func unpacked(_ bytes: [UInt8], of path: String) throws(ReaderError) -> [UInt8] {
    var isTruncated = false
    do throws(PageContent.Problem) {
      return try PageContent.unpackedLayers(
        of: bytes, limit: Profile.maxBookLength, isTruncated: &isTruncated)
    } catch {
      throw tooLarge(path)
    }
  }

  private static func tooLarge(_ path: String) -> ReaderError {
    .unreadableFile(
      path: path, "is larger than \(Profile.maxBookLength >> 20) MB; to read it: offread FILE")
  }

  /// Archives a book and pins it.
  /// - Parameters:
  ///   - path: the file.
  ///   - type: the media type of the file.
  ///   - tags: the tags to add to the book.
  /// - Returns: the outcome.
  /// - Throws: `ReaderError.unreadableFile`, `ContainerError`, `ArchiveError`.
  func importBook(_ path: String, type: String, tags: [String]) throws -> Outcome {
    guard try files.status(of: path)?.size ?? 0 <= Profile.maxBookLength else {
      throw Self.tooLarge(path)
    }
    let content = try Self.unpacked(LocalFile.read(path), of: path)
    let key = BookAddress(of: content).key
    let name = MediaType.nameOfContent(inFileNamed: DocumentLocation(path: path).name)
    // This throws an error for a book that cannot be read.
    let book = try DocumentFile(book: content, at: DocumentLocation(key: key, name: name))
    var outcome = Outcome(format: .book)
    (outcome.pageCount, outcome.address) = (1, key)
    outcome.wasImportedBefore =
      try profile.cache.archive.append(book: content, type: type, at: now).isKnown
    var changes = [
      LibraryChange(key, .pinned, "1"), LibraryChange(key, .title, book.title),
    ]
    if try profile.library.page(key).removed != nil {
      changes.append(LibraryChange(key, .removed, nil))
    }
    changes += Set(tags.flatMap(LibraryAttribute.tags)).sorted().map {
      LibraryChange(key, .tag($0), "1")
    }
    try profile.library.record(changes)
    return outcome
  }
}

extension DocumentFile {
  /// The title of the book; for other files, the file name.
  fileprivate var title: String {
    guard case .book(_, _, let positions) = form else { return name }
    return positions.list.title
  }
}
