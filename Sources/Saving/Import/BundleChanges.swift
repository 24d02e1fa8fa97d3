import Reader
import Library
import Foundation
import OfflineCache

/// What the journals of a bundle say, the last word on everything.
struct BundledFacts {
  /// The facts, by page and attribute.
  private(set) var facts: [String: [LibraryAttribute: LibraryFact]] = [:]
  /// The pages that were removed, by what stands for them, and when.
  private(set) var removals: [String: Int64] = [:]
  /// The machines whose journals were read, in their order.
  private(set) var machines: [String] = []

  /// Reads a journal of the bundle.
  /// - Parameters:
  ///   - file: the bundle.
  ///   - range: where in it the journal is.
  ///   - machine: whose it is.
  /// - Throws: `ArchiveError`.
  mutating func read(
    _ file: OpenFile, _ range: Range<Int64>, of machine: String
  ) throws(ArchiveError) {
    if !machines.contains(machine) { machines.append(machine) }
    var offset = range.lowerBound
    while offset < range.upperBound {
      let count = Int(min(Int64(LibraryJournal.lengthLimit), range.upperBound - offset))
      let read = LibraryJournal.lines(try file.bytes(at: offset, count: count)) { line in
        take(LibraryJournal.entry(line, machine: machine))
      }
      guard read > 0 else { return }
      offset += Int64(read)
    }
  }

  private mutating func take(_ entry: LibraryJournal.Entry) {
    switch entry {
    case .fact(let fact):
      let other = facts[fact.key]?[fact.attribute]
      if other.map(fact.supersedes) ?? true { facts[fact.key, default: [:]][fact.attribute] = fact }
    case .removal(let removal):
      removals[removal.digest] = max(removal.date, removals[removal.digest] ?? removal.date)
    case .other, .damaged: break
    }
  }
}

/// What the journals of a bundle would change in a library.
package struct BundleChanges: Sendable, Equatable {
  /// What would be done with pages, in the order in which it is told.
  package enum Kind: Int, Sendable, CaseIterable {
    case keeps, letsGo, tags, titles, notes, queues, unqueues, follows, unfollows, marks, addresses
    case intervals, removes

    /// The words before the counts.
    package var words: String {
      switch self {
      case .keeps: "would be kept"
      case .letsGo: "not kept any more"
      case .tags: "other tags"
      case .titles: "other titles"
      case .notes: "other notes"
      case .queues: "into the queue"
      case .unqueues: "out of the queue"
      case .follows: "feeds followed"
      case .unfollows: "feeds not followed"
      case .marks: "read or put aside"
      case .addresses: "other addresses"
      case .intervals: "other intervals"
      case .removes: "would be removed"
      }
    }

    /// What a fact would do; nil for what counts on its own machine alone.
    fileprivate init?(_ fact: LibraryFact) {
      let isSaid = fact.value != nil
      switch fact.attribute {
      case .kept, .item: self = isSaid ? .keeps : .letsGo
      case .tag: self = .tags
      case .title: self = .titles
      case .note, .highlight: self = .notes
      case .queued: self = isSaid ? .queues : .unqueues
      case .feed: self = isSaid ? .follows : .unfollows
      case .read, .archived: self = .marks
      case .removed: self = isSaid ? .removes : .keeps
      case .address, .canonical: self = .addresses
      case .interval: self = .intervals
      case .local, .complete, .handedOver, .again, .failed, .trip, .feedItem, .unconfirmed,
<<<<<<< HEAD
        .refused, .frames, .itemTitles:
=======
        .refused, .frames, .assumed:
>>>>>>> b787e1b3 (Find pages typed without a scheme in every command)
        return nil
      }
    }
  }

  /// The pages to which one kind of thing would be done.
  package struct Row: Sendable, Equatable {
    /// What would be done.
    package var kind: Kind
    /// How many pages there are.
    package var pages: Int
    /// The first tags, titles or addresses, each once, as they came.
    package var names: [String]
    /// How many more there are.
    package var others: Int
  }

  /// The machines that say it, as their journals call them.
  package let machines: [String]
  /// What there is of each kind; kinds of which there is nothing are left out.
  package let rows: [Row]

  private struct Tally {
    var pages: Set<String> = []
    var names: Set<String> = []
    var first: [String] = []

    mutating func add(_ key: String, _ name: String) {
      pages.insert(key)
      if names.insert(name).inserted, first.count < mostNames { first.append(name) }
    }
  }

  /// As many names are told of each kind.
  static let mostNames = 3

  /// Compares what a bundle says with what is said here; nil when nothing would be another.
  /// - Parameters:
  ///   - bundled: what the bundle says.
  ///   - library: what is said here.
  ///   - now: the time of day, for what is dated in the future.
  /// - Throws: `ArchiveError.unreadable`.
  init?(_ bundled: BundledFacts, in library: PageLibrary, now: Date) throws(ArchiveError) {
    let latest = Int64(now.timeIntervalSince1970 * 1000)
    var said = bundled.facts.values.flatMap(\.values)
    func settled(_ date: Int64) -> Int64 {
      FirstSeenTimes.isAhead(date, of: latest) ? latest : date
    }
    for index in said.indices { said[index].date = settled(said[index].date) }
    said.sort { ($0.date, $0.key, $0.attribute.text) > ($1.date, $1.key, $1.attribute.text) }
    var tallies: [Kind: Tally] = [:]
    func note(_ kind: Kind, _ key: String, _ name: String) {
      tallies[kind, default: Tally()].add(key, name)
    }
    func title(_ key: String) throws(ArchiveError) -> String {
      if let title = bundled.facts[key]?[.title]?.value, !title.isEmpty { return title }
      let known = try library.page(key).title
      return known.isEmpty ? key : known
    }
    for fact in try library.news(among: said) {
      guard let kind = Kind(fact) else { continue }
      if case .tag(let tag) = fact.attribute {
        note(kind, fact.key, tag)
      } else {
        note(kind, fact.key, try title(fact.key))
      }
    }
    for key in try library.pages(removedBy: bundled.removals.mapValues(settled)) {
      note(.removes, key, try title(key))
    }
    machines = bundled.machines
    rows = Kind.allCases.compactMap { kind in
      tallies[kind].map { tally in
        Row(
          kind: kind, pages: tally.pages.count, names: tally.first,
          others: tally.names.count - tally.first.count)
      }
    }
    if rows.isEmpty { return nil }
  }
}
