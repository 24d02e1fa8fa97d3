package import Commands

extension ListScreen.Kind {
  /// The screen that contains the list.
  package var screen: Screens {
    switch self {
    case .library: .library
    case .history: .history
    case .queue: .queue
    case .search: .search
    case .highlights: .highlights
    case .collection: .collection
    case .feeds: .feeds
    case .feed: .feed
    case .unread: .unread
    case .outline: .outline
    case .links: .links
    case .messages: .messages
    case .downloads: .downloads
    case .information: .information
    case .choices: .choices
    case .help: .help
    case .tabs: .tabs
    }
  }
}
