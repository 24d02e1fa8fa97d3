package import Configuration
package import Library
package import Foundation
package import Document
package import ReaderMode
package import OfflineCache
package import Reader
package import Terminal

/// Something the `Browser` wants done in the world.
package enum Effect: Sendable, Equatable {
  /// Load a page and report under this name.
  case load(LoadID, LoadRequest)
  /// Make another view of a page that is here and report under this name.
  case read(LoadID, Page, ReadingView)
  /// Stop a load; nothing more of it is wanted.
  case cancel(LoadID)
  /// Find out which versions of a page are saved, and answer with `Message.versions`.
  case listVersions(of: String)
  /// Find out what of a page differs from another version, and answer with `Message.compared`.
  case compare(ComparisonID, with: Document, Document)
  /// Find out which of these absolute URLs are saved, for the page with this URL.
  case lookUpSaved(of: String, [String])
  /// Find out which links of a document with these addresses lead to pages that were read, for the page
  /// that came as this one to the screen.
  case lookUpVisited(arrival: Int, Document, [String])
  /// Find out which passages of a page with this address are kept, and where they stand in the document
  /// that came as this one to the screen.
  case lookUpHighlights(arrival: Int, Document, of: String)
  /// Keep a passage of a document, given by offsets in `Document.text`, and its page.
  case keepPassage(
    Range<UInt32>, of: Document, note: String, url: String, title: String, date: Date)
  /// Keep passages of the page with this address as they are here.
  case setHighlights([Highlight], of: String)
  /// Keep passages with some names no longer.
  case removeHighlights([String], of: String)
  /// Find out what there is for a list, and answer with `Message.listed`.
  case list(ListQuery)
  /// Keep a page with this address, or no longer if it is kept; of a feed it is told how it is followed.
  case keep(String, title: String, isFeed: Bool = false)
  /// Find out which tags a page has, and answer with `Message.tags`.
  case readTags(of: String)
  /// Give a page these tags, words with commas between them: exactly these, or these besides.
  case tag(String, String, isAdding: Bool)
  /// Let pages wait for the next sync, which were found on a page.
  case enqueue([String], from: String)
  /// Begin to fetch what waits whenever there is a network, and report with `Message.queue`.
  case fetchQueue
  /// Count what waits: something may have been put into the queue.
  case countQueue
  /// Fetch what waits soon: there is a network.
  case retryQueue
  /// Fetch nothing that waits as long as pages come from what is saved only, or fetch it again.
  case pauseQueue(Bool)
  /// Write something to a file that is not there yet, and report under its name.
  case download(Download)
  /// Stop a download; nothing of it stays.
  case cancelDownload(DownloadID)
  /// Give what is no text to the program for it.
  case open(Attachment)
  /// Give an address to the program that is set for it.
  case openOutside(String)
  /// Find the saved pages that may be meant by this, and answer with `Message.completed`.
  case complete(String)
  /// Give the terminal to a command of the shell until it ends.
  case run(ShellCommand)
  /// Give a text to the editor, and answer with `Message.edited`.
  case edit([UInt8], control: Int32)
  /// Hide pages, to be removed by a sync some days later.
  case remove([String])
  /// Take that back.
  case restore([String])
  /// Write down where a page was left, or a mark.
  case remember(ReadingLog.Record)
  /// Write down which pages are open; nil for no more than one.
  case saveTabs(SavedTabs?)
  /// Open the settings file in the editor, and send `Message.settings` afterwards.
  case editSettings
  /// Turn mouse reports on or off.
  case useMouse(Bool)
  /// Find out what programs had open that crashed, and answer with `Message.lostTabs`.
  case recallTabs
  /// Write down what a key chose for good.
  case choose(Choices.Choice)
  /// Find out what a letter marks, and answer with `Message.recalledMark`.
  case recallMark(String)
  /// Keep a user name and a password in memory for what a page asked.
  case signIn(Credentials, SignIn)
  /// Give text to the terminal's clipboard.
  case writeClipboard(String)
  /// Ask the terminal for its graphics; the answers are `InputEvent.answer`.
  case askGraphics
  /// Draw these images, in this order, and answer each with `Message.drawn`; those that were asked for before and
  /// have not begun are not wanted any more.
  case drawImages([ImageQuery])
  /// Draw everything again.
  case redraw
  /// Stop until the shell continues the program.
  case suspend
  /// End with this exit code; what waits and has not come stays in the queue.
  case quit(Int32, words: String)
}

/// What is asked for a list.
package enum ListQuery: Sendable, Equatable {
  /// Everything saved, kept, read and waiting.
  case library
  /// The pages that have some words.
  case search(String)
  /// The passages that are kept.
  case highlights
}
