package import Commands
package import Library
package import Layout
import Reader

/// A row of a list.
package struct ListEntry: Sendable, Equatable {
  /// What it is called.
  package var title: String
  /// What stands at the right end, each in its column of the list.
  package var details: [Column: String] = [:]
  /// What stands in a second row, where the list has one.
  package var note = ""
  /// The characters of the note that were looked for.
  package var matches: [Range<Int>] = []
  /// How far it was read, from 0 to 100; nil for no bar.
  package var percent: Int?
  /// Columns before the title.
  package var indent = 0
  /// Whether it only names what follows.
  package var isHeading = false
  /// Where Enter leads.
  package var target: Target
  /// What the filter looks at: title and address in small letters, without accents.
  package var words: String

  /// What can stand at the right end of a row, from left to right.
  package enum Column: Int, CaseIterable, Sendable, Hashable {
    /// Words that only some entries have.
    case note
    case host, time, age, size
    case mark
  }

  /// All of what stands at the right end, for rows without columns.
  var detail: String {
    Column.allCases.compactMap { details[$0] }.filter { !$0.isEmpty }.joined(separator: "  ")
  }

  /// Where Enter leads.
  package enum Target: Sendable, Equatable {
    case nowhere
    /// A page.
    case page(String)
    /// A passage of the page with an address.
    case passage(Highlight, of: String)
    /// An offset in `Document.text` of the page on screen.
    case place(UInt32)
    /// A download.
    case download(DownloadID)
    /// A link of the page on screen.
    case part(PageLayout.Target)
    /// A saved version of the page on screen, by its id.
    case version(String)
    /// A choice, by its index in `PageForms.choices`.
    case choice(Int32)
    /// An open page, by its place among them.
    case tab(Int)
    /// A command, which is carried out.
    case command(Command)
    /// The decision about the cookies of a site; opening the entry revokes it.
    case cookies(site: String)
    /// The commands of a subject of the menu.
    case subject(MenuSubject)
  }

  package init(_ title: String, to target: Target, alsoFoundBy words: String = "") {
    self.title = title
    self.target = target
    self.words = TextFolding.folded(title + " " + words)
  }

  /// A row that names those below it.
  package static func heading(_ title: String) -> ListEntry {
    var entry = ListEntry(title, to: .nowhere)
    entry.isHeading = true
    return entry
  }

  /// The search terms in the note, as written there.
  var foundTerms: [String] {
    let characters = Array(note)
    return matches.filter { $0.upperBound <= characters.count }.map { String(characters[$0]) }
  }

  /// The address of its page, or nil.
  package var url: String? {
    if case .page(let url) = target { url } else { nil }
  }
}
