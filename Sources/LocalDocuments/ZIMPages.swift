import Containers
import Exchange
import Document
import Formats
import OfflineCache

/// The pages of a ZIM file.
struct ZIMPages {
  let file: DocumentFile
  let zim: ZIMFile

  /// Returns the item at a path in the file.
  /// - Parameter inner: the path; empty for the main page.
  /// - Returns: the item.
  /// - Throws: `ContainerError`.
  func item(at inner: String) throws(ContainerError) -> DocumentFile.Item {
    guard let response = try inner.isEmpty ? zim.mainPage() : zim.entry(at: inner) else {
      guard inner.isEmpty else { throw .missing(path: inner) }
      return DocumentFile.Item(bytes: Array(noMainPage.utf8), type: MediaType("text/html"))
    }
    return DocumentFile.Item(
      bytes: response.bytes, type: MediaType(response.type),
      url: response.path == inner ? nil : file.url(of: response.path), title: response.title)
  }

  private var noMainPage: String {
    let name = Markup.escapedLine(file.name)
    return
      "<!DOCTYPE html><title>\(name)</title><main><h1>\(name)</h1><p>This file has no start"
      + " page. <code>:search</code> searches it.</main>"
  }
}
