import Profiles
import Library
import OfflineCache
import Saving
import TerminalUI

/// Runs effects that concern feeds.
extension EffectRunner {
  /// Posts the feeds with their numbers of unread items: first as they were shown last, then as
  /// they are.
  func listFeeds() throws(ArchiveError) {
    lanes.wait(for: .changes)
    let stored = try FeedStatus.storedCounts(in: profile)
    post(.listed(.feeds(try FeedStatus.all(in: profile, with: stored))))
    let current = try FeedStatus.currentCounts(in: profile)
    post(.listed(.feeds(try FeedStatus.all(in: profile, with: current))))
    // Where the database cannot be written, the first list counts again.
    try? profile.library.store(current, of: .feed)
  }

  /// Posts the items of a feed, or the unread items of all feeds if `feed` is nil.
  func listItems(of feed: String?) throws(ArchiveError) {
    lanes.wait(for: .changes)
    lanes.wait(for: .positions)
    let items =
      if let feed {
        [try FeedItems.all(of: feed, in: profile)]
      } else {
        try FeedItems.unread(in: profile)
      }
    post(.listed(.items(of: feed, items)))
  }

  /// Marks items of feeds as read or unread.
  func markItems(_ change: ItemStatusChange) {
    switch change {
    case .read(let feed): markRead(feed: feed)
    case .unread(let pages): markUnread(pages)
    }
  }

  /// Marks the unread items of a feed as read, and posts their pages.
  private func markRead(feed: String) {
    changeLibrary { [post] profile throws(ArchiveError) in
      let unread = try profile.library.itemStates(of: feed).filter(\.isUnread)
      let pages = unread.map(\.key)
      try profile.library.record(
        profile.changes(markingRead: try profile.library.pages(pages)))
      let count = unread.reduce(0) { $0 + $1.count }
      post(.markedRead(pages, count: count, of: try FeedName(feed, in: profile)))
      return ""
    }
  }

  /// Marks pages as unread.
  private func markUnread(_ pages: [String]) {
    changeLibrary { profile throws(ArchiveError) in
      try profile.library.mark(pages, isRead: false)
      return ""
    }
  }
}
