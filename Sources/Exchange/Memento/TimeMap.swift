package import Foundation
package import OfflineCache

/// The captures of a page in a web archive (RFC 7089 §5).
package struct TimeMap: Sendable, Equatable {
  /// The captures, oldest first. If there are very many, some in the middle are left out.
  package private(set) var mementos: [Memento] = []
  /// The number of captures in the TimeMap, including those left out of `mementos`.
  package private(set) var totalCount = 0
  /// Further TimeMaps of the page with other captures, the newest last (RFC 7089 §5.1.1).
  package private(set) var furtherTimeMaps: [Part] = []

  /// A part of a divided TimeMap.
  package struct Part: Sendable, Equatable {
    /// The absolute URL.
    package var url: WebURL
    /// The date of the last capture in the part; nil if unknown.
    package var lastDate: Date?
  }

  /// The maximum number of captures kept; beyond it, older ones are thinned out.
  private static let maxMementos = 20_000
  private static let maxParts = 1000

  package init() {}

  /// Adds a capture.
  mutating func add(_ memento: Memento) {
    totalCount += 1
    mementos.append(memento)
    if mementos.count >= 2 * Self.maxMementos { removeSomeMementos() }
  }

  /// Adds a further TimeMap.
  mutating func add(_ part: Part) {
    guard furtherTimeMaps.count < Self.maxParts, !furtherTimeMaps.contains(part) else { return }
    furtherTimeMaps.append(part)
  }

  /// Sorts and thins out the captures after the last one was added.
  mutating func finish() {
    mementos = mementos.enumerated().sorted {
      ($0.element.date, $0.offset) < ($1.element.date, $1.offset)
    }.map(\.element)
    if mementos.count > Self.maxMementos { removeSomeMementos() }
    furtherTimeMaps = furtherTimeMaps.enumerated().sorted {
      ($0.element.lastDate ?? .distantPast, $0.offset) < (
        $1.element.lastDate ?? .distantPast, $1.offset
      )
    }.map(\.element)
  }

  /// Adds the captures of a further TimeMap.
  package mutating func add(_ other: TimeMap) {
    let knownURLs = Set(mementos.map(\.url))
    let new = other.mementos.filter { !knownURLs.contains($0.url) }
    totalCount += other.totalCount - (other.mementos.count - new.count)
    mementos += new
    finish()
  }

  /// Removes every second capture except the newest ones and the oldest.
  private mutating func removeSomeMementos() {
    mementos.sort { $0.date < $1.date }
    let keptCount = Self.maxMementos / 4
    let middle = mementos[1..<(mementos.count - keptCount)].enumerated().filter {
      $0.offset % 2 == 1
    }
    mementos = [mementos[0]] + middle.map(\.element) + mementos.suffix(keptCount)
  }

  /// Returns captures to try for a date, the best first. Archives keep capturing pages that no
  /// longer exist, so each further candidate must be more distant by an increasing gap.
  /// - Parameters:
  ///   - date: The date.
  ///   - limit: The maximum number of captures.
  /// - Returns: The captures.
  package func nearest(to date: Date, limit: Int) -> [Memento] {
    let byDistance = mementos.map { (memento: $0, distance: abs($0.date.timeIntervalSince(date))) }
      .sorted { ($0.distance, $0.memento.url) < ($1.distance, $1.memento.url) }
    var chosen: [Memento] = []
    var minDistance = 0.0
    for (memento, distance) in byDistance where chosen.count < limit && distance >= minDistance {
      chosen.append(memento)
      minDistance = distance + Self.minSpacings[min(chosen.count, Self.minSpacings.count) - 1]
    }
    return chosen
  }

  /// The minimum additional distance of the second, third and fourth candidate in seconds: two
  /// days, two months, a year.
  private static let minSpacings: [TimeInterval] = [2 * 86_400, 60 * 86_400, 365 * 86_400]
}
