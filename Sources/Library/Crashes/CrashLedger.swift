import Foundation

/// The pages on which runs of the program have died. A page is left out of work over the whole library once
/// that has happened twice; another version of the program tries it again.
package struct CrashLedger: Codable, Sendable, Equatable {
  /// A page on which a run has died.
  package struct Page: Codable, Sendable, Equatable {
    /// Its key; the beginning of a very long one.
    package var key: String
    /// The version of the program that has died on it, and how often.
    package var version: String
    package var deaths: Int
    /// The signal of the last time.
    package var signal: Int32
  }

  /// The pages, that of the last death last.
  package private(set) var pages: [Page] = []

  /// The deaths after which a page is left out.
  static let maxDeaths = 2
  private static let maxPages = 1000
  /// Signals by which a process dies of its own fault. Others come from the user or the system.
  static let faults: Set<Int32> = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT]

  package init() {}

  /// Adds what a process has left that ended.
  mutating func add(_ record: WatchRecord) {
    guard Self.faults.contains(record.signal) else { return }
    for key in record.pages {
      var page = Page(key: key, version: record.version, deaths: 0, signal: record.signal)
      if let index = pages.firstIndex(where: { $0.key == key }) {
        let known = pages.remove(at: index)
        if known.version == page.version { page.deaths = known.deaths }
      }
      page.deaths += 1
      pages.append(page)
    }
    pages.removeFirst(max(0, pages.count - Self.maxPages))
  }

  /// The pages that a version of the program leaves out.
  package func leftOut(by version: String) -> [Page] {
    pages.filter { $0.deaths >= Self.maxDeaths && $0.version == version }
  }

  /// The keys of the pages that another version left out.
  func leftOut(byOthersThan version: String) -> [String] {
    pages.filter { $0.deaths >= Self.maxDeaths && $0.version != version }.map(\.key)
  }

  /// A key as it stands here.
  package static func name(of key: String) -> String {
    String(decoding: key.utf8.prefix(WatchRecord.maxNameLength), as: UTF8.self)
  }
}

extension CrashLedger.Page {
  /// Why it is left out, for the user.
  package var reason: String {
    let name =
      [SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGSEGV: "SIGSEGV", SIGBUS: "SIGBUS"][signal]
      ?? "SIGABRT"
    return "offread \(version) crashed on it \(deaths == 2 ? "twice" : "\(deaths) times") (\(name))"
      + "; another version tries it again"
  }
}
