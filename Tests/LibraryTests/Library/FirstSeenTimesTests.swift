@testable import Library
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct FirstSeenTimesTests {
  private let files: LibraryDirectory
  private let key = "https://example.org/"
  private static let start = Int64(LibraryDirectory.start.timeIntervalSince1970 * 1000)
  private static let year: Int64 = 365 * 86_400_000

  init() throws { files = try LibraryDirectory() }

  /// Writes a journal of another device.
  private func journal(_ lines: [UInt8], id: String = "1", device: String = "other") throws {
    try FileManager.default.createDirectory(at: files.journals, withIntermediateDirectories: true)
    let head = LibraryJournal.text(LibraryJournal.Head(device: device, id: id))
    try Data(head + lines).write(to: files.journals.appendingPathComponent("\(device).journal"))
  }

  private func fact(_ attribute: LibraryAttribute, _ value: String?, in milliseconds: Int64)
    -> [UInt8]
  {
    LibraryJournal.text([
      LibraryFact(
        key: key, attribute: attribute, value: value, date: Self.start + milliseconds,
        device: "other")
    ])
  }

  private func wait(_ seconds: Double) { files.seconds.withLock { $0 += seconds } }

  private func removeDatabase() throws {
    try FileManager.default.removeItem(at: files.directory.appendingPathComponent("cache m"))
  }

  @Test func `a change dated in the future by another device counts from when it was first seen`()
    throws
  {
    try journal(fact(.note, "theirs", in: Self.year))
    var library = files.open()
    let firstSeen = try #require(try library.page(key).note == "theirs" ? Self.start : nil)
    // A later local change takes precedence and has the time of the clock.
    wait(60)
    try library.record([LibraryChange(key, .note, "mine")])
    #expect(try library.page(key).note == "mine")
    #expect(try files.text(of: "m").contains("\"date\":\(firstSeen + 60_000),"))
    // The other device adds changes, and the database is rebuilt much later.
    try journal(fact(.note, "theirs", in: Self.year) + fact(.title, "t", in: 2 * Self.year))
    wait(60)
    library.close()
    library = files.open()
    #expect(try library.page(key).title == "t")
    library.close()
    for seconds in [3600, 2 * 365 * 86_400.0] {
      try removeDatabase()
      wait(seconds)
      library = files.open()
      #expect(try library.page(key).note == "mine")
      library.close()
    }
    // A rewritten journal contains the same changes.
    try journal(fact(.note, "theirs", in: Self.year), id: "2")
    library = files.open()
    #expect(try library.page(key).note == "mine")
    library.close()
  }

  @Test func `a removal dated in the future does not affect changes made after its arrival`() throws
  {
    let removal = LibraryJournal.Removal(
      digest: LibraryJournal.digest(of: key), date: Self.start + Self.year)
    try journal(LibraryJournal.text([removal]))
    let library = files.open()
    try library.catchUp()
    wait(60)
    try library.record([LibraryChange(key, .pinned, "1")])
    library.close()
    try removeDatabase()
    let again = files.open()
    #expect(try again.page(key).pinnedDate == LibraryDirectory.start.addingTimeInterval(60))
    again.close()
  }

  @Test func `future dates of this device, and past dates of other devices, are kept`()
    throws
  {
    try journal(fact(.note, "past", in: -1000))
    let library = files.open()
    #expect(try library.page(key).note == "past")
    #expect(
      !FileManager.default.fileExists(
        atPath: files.directory.appendingPathComponent("state m/sightings").path))
    wait(1_000_000)
    try library.record([LibraryChange(key, .title, "set back")])
    wait(-2_000_000)
    library.close()
    try removeDatabase()
    let again = files.open()
    #expect(try again.page(key).title == "set back")
    again.close()
  }

  @Test func `the file is read line by line, whatever its content is`() throws {
    let file = files.directory.appendingPathComponent("sightings")
    let start: Int64 = 1_800_000_000_000
    let future = LibraryFact(
      key: key, attribute: .pinned, value: "1", date: start + 100_000_000, device: "o")
    // An unset clock has no effect.
    var unset = FirstSeenTimes(file, now: 1000)
    #expect(unset.withPlausibleDate(future).date == future.date)
    unset.save()
    var first = FirstSeenTimes(file, now: start + 1000)
    #expect(first.withPlausibleDate(future).date == start + 1000)
    var near = future
    near.date = start + 86_400_000
    #expect(first.withPlausibleDate(near).date == near.date)
    first.save()
    var random = SplitMix64(seed: 5)
    let handle = try FileHandle(forWritingTo: file)
    try handle.seekToEnd()
    try handle.write(
      contentsOf: Data((0..<4000).map { _ in UInt8.random(in: 0...255, using: &random) }))
    try handle.write(contentsOf: Data("zz 1\nffffffffffffffffffff 1\n1 x\n1\n1 2 3\n".utf8))
    try handle.close()
    var second = FirstSeenTimes(file, now: start + 2000)
    #expect(second.withPlausibleDate(future).date == start + 1000)
    var other = future
    other.value = nil
    #expect(second.withPlausibleDate(other).date == start + 2000)
    second.save()
    var third = FirstSeenTimes(file, now: start + 9000)
    #expect(third.withPlausibleDate(other).date == start + 2000)
    #expect(third.withPlausibleDate(future).date == start + 1000)
  }
}
