import Configuration
package import Saving
import Feeds
package import Library
import Foundation
import Document
import Layout
import Reader
import Terminal

/// The reply to `Effect.list`.
package enum ListContents: Sendable, Equatable {
  /// All pages of the library. `isComplete` is false if more will follow.
  case library(LibraryContents, isComplete: Bool)
  /// The results of a search.
  case search([SearchIndex.Hit], words: String)
  /// All highlights.
  case highlights([HighlightedPage])
  /// A message about a failure, for the user.
  case failed(String)
}
