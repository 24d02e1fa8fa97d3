package import Configuration
package import Saving
package import Library
package import Foundation
package import Images
package import Reader
package import Terminal

/// Something that happened, to which the `Browser` answers.
package enum Message: Sendable {
  /// The program runs: the first message.
  case started
  /// The time; nothing else tells it.
  case clock(Date)
  /// A key, a paste, the mouse, or an answer of the terminal.
  case input(InputEvent)
  /// Nothing else waits: there is time for what is still to be laid out.
  case idle
  /// The terminal has another size, and cells of so many pixels, if that is known.
  case resized(Size, cell: ImageSize? = nil)
  /// A load reports.
  case load(LoadID, LoadEvent)
  /// What becomes of the pages that wait for a network.
  case queue(QueueFetcher.Event)
  /// Which of the links of a page are saved, from when, and which wait in the queue, as absolute URLs.
  case savedLinks(of: String, [String: Date], queued: Set<String>)
  /// Which links lead to pages that were read, as indices in `Document.links`, of the page that came as this
  /// one to the screen.
  case visitedLinks(arrival: Int, Set<Int32>)
  /// Which tags a page has.
  case tags([String], of: String)
  /// Which passages of the page that came as this one to the screen are kept.
  case highlights(arrival: Int, [PlacedHighlight])
  /// What came of an image that was to be drawn.
  case drawn(ImageQuery, ImageOutcome)
  /// Which versions of a page are saved.
  case versions(PageVersions)
  /// What differs from another version; nil when that is too much to be compared.
  case compared(ComparisonID, PageChanges?)
  /// What was asked for with `Effect.list`.
  case listed(ListContents)
  /// What the editor left of the text of a control; nil when it did not end well.
  case edited([UInt8]?, control: Int32)
  /// Something that was asked for was done, or was not: words for the last row.
  case told(String, isError: Bool)
  /// The library is not what it was: pages were kept, tagged, queued or removed.
  case libraryChanged
  /// Where a page was left, before it comes.
  case recalled(ReadingLog.Record)
  /// The settings file was read after it was edited.
  case settings(SettingsFile.Reading)
  /// What was open in programs that crashed.
  case lostTabs([SavedTabs])
  /// A download reports.
  case download(DownloadID, DownloadEvent)
  /// A command that needs the terminal can be run now: a key asked for it.
  case ready(ShellCommand)
  /// The saved pages that may be meant by what was typed.
  case completed(String, [SavedAddresses.Match])
  /// What a letter marks; nil when it marks nothing.
  case recalledMark(String, ReadingLog.Record?)
  /// A signal asks to end.
  case terminated(signal: Int32)
}
