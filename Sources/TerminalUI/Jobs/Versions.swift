import Pages
import Saving
import Foundation
import Library

/// The saved versions of a page, the steps to take among them, and the comparison with another one.
struct Versions: Sendable {
  /// The versions of the page that was looked up last.
  private(set) var list: PageVersions?
  /// The steps to take once the list is received.
  private var steps = 0
  /// The current or last comparison.
  private var comparison = ComparisonID(0)
  /// The date of the version with which the page is compared.
  private(set) var comparedDate: Date?

  /// Returns the versions of a page; nil if they have not been looked up.
  func known(of url: String) -> PageVersions? {
    list.flatMap { $0.url.isSamePage(as: url) ? $0 : nil }
  }

  /// Adds steps to take once the list is received.
  mutating func wait(toGo steps: Int) { self.steps += steps }

  /// Discards the steps.
  mutating func stopWaiting() { steps = 0 }

  /// Stores the list.
  /// - Parameters:
  ///   - list: The versions.
  ///   - url: The URL of the page on the screen, or nil.
  /// - Returns: The number of versions to move by; nil if the list belongs to another page.
  mutating func store(_ list: PageVersions, of url: String?) -> Int? {
    defer { steps = 0 }
    guard let url, list.url.isSamePage(as: url) else { return nil }
    self.list = list
    return steps
  }

  /// Returns `version 2 of 5`, or why the page's version is not trusted; nil if that is unknown.
  func text(of page: Page) -> String? {
    guard let list = known(of: page.url), let version = list.version(page.arrival.version)
    else { return nil }
    if let number = list.number(of: page.arrival.version) {
      return "version \(number) of \(list.pages.count)"
    }
    return version.distrust.map { "not trusted: \($0)" }
  }

  // MARK: Comparing

  /// Begins a comparison with a version.
  /// - Returns: Its identifier.
  mutating func beginComparing(with page: Page) -> ComparisonID {
    comparison.number += 1
    comparedDate = page.provenance.contentDate
    return comparison
  }

  /// Abandons the current comparison.
  mutating func stopComparing() { comparison.number += 1 }

  /// Returns whether the result of a comparison is still needed.
  func isAwaited(_ id: ComparisonID) -> Bool { id == comparison }
}
