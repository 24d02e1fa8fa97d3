/// Screens on which keys can have different bindings: the page, and each kind of list.
package struct Screens: OptionSet, Sendable, Hashable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// A page.
  package static let page = Screens(rawValue: 1 << 0)
  /// The list of the saved pages.
  package static let library = Screens(rawValue: 1 << 1)
  /// The list of the pages that the user opened.
  package static let history = Screens(rawValue: 1 << 2)
  /// The list of the queued pages.
  package static let queue = Screens(rawValue: 1 << 3)
  /// The results of a search in the saved pages.
  package static let search = Screens(rawValue: 1 << 4)
  /// The headings of the page.
  package static let outline = Screens(rawValue: 1 << 5)
  /// The links of the page.
  package static let links = Screens(rawValue: 1 << 6)
  /// The errors of the session.
  package static let messages = Screens(rawValue: 1 << 7)
  /// The list of the downloads.
  package static let downloads = Screens(rawValue: 1 << 8)
  /// The source, the dates and the saved versions of the page.
  package static let information = Screens(rawValue: 1 << 9)
  /// The choices of a form control.
  package static let choices = Screens(rawValue: 1 << 10)
  /// A help screen.
  package static let help = Screens(rawValue: 1 << 11)
  /// The list of the highlights.
  package static let highlights = Screens(rawValue: 1 << 12)
  /// The list of the tabs.
  package static let tabs = Screens(rawValue: 1 << 13)
  /// The list of the pages of a collection.
  package static let collection = Screens(rawValue: 1 << 14)
  /// The list of feeds.
  package static let feeds = Screens(rawValue: 1 << 15)
  /// The list of the items of a feed.
  package static let feed = Screens(rawValue: 1 << 16)
  /// The list of the unread items of all feeds.
  package static let unread = Screens(rawValue: 1 << 17)

  /// Lists of saved pages.
  package static let savedPageLists: Screens = [
    .library, .history, .queue, .search, .collection, .feed, .unread,
  ]
  /// All lists.
  package static let lists: Screens = [
    .savedPageLists, .highlights, .outline, .links, .messages, .downloads, .information, .choices,
    .help,
    .tabs, .feeds,
  ]
  package static let all: Screens = [.page, .lists]
}
