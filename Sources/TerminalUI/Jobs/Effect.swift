package import Configuration
package import Library
package import Foundation
package import Document
package import ReaderMode
package import OfflineCache
package import Pages
package import Terminal

/// A side effect that the `Browser` requests.
package enum Effect: Sendable, Equatable {
  /// Load a page and report with this identifier.
  case load(LoadID, LoadRequest)
  /// Create another view of a loaded page and report with this identifier.
  case changeView(LoadID, Page, PageViewMode)
  /// Cancel a load; its reports are no longer needed.
  case cancelLoad(LoadID)
  /// Cancel a load, but report the part of the page that was received as loaded.
  case stopLoad(LoadID)
  /// Look up the saved versions of a page, and reply with `Message.versions`.
  case listVersions(of: DocumentAddress)
  /// Find the first of some parts of a document in which a text occurs, and reply with
  /// `Message.partsSearched`; nil stops the search.
  case searchParts(PartSearch?)
  /// Compare a document with another version, and reply with `Message.compared`.
  case compare(ComparisonID, with: Document, Document)
  /// Look up which of these absolute URLs are saved, for the page with this URL; reply with
  /// `Message.savedLinks`.
  case findSavedLinks(of: DocumentAddress, [String])
  /// Look up which links of a document, given with their URLs, lead to pages that were read; reply
  /// with `Message.visitedLinksFound`. `pageNumber` is the page's `Opening.pageNumber`.
  case findVisitedLinks(pageNumber: Int, Document, [DocumentAddress])
  /// Look up the highlights of a page with this URL and their positions in the document; reply with
  /// `Message.highlights`. `pageNumber` is the page's `Opening.pageNumber`.
  case findHighlights(pageNumber: Int, Document, of: DocumentAddress)
  /// Look up the collection or feed that a page is in; reply with `Message.sequence`.
  case findSequence(SequenceQuery)
  /// Highlight a passage of a document, given by offsets in `Document.text`, and pin its page.
  case highlightPassage(
    Range<UInt32>, of: Document, note: String, url: String, title: String, date: Date)
  /// Store these highlights of the page with this URL.
  case setHighlights([Highlight], of: String)
  /// Remove the highlights with these identifiers.
  case removeHighlights([String], of: String)
  /// Load the content of a list, and reply with `Message.listed`.
  case loadList(ListQuery)
  /// Pin the page with this URL, or unpin it if it is pinned; for a feed, the message explains how
  /// to subscribe.
  case togglePin(String, title: String, isFeed: Bool = false)
  /// Look up the tags of a page, and reply with `Message.tags`.
  case readTags(of: String)
  /// Set the tags of the page with the URL given first to those in the comma-separated text given
  /// second, or add them to the existing ones.
  case setTags(String, String, isAdding: Bool)
  /// Add URLs, found on a page or not, to the queue for the next sync.
  case enqueue([DocumentAddress], from: DocumentAddress?)
  /// Start fetching the queue whenever there is a network, and report with `Message.queue`.
  case fetchQueue
  /// Count the queue, which may have grown.
  case countQueue
  /// Fetch the queue soon, and make the pending calls of the read hook, because a server has
  /// responded.
  case retryQueue
  /// Pause the queue and stop background revalidations, because offline mode begins, or resume the
  /// queue.
  case setOffline(Bool)
  /// Save content to a new file, and report with `Message.download`.
  case download(Download)
  /// Cancel a download and delete its partial file.
  case cancelDownload(DownloadID)
  /// Fetch the enclosures of feeds or stop that, and report with `Message.enclosures`.
  case enclosures(EnclosureRequest)
  /// Open content that is not text in the program for its type.
  case openAttachment(Attachment)
  /// Open a URL in the program that is set for it.
  case openInOtherProgram(String)
  /// Find what completes the typed text, and reply with `Message.completionsFound`.
  case findCompletions(String, CompletionSubject)
  /// Suspend the screen while a shell command runs in the terminal.
  case runShellCommand(ShellCommand)
  /// Open the text of a control, an index in `PageForms.controls`, in the editor, and reply with
  /// `Message.edited`.
  case editControlText([UInt8], control: Int32)
  /// Hide pages; a sync removes them some days later.
  case removePages([String])
  /// Undo `removePages`.
  case restorePages([String])
  /// Look up how many pages the removal of a collection removes; reply with
  /// `Message.collectionRemoval`.
  case planRemoval(ofCollection: String)
  /// Hide a collection and its pages, or undo that.
  case setCollection(String, isRemoved: Bool)
  /// Mark items of feeds as read or unread.
  case markItems(ItemStatusChange)
  /// Record a reading position or a bookmark.
  case recordPosition(ReadingLog.Record)
  /// Store the open tabs; nil if there is only one.
  case saveTabs(SavedTabs?)
  /// Open the settings file in the editor, and reply with `Message.settingsRead` afterwards.
  case editSettings
  /// Turn mouse reports on or off.
  case setMouseReporting(Bool)
  /// Look up the tabs of sessions that crashed or were ended by a signal, and reply with
  /// `Message.lostTabs`.
  case findLostTabs
  /// Keep in memory the cookies that a page set; the `storeChoice` effect that follows decides
  /// about the cookies of the site.
  case addCookies(ChainCookies, site: String)
  /// Store a preference that the user set with a key.
  case storeChoice(Choices.Choice)
  /// Look up the bookmark with a letter, and reply with `Message.foundBookmark`.
  case findBookmark(String)
  /// Keep a user name and a password in memory for an authentication challenge.
  case signIn(Credentials, SignIn)
  /// Write text to the terminal's clipboard.
  case writeClipboard(String)
  /// Query the terminal for its graphics support; the replies are `InputEvent.reply`.
  case queryGraphics
  /// Draw these images in this order, and reply to each with `Message.drawn`; earlier requests that
  /// have not begun are dropped.
  case requestImages([ImageQuery])
  /// Redraw the whole screen.
  case redraw
  /// Suspend the program until the shell resumes it.
  case suspend
  /// Quit with this exit code; pages that are still queued remain in the queue.
  case quit(Int32, message: String)
}
