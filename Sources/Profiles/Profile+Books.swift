package import LocalDocuments
package import Pages
import Containers
package import Document
import Library
import OfflineCache
package import ReaderMode
import Synchronization

/// Imported books, which are files that contain pages. Each is stored in one record of the archive.
extension Profile {
  /// Maximum size of an imported book, in bytes. Larger files are opened where they are.
  package static let maxBookLength: Int64 = 1 << 28

  /// Returns the key of the content of a file: of the file to which a `file:` or `book:` URL leads,
  /// or of the file that contains the page with this URL. The key does not depend on the location
  /// of the file, and is the same after an import.
  /// - Parameter url: the URL.
  /// - Returns: the key; nil for other URLs, and for files that are larger than `maxBookLength` or
  ///   cannot be read.
  package func contentKey(of url: DocumentAddress) -> String? {
    BookAddress(url.text)?.key ?? documents.contentKey(of: url, maxLength: Self.maxBookLength)
  }

  /// Opens an imported book. The most recent one is cached.
  /// - Parameter key: its cache key.
  /// - Returns: the book.
  /// - Throws: `ReaderError`.
  package func book(_ key: String) throws(ReaderError) -> OpenedBook {
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
    guard stored.length <= Self.maxBookLength else { throw PageContent.Problem.tooLarge }
    let content = try cache.archive.body(of: stored).rest()
    // Files imported from other devices may contain any URL.
    guard BookAddress(of: content).key == stored.key else {
      throw ReaderError.unreadableFile(
        path: stored.key, "does not match the digest in its URL; import the file again")
    }
    let title = try library.page(stored.key).title
    return try DocumentFile(
      book: content, at: DocumentLocation(key: stored.key, name: title.isEmpty ? stored.key : title)
    )
  }

  /// Reads the document of a saved version; for a book, its table of contents and its parts.
  /// - Parameters:
  ///   - stored: the version.
  ///   - key: the key of the only page to read; nil for all.
  ///   - view: the view.
  ///   - limit: maximum size of a page in bytes, after decompression.
  ///   - receive: receives each page with its key.
  /// - Throws: the errors of `document(of:as:limit:)`, and `ReaderError`.
  func read(
    _ stored: StoredResponse, only key: String?, as view: PageViewMode, limit: Int64,
    receive: (String, Document) -> Void
  ) throws {
    guard BookAddress(stored.key) != nil else {
      return receive(stored.key, try document(of: stored, as: view, limit: limit))
    }
    let file = try book(stored.key).file
    let wanted = key.flatMap { BookAddress($0) }
    for url in file.pages {
      // Unreadable parts are skipped.
      guard let address = BookAddress(url), wanted == nil || wanted == address,
        let item = try? file.item(at: address.path), item.problem == nil,
        var content = try? PageContent(
          document: item.bytes, type: item.type, limit: limit, title: item.title ?? "")
      else { continue }
      content.styleSheet = item.styleSheet
      receive(url, item.titled(content.document(url: url, view: view)))
    }
  }

  /// Returns the newest good version of a page, or a part of a book, as a document.
  /// - Parameters:
  ///   - key: the cache key.
  ///   - view: the view.
  ///   - limit: maximum size in bytes, after decompression.
  /// - Returns: the document; nil if the page is not saved or cannot be read.
  package func savedDocument(of key: String, as view: PageViewMode, limit: Int64) -> Document? {
    let saved = try? cache.archive.captures(of: BookAddress.key(of: key)).first(
      where: \.isGood)
    var found: Document?
    if let saved { try? read(saved, only: key, as: view, limit: limit) { found = $1 } }
    return found
  }
}

extension DocumentFile {
  /// The URLs of the file and its parts.
  fileprivate var pages: [String] {
    guard case .book(_, _, let locations) = form else { return [url.text] }
    return [url.text] + locations.list.parts.map(\.url.text)
  }
}

extension DocumentFile.Item {
  /// Returns the document with the title that it has in lists.
  package func titled(_ document: Document) -> Document {
    var document = document
    if document.title.isEmpty, let title { document.title = title }
    if let parts, let index = parts.index {
      document.title = "\(parts.parts[index].title) – \(parts.title)"
    }
    return document
  }
}
