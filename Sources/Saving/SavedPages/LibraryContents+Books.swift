import OfflineCache

extension LibraryContents.Row {
  /// The file name extensions, in lower case, of files that are listed as books.
  private static let bookExtensions: Set = ["epub", "mht", "mhtml", "pdf", "wacz", "zim"]

  /// Whether the row stands for a book: an imported file, or a local EPUB, PDF, MHTML, WACZ or ZIM
  /// file. Pages within such a file have rows of their own.
  package var isBook: Bool {
    if let address = BookAddress(key) { return address.path.isEmpty }
    guard key.hasPrefix("file:"), let name = key.split(separator: "/").last,
      let dot = name.lastIndex(of: ".")
    else { return false }
    return Self.bookExtensions.contains(name[name.index(after: dot)...].lowercased())
  }
}
