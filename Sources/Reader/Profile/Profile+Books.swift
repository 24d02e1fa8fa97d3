import Containers
package import Document
import Library
import OfflineCache
package import ReaderMode
import Synchronization

/// A book in the archive, opened.
struct OpenedBook: Sendable {
  /// The version that it is.
  let stored: StoredResponse
  /// What is in it.
  let file: DocumentFile
}

/// Books that were imported: files with pages of their own, each in one record of the archive.
extension Profile {
  /// Larger files, in bytes, are read where they are.
  package static let longestBook: Int64 = 1 << 28

  /// A book; the one that was opened last stays open.
  /// - Parameter key: its address.
  /// - Returns: the book.
  /// - Throws: `ReaderError`.
  func book(_ key: String) throws(ReaderError) -> OpenedBook {
    do {
      guard let stored = try cache.archive.captures(of: key).first(where: \.isGood) else {
        throw ReaderError.unreadableFile(path: key, "is not in the library; import its file")
      }
      if let book = openedBook.withLock({ $0 }), book.stored.id == stored.id { return book }
      let book = OpenedBook(stored: stored, file: try open(stored))
      openedBook.withLock { $0 = book }
      return book
    } catch let error as ReaderError {
      throw error
    } catch let error as ContainerError {
      throw .unreadableFile(path: key, error.description)
    } catch let error as ArchiveError {
      throw .archive(url: key, error)
    } catch {
      throw .unreadableFile(path: key, "\(error)")
    }
  }

  private func open(_ stored: StoredResponse) throws -> DocumentFile {
    guard stored.length <= Self.longestBook else { throw PageContent.Problem.tooLarge }
    let content = try cache.archive.body(of: stored).rest()
    // Files of other machines can claim any address.
    guard BookAddress(of: content).key == stored.key else {
      throw ReaderError.unreadableFile(path: stored.key, "is not the file that its address names")
    }
    let title = try library.page(stored.key).title
    return try DocumentFile(
      book: content, at: DocumentPlace(key: stored.key, name: title.isEmpty ? stored.key : title))
  }

  /// Reads a version that is saved: of a book its contents and its parts.
  /// - Parameters:
  ///   - stored: the version.
  ///   - key: only the page of this key; nil for all.
  ///   - view: how it is read.
  ///   - limit: the most bytes that a page may have unpacked.
  ///   - take: gets each page under its key.
  /// - Throws: as `document(of:as:limit:)`, and `ReaderError`.
  func read(
    _ stored: StoredResponse, only key: String?, as view: ReadingView, limit: Int64,
    take: (String, Document) -> Void
  ) throws {
    guard BookAddress(stored.key) != nil else {
      return take(stored.key, try document(of: stored, as: view, limit: limit))
    }
    let file = try book(stored.key).file
    let wanted = key.flatMap { BookAddress($0) }
    for url in file.pages {
      // What cannot be read stands beside what can.
      guard let address = BookAddress(url), wanted == nil || wanted == address,
        let item = try? file.item(at: address.path),
        var content = try? PageContent(
          document: item.bytes, type: item.type, limit: limit, title: item.title ?? "")
      else { continue }
      content.styleSheet = item.styleSheet
      take(url, item.titled(content.document(url: url, view: view)))
    }
  }

  /// The newest good version of a page, or the page of a book, as it is read.
  /// - Parameters:
  ///   - key: its key.
  ///   - view: how it is read.
  ///   - limit: the most bytes that it may have unpacked.
  /// - Returns: nil when nothing is saved of it, or it cannot be read.
  package func savedDocument(of key: String, as view: ReadingView, limit: Int64) -> Document? {
    let saved = try? cache.archive.captures(of: BookAddress.key(of: key)).first(where: \.isGood)
    var found: Document?
    if let saved { try? read(saved, only: key, as: view, limit: limit) { found = $1 } }
    return found
  }
}

extension DocumentFile {
  /// The addresses of what is read of it: the file itself, and its parts.
  fileprivate var pages: [String] {
    guard case .book(_, _, let places) = form else { return [url] }
    return [url] + places.list.parts.map(\.url)
  }
}

extension DocumentFile.Item {
  /// A document of it, with the title under which it is known among others.
  func titled(_ document: Document) -> Document {
    var document = document
    if document.title.isEmpty, let title { document.title = title }
    if let parts, let index = parts.index {
      document.title = "\(parts.parts[index].title) – \(parts.title)"
    }
    return document
  }
}
