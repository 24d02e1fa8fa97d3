import Foundation

/// The open tabs of a process, to be restored after a crash.
package struct SavedTabs: Codable, Sendable, Equatable {
  /// A history entry of a tab.
  package struct Step: Codable, Sendable, Equatable {
    /// The URL that loads the page again.
    package var url: String
    /// The title of the page, or empty.
    package var title: String
    /// The text at the top of the screen; nil for the top of the page.
    package var anchor: TextAnchor?
    /// Whether the page was shown in reader view.
    package var isReader: Bool

    private enum CodingKeys: String, CodingKey {
      case url = "url"
      case title = "title"
      case anchor = "anchor"
      case isReader = "isReader"
    }

    package init(url: String, title: String, anchor: TextAnchor?, isReader: Bool) {
      self.url = url
      self.title = title
      self.anchor = anchor
      self.isReader = isReader
    }
  }

  /// A tab: the current page and its history.
  package struct Tab: Codable, Sendable, Equatable {
    /// The previous pages, latest last.
    package var past: [Step]
    /// The current page.
    package var page: Step

    private enum CodingKeys: String, CodingKey {
      case past = "past"
      case page = "page"
    }

    package init(past: [Step], page: Step) {
      self.past = past
      self.page = page
    }
  }

  /// The tabs, in order.
  package var tabs: [Tab]
  /// The index of the tab on the screen.
  package var shownIndex: Int
  /// True if a signal ended offread, which then wrote this file; nil while offread runs and after a
  /// crash.
  package var wasEndedBySignal: Bool?

  private enum CodingKeys: String, CodingKey {
    case tabs = "tabs"
    case shownIndex = "shown"
    case wasEndedBySignal = "isEnded"
  }

  package init(tabs: [Tab], shownIndex: Int, wasEndedBySignal: Bool? = nil) {
    self.tabs = tabs
    self.shownIndex = shownIndex
    self.wasEndedBySignal = wasEndedBySignal
  }
}
