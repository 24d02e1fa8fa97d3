package import Foundation

/// A page in an imported list.
package struct ImportedLink: Sendable, Equatable {
  /// The absolute web URL.
  package var url: String
  /// The title on one line, or empty.
  package var title = ""
  /// The distinct tags, including the folders that the page was in.
  package var tags: [String] = []
  /// The time when the page was added to the list; nil if unknown.
  package var date: Date?
  /// Whether the page was read or archived.
  package var isArchived = false
  package var isStarred = false
  /// The note; may have several lines.
  package var note = ""
  /// The text of the page as HTML, as the program that wrote the list extracted it; empty if the
  /// list has none.
  package var content = ""
  /// The path, relative to the list, of the file with `content`, as in exports of Omnivore; nil if
  /// there is none.
  package var contentPath: String?
  /// The path, relative to the list, of the file with highlights and notes in Markdown, as in
  /// exports of Omnivore; nil if there is none.
  package var highlightsPath: String?

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

  /// Adds text to the note, unless the note is equal to it.
  mutating func add(note text: String) {
    guard !text.isEmpty, note != text else { return }
    note += (note.isEmpty ? "" : "\n") + text
  }

  /// Applies the name of a folder: some are states in Instapaper, Pocket or Raindrop; others become
  /// tags.
  mutating func apply(folder: String) {
    switch folder.lowercased() {
    case "unread", "home", "unsorted", "": break
    case "archive", "read archive": isArchived = true
    case "starred", "liked": isStarred = true
    default: tags.append(folder)
    }
  }
}
