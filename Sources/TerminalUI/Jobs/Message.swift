package import Configuration
package import Saving
package import Library
package import Foundation
package import Images
package import Pages
package import Profiles
package import Terminal

/// An event that the `Browser` handles.
package enum Message: Sendable {
  /// The program has started: the first message.
  case started
  /// The current time, which the browser knows only from this message.
  case clock(Date)
  /// A key, a paste, a mouse event, or a reply of the terminal.
  case input(InputEvent)
  /// No other message is pending, so the layout can continue.
  case idle
  /// The terminal has a new size and, if known, cells of this size in pixels.
  case resized(Size, cell: ImageSize? = nil)
  /// A report of a load.
  case load(LoadID, LoadEvent)
  /// A report about the pages in the queue.
  case queue(QueueFetcher.Event)
  /// The links of a page that are saved, with their dates, and those in the queue, as absolute
  /// URLs.
  case savedLinks(of: DocumentAddress, [String: Date], queued: Set<String>)
  /// The links that lead to pages already read, as indices in `Document.links`; `pageNumber` is the
  /// page's `Opening.pageNumber`.
  case visitedLinksFound(pageNumber: Int, Set<Int32>)
  /// The tags of a page.
  case tags([String], of: String)
  /// The highlights of a page; `pageNumber` is the page's `Opening.pageNumber`.
  case highlights(pageNumber: Int, [PlacedHighlight])
  /// The collection or feed that a page is in, and the feed of which it is an item; `pageNumber` is
  /// the page's `Opening.pageNumber`.
  case sequence(pageNumber: Int, ReadingSequence?, feed: FeedName?)
  /// The collection that the user wants to remove, and the numbers of its pages that are removed
  /// and that stay.
  case collectionRemoval(String, name: String, removedPageCount: Int, keptPageCount: Int)
  /// The items of a feed that were marked as read: the keys of their pages and their number.
  case markedRead([String], count: Int, of: FeedName)
  /// The result of drawing an image.
  case drawn(ImageQuery, DrawingOutcome)
  /// The saved versions of a page.
  case versions(PageVersions)
  /// The result of a search in the other parts of a document.
  case partsSearched(PartSearch, PartSearch.Result)
  /// The result of a comparison; nil if the differences are too many.
  case compared(ComparisonID, PageChanges?)
  /// The reply to `Effect.loadList`.
  case listed(ListContents)
  /// The content of a control after editing.
  case edited(EditedText, control: Int32)
  /// The result of an effect, as a message for the last row.
  case notice(String, isError: Bool)
  /// The library has changed: pages were pinned, tagged, queued or removed.
  case libraryChanged
  /// The position at which a page was left, sent before the page is loaded.
  case lastPosition(ReadingLog.Record)
  /// The settings file was read again after editing.
  case settingsRead(SettingsFile.Reading)
  /// The open tabs of sessions that crashed or were ended by a signal.
  case lostTabs([SavedTabs])
  /// A report of a download.
  case download(DownloadID, DownloadEvent)
  /// A report about fetching the enclosures of feeds.
  case enclosures(EnclosureEvent)
  /// The user requested a command that needs the terminal, and it can run now.
  case shellCommandReady(ShellCommand)
  /// The saved pages that match the typed text.
  case completionsFound(String, [SavedAddresses.Match])
  /// The position of the bookmark with a letter; nil if there is no such bookmark.
  case foundBookmark(String, ReadingLog.Record?)
  /// A signal requests the end of the program.
  case terminated(signal: Int32)
}
