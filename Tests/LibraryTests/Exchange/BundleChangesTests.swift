import Configuration
@testable import Saving
import Crawl
@testable import Library
import Foundation
import TestNetwork
import TestSupport
import Testing

@testable import OfflineCache
@testable import Profiles
@testable import WebArchive

@Suite struct BundleChangesTests {
  private let one: TestProfile
  private let other: TestProfile
  private let network = SiteNetwork()

  init() throws {
    one = try TestProfile(device: "one")
    other = try TestProfile(device: "other")
    for name in ["a", "b"] {
      network.add(url(name), "<title>Title \(name)</title><p>The text of \(name).")
    }
  }

  private func url(_ name: String) -> String { "http://x.example/\(name)" }

  private func save(_ profile: Profile, _ names: String...) {
    var request = SaveRequest(pages: names.map(url))
    request.pace.minGap = .zero
    request.tags = ["t"]
    #expect(PageSaver(request, in: profile).run().isComplete)
  }

  private func bundle(_ profile: Profile, _ name: String = "a.bundle") throws -> String {
    let file = one.directory.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: one.directory, withIntermediateDirectories: true)
    var bytes: [UInt8] = []
    _ = try LibraryBundle(of: profile).write(now: Date()) { bytes += $0 }
    try Data(bytes).write(to: file)
    return file.path
  }

  @Test func `a bundle of an unknown device imports pages, and reports the changes it would make`()
    throws
  {
    let (mine, theirs) = (one.open(network), other.open(network))
    save(mine, "a", "b")
    save(theirs, "b")
    try mine.library.record([
      LibraryChange(url("a"), .note, "n"), LibraryChange(url("q"), .queued, ""),
      LibraryChange(url("f"), .feed, ""), LibraryChange(url("f"), .title, "Feed"),
      LibraryChange(url("b"), .tag("t"), nil), LibraryChange(url("b"), .pinned, nil),
    ])
    let file = try bundle(mine)
    let outcome = try LibraryImport(into: theirs).run(file)
    #expect(outcome.pageCount == 1 && !outcome.wasImportedBefore)
    let changes = try #require(outcome.changes)
    #expect(changes.devices == ["one"])
    func row(_ kind: BundleChanges.Kind) -> BundleChanges.Row? {
      changes.rows.first { $0.kind == kind }
    }
    #expect(row(.pins) == .init(kind: .pins, pageCount: 1, names: ["Title a"], otherNameCount: 0))
    #expect(
      row(.unpins) == .init(kind: .unpins, pageCount: 1, names: ["Title b"], otherNameCount: 0))
    #expect(row(.tags) == .init(kind: .tags, pageCount: 2, names: ["t"], otherNameCount: 0))
    #expect(row(.titles)?.pageCount == 2)
    #expect(row(.notes)?.pageCount == 1)
    #expect(
      row(.queues) == .init(kind: .queues, pageCount: 1, names: [url("q")], otherNameCount: 0))
    #expect(
      row(.follows) == .init(kind: .follows, pageCount: 1, names: ["Feed"], otherNameCount: 0))
    #expect(row(.removes) == nil)
    // The pages are imported, without their library data.
    #expect(try theirs.cache.archive.contains([url("a")]).count == 1)
    #expect(try theirs.cache.archive.captures(of: url("a")).first?.importedFile != nil)
    #expect(try theirs.library.page(url("a")) == LibraryPage(key: url("a")))
    #expect(try theirs.library.page(url("b")).pinnedDate != nil)
    #expect(try theirs.library.count(with: .queued) == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: theirs.locations.journals.path)
        == ["other.journal"])
    // A second import reports the same.
    let again = try LibraryImport(into: theirs).run(file)
    #expect(again.wasImportedBefore && again.changes == changes)
    mine.close()
    theirs.close()
  }

  @Test func `a bundle once imported with changes is trusted, and so are later ones of the device`()
    throws
  {
    let (mine, theirs) = (one.open(network), other.open(network))
    save(mine, "a")
    let file = try bundle(mine)
    let outcome = try LibraryImport(into: theirs, appliesChanges: true).run(file)
    #expect(outcome.changes == nil)
    #expect(try theirs.library.page(url("a")).tags == ["t"])
    save(mine, "b")
    let later = try LibraryImport(into: theirs).run(try bundle(mine, "b.bundle"))
    #expect(later.changes == nil)
    #expect(try theirs.library.page(url("b")).tags == ["t"])
    // The device's own bundle needs no confirmation.
    let back = try LibraryImport(into: mine).run(try bundle(theirs, "c.bundle"))
    #expect(back.changes == nil)
    mine.close()
    theirs.close()
  }

  @Test
  func `changes by others under this device's name are not trusted more than those of others`()
    throws
  {
    let (mine, theirs) = (one.open(network), other.open(network))
    save(mine, "a")
    mine.close()
    // Changes that appear to be from this device itself.
    let journal = mine.locations.journals.appendingPathComponent("one.journal")
    let writtenFacts = try Data(contentsOf: journal)
    let reopened = one.open(network)
    try reopened.library.record([LibraryChange(url("b"), .pinned, "1")])
    reopened.close()
    let extendedJournal = try Data(contentsOf: journal)
    #expect(
      extendedJournal.starts(with: writtenFacts) && extendedJournal.count > writtenFacts.count)
    let file = try bundle(one.open(network))
    try writtenFacts.write(to: journal)
    // A device that never made these changes has no second copy of them.
    try FileManager.default.removeItem(at: reopened.locations.recentAppends)
    let victim = one.open(network)
    // The database remembers which lines it has read, so it is removed.
    victim.close()
    try FileManager.default.removeItem(at: victim.locations.libraryIndex)
    let newProfile = one.open(network)
    let outcome = try LibraryImport(into: newProfile).run(file)
    #expect(outcome.changes?.rows.first?.kind == .pins)
    #expect(try newProfile.library.page(url("b")).pinnedDate == nil)
    #expect(try Data(contentsOf: journal) == writtenFacts)
    // A prefix of the existing journal contains nothing new.
    #expect(
      try LibraryImport(into: newProfile).run(bundle(newProfile, "own.bundle")).changes == nil)
    newProfile.close()
    theirs.close()
  }

  @Test func `only the changes of known devices in a bundle of several devices apply`() throws {
    let third = try TestProfile(device: "third")
    let (mine, theirs, last) = (one.open(network), other.open(network), third.open(network))
    save(mine, "a")
    save(theirs, "b")
    _ = try LibraryImport(into: last, appliesChanges: true).run(try bundle(mine))
    _ = try LibraryImport(into: theirs, appliesChanges: true).run(try bundle(mine))
    try theirs.library.record([LibraryChange(url("a"), .note, "of other")])
    try mine.library.record([LibraryChange(url("a"), .title, "of one")])
    _ = try LibraryImport(into: theirs).run(try bundle(mine))
    let outcome = try LibraryImport(into: last).run(try bundle(theirs))
    #expect(outcome.changes?.devices == ["other"])
    #expect(try last.library.page(url("a")).title == "of one")
    #expect(try last.library.page(url("a")).note == "")
    [mine, theirs, last].forEach { $0.close() }
  }

  @Test func `removals of a bundle are reported and not applied`() throws {
    let (mine, theirs) = (one.open(network), other.open(network))
    save(mine, "a")
    save(theirs, "a")
    _ = try PageRemoval(from: mine).remove(url("a"))
    let outcome = try LibraryImport(into: theirs).run(try bundle(mine))
    #expect(
      outcome.changes?.rows == [
        .init(kind: .removes, pageCount: 1, names: ["Title a"], otherNameCount: 0)
      ])
    #expect(outcome.removedCount == 0)
    #expect(try theirs.library.page(url("a")).pinnedDate != nil)
    mine.close()
    theirs.close()
  }

  @Test func `a collection is not counted as one of the pages that are in it`() throws {
    let (mine, theirs) = (one.open(network), other.open(network))
    save(mine, "a", "b")
    let id = PageCollection.id(ofStart: url("a"))
    let record = PageCollection.Record(
      name: "Guide", start: [url("a")], isPinned: true, saved: mine.library.now)
    try mine.library.record([
      LibraryChange(PageCollection.key(of: id), .collection, record.text),
      LibraryChange(PageCollection.key(of: id), .tag("t"), ""),
      LibraryChange(PageCollection.key(of: id), .note, "n"),
    ])
    for (number, page) in [url("a"), url("b")].enumerated() {
      try mine.library.record(
        mine.library.page(page).membership.adding(
          page, to: id, number: number, by: mine.library.device, at: mine.library.now))
    }
    let outcome = try LibraryImport(into: theirs).run(try bundle(mine))
    let rows = try #require(outcome.changes).rows
    for (kind, count, names) in [
      (BundleChanges.Kind.collections, 2, ["Guide"]), (.tags, 2, ["t"]), (.notes, 0, ["Guide"]),
    ] {
      let row = rows.first { $0.kind == kind }
      #expect(row == .init(kind: kind, pageCount: count, names: names, otherNameCount: 0))
    }
    mine.close()
    theirs.close()
  }

  @Test(
    arguments: [
      (LibraryAttribute.interval, "3600", BundleChanges.Kind.intervals),
      (.address, "http://x.example/other", .addresses),
      (.canonical, "http://x.example/other", .addresses),
    ] as [(LibraryAttribute, String, BundleChanges.Kind)])
  func `skipped changes are reported even if they are minor`(
    _ attribute: LibraryAttribute, _ value: String, _ kind: BundleChanges.Kind
  ) throws {
    let (mine, theirs) = (one.open(network), other.open(network))
    try mine.library.record([LibraryChange(url("a"), attribute, value)])
    let file = try bundle(mine)
    #expect(
      try LibraryImport(into: theirs).run(file).changes?.rows
        == [.init(kind: kind, pageCount: 1, names: [url("a")], otherNameCount: 0)])
    #expect(try theirs.library.page(url("a")) == LibraryPage(key: url("a")))
    #expect(try LibraryImport(into: theirs, appliesChanges: true).run(file).changes == nil)
    #expect(try theirs.library.page(url("a")) == mine.library.page(url("a")))
    mine.close()
    theirs.close()
  }

  @Test func `the local-network attribute of a page is not exchanged or reported`() throws {
    let (mine, theirs) = (one.open(network), other.open(network))
    try mine.library.record([LibraryChange(url("a"), .local, "1")])
    #expect(try LibraryImport(into: theirs).run(try bundle(mine)).changes == nil)
    mine.close()
    theirs.close()
  }

  @Test func `a removal is reported also for a page with only minor attributes here`() throws {
    let (mine, theirs) = (one.open(network), other.open(network))
    save(mine, "a")
    try theirs.library.record([LibraryChange(url("a"), .interval, "3600")])
    _ = try PageRemoval(from: mine).remove(url("a"))
    #expect(
      try LibraryImport(into: theirs).run(try bundle(mine)).changes?.rows
        == [.init(kind: .removes, pageCount: 1, names: [url("a")], otherNameCount: 0)])
    mine.close()
    theirs.close()
  }

  @Test func `removed pages are not restored by an unknown device`() throws {
    let (mine, theirs) = (one.open(network), other.open(network))
    save(mine, "a")
    save(theirs, "a")
    let file = try bundle(mine)
    _ = try PageRemoval(from: theirs).remove(url("a"))
    let outcome = try LibraryImport(into: theirs, restoresRemoved: true).run(file)
    #expect(outcome.restoredCount == 0)
    #expect(try theirs.library.page(url("a")).pinnedDate == nil)
    mine.close()
    theirs.close()
  }

  @Test func `imported records under this device's name are not trusted`()
    throws
  {
    let (mine, theirs) = (one.open(network), other.open(network))
    save(theirs, "a")
    theirs.close()
    // Someone who knows the name uses it for his own file.
    let archive = theirs.locations.archive
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: archive.path)
        .first { $0.hasSuffix(".warc.gz") })
    let forged = "one-" + name.dropFirst("other-".count)
    try FileManager.default.moveItem(
      at: archive.appendingPathComponent(name), to: archive.appendingPathComponent(forged))
    let file = try bundle(other.open(network))
    _ = try LibraryImport(into: mine).run(file)
    #expect(try mine.cache.archive.captures(of: url("a")).first?.importedFile != nil)
    mine.close()
  }

  @Test func `many names are counted, and future dates in a bundle have no effect`()
    throws
  {
    let (mine, theirs) = (one.open(network), other.open(network))
    let many = (0..<500).map { LibraryChange("http://x.example/\($0)", .pinned, "1") }
    try mine.library.record(many)
    mine.close()
    try theirs.library.record([LibraryChange("http://x.example/0", .pinned, "1")])
    let journal = mine.locations.journals.appendingPathComponent("one.journal")
    let text = try String(contentsOf: journal, encoding: .utf8)
    // The lines have the form of versions without checksums.
    let later = text.replacing(#/"date":\d+/#, with: "\"date\":9000000000000")
      .replacing(#/"sum":"[0-9a-f]{8}",/#, with: "")
    try Data(later.utf8).write(to: journal)
    let file = try bundle(one.open(network))
    let row = try #require(try LibraryImport(into: theirs).run(file).changes?.rows.first)
    #expect(row.kind == .pins && row.pageCount == 499)
    #expect(row.names.count == 3 && row.otherNameCount == 496)
    let taken = try LibraryImport(into: theirs, appliesChanges: true).run(file)
    #expect(taken.changes == nil)
    try theirs.library.record([LibraryChange("http://x.example/1", .pinned, nil)])
    #expect(try theirs.library.page("http://x.example/1").pinnedDate == nil)
    theirs.close()
  }
}
