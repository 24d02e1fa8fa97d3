import Configuration
@testable import Saving
import Crawl
@testable import Exchange
@testable import Library
import Foundation
import TestNetwork
import TestSupport
import Testing
import WARC

@testable import OfflineCache
@testable import Pages
@testable import Profiles
@testable import WebArchive

@Suite struct LibraryBundleTests {
  let one: TestProfile
  let other: TestProfile
  let network = SiteNetwork()

  init() throws {
    one = try TestProfile(device: "one")
    other = try TestProfile(device: "other")
    for name in ["a", "b", "c"] {
      network.add("http://x.example/\(name)", "<title>\(name)</title><p>The text of \(name).")
    }
  }

  private func save(_ profile: Profile, _ names: String...) {
    var request = SaveRequest(pages: names.map { "http://x.example/\($0)" })
    request.pace.minGap = .zero
    request.tags = ["t"]
    #expect(PageSaver(request, in: profile).run().isComplete)
  }

  private func bundle(_ profile: Profile, _ name: String) throws -> String {
    var bytes: [UInt8] = []
    _ = try LibraryBundle(of: profile).write(now: Date()) { bytes += $0 }
    return try writeFile(bytes, name)
  }

  private func writeFile(_ bytes: [UInt8], _ name: String) throws -> String {
    let file = one.directory.appendingPathComponent(name)
    try Data(bytes).write(to: file)
    return file.path
  }

  private func tags(_ profile: Profile) throws -> Set<String> {
    Set(try profile.library.pages(with: .tag("t")).map(\.key))
  }

  @Test(arguments: ["Sicherung März 2026.warc.gz", String(repeating: "n", count: 200) + ".warc.gz"])
  func `an imported file is included in the bundle, whatever its name`(_ name: String) throws {
    let (mine, theirs) = (one.open(network), other.open(network))
    save(theirs, "c")
    theirs.close()
    let directory = theirs.locations.archive
    let segment = try #require(
      try FileManager.default.contentsOfDirectory(atPath: directory.path)
        .first { $0.hasSuffix(".warc.gz") })
    save(mine, "a")
    try FileManager.default.copyItem(
      at: directory.appendingPathComponent(segment),
      to: mine.locations.archive.appendingPathComponent(name))
    let file = try bundle(mine, "odd.bundle")
    let third = try TestProfile()
    let reader = third.open(network)
    let outcome = try LibraryImport(into: reader).run(file)
    #expect(outcome.pageCount == 2 && outcome.skippedCount == 0)
    for page in ["a", "c"] {
      #expect(try reader.cache.archive.contains(["http://x.example/\(page)"]).count == 1)
    }
    // A second import recognizes the file.
    #expect(try LibraryImport(into: reader).run(try bundle(mine, "again.bundle")).wasImportedBefore)
  }

  @Test(arguments: [true, false])
  func `cookies in older records are neither bundled nor replayed`(_ isPacked: Bool) throws {
    let mine = one.open(network)
    save(mine, "a")
    let writer = WARCWriter(compression: isPacked ? .gzip(level: 6) : .none)
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
      + "set-cookie: s=secret77\r\n\tfolded-secret77"
    let request = "GET /old HTTP/1.1\r\nHost: x.example\r\nCookie: s=secret77\r\n\r\n"
    let page = "<title>old</title><p>The old text. " + String(repeating: "word ", count: 40_000)
    var bytes: [UInt8] = []
    let response = WARCRecord(
      .response, date: Date(timeIntervalSince1970: 1_700_000_000),
      targetURI: "http://x.example/old", contentType: "application/http;msgtype=response")
    try writer.write(
      response, block: Array("\(head)\r\nX-A: b\r\n\r\n\(page)".utf8), into: { bytes += $0 })
    let requestRecord = WARCRecord(
      .request, date: Date(timeIntervalSince1970: 1_700_000_000),
      targetURI: "http://x.example/old", contentType: "application/http;msgtype=request")
    try writer.write(requestRecord, block: Array(request.utf8), into: { bytes += $0 })
    let name = "older.warc" + (isPacked ? ".gz" : "")
    try Data(bytes).write(to: mine.locations.archive.appendingPathComponent(name))
    let file = try bundle(mine, "old.bundle")
    let thirdDevice = try TestProfile()
    let reader = thirdDevice.open(network)
    #expect(try LibraryImport(into: reader).run(file).pageCount == 2)
    let stored = try #require(
      try reader.cache.archive.captures(of: "http://x.example/old").first)
    #expect(stored.response.fields["X-A"] == "b" && stored.response.fields["Set-Cookie"] == nil)
    let copy = try Data(
      contentsOf: reader.locations.archive.appendingPathComponent(name))
    let records = WARCReader(bytes: Array(copy))
    var count = 0
    while let entry = try records.next() {
      guard case .record = entry else { Issue.record("\(entry)"); break }
      count += 1
      #expect(!String(decoding: try records.readBlock(), as: UTF8.self).contains("secret77"))
    }
    #expect(count == 2)
    try mine.cache.archive.catchUp()
    let ownSegment = try #require(
      try mine.cache.archive.captures(of: "http://x.example/old").first)
    #expect(
      ownSegment.response.fields["X-A"] == "b" && ownSegment.response.fields["Set-Cookie"] == nil)
  }

  @Test func `importing each other's bundles gives the union of two libraries, without duplicates`()
    throws
  {
    let (mine, theirs) = (one.open(network), other.open(network))
    save(mine, "a", "b")
    save(theirs, "c")
    try theirs.library.record([LibraryChange("http://x.example/a", .note, "later word")])
    let file = try bundle(mine, "one.bundle")
    let outcome = try LibraryImport(into: theirs, appliesChanges: true).run(file)
    #expect(outcome.format == .bundle && !outcome.wasImportedBefore && !outcome.isTruncated)
    for name in ["a", "b", "c"] {
      #expect(try theirs.cache.archive.contains(["http://x.example/\(name)"]).count == 1)
    }
    #expect(try tags(theirs).count == 3)
    #expect(try theirs.library.page("http://x.example/a").note == "later word")
    #expect(try LibraryImport(into: theirs, appliesChanges: true).run(file).wasImportedBefore)
    #expect(try theirs.cache.archive.captures(of: "http://x.example/a").count == 1)
    // Later additions are in a longer file of the same name.
    save(mine, "c")
    #expect(
      try !LibraryImport(into: theirs, appliesChanges: true).run(bundle(mine, "two.bundle"))
        .wasImportedBefore)
    // An older bundle reverts nothing.
    #expect(try LibraryImport(into: theirs, appliesChanges: true).run(file).wasImportedBefore)
    #expect(try tags(theirs).count == 3)
    mine.close()
    theirs.close()
  }

  @Test(arguments: [false, true])
  func `pages removed after a bundle was made stay removed unless restoring is requested`(
    _ isAskedFor: Bool
  ) throws {
    let mine = one.open(network)
    save(mine, "a", "b", "c")
    let key = "http://x.example/a"
    try mine.library.record([LibraryChange(key, .note, "mine")])
    let file = try bundle(mine, "old.bundle")
    _ = try PageRemoval(from: mine).remove(key)
    // This page was saved again later, so only its older versions stay removed.
    _ = try PageRemoval(from: mine).remove("http://x.example/b")
    network.add("http://x.example/b", "<title>b</title><p>Another text.")
    save(mine, "b")
    let outcome = try LibraryImport(into: mine, restoresRemoved: isAskedFor).run(file)
    let page = try mine.library.page(key)
    #expect((page.pinnedDate != nil) == isAskedFor && (page.note == "mine") == isAskedFor)
    #expect(try mine.cache.archive.contains([key]).count == (isAskedFor ? 1 : 0))
    #expect(
      outcome.removedCount == (isAskedFor ? 0 : 2) && outcome.restoredCount == (isAskedFor ? 1 : 0))
    #expect(
      try mine.cache.archive.captures(of: "http://x.example/b").count == (isAskedFor ? 2 : 1))
    #expect(try tags(mine).count == (isAskedFor ? 3 : 2))
    // A repeated import changes nothing.
    let secondOutcome = try LibraryImport(into: mine, restoresRemoved: isAskedFor).run(file)
    #expect(
      secondOutcome.wasImportedBefore && secondOutcome.removedCount == 0
        && secondOutcome.restoredCount == 0)
    // Restored pages are kept by later imports.
    #expect(try LibraryImport(into: mine).run(file).removedCount == 0)
    #expect(try mine.cache.archive.contains([key]).count == (isAskedFor ? 1 : 0))
    try mine.search.catchUp()
    let hits = try mine.search.search(SearchQuery("another", timeZone: .gmt), limit: 5)
    #expect(hits.map(\.key) == ["http://x.example/b"])
    mine.close()
    let reopened = one.open(network)
    #expect(try reopened.cache.archive.contains([key]).count == (isAskedFor ? 1 : 0))
    #expect(try reopened.library.page(key).isUnread == isAskedFor)
    reopened.close()
  }

  @Test func `a newer bundle removes pages that were removed where it was made`() throws {
    let (mine, theirs) = (one.open(network), other.open(network))
    save(mine, "a", "b")
    _ = try LibraryImport(into: theirs, appliesChanges: true).run(try bundle(mine, "one.bundle"))
    #expect(try theirs.cache.archive.contains(["http://x.example/a"]).count == 1)
    _ = try PageRemoval(from: mine).remove("http://x.example/a")
    let outcome = try LibraryImport(into: theirs, appliesChanges: true).run(
      try bundle(mine, "two.bundle"))
    #expect(outcome.removedCount == 1)
    #expect(try theirs.cache.archive.contains(["http://x.example/a"]).isEmpty)
    #expect(try theirs.cache.archive.contains(["http://x.example/b"]).count == 1)
    #expect(try tags(theirs) == ["http://x.example/b"])
    mine.close()
    theirs.close()
  }

  @Test func `removals by another device do not remove pages saved here`() throws {
    let (mine, theirs) = (one.open(network), other.open(network))
    save(mine, "a", "b")
    save(theirs, "a")
    _ = try PageRemoval(from: mine).remove("http://x.example/a")
    let outcome = try LibraryImport(into: theirs, appliesChanges: true).run(
      try bundle(mine, "one.bundle"))
    #expect(outcome.removedCount == 0)
    #expect(try theirs.cache.archive.contains(["http://x.example/a"]).count == 1)
    mine.close()
    theirs.close()
  }

  @Test func `removals by an unknown device have no effect, whatever its file contains`()
    throws
  {
    let (mine, theirs) = (one.open(network), other.open(network))
    save(mine, "a")
    _ = try LibraryImport(into: theirs, appliesChanges: true).run(try bundle(mine, "one.bundle"))
    _ = try PageRemoval(from: theirs).remove("http://x.example/a")
    let outcome = try LibraryImport(into: mine).run(try bundle(theirs, "two.bundle"))
    #expect(outcome.changes?.rows.contains { $0.kind == .removes } == true)
    #expect(try mine.cache.archive.captures(of: "http://x.example/a").count == 1)
    let name = try theirs.device
    let segment = try #require(
      try FileManager.default.contentsOfDirectory(atPath: theirs.locations.archive.path)
        .first { $0.hasSuffix(".warc.gz") && $0.hasPrefix(name) })
    _ = try LibraryImport(into: mine).run(
      theirs.locations.archive.appendingPathComponent(segment).path)
    #expect(try mine.cache.archive.captures(of: "http://x.example/a").count == 1)
    mine.close()
    theirs.close()
  }

  @Test func `complete entries of a truncated bundle are imported`() throws {
    let (mine, theirs) = (one.open(network), other.open(network))
    save(mine, "a")
    let path = try bundle(mine, "one.bundle")
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    for count in stride(from: 600, to: bytes.count - 1025, by: 397) {
      let outcome = try LibraryImport(into: theirs, appliesChanges: true).run(
        try writeFile(Array(bytes.prefix(count)), "cut.bundle"))
      #expect(outcome.isTruncated, "\(count)")
    }
    #expect(try !LibraryImport(into: theirs, appliesChanges: true).run(path).isTruncated)
    #expect(try theirs.cache.archive.captures(of: "http://x.example/a").count == 1)
    #expect(try tags(theirs).count == 1)
    mine.close()
    theirs.close()
  }

  @Test func `paths outside the target, links and devices in a bundle are ignored`() throws {
    let mine = one.open(network)
    save(mine, "a")
    func entry(_ name: String, _ text: String, type: UInt8 = 0x30) -> [UInt8] {
      var header = TarHeader(name: name, size: Int64(text.utf8.count), modificationTime: 0)
      var bytes = header.bytes
      if type != 0x30 {
        bytes[156] = type
        // The checksum must be correct.
        bytes.replaceSubrange(148..<156, with: [UInt8](repeating: 0x20, count: 8))
        let sum = String(bytes.reduce(0) { $0 + Int($1) }, radix: 8)
        bytes.replaceSubrange(
          148..<156,
          with: (String(repeating: "0", count: 6 - sum.count) + sum + "\0 ").utf8)
        #expect(TarHeader(bytes)?.isFile == false)
      }
      header.isFile = type == 0x30
      return bytes + text.utf8 + [UInt8](repeating: 0, count: header.padding)
    }
    var bytes = entry(LibraryBundle.manifestName, "{}")
    for name in [
      "../escape.warc.gz", "archive/../../escape.warc", "/tmp/escape.warc", "archive/.vary-key",
      "config.toml", "cookies.txt", "library/../x.journal", "archive/junk.warc.gz",
    ] {
      bytes += entry(name, "WARC or not")
    }
    bytes += entry("archive/link.warc", "", type: 0x32) + entry("archive/dev.warc", "", type: 0x33)
    bytes += entry("library/evil.journal", "no journal\n{\"journal\":1}\n\u{0}\u{1B}[31m\n")
    let theirs = other.open(network)
    let outcome = try LibraryImport(into: theirs, appliesChanges: true).run(
      try writeFile(bytes + TarHeader.endOfArchive, "evil.bundle"))
    #expect(outcome.skippedCount == 10 && !outcome.isTruncated)
    theirs.close()
    let after = try #require(FileManager.default.subpaths(atPath: other.directory.path))
    let names = [
      "escape", "config.toml", "cookies.txt", "junk", "link.warc", "dev.warc", "x.journal",
    ]
    for path in after { #expect(!names.contains { path.contains($0) }, "\(path)") }
    #expect(after.contains("library/evil.journal"))
    let outside = other.directory.deletingLastPathComponent().appendingPathComponent(
      "escape.warc.gz")
    #expect(!FileManager.default.fileExists(atPath: outside.path))
    mine.close()
  }

  @Test func `random bytes after a valid beginning end the import silently`() throws {
    let theirs = other.open(network)
    try FileManager.default.createDirectory(at: one.directory, withIntermediateDirectories: true)
    var random = SplitMix64(seed: 3)
    for _ in 0..<20 {
      var bytes = TarHeader(name: LibraryBundle.manifestName, size: 0, modificationTime: 0).bytes
      bytes += (0..<2000).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(
        try LibraryImport(into: theirs, appliesChanges: true).run(
          try writeFile(bytes, "random.bundle")
        )
        .isTruncated)
    }
    theirs.close()
  }

  @Test func `leftovers of a killed import are removed by the next one`() throws {
    let theirs = other.open(network)
    let archive = theirs.locations.archive
    try FileManager.default.createDirectory(at: archive, withIntermediateDirectories: true)
    let left = archive.appendingPathComponent(".import-12.part")
    try Data("half".utf8).write(to: left)
    let mine = one.open(network)
    save(mine, "a")
    _ = try LibraryImport(into: theirs, appliesChanges: true).run(try bundle(mine, "one.bundle"))
    #expect(!FileManager.default.fileExists(atPath: left.path))
    let names = try FileManager.default.contentsOfDirectory(atPath: archive.path)
    #expect(!names.contains { $0.hasSuffix(".part") })
    mine.close()
    theirs.close()
  }

  @Test func `complete records of a truncated WARC file are read, and the truncation is reported`()
    throws
  {
    let mine = one.open(network)
    save(mine, "a", "b")
    mine.close()
    let archive = one.directory.appendingPathComponent("archive")
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: archive.path).first {
        $0.hasSuffix(".warc.gz")
      })
    let bytes = try [UInt8](Data(contentsOf: archive.appendingPathComponent(name)))
    let cut = try writeFile(Array(bytes.dropLast(40)), "cut.warc.gz")
    let theirs = other.open(network)
    let outcome = try LibraryImport(into: theirs).run(cut)
    #expect(outcome.format == .warc && outcome.isTruncated && !outcome.wasImportedBefore)
    let keys = try theirs.cache.archive.contains(["http://x.example/a", "http://x.example/b"])
    #expect(keys.count == 1)
    theirs.close()
  }
}
