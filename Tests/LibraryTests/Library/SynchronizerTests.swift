import Document
import Foundation
import OfflineCache
import ReaderMode
import TestSupport
import Testing
import WARC

@testable import Library

/// A device whose files are arranged as in the directory that `--data-dir` names.
private final class Device {
  let name: String
  let directory: URL
  private var archive: Archive
  private var library: PageLibrary
  private var recent: RecentAppends
  /// Objects left open by a kill. Nothing is written to them any more.
  private var killed: [Any] = []

  init(_ name: String, in parent: URL) throws {
    self.name = name
    directory = parent.appendingPathComponent(name)
    (archive, library, recent) = Self.open(name, directory)
  }

  private static func open(
    _ name: String, _ directory: URL
  ) -> (Archive, PageLibrary, RecentAppends) {
    let recent = RecentAppends(directory: directory.appendingPathComponent("state/recent").path)
    let archive = Archive(
      location: ArchiveLocation(
        archive: directory.appendingPathComponent("archive"),
        index: directory.appendingPathComponent("cache/index.sqlite")),
      device: name, readOnly: false, segmentLimit: 256 << 20, recent: recent)
    let library = PageLibrary(
      directory: directory.appendingPathComponent("library"),
      database: directory.appendingPathComponent("cache/library.sqlite"), device: name,
      recent: recent)
    return (archive, library, recent)
  }

  var log: ReadingLog {
    ReadingLog(file: directory.appendingPathComponent("state/reading.jsonl"), copiedTo: recent)
  }

  func save(_ url: String) throws {
    let spool = archive.makeSpool()
    spool.write(Array("the text of \(url)".utf8))
    let fields = FieldLines([FieldLines.Field("Content-Type", "text/plain")])
    let head = ResponseHead(status: 200, reason: "OK", fields: fields)
    let now = Date()
    _ = try archive.append(
      Capture(
        key: url, url: url, response: head, requestTime: now, responseTime: now, varying: [],
        rejectionReason: nil), body: spool)
    try library.record([
      LibraryChange(url, .pinned, "1"), LibraryChange(url, .tag("by \(name)"), "1"),
    ])
    let document = Document(bytes: Array("text".utf8), mediaType: "text/html")
    let anchor = TextAnchor(at: 0, in: document, blocks: 1)
    try log.append(
      ReadingLog.Record(url: url, title: "", date: now, percent: 50, anchor: anchor))
  }

  func close() {
    archive.close()
    library.close()
  }

  func reopen() {
    close()
    (archive, library, recent) = Self.open(name, directory)
    log.restoreLost()
  }

  func kill() {
    killed.append((archive, library, recent))
    (archive, library, recent) = Self.open(name, directory)
    log.restoreLost()
  }

  /// Returns the URLs that are missing from the lists.
  func missing(_ urls: [String], by names: [String: String]) throws -> [String] {
    try archive.catchUp()
    try library.catchUp()
    let kept = Set(try library.keys(with: .pinned))
    return try urls.filter { url in
      guard let stored = try archive.captures(of: url).first, kept.contains(url),
        try archive.body(of: stored).rest().elementsEqual("the text of \(url)".utf8)
      else { return true }
      let by = try #require(names[url])
      let tags = try library.page(url).tags
      return tags != ["by \(by)"] || (by == name && log.last(of: url) == nil)
    }
  }
}

/// Copies files between two devices, and writes older copies back.
private struct Synchronizer {
  private var copies: [(path: String, bytes: Data)] = []
  private var random: SplitMix64
  let devices: [URL]

  init(seed: UInt64, devices: [URL]) {
    (random, self.devices) = (SplitMix64(seed: seed), devices)
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  private static func files(in device: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: device.path).sorted().filter { path in
      let name = (path as NSString).lastPathComponent
      return !name.hasPrefix(".")
        && (name.hasSuffix(".warc.gz") || name.hasSuffix(".journal")
          || name.hasSuffix(".jsonl"))
    }
  }

  /// Reads a file, possibly in the middle of an append.
  mutating func copy() throws {
    guard let device = devices.randomElement(using: &random),
      let path = try Self.files(in: device).randomElement(using: &random)
    else { return }
    let bytes = try Data(contentsOf: device.appendingPathComponent(path))
    let cut = chance(50) ? Int.random(in: 0..<2000, using: &random) : 0
    copies.append((device.lastPathComponent + "/" + path, bytes.dropLast(cut)))
  }

  /// Replaces a file by an older copy.
  mutating func writeBack() throws {
    guard let (path, bytes) = copies.randomElement(using: &random) else { return }
    let target = devices[0].deletingLastPathComponent().appendingPathComponent(path)
    guard FileManager.default.fileExists(atPath: target.path) else { return }
    if chance(30) {
      let file = try LocalFileSystem().openForWriting(target.path)
      try file.write(Array(bytes), at: 0)
      try file.truncate(to: Int64(bytes.count))
    } else {
      let draft = target.deletingLastPathComponent().appendingPathComponent(".draft.Xk3")
      try bytes.write(to: draft)
      #expect(rename(draft.path, target.path) == 0)
    }
  }

  /// Copies the files written by each device to the other one.
  func copyAll() throws {
    for (from, to) in [(devices[0], devices[1]), (devices[1], devices[0])] {
      for path in try Self.files(in: from)
      where (path as NSString).lastPathComponent.hasPrefix(from.lastPathComponent) {
        guard path.hasPrefix("archive/") || path.hasPrefix("library/") else { continue }
        let target = to.appendingPathComponent(path)
        try Data(contentsOf: from.appendingPathComponent(path)).write(to: target, options: .atomic)
      }
    }
  }
}

@Suite("A sync program that writes older copies back")
struct SynchronizerTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `200 pages with tags and positions are in all lists of two devices`(
    _ seed: UInt64
  ) throws {
    let parent = FileManager.default.temporaryDirectory
      .appendingPathComponent("offread synchroniser \(UUID().uuidString)")
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: parent) }
    let devices = [try Device("desk", in: parent), try Device("laptop", in: parent)]
    var synchronizer = Synchronizer(seed: seed, devices: devices.map(\.directory))
    var names: [String: String] = [:]
    for number in 0..<200 {
      let device = devices[synchronizer.chance(50) ? 0 : 1]
      let url = "https://example.org/\(number)"
      try device.save(url)
      names[url] = device.name
      if synchronizer.chance(40) { try synchronizer.copy() }
      if synchronizer.chance(25) { try synchronizer.writeBack() }
      if synchronizer.chance(15) { device.reopen() }
      if synchronizer.chance(5) { device.kill() }
      if number > 20, synchronizer.chance(5) { try synchronizer.copyAll() }
    }
    try synchronizer.writeBack()
    for device in devices { device.reopen() }
    try synchronizer.copyAll()
    let urls = names.keys.sorted()
    for device in devices {
      let missing = try device.missing(urls, by: names)
      #expect(missing == [], "\(device.name), seed \(seed)")
      device.close()
      try FileManager.default.removeItem(at: device.directory.appendingPathComponent("cache"))
      device.reopen()
      let missingAfterSync = try device.missing(urls, by: names)
      #expect(missingAfterSync == [], "\(device.name) rebuilt, seed \(seed)")
      device.close()
    }
  }
}
