import Foundation
import TestSupport
import Testing
import WARC

@testable import OfflineCache
@testable import WebArchive

/// Several processes share one directory, and some of them are killed.
@Suite("Several processes", .serialized)
struct SeveralProcessesTests {
  private let files: TemporaryArchive

  init() throws {
    files = try TemporaryArchive()
  }

  /// Whether a saved page is present and complete.
  private func isRight(_ stored: StoredResponse?, in archive: Archive) throws -> Bool {
    guard let stored, let page = GeneratedPage(url: stored.key) else { return false }
    return try archive.body(of: stored).rest() == page.content
  }

  private func emptyFile(_ name: String) throws -> String {
    let file = files.directory.appendingPathComponent(name)
    try Data().write(to: file)
    return file.path
  }

  @Test func `eight processes save 200 pages each without loss or deadlock`() throws {
    let errors = try emptyFile("errors")
    let children = try (0..<8).map { number in
      try Program.start(
        Program.testProcess, ["save", files.directory.path, "host\(number)", "0", "200"],
        files: ["/dev/null", "/dev/null", errors])
    }
    for child in children { #expect(Program.wait(for: child) == 0) }
    let errorOutput = try String(contentsOfFile: errors, encoding: .utf8)
    #expect(errorOutput == "")
    let archive = files.open()
    for number in 0..<8 {
      let pages = try archive.keys(host: "host\(number).example", limit: 1000)
      #expect(pages.count == 200)
      for page in pages { #expect(try isRight(page, in: archive), "\(page.key)") }
    }
    let keys = try (0..<8).flatMap {
      try archive.keys(host: "host\($0).example", limit: 1000).map(\.key)
    }
    // The index written by eight processes equals one rebuilt from the segments.
    let snapshot = try archive.snapshot(keys)
    archive.close()
    try files.removeIndex()
    let rebuilt = files.open()
    #expect(try rebuilt.snapshot(keys) == snapshot)
    #expect(rebuilt.takeNotices().isEmpty)
    for name in try files.segments() {
      #expect(try Warcio.complaint(about: files.segment(name).path) == nil)
    }
  }

  @Test func `some processes write while others read`() throws {
    let errors = try emptyFile("errors")
    let jobs =
      (0..<4).map { ["save", files.directory.path, "host\($0)", "0", "40"] }
      + (0..<2).map { ["read", files.directory.path, "host\($0)", "0", "40"] }
    let children = try jobs.map {
      try Program.start(Program.testProcess, $0, files: ["/dev/null", "/dev/null", errors])
    }
    for child in children { #expect(Program.wait(for: child) == 0) }
    let errorOutput = try String(contentsOfFile: errors, encoding: .utf8)
    #expect(errorOutput == "")
    let archive = files.open()
    for number in 0..<4 {
      let count = try archive.keys(host: "host\(number).example", limit: 1000).count
      #expect(count == 40)
    }
    // The index written by several processes equals one rebuilt from the segments.
    let keys = (0..<160).map { GeneratedPage(host: "host\($0 / 40)", number: $0 % 40).url }
    let snapshot = try archive.snapshot(keys)
    #expect(snapshot.allSatisfy { $0.count == 1 })
    archive.close()
    try files.removeIndex()
    #expect(try files.open().snapshot(keys) == snapshot)
  }

  @Test func `kills at random points lose no completed save`() throws {
    var random = SplitMix64(seed: 20_261_121)
    let fifo = files.directory.appendingPathComponent("steps").path
    #expect(mkfifo(fifo, 0o600) == 0)
    let errors = try emptyFile("errors")
    var complete: [Int] = []
    let kills = Effort.rounds(200, part: 40)
    for _ in 0..<kills {
      // The pipe is opened before the child starts, so that the child finds a reader, and without
      // blocking, so that opening needs no writer.
      let steps = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      #expect(steps >= 0)
      defer { close(steps) }
      // Some of the pages exist already and are saved again.
      let first = max(0, (complete.last ?? -1) - 2)
      let child = try Program.start(
        Program.testProcess, ["save", files.directory.path, "host", String(first), "1000"],
        files: ["/dev/null", fifo, errors])
      let output = Self.read(Int.random(in: 1..<40, using: &random), from: steps)
      kill(child, SIGKILL)
      #expect(Program.wait(for: child) == 128 + SIGKILL)
      // Pages that it reported before its death count, too.
      let last = output + Self.read(.max, from: steps)
      let texts = last.split(separator: 10).filter { $0.last.map { $0 != 0x2E } ?? false }
      let numbers = texts.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
      let archive = files.open(device: "other")
      for page in try archive.captures(ofNumbers: numbers) {
        #expect(try isRight(page, in: archive))
      }
      archive.close()
      complete += numbers
    }
    let errorOutput = try String(contentsOfFile: errors, encoding: .utf8)
    #expect(errorOutput == "")
    #expect(complete.count > kills / 4)
    let archive = files.open()
    let pages = try archive.keys(host: "host.example", limit: 100_000)
    for page in pages { #expect(try isRight(page, in: archive), "\(page.key)") }
    let expectedKeys = Set(pages.map(\.key))
    for page in try archive.captures(ofNumbers: complete) {
      #expect(expectedKeys.contains(try #require(page).key))
    }
    archive.close()
    try files.removeIndex()
    let rebuilt = files.open()
    #expect(try rebuilt.keys(host: "host.example", limit: 100_000) == pages)
    #expect(rebuilt.takeNotices().isEmpty)
  }

  /// Reads up to `count` bytes, or fewer if the writer is gone.
  private static func read(_ count: Int, from descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    var hasWriter = false
    while bytes.count < count {
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&ready, 1, -1)
      let readCount = Glibc.read(descriptor, &buffer, min(buffer.count, count - bytes.count))
      if readCount > 0 {
        bytes += buffer[..<readCount]
        hasWriter = true
      } else if readCount == 0, hasWriter || count == .max {
        break
      }
    }
    return bytes
  }
}

extension Archive {
  /// Returns the newest versions of the pages that a `TestProcess` saved for the host `host`, with
  /// nil for missing ones.
  fileprivate func captures(ofNumbers numbers: [Int]) throws -> [StoredResponse?] {
    try numbers.map { try captures(of: GeneratedPage(host: "host", number: $0).url).first }
  }
}
