import Configuration
import Library
import OfflineCache
import Profiles
import Saving

/// The library screen with pages in groups, which are collections and feeds.
enum GroupRows {
  private static let pages = 20_000

  /// Measures the library screen before and after its pages were put into groups, and the lists of
  /// all collections and feeds.
  static func groups(_ place: Workplace) throws -> [ResultRow] {
    let data = try place.newFolder("groups")
    defer { place.removeFolder(data) }
    _ = try place.work("library", data, String(pages))
    // Builds the search index, from which the screen reads the newest pages.
    _ = try place.runOffread("search", "--quiet", "--limit", "1", "ba*", data: data)
    let before = try times(of: place.work("screens", data)).screen
    _ = try place.work("groups", data)
    let after = try times(of: place.work("screens", data))
    let groups = "\(GroupWorker.collections) collections and \(GroupWorker.feeds) feeds"
    func compared(_ time: Double) -> String {
      "\(ResultRow.text(time * 1e3, "ms")), \(ResultRow.text(before * 1e3, "ms"))"
    }
    return [
      .atMost(
        "library screen of \(pages) pages in \(groups), against the same pages without groups",
        after.screen / before, 1.2, unit: "×", note: compared(after.screen)),
      .atMost(
        "lists of all \(groups), against that screen without groups", after.lists / before, 2,
        unit: "×", note: compared(after.lists)),
      .plain(
        "counting all pages of \(groups), after which these lists have current numbers",
        ResultRow.text(after.counting / before, "×") + " (\(compared(after.counting)))"),
    ]
  }

  private typealias Times = (screen: Double, lists: Double, counting: Double)

  /// Returns the medians of the times in seconds that a worker printed.
  private static func times(of usage: Usage) throws -> Times {
    let figures = try IndexRows.figures(usage)
    func median(_ index: Int) -> Double {
      stride(from: index, to: figures.count, by: 3).map { figures[$0] }.median
    }
    return (median(0), median(1), median(2))
  }
}

/// The parts of `GroupRows` that run in separate processes.
enum GroupWorker {
  static let collections = 200
  static let feeds = 300
  private static let collectionSize = 50
  private static let feedSize = 33
  private static let rounds = 15

  private static func profile(_ folder: String) -> Profile {
    Profile(locations: Locations(dataDirectory: folder, environment: [:]), shared: nil)
  }

  /// Puts the pages of a library that `LibraryWorker.make` created into collections and feeds. All
  /// items are unread.
  static func make(_ folder: String) throws {
    let profile = profile(folder)
    defer { profile.close() }
    let library = profile.library
    for number in 0..<collections {
      let first = number * collectionSize
      let keys = (first..<first + collectionSize).map { LibraryWorker.address(of: $0) }
      let id = PageCollection.id(ofStart: keys[0])
      let record = PageCollection.Record(
        name: "Manual \(number)", start: [keys[0]], isPinned: true, saved: library.now)
      var changes = [
        LibraryChange(PageCollection.key(of: id), .collection, record.text),
        LibraryChange(PageCollection.key(of: id), .order, PageCollection.Order(of: keys).text),
      ]
      for (index, page) in try library.pages(keys).enumerated() {
        changes += page.membership.adding(
          page.key, to: id, number: index, by: library.device, at: library.now)
      }
      try library.record(changes)
    }
    for number in 0..<feeds {
      let first = collections * collectionSize + number * feedSize
      let feed = "https://feed\(number).example/feed"
      let items = (first..<first + feedSize).map { LibraryWorker.address(of: $0) }
      try library.record(
        [LibraryChange(feed, .feed, ""), LibraryChange(feed, .title, "Feed \(number)")]
          + items.map { LibraryChange($0, .item, feed) })
    }
  }

  /// Counts the numbers of all collections and feeds, several times. Then opens the library, reads
  /// the content of its first screen, and then the lists of its collections and feeds, with the
  /// numbers that were stored, as often. Prints the seconds of the last two and of counting on a
  /// line each time.
  static func showScreens(_ folder: String) throws {
    var countingTimes: [Double] = []
    for _ in 0..<rounds {
      let profile = profile(folder)
      defer { profile.close() }
      let start = Clock.now
      let groups = try LibraryGroups(in: profile)
      countingTimes.append(Clock.now - start)
      try groups.store(in: profile)
    }
    for countingTime in countingTimes {
      let start = Clock.now
      let profile = profile(folder)
      defer { profile.close() }
      let list = try LibraryContents(
        of: profile, limit: LibraryContents.maxFirstRows, groups: LibraryGroups(storedIn: profile))
      let screen = Clock.now - start
      guard list.rows.count >= LibraryContents.maxFirstRows else {
        throw BenchError("the list has \(list.rows.count) pages")
      }
      let second = Clock.now
      let stored = try LibraryGroups(storedIn: profile, collectionLimit: .max)
      let feedList = try FeedStatus.all(in: profile, with: stored.feeds)
      print(screen, Clock.now - second, countingTime)
      let counts = (stored.collections.count, feedList.count)
      guard counts == (0, 0) || counts == (collections, feeds) else {
        throw BenchError("there are \(counts.0) collections and \(counts.1) feeds")
      }
    }
  }
}
