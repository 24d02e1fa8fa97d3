import Foundation
import Terminal
import Pages

struct Load: Sendable {
  var id: LoadID
  var request: LoadRequest
  /// The number of bytes received.
  var receivedByteCount = 0
  var expectedByteCount: Int?
  /// The host of the web archive that is being asked for the page; nil for none.
  var queriedArchiveHost: String?
  var startDate: Date
  /// The number of bytes announced last, if progress is announced as text.
  var announcedByteCount = 0
  var announcedDate: Date?
  /// How the page is used once it is loaded.
  var purpose: Purpose
  /// The list from which the page is opened; nil if it is not opened from a list.
  var list: ListScreen?
  /// The sequence from which the page is opened; nil if it is not opened from a sequence.
  var sequence: ReadingSequence?
  /// The text that was found in the page, which is a part of the document on the screen; nil if the
  /// page is opened for another reason.
  var partMatch: PartSearch.Match?
  /// The first screens of the page, shown until all of it is loaded.
  var firstScreens: PageView?
  /// The input events that wait for the whole page.
  var bufferedInput: [InputEvent] = []
  /// The results that were deferred while the user was typing or selecting, in order.
  var deferredEvents: [LoadEvent] = []

  /// How a page is used once it is loaded.
  enum Purpose: Sendable, Equatable {
    /// The page becomes the history entry after the one on the screen.
    case newEntry
    /// The page replaces the one on the screen, at the same text.
    case replace
    /// Another saved version replaces the page on the screen, at the same text, with marks for the
    /// differences.
    case savedVersion
    /// Another view replaces the page on the screen.
    case view
    /// A page of the history that was dropped from memory, this many steps away.
    case historyMove(Int)
    /// A page of a tab that was dropped from memory; its position is restored. The entry is stored
    /// indirectly, because it is large and rarely present.
    indirect case unloadedEntry(HistoryEntry)
    /// The content is opened in the program for its type, unless it is a page.
    case openInProgram

    /// Whether a page is opened, rather than the one on the screen replaced.
    var opensPage: Bool {
      switch self {
      case .newEntry, .historyMove, .unloadedEntry: true
      case .replace, .savedVersion, .view, .openInProgram: false
      }
    }
  }
}
