import Configuration
package import Saving
import Feeds
package import Library
import Foundation
import Document
import Layout
import Terminal

/// The reply to `Effect.loadList`.
package enum ListContents: Sendable, Equatable {
  /// All pages of the library. `isComplete` is false if more will follow.
  case library(LibraryContents, isComplete: Bool)
  /// The sizes to show in the library if the pinned pages together are larger than the maximum size
  /// of the archive; nil otherwise.
  case pinnedExcess(PinnedSize.Excess?)
  /// The results of a search.
  case search([SearchIndex.Hit], terms: String)
  /// All highlights.
  case highlights([HighlightedPage])
  /// The pages of the collection with this identifier, in reading order.
  case collection(String, [LibraryContents.Row])
  /// The feeds, in order.
  case feeds([FeedStatus])
  /// The items of the feed with this key; nil for the unread items of all feeds.
  case items(of: String?, [FeedItems])
  /// A message about a failure, for the user.
  case failed(String)

  /// Whether more will follow.
  var isPartial: Bool { if case .library(_, isComplete: false) = self { true } else { false } }
}
