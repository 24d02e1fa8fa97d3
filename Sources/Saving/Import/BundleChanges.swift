import Library
import Foundation
import OfflineCache

/// The changes that the journals of a bundle would make in a library.
package struct BundleChanges: Sendable, Equatable {
  /// The kinds of changes of pages, in the order in which they are reported.
  package enum Kind: Int, Sendable, CaseIterable {
    case pins, unpins, tags, titles, notes, queues, unqueues, follows, unfollows, marks, addresses
    case intervals, collections, removes

    /// The text before the counts in a line of the report.
    package var label: String {
      switch self {
      case .pins: "would be kept"
      case .unpins: "no longer kept"
      case .tags: "changed tags"
      case .titles: "changed titles"
      case .notes: "changed notes"
      case .queues: "added to the queue"
      case .unqueues: "removed from the queue"
      case .follows: "feeds followed"
      case .unfollows: "feeds no longer followed"
      case .marks: "read or archived"
      case .addresses: "changed URLs"
      case .intervals: "changed intervals"
      case .collections: "in collections"
      case .removes: "would be removed"
      }
    }

    /// Creates the kind of change that a fact makes; nil for facts that matter only on the device
    /// that recorded them.
    fileprivate init?(_ fact: LibraryFact) {
      let isSet = fact.value != nil
      switch fact.attribute {
      case .pinned, .item: self = isSet ? .pins : .unpins
      case .tag: self = .tags
      case .title: self = .titles
      case .note, .highlight: self = .notes
      case .queued: self = isSet ? .queues : .unqueues
      case .feed: self = isSet ? .follows : .unfollows
      case .read, .archived: self = .marks
      case .removed: self = isSet ? .removes : .pins
      case .address, .canonical: self = .addresses
      case .interval: self = .intervals
      case .collection, .member, .formerMember: self = .collections
      case .local, .complete, .fromProgram, .notBefore, .failed, .crawlScope, .feedItem,
        .unconfirmed,
        .rejections, .frames, .itemTitles, .missingImages, .schemeAssumed, .order, .readCall:
        return nil
      }
    }
  }

  /// The pages with one kind of change.
  package struct Row: Sendable, Equatable {
    /// The kind of change.
    package var kind: Kind
    /// The number of pages; 0 if the changes are only those of collections themselves.
    package var pageCount: Int
    /// The first affected tags, titles or keys, each once.
    package var names: [String]
    /// The number of further affected tags, titles or keys.
    package var otherNameCount: Int
  }

  /// The devices whose journals were compared, as their journals name them.
  package let devices: [String]
  /// One row for each kind of change that affects pages.
  package let rows: [Row]

  /// Returns whether a journal belongs to a bundle of collections and thus was not written by any
  /// device.
  package static func isCollectionBundle(_ device: String) -> Bool {
    device.hasPrefix(LibraryBundle.collectionsPrefix)
  }

  private struct Tally {
    var pages: Set<String> = []
    var names: Set<String> = []
    var firstNames: [String] = []

    mutating func add(_ key: String, _ name: String) {
      // A collection, which has facts of its own, is not a page.
      if PageCollection.id(ofKey: key) == nil { pages.insert(key) }
      if names.insert(name).inserted, firstNames.count < maxNames { firstNames.append(name) }
    }
  }

  /// The maximum number of elements of `Row.names`.
  static let maxNames = 3

  /// Compares the facts of a bundle with those of a library; nil if the bundle would change
  /// nothing.
  /// - Parameters:
  ///   - bundledFacts: the facts of the bundle.
  ///   - library: the library.
  ///   - now: the current time, which replaces dates in the future.
  /// - Throws: `ArchiveError.unreadable`.
  init?(_ bundledFacts: BundledFacts, in library: PageLibrary, now: Date) throws(ArchiveError) {
    let maxTimestamp = Int64(now.timeIntervalSince1970 * 1000)
    var facts = bundledFacts.facts.values.flatMap(\.values)
    func clampedDate(_ date: Int64) -> Int64 {
      FirstSeenTimes.isAhead(date, of: maxTimestamp) ? maxTimestamp : date
    }
    for index in facts.indices { facts[index].date = clampedDate(facts[index].date) }
    facts.sort { ($0.date, $0.key, $0.attribute.text) > ($1.date, $1.key, $1.attribute.text) }
    var tallies: [Kind: Tally] = [:]
    func count(_ kind: Kind, _ key: String, _ name: String) {
      tallies[kind, default: Tally()].add(key, name)
    }
    for fact in try library.newFacts(among: facts) {
      guard let kind = Kind(fact) else { continue }
      if case .tag(let tag) = fact.attribute {
        count(kind, fact.key, tag)
      } else if let id = fact.attribute.joinedCollection {
        count(kind, fact.key, try bundledFacts.title(of: PageCollection.key(of: id), in: library))
      } else {
        count(kind, fact.key, try bundledFacts.title(of: fact.key, in: library))
      }
    }
    for key in try library.pages(removedBy: bundledFacts.removals.mapValues(clampedDate)) {
      count(.removes, key, try bundledFacts.title(of: key, in: library))
    }
    devices = bundledFacts.devices
    rows = Kind.allCases.compactMap { kind in
      tallies[kind].map { tally in
        Row(
          kind: kind, pageCount: tally.pages.count, names: tally.firstNames,
          otherNameCount: tally.names.count - tally.firstNames.count)
      }
    }
    if rows.isEmpty { return nil }
  }
}
