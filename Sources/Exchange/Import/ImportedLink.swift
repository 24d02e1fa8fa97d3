package import Foundation

/// A page that a list from elsewhere names.
package struct ImportedLink: Sendable, Equatable {
  /// The absolute URL, of the web.
  package var url: String
  /// The title on one line, or empty.
  package var title = ""
  /// The tags, and the folders it was in, each once.
  package var tags: [String] = []
  /// When it was added, or nil.
  package var date: Date?
  /// It was read, or put away.
  package var isArchived = false
  /// It was marked with a star.
  package var isStarred = false
  /// What was written of it; may have several lines.
  package var note = ""

  /// Makes a link.
  package init(
    url: String, title: String = "", tags: [String] = [], date: Date? = nil,
    isArchived: Bool = false, isStarred: Bool = false, note: String = ""
  ) {
    self.url = url
    self.title = title
    self.tags = tags
    self.date = date
    self.isArchived = isArchived
    self.isStarred = isStarred
    self.note = note
  }
}
