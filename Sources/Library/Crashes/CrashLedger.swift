import Foundation

/// The pages on which offread has crashed. After two crashes, a page is excluded from operations on
/// the whole library; another version of offread tries the page again.
package struct CrashLedger: Codable, Sendable, Equatable {
  /// A page on which offread has crashed.
  package struct Page: Codable, Sendable, Equatable {
    /// The cache key of the page, truncated if it exceeds `WatchRecord.maxNameLength` bytes.
    package var key: String
    /// The version of offread that crashed.
    package var version: String
    /// The number of crashes of `version` on the page.
    package var crashCount: Int
    /// The signal of the last crash.
    package var signal: Int32

    private enum CodingKeys: String, CodingKey {
      case key = "key"
      case version = "version"
      case crashCount = "deaths"
      case signal = "signal"
    }
  }

  /// The pages, ordered by their last crash.
  package private(set) var pages: [Page] = []

  private enum CodingKeys: String, CodingKey {
    case pages = "pages"
  }

  /// The number of crashes after which a page is excluded.
  static let maxCrashes = 2
  private static let maxPages = 1000
  /// The signals that indicate a crash. Other signals come from the user or the system.
  static let faults: Set<Int32> = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT]

  package init() {}

  /// Adds the record that a process left behind, if its signal indicates a crash.
  mutating func add(_ record: WatchRecord) {
    guard Self.faults.contains(record.signal) else { return }
    for key in record.pages {
      var page = Page(key: key, version: record.version, crashCount: 0, signal: record.signal)
      if let index = pages.firstIndex(where: { $0.key == key }) {
        let knownPage = pages.remove(at: index)
        if knownPage.version == page.version { page.crashCount = knownPage.crashCount }
      }
      page.crashCount += 1
      pages.append(page)
    }
    pages.removeFirst(max(0, pages.count - Self.maxPages))
  }

  /// Returns the pages that a version of offread excludes.
  package func excludedPages(by version: String) -> [Page] {
    pages.filter { $0.crashCount >= Self.maxCrashes && $0.version == version }
  }

  /// Returns the keys of the pages that other versions exclude.
  func excludedPages(byOthersThan version: String) -> [String] {
    pages.filter { $0.crashCount >= Self.maxCrashes && $0.version != version }.map(\.key)
  }

  /// Returns a cache key, truncated as in the ledger.
  package static func name(of key: String) -> String {
    String(decoding: key.utf8.prefix(WatchRecord.maxNameLength), as: UTF8.self)
  }
}

extension CrashLedger.Page {
  /// The reason for excluding the page, for the user.
  package var reason: String {
    let name =
      [SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGSEGV: "SIGSEGV", SIGBUS: "SIGBUS"][signal]
      ?? "SIGABRT"
    return
      "offread \(version) crashed on it \(crashCount == 2 ? "twice" : "\(crashCount) times") (\(name))"
      + "; another version of offread will try it again"
  }
}
