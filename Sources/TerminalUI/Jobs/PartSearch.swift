package import OfflineCache
package import Pages

/// A search for a text in the other parts of a document, such as the chapters of a book.
package struct PartSearch: Sendable, Equatable {
  /// The search text, as in `PageSearch.query`.
  package var query: String
  /// Whether the search is towards the end of the document.
  package var isForward: Bool
  /// The URLs of the parts, in the order in which they are searched.
  package var parts: [DocumentAddress]
  /// The options with which the parts are loaded.
  package var options: LoadOptions
  /// The number of the page on which the search began; see `Opening.pageNumber`.
  var pageNumber: Int

  /// The terms; a part in which one of them occurs is found.
  package var terms: [String] {
    query.split(separator: PageMatches.termSeparator).map(String.init)
  }

  /// The result of a search.
  package struct Result: Sendable, Equatable {
    /// The URL of the first part in which the text occurs; nil if there is none.
    package var part: DocumentAddress?
    /// The number of parts that could not be read, up to that part.
    package var unreadablePartCount: Int

    package init(part: DocumentAddress?, unreadablePartCount: Int = 0) {
      (self.part, self.unreadablePartCount) = (part, unreadablePartCount)
    }
  }

  /// A part in which the text was found and that is being loaded.
  struct Match: Sendable, Equatable {
    var query: String
    var isForward: Bool
    /// Whether the search went on at the other end of the document before it found the part.
    var hasWrapped: Bool
    /// The number of parts that could not be read.
    var unreadablePartCount: Int
  }
}
