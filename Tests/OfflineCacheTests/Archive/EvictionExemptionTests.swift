import Foundation
import GRDB
import Synchronization
import Testing

@testable import OfflineCache
@testable import WebArchive

/// The dependencies of an exempt page are not evicted.
@Suite struct EvictionExemptionTests {
  let files: TemporaryArchive

  init() throws { files = try TemporaryArchive() }

  private static func key(_ name: String) -> String { "https://example.org/\(name)" }

  private static let page = key("page")

  /// Saves a redirect.
  private func redirect(
    _ name: String, to target: String, at seconds: Double, in archive: Archive
  ) throws {
    try archive.save(
      "moved", at: seconds, key: Self.key(name), status: 302, fields: [("Location", target)])
  }

  /// Evicts everything that is older than a second.
  private func evict(_ archive: Archive, sparing exempt: [String] = [page]) throws {
    let exempt = Set(exempt)
    try archive.evict(
      StorageLimits(age: 1), now: Archive.start + 1000, isEvictionExempt: { exempt.contains($0) }
    )
  }

  /// Returns the saved pages among those with the given names.
  private func saved(_ names: String..., in archive: Archive) throws -> [String] {
    try names.filter { try !archive.captures(of: Self.key($0)).isEmpty }
  }

  @Test func `the page to which an exempt page redirects is not evicted`() throws {
    let archive = files.open()
    try redirect("page", to: "/b", at: 0, in: archive)
    try redirect("b", to: "https://example.org/c#part", at: 1, in: archive)
    try redirect("other", to: "/d", at: 2, in: archive)
    for (number, name) in ["c", "d", "e"].enumerated() {
      try archive.save("text of \(name)", at: Double(3 + number), key: Self.key(name))
    }
    try evict(archive)
    #expect(try saved("page", "b", "c", "d", "e", "other", in: archive) == ["page", "b", "c"])
    // Nothing is exempt any more.
    try evict(archive, sparing: [])
    #expect(try saved("page", "b", "c", in: archive).isEmpty)
  }

  @Test func `only the newest redirect of an exempt page keeps its target`() throws {
    let archive = files.open()
    for (number, name) in ["old", "new"].enumerated() {
      try archive.save("text of \(name)", at: Double(number), key: Self.key(name))
      try redirect("page", to: "/" + name, at: Double(2 + number), in: archive)
    }
    try evict(archive)
    #expect(try saved("old", "new", in: archive) == ["new"])
    try archive.save("text", at: 9, key: Self.page)
    try evict(archive)
    #expect(try saved("page", "new", in: archive) == ["page"])
  }

  @Test func `the key of a redirect target follows the rules of the application`() throws {
    let archive = Archive(
      location: files.location, device: "m", readOnly: false,
      segmentLimit: SegmentWriter.maxSegmentSize,
      keyOf: { CacheKey.make($0).replacingOccurrences(of: "?utm_source=x", with: "") })
    try redirect("page", to: "/b?utm_source=x", at: 0, in: archive)
    try archive.save("text", at: 1, key: Self.key("b"))
    try evict(archive)
    #expect(try saved("b", in: archive) == ["b"])
  }

  @Test func `redirects in a circle end`() throws {
    let archive = files.open()
    try redirect("page", to: "/b", at: 0, in: archive)
    try redirect("b", to: "/page", at: 1, in: archive)
    try evict(archive)
    #expect(try saved("page", "b", in: archive) == ["page", "b"])
  }

  @Test func `recorded dependencies of an exempt page are not evicted`() throws {
    let archive = files.open()
    for (number, name) in ["page", "image", "sheet", "font", "other"].enumerated() {
      try archive.save("content of \(name)", at: Double(number), key: Self.key(name))
    }
    let image = Self.key("image")
    try archive.record(dependencies: [Self.page: [image]])
    try archive.record(dependencies: [Self.page: [Self.key("sheet")]], keepsOthers: true)
    try archive.record(dependencies: [Self.key("sheet"): [Self.key("font")]])
    try archive.record(dependencies: [Self.key("other"): [Self.key("other")]])
    #expect(
      try archive.pagesWithDependencies(among: [Self.page, image]) == [Self.page])
    let all = try archive.size(of: [Self.page])
    #expect(try all > archive.size(of: [Self.key("font")]) * 2)
    try evict(archive)
    let names = ["page", "image", "sheet", "font"]
    #expect(try saved("page", "image", "sheet", "font", "other", in: archive) == names)
    #expect(try archive.size(of: [Self.page]) == all)
    // The page names the image no more.
    try archive.record(dependencies: [Self.page: [Self.key("sheet")]])
    try evict(archive)
    #expect(try saved("page", "image", "sheet", "font", in: archive) == ["page", "sheet", "font"])
  }

  @Test func `dependencies outlast rebuilding the index, and end with the page`() throws {
    let archive = files.open()
    try archive.save("text", at: 0, key: Self.page)
    try archive.save("image", at: 1, key: Self.key("image"))
    try archive.record(dependencies: [Self.page: [Self.key("image")]])
    try archive.rebuild()
    try evict(archive)
    #expect(try saved("page", "image", in: archive) == ["page", "image"])
    archive.close()
    let reopened = files.open()
    try evict(reopened)
    #expect(try saved("page", "image", in: reopened) == ["page", "image"])
    _ = try reopened.remove([Self.page], now: Archive.start + 2000)
    #expect(try reopened.pagesWithDependencies(among: [Self.page]).isEmpty)
    reopened.close()
    #expect(try files.places(of: [Self.page]).isEmpty)
  }

  @Test func `old versions of a dependency are kept when the next is saved`() throws {
    let archive = files.open()
    let names = ["image", "other"]
    try archive.record(dependencies: [Self.page: [Self.key("image")]])
    archive.enforceAutomatically(
      StorageLimits(versions: 1), isEvictionExempt: { $0 == Self.page },
      clock: { Archive.start + 100 })
    for number in 0..<3 {
      for name in names {
        try archive.save("\(name) \(number)", at: Double(number), key: Self.key(name))
      }
    }
    #expect(try names.map { try archive.captures(of: Self.key($0)).count } == [3, 1])
  }

  @Test func `old versions of the page to which an exempt page redirects are kept`() throws {
    for isSavedFirst in [true, false] {
      let files = try TemporaryArchive()
      let archive = files.open()
      if isSavedFirst { try redirect("page", to: "/b", at: 0, in: archive) }
      archive.enforceAutomatically(
        StorageLimits(versions: 1), isEvictionExempt: { $0 == Self.page },
        clock: { Archive.start + 100 })
      try redirect("other", to: "/d", at: 0, in: archive)
      for number in 1...3 {
        for name in ["b", "c", "d"] {
          try archive.save("\(name) \(number)", at: Double(number), key: Self.key(name))
        }
        // The redirects are known by now.
        if !isSavedFirst, number == 2 { try redirect("page", to: "/b", at: 2, in: archive) }
      }
      let counts = try ["b", "c", "d"].map { try archive.captures(of: Self.key($0)).count }
      #expect(counts == [isSavedFirst ? 3 : 2, 1, 1])
    }
  }

  @Test func `a full archive still takes the page to which an exempt page redirects`() throws {
    let archive = files.open()
    try redirect("page", to: "/b", at: 0, in: archive)
    archive.enforceAutomatically(
      StorageLimits(bytes: 1000), isEvictionExempt: { $0 == Self.page },
      clock: { Archive.start + 100 })
    #expect(throws: ArchiveError.self) {
      try archive.save(String(repeating: "c", count: 5000), at: 1, key: Self.key("c"))
    }
    try archive.save(String(repeating: "b", count: 5000), at: 2, key: Self.key("b"))
    #expect(try saved("b", "c", in: archive) == ["b"])
  }

  @Test(arguments: [true, false])
  func `a dependency of many pages is searched for exempt ones level by level`(
    _ isNeeded: Bool
  ) throws {
    let archive = files.open()
    let image = Self.key("image")
    var pages: [String: Set<String>] = [:]
    for number in 0..<2000 { pages[Self.key("page\(number)")] = [image, Self.key("i\(number)")] }
    pages[Self.key("frames")] = [Self.key("page1999")]
    if isNeeded { pages[Self.page] = [Self.key("frames")] }
    try archive.record(dependencies: pages)
    let scans = Mutex(0)
    try archive.maintenance.index.withCurrentIndex { index throws(IndexError) in
      try index.write { db in
        db.trace { if "\($0)".contains("instr(") { scans.withLock { $0 += 1 } } }
      }
    }
    archive.enforceAutomatically(
      StorageLimits(versions: 1), isEvictionExempt: { $0 == Self.page },
      clock: { Archive.start + 100 })
    for number in 0..<3 { try archive.save("image \(number)", at: Double(number), key: image) }
    #expect(try archive.captures(of: image).count == (isNeeded ? 3 : 1))
    #expect((1...2).contains(scans.withLock(\.self)))
  }

  @Test func `the dependencies of an evicted page are forgotten`() throws {
    let archive = files.open()
    let names = ["page", "old", "image", "frame"]
    for (number, name) in names.enumerated() {
      try archive.save("content of \(name)", at: Double(number), key: Self.key(name))
    }
    try archive.record(dependencies: [
      Self.page: [Self.key("image"), Self.key("frame"), Self.key("upgraded")],
      Self.key("old"): [Self.key("image")], Self.key("frame"): [Self.key("image")],
      Self.key("none"): [Self.key("image")], Self.key("upgraded"): [Self.key("image")],
      Self.key("exempt"): [Self.key("image")],
    ])
    try evict(archive, sparing: [Self.page, Self.key("exempt")])
    #expect(try saved("page", "old", "image", "frame", in: archive) == ["page", "image", "frame"])
    let pages = ["page", "old", "frame", "none", "upgraded", "exempt"].map(Self.key)
    let left = try archive.pagesWithDependencies(among: pages)
    #expect(left == Set(["page", "frame", "upgraded", "exempt"].map(Self.key)))
    try evict(archive, sparing: [])
    #expect(try archive.pagesWithDependencies(among: pages).isEmpty)
  }
}
