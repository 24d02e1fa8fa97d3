import Saving
import Foundation
import Library
import Reader

/// The saved versions of a page: which there are, which is wanted, and with which it is compared.
struct Versions: Sendable {
  /// The versions of the page for which they were asked last.
  private(set) var list: PageVersions?
  /// Steps among them that wait for the list.
  private var steps = 0
  /// The comparison that runs or ran last.
  private var comparison = ComparisonID(0)
  /// From when the version is with which the page is compared.
  private(set) var comparedDate: Date?

  /// The versions of a page, as far as they were asked for.
  func known(of url: String) -> PageVersions? {
    list.flatMap { $0.url.isSamePage(as: url) ? $0 : nil }
  }

  /// Waits for the list, to go some versions further then.
  mutating func wait(toGo steps: Int) { self.steps += steps }

  /// Goes nowhere when the list comes.
  mutating func stopWaiting() { steps = 0 }

  /// Takes the list.
  /// - Parameters:
  ///   - list: the list.
  ///   - url: the address of the page on screen, or nil.
  /// - Returns: how many versions further to go; nil when it is the list of another page.
  mutating func take(_ list: PageVersions, of url: String?) -> Int? {
    defer { steps = 0 }
    guard let url, list.url.isSamePage(as: url) else { return nil }
    self.list = list
    return steps
  }

  /// `version 2 of 5`, or why a page is not one of those; nil when that is not known.
  func words(of page: Page) -> String? {
    guard let list = known(of: page.url), let version = list.version(page.arrival.version)
    else { return nil }
    if let number = list.number(of: page.arrival.version) {
      return "version \(number) of \(list.pages.count)"
    }
    return version.distrust.map { "not trusted: \($0)" }
  }

  // MARK: Comparing

  /// Begins a comparison with a version.
  /// - Returns: its name.
  mutating func beginComparing(with page: Page) -> ComparisonID {
    comparison.number += 1
    comparedDate = page.provenance.contentDate
    return comparison
  }

  /// Takes no more notice of what is still being compared.
  mutating func stopComparing() { comparison.number += 1 }

  /// Whether the result of a comparison is still wanted.
  func isAwaited(_ id: ComparisonID) -> Bool { id == comparison }
}
