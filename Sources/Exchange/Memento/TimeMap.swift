package import Foundation

/// The captures that an archive of the web has of one page (RFC 7089 §5).
package struct TimeMap: Sendable, Equatable {
  /// The captures, oldest first. Of very many some in the middle are left out.
  package private(set) var mementos: [Memento] = []
  /// How many captures it names.
  package private(set) var count = 0
  /// Further TimeMaps of the page, which have other captures, the newest last (RFC 7089 §5.1.1).
  package private(set) var others: [Part] = []

  /// A part of a TimeMap that was divided.
  package struct Part: Sendable, Equatable {
    /// Where it is: an absolute URL.
    package var url: String
    /// Until when its captures are, where that is said.
    package var until: Date?
  }

  /// The most captures that are kept; what is more is thinned out, the newest last.
  private static let mostMementos = 20_000
  private static let mostParts = 1000

  package init() {}

  /// Takes a capture.
  mutating func take(_ memento: Memento) {
    count += 1
    mementos.append(memento)
    if mementos.count >= 2 * Self.mostMementos { thinOut() }
  }

  /// Takes a further TimeMap.
  mutating func take(_ part: Part) {
    guard others.count < Self.mostParts, !others.contains(part) else { return }
    others.append(part)
  }

  /// Everything is there.
  mutating func finish() {
    mementos = mementos.enumerated().sorted {
      ($0.element.date, $0.offset) < ($1.element.date, $1.offset)
    }.map(\.element)
    if mementos.count > Self.mostMementos { thinOut() }
    others = others.enumerated().sorted {
      ($0.element.until ?? .distantPast, $0.offset) < ($1.element.until ?? .distantPast, $1.offset)
    }.map(\.element)
  }

  /// Adds what a further TimeMap has.
  package mutating func add(_ other: TimeMap) {
    let known = Set(mementos.map(\.url))
    let new = other.mementos.filter { !known.contains($0.url) }
    count += other.count - (other.mementos.count - new.count)
    mementos += new
    finish()
  }

  /// Leaves every second one out, but for the newest and the oldest.
  private mutating func thinOut() {
    mementos.sort { $0.date < $1.date }
    let kept = Self.mostMementos / 4
    let middle = mementos[1..<(mementos.count - kept)].enumerated().filter { $0.offset % 2 == 1 }
    mementos = [mementos[0]] + middle.map(\.element) + mementos.suffix(kept)
  }

  /// The captures that may show the page as it was about a date, best first: archives go on
  /// capturing a page that is gone, so each is farther away than the one before by more than that
  /// one.
  /// - Parameters:
  ///   - date: the date.
  ///   - limit: the most.
  /// - Returns: the captures.
  package func nearest(to date: Date, limit: Int) -> [Memento] {
    let byDistance = mementos.map { (memento: $0, distance: abs($0.date.timeIntervalSince(date))) }
      .sorted { ($0.distance, $0.memento.url) < ($1.distance, $1.memento.url) }
    var chosen: [Memento] = []
    var least = 0.0
    for (memento, distance) in byDistance where chosen.count < limit && distance >= least {
      chosen.append(memento)
      least = distance + Self.gaps[min(chosen.count, Self.gaps.count) - 1]
    }
    return chosen
  }

  /// How much farther the second, third and fourth are, in seconds: two days, two months, a year.
  private static let gaps: [TimeInterval] = [2 * 86_400, 60 * 86_400, 365 * 86_400]
}
