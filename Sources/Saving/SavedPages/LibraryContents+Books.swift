import OfflineCache

extension LibraryContents.Row {
  /// The name extensions of files that are read as a whole, in lower case.
  private static let bookExtensions: Set = ["epub", "mht", "mhtml", "pdf", "wacz", "zim"]

  /// Whether the row stands for a book: an imported file, or a local EPUB, PDF, MHTML, WACZ or ZIM
  /// file. Pages in such a file have their own rows.
  package var isBook: Bool {
    if let address = BookAddress(key) { return address.path.isEmpty }
    guard key.hasPrefix("file:"), let name = key.split(separator: "/").last,
      let dot = name.lastIndex(of: ".")
    else { return false }
    return Self.bookExtensions.contains(name[name.index(after: dot)...].lowercased())
  }
}
