import Foundation
import OfflineCache

/// Settings for some feeds and their items: `[[feed]]`.
package struct FeedRule: Sendable, Equatable {
  /// The source of the text that is shown for an item.
  package enum TextChoice: String, CaseIterable, Sendable, Equatable {
    /// The text of the page, or that of the feed if the page cannot be read.
    case auto
    /// The text that the feed contains.
    case feed
    /// The text of the page to which the item links.
    case page
  }

  /// A part of an item that is searched.
  package enum Field: String, CaseIterable, Sendable, Equatable {
    case title, text, author, category
  }

  /// The treatment of an item that matches.
  package enum Action: String, CaseIterable, Sendable, Equatable {
    /// The item is neither listed nor fetched.
    case hide
    /// The item is marked as read.
    case read
    /// The page of the item is pinned.
    case keep
  }

  /// The patterns for URLs of feeds, in which `*` matches any text; empty for all feeds.
  package var urlGlobs: [String] = []
  /// The source of the text that is shown for items; nil if the rule does not set it.
  package var text: TextChoice?
  /// The kinds of enclosures that are fetched; nil if the rule does not set them.
  package var enclosures: EnclosurePolicy.Choice?
  /// The maximum size of an enclosure in bytes; nil if the rule does not set it.
  package var fileLimit: Int64?
  /// The maximum size of all enclosures of a feed in bytes; nil if the rule does not set it.
  package var feedLimit: Int64?
  /// Words; an item matches if it contains one of them as a whole word, ignoring case and
  /// diacritics.
  package var terms: [String] = []
  /// A regular expression; an item also matches if it contains a match, ignoring case; nil for
  /// none.
  package var pattern: String?
  /// The parts of an item that are searched; empty for all.
  package var fields: [Field] = []
  /// The treatment of items that match; nil if they are only tagged.
  package var action: Action?
  /// A tag for the pages of items that match, in its stored form; nil for none.
  package var tag: String?

  package init() {}

  /// Whether the rule applies to single items rather than to a feed as a whole.
  package var isFilter: Bool { !terms.isEmpty || pattern != nil }

  /// Whether the rule sets something for a feed as a whole.
  var isForFeed: Bool {
    text != nil || enclosures != nil || fileLimit != nil || feedLimit != nil
  }

  /// Returns whether the rule applies to the feed at a URL.
  package func applies(to url: String) -> Bool {
    urlGlobs.isEmpty || urlGlobs.contains { Glob.matches($0, url: url) }
  }

  /// Compiles a regular expression that ignores case.
  static func expression(_ text: String) throws -> Regex<AnyRegexOutput> {
    try Regex(text).ignoresCase()
  }
}

extension Settings {
  /// Whether any rule chooses the text for the items of a feed.
  package var choosesTextsOfFeeds: Bool { feeds.contains { $0.text != nil } }

  /// Returns the choice of the text for the items of a feed: that of the last rule that applies, or
  /// `auto`.
  package func text(ofFeed url: String) -> FeedRule.TextChoice {
    feeds.last { $0.text != nil && $0.applies(to: url) }?.text ?? .auto
  }
}
