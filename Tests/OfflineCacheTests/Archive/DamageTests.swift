import Foundation
import TestSupport
import Testing
import WARC

@testable import OfflineCache
@testable import WebArchive

/// Random damage to each file of an archive.
@Suite("Damage")
struct DamageTests {
  /// The kind of damage to a file.
  enum Damage: CaseIterable {
    case bits, overwritten, zeros, cut, inserted, removed, garbage, gone, empty, swapped
  }

  /// Returns an archive with several segments, of which the last one has grown since the index was
  /// closed, and all texts that each key has had.
  private static func prepare() throws -> (files: TemporaryArchive, texts: [String: [String]]) {
    let files = try TemporaryArchive()
    let archive = files.open(segmentLimit: 3000)
    var texts: [String: [String]] = [:]
    for round in 0..<3 {
      for page in 0..<8 {
        let key = "https://example.org/\(page)"
        let text = (0..<20).map { "\(page) \(page % 2 == 0 ? round : 0) \($0)" }.joined()
        let stored = try archive.save(text, at: Double(round * 10), key: key)
        texts[key, default: []].append(text)
        if page == 3 {
          let time = Archive.start + Double(round * 10 + 1)
          _ = try archive.refresh(
            stored, with: stored.response, requestTime: time, responseTime: time)
        }
      }
    }
    _ = VarySecret.load(from: files.location.archive, readOnly: false)
    // The archive is copied while it is open, with the log of the index.
    let copy = try TemporaryArchive()
    for name in ["archive", "cache"] {
      try FileManager.default.copyItem(
        at: files.directory.appendingPathComponent(name),
        to: copy.directory.appendingPathComponent(name))
    }
    return (copy, texts)
  }

  private static func apply(
    _ damage: Damage, to bytes: inout [UInt8], other: [UInt8], _ random: inout SplitMix64
  ) {
    guard !bytes.isEmpty else { return bytes = other }
    let start = Int.random(in: 0..<bytes.count, using: &random)
    let range = start..<min(bytes.count, start + Int.random(in: 1...3000, using: &random))
    switch damage {
    case .bits:
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
          1 << UInt8.random(in: 0..<8, using: &random)
      }
    case .overwritten: for index in range { bytes[index] = .random(in: 0...255, using: &random) }
    case .zeros: for index in range { bytes[index] = 0 }
    case .cut: bytes.removeLast(bytes.count - start)
    case .inserted:
      let count = Int.random(in: 1...300, using: &random)
      bytes.insert(
        contentsOf: (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }, at: start)
    case .removed: bytes.removeSubrange(range)
    case .garbage: bytes += (0..<900).map { _ in UInt8.random(in: 0...255, using: &random) }
    case .gone, .empty: bytes = []
    case .swapped: bytes = other
    }
  }

  @Test(arguments: Damage.allCases)
  func `damage never shows a wrong byte and never hides intact pages`(_ damage: Damage) throws {
    let (original, texts) = try Self.prepare()
    let names = try FileManager.default.subpathsOfDirectory(atPath: original.directory.path).filter
    {
      $0.contains(".")
    }.sorted()
    #expect(names.count >= 7)
    for (number, name) in names.enumerated() {
      for seed in 0..<UInt64(Effort.roundsOutsideThreadSanitizer(4, part: 1)) {
        var random = SplitMix64(seed: seed << 8 | UInt64(number))
        let files = try TemporaryArchive()
        for directory in ["archive", "cache"] {
          try FileManager.default.copyItem(
            at: original.directory.appendingPathComponent(directory),
            to: files.directory.appendingPathComponent(directory))
        }
        let file = files.directory.appendingPathComponent(name)
        var bytes = [UInt8](try Data(contentsOf: file))
        let otherData = try Data(
          contentsOf: files.directory.appendingPathComponent(names[(number + 1) % names.count]))
        Self.apply(damage, to: &bytes, other: [UInt8](otherData), &random)
        if damage == .gone {
          try FileManager.default.removeItem(at: file)
        } else {
          try Data(bytes).write(to: file)
        }
        let location: Comment = "\(name), seed \(seed)"
        try Self.examine(files, texts, isSegment: name.hasSuffix(".warc.gz"), location)
      }
    }
  }

  private static func examine(
    _ files: TemporaryArchive, _ texts: [String: [String]], isSegment: Bool, _ location: Comment
  ) throws {
    let archive = files.open()
    var readableCount = 0
    for (key, right) in texts {
      var versions = try archive.captures(of: key)
      if versions.isEmpty, archive.repairIndex() { versions = try archive.captures(of: key) }
      for version in versions {
        do throws(ArchiveError) {
          let text = try archive.text(version)
          #expect(right.contains(text), location)
          readableCount += 1
        } catch {
          #expect(!error.description.isEmpty)
        }
      }
      // Only pages in a damaged segment may be missing.
      if !isSegment {
        #expect(
          try archive.captures(of: key).map { try archive.text($0) }.first == right.last,
          location)
      }
    }
    #expect(readableCount > 0, location)
    let key = VarySecret.load(from: files.location.archive, readOnly: false)
    #expect(key.count == 32)
    #expect(VarySecret.load(from: files.location.archive, readOnly: true) == key, location)
    let stored = try archive.save("after", at: 100, key: "https://example.org/0")
    #expect(try archive.text(stored) == "after", location)
    #expect(try archive.captures(of: "https://example.org/0").first == stored, location)
    archive.close()
    let reopened = files.open()
    #expect(try reopened.captures(of: "https://example.org/0").first == stored, location)
    #expect(try reopened.text(stored) == "after", location)
  }
}
