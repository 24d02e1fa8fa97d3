import Pages
import Saving
import Foundation
import Library

/// The saved versions of a page, the steps to take among them, and the comparison with another one.
struct Versions: Sendable {
  /// The versions of the page that was looked up last; nil until a list has been received.
  private(set) var list: PageVersions?
  /// The number of versions to move by once the list is received.
  private var pendingSteps = 0
  /// The identifier of the current or last comparison.
  private var comparison = ComparisonID(0)
  /// The date of the version with which the page is compared; nil if it has none.
  private(set) var comparedDate: Date?

  /// Returns the versions of a page; nil if they have not been looked up.
  func knownVersions(of url: DocumentAddress) -> PageVersions? {
    list.flatMap { $0.url.isSamePage(as: url.text) ? $0 : nil }
  }

  /// Adds to the number of versions to move by once the list is received.
  mutating func addPendingSteps(toGo steps: Int) { self.pendingSteps += steps }

  /// Cancels the move that waits for the list.
  mutating func discardPendingSteps() { pendingSteps = 0 }

  /// Stores the list.
  /// - Parameters:
  ///   - list: The versions.
  ///   - url: The URL of the page on the screen, or nil.
  /// - Returns: The number of versions to move by; nil if the list belongs to another page.
  mutating func store(_ list: PageVersions, of url: DocumentAddress?) -> Int? {
    defer { pendingSteps = 0 }
    guard let url, list.url.isSamePage(as: url.text) else { return nil }
    self.list = list
    return pendingSteps
  }

  /// Returns a text such as `version 2 of 5`, or the reason why the page's version is not trusted;
  /// nil if the version is in no list.
  func positionText(of page: Page) -> String? {
    guard let list = knownVersions(of: page.url), let version = list.version(page.loadTrace.version)
    else { return nil }
    if let number = list.number(of: page.loadTrace.version) {
      return "version \(number) of \(list.pages.count)"
    }
    return version.distrustReason.map { "not trusted: \($0)" }
  }

  // MARK: Comparing

  /// Begins a comparison with a version.
  /// - Returns: Its identifier.
  mutating func beginComparison(with page: Page) -> ComparisonID {
    comparison.number += 1
    comparedDate = page.provenance.contentDate
    return comparison
  }

  /// Abandons the current comparison.
  mutating func abandonComparison() { comparison.number += 1 }

  /// Returns whether the result of a comparison is still needed.
  func isAwaited(_ id: ComparisonID) -> Bool { id == comparison }
}
