/// The pages that `offread list` lists.
enum ListSubject {
  /// The kept pages, or the pages with a tag or of a collection.
  case kept
  case queue, feeds, unread, archived, removed
  /// All saved pages.
  case saved

  /// The message if there is no such page.
  var emptyMessage: String {
    switch self {
    case .kept: "no page is kept; keep one with: offread save URL"
    case .queue: "nothing is queued"
    case .feeds: "no feed is followed; follow one with: offread save --feed URL"
    case .unread: "nothing is unread"
    case .archived: "no page is archived"
    case .removed: "no page is waiting to be removed"
    case .saved: "nothing is saved"
    }
  }

  /// The noun for one such page.
  var noun: String {
    switch self {
    case .kept: "kept page"
    case .queue: "queued page"
    case .feeds: "feed"
    case .unread: "unread page"
    case .archived: "archived page"
    case .removed: "removed page"
    case .saved: "saved page"
    }
  }
}
