import Configuration
package import Saving
import Feeds
package import Library
import Foundation
import Document
import Layout
import Reader
import Terminal

/// What the world answers to `Effect.list`.
package enum ListContents: Sendable, Equatable {
  /// Everything saved; `isComplete` when nothing more will come.
  case library(LibraryContents, isComplete: Bool)
  /// What a search found.
  case search([SearchIndex.Hit], words: String)
  /// The passages that are kept.
  case highlights([HighlightedPage])
  /// What went wrong, in words for a person.
  case failed(String)
}
