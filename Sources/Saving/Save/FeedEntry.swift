import Configuration
import Feeds
import Library

/// An item of a feed with the page to which it leads.
struct FeedEntry {
  var key: String
  var url: String
  var record: FeedItemRecord
  var item: FeedItem
  /// Whether the item has a link, so that its page can be fetched.
  var hasOwnPage: Bool

  /// The title, or the first words of the text if there is none.
  var title: String { item.displayName }

  func isHidden(by filters: [FeedFilter]) -> Bool {
    filters.contains { $0.rule.action == .hide && matches($0) }
  }

  /// Returns whether a filter in the settings matches the item.
  func matches(_ filter: FeedFilter) -> Bool {
    filter.matches { field in
      switch field {
      case .title: item.title
      case .author: item.author
      case .category: item.tags.joined(separator: "\n")
      case .text: item.plainText
      }
    }
  }
}
