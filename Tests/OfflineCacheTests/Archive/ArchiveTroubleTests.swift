import Foundation
import GRDB
import Testing
import WARC

@testable import OfflineCache
@testable import WebArchive

@Suite struct ArchiveTroubleTests {
  let files: TemporaryArchive
  let key = "https://example.org/"

  init() throws {
    files = try TemporaryArchive()
  }

  @Test func `a file in place of the directory gives a clear warning`() throws {
    try Data([1]).write(to: files.location.archive)
    let archive = files.open()
    let reason =
      "\(files.location.archive.path) is not a directory"
    #expect(archive.warning == .noFolder(reason))
    #expect(archive.warning != nil)
    #expect(try archive.captures(of: key).isEmpty)
    #expect(throws: ArchiveError.noFolder(reason)) { try archive.save("x", at: 0) }
    // A spool without a file still accepts content.
    let spool = archive.makeSpool()
    for _ in 0..<40 { spool.write([UInt8](repeating: 1, count: 65_536)) }
    #expect(spool.length == 40 * 65_536)
    #expect(spool.failure != nil)
    // Saving works as soon as the directory can be created.
    try FileManager.default.removeItem(at: files.location.archive)
    let stored = try archive.save("x", at: 0)
    #expect(archive.warning == nil)
    #expect(try archive.text(stored) == "x")
  }

  @Test func `a full disk is reported, loses nothing, and can be recovered from`() throws {
    let name = "m-20261121-000001.warc.gz"
    try FileManager.default.createDirectory(
      at: files.location.archive, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: files.segment(name).path, withDestinationPath: "/dev/full")
    let archive = files.open()
    #expect(archive.warning == nil)
    #expect(throws: ArchiveError.full) { try archive.save("x", at: 0) }
    #expect(archive.warning == .full)
    #expect(try archive.captures(of: key).isEmpty)
    try FileManager.default.removeItem(at: files.segment(name))
    let stored = try archive.save("x", at: 0)
    #expect(archive.warning == nil)
    #expect(try archive.text(stored) == "x")
  }

  @Test func `dangling and circular symbolic links are ignored`() throws {
    let archive = files.open()
    let firstVersion = try archive.save("one", at: 0)
    for (name, target) in [("loop.warc", "loop.warc"), ("gone.warc.gz", "nowhere")] {
      try FileManager.default.createSymbolicLink(
        atPath: files.segment(name).path, withDestinationPath: target)
    }
    let two = try archive.save("two", at: 1)
    archive.close()
    try files.removeIndex()
    let reopened = files.open()
    #expect(try reopened.captures(of: key).map(\.id) == [two.id, firstVersion.id])
  }

  @Test(arguments: [-1e10, 1e10])
  func `a file may have a time that nanoseconds in 64 bits cannot represent`(_ time: Double) throws
  {
    let archive = files.open()
    let firstVersion = try archive.save("one", at: 0)
    archive.close()
    for name in try files.segments() {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: time)],
        ofItemAtPath: files.segment(name).path)
    }
    let reopened = files.open()
    #expect(try reopened.captures(of: key).map(\.id) == [firstVersion.id])
    #expect(try reopened.text(firstVersion) == "one")
  }

  @Test func `an index that cannot be created is kept in memory, with a notice`() throws {
    let saved = files.open()
    let firstVersion = try saved.save("one", at: 0)
    saved.close()
    try files.removeIndex()
    try Data([1]).write(to: files.location.index.deletingLastPathComponent())
    let archive = files.open()
    #expect(archive.warning == nil)
    let notices = archive.takeNotices().map(\.description)
    #expect(notices.count == 1)
    // Pages can be saved nevertheless.
    #expect(notices.allSatisfy { $0.contains(" is kept in memory: /") }, "\(notices)")
    #expect(try archive.captures(of: key) == [firstVersion])
    let two = try archive.save("two", at: 1)
    #expect(try archive.captures(of: key).map(\.id) == [two.id, firstVersion.id])
    #expect(try archive.text(two) == "two")
  }

  @Test func `the notice about an index that cannot be written contains only the reason`() throws {
    let archive = files.open()
    try archive.save("one", at: 0)
    try archive.index.withCurrentIndex { index throws(IndexError) in
      try index.write { database in
        try database.execute(
          sql: """
            CREATE TRIGGER failure BEFORE INSERT ON capture
            BEGIN SELECT RAISE(ABORT, 'no space'); END
            """)
      }
    }
    try archive.save("two", at: 1)
    let notices = archive.takeNotices().map(\.description)
    #expect(
      notices.contains("the index of saved pages is kept in memory: the index: no space"),
      "\(notices)")
  }

  @Test(arguments: [
    (ArchiveError.reading("/a/b", -Int(EACCES)), "saved pages cannot be read: /a/b: "),
    (.unwritable("/a/b: no"), "saved pages cannot be read: pages cannot be saved: /a/b: no"),
  ])
  func `a notice names its subject only once`(_ error: ArchiveError, _ prefix: String) {
    let text = ArchiveNotice.unreadable(error).description
    #expect(text.hasPrefix(prefix))
    #expect(text.components(separatedBy: "saved pages").count == 2)
  }

  @Test(arguments: [true, false])
  func `a read-only archive writes nothing`(_ hasIndex: Bool) throws {
    let writing = files.open()
    let firstVersion = try writing.save("one", at: 0)
    writing.close()
    if !hasIndex { try files.removeIndex() }
    let before = try listing()
    let archive = files.open(readOnly: true)
    #expect(try archive.captures(of: key) == [firstVersion])
    #expect(try archive.text(firstVersion) == "one")
    #expect(throws: ArchiveError.self) { try archive.save("x", at: 1) }
    #expect(throws: ArchiveError.self) {
      try archive.record(StoredResponse.Check(date: Archive.start, result: .unchanged), of: key)
    }
    archive.close()
    #expect(try listing() == before)
  }

  @Test func `a read-only archive reads segments newer than the index`() throws {
    let writing = files.open()
    try writing.save("one", at: 0)
    writing.close()
    let index = try Data(contentsOf: files.location.index)
    let reopened = files.open()
    try reopened.save("two", at: 1)
    reopened.close()
    try index.write(to: files.location.index)
    let archive = files.open(readOnly: true)
    #expect(try archive.captures(of: key).map { try archive.text($0) } == ["two", "one"])
    archive.close()
    #expect(try Data(contentsOf: files.location.index) == index)
  }

  @Test func `a read-only archive finds pages saved by others after catching up`() throws {
    let writing = files.open()
    let firstVersion = try writing.save("one", at: 0)
    writing.close()
    let archive = files.open(readOnly: true)
    #expect(try archive.captures(of: key) == [firstVersion])
    let reopened = files.open()
    let laterVersions = try (1..<400).map {
      try reopened.save("\($0)", at: Double($0), key: key + "\($0)")
    }
    reopened.close()
    try archive.catchUp()
    for page in laterVersions { #expect(try archive.captures(of: page.key) == [page]) }
    #expect(archive.takeNotices().isEmpty)
  }

  @Test func `a read-only archive does not report an index modified by others as damaged`() throws {
    let writing = files.open()
    let old = try (0..<400).map { try writing.save("\($0)", at: Double($0), key: key + "\($0)") }
    writing.close()
    let archive = files.open(readOnly: true)
    let reopened = files.open()
    for number in 0..<400 { try reopened.save("new", at: 500, key: key + "\(number)?") }
    reopened.close()
    // The database pages of the index differ from those that were opened.
    for page in old { #expect(try archive.captures(of: page.key) == [page]) }
    #expect(archive.takeNotices().isEmpty)
  }

  @Test func `a read-only archive without any files opens and is empty`() throws {
    let nowhere = ArchiveLocation(
      archive: URL(fileURLWithPath: "/proc/nowhere/archive"),
      index: URL(fileURLWithPath: "/proc/nowhere/index.sqlite"))
    for readOnly in [true, false] {
      let archive = Archive(location: nowhere, machine: "", readOnly: readOnly)
      #expect(archive.warning != nil)
      #expect(try archive.captures(of: key).isEmpty)
    }
  }

  @Test func `missing parent directories, spaces and symbolic links are supported`() throws {
    let real = files.directory.appendingPathComponent("a b/c")
    try FileManager.default.createDirectory(at: real, withIntermediateDirectories: true)
    let link = files.directory.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
    let location = ArchiveLocation(
      archive: link.appendingPathComponent("x/y"), index: link.appendingPathComponent("p/q/i.db"))
    let archive = Archive(location: location, machine: "m")
    let stored = try archive.save("x", at: 0)
    #expect(try archive.text(stored) == "x")
  }

  private func listing() throws -> [String] {
    let paths = FileManager.default.subpaths(atPath: files.directory.path) ?? []
    return try paths.sorted().compactMap { path in
      let full = files.directory.appendingPathComponent(path)
      let attributes = try FileManager.default.attributesOfItem(atPath: full.path)
      guard attributes[.type] as? FileAttributeType == .typeRegular else { return nil }
      return "\(path) \(attributes[.size] ?? "") \(attributes[.modificationDate] ?? "")"
    }
  }
}
