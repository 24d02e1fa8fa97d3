import Foundation
import Synchronization
import WARC

/// The seeds of a cache. WARC files are opened on first use.
final class SeedStore: Sendable {
  private let seeds: [Seed]
  /// The directory for the indexes of WARC seeds; nil to keep them in memory.
  private let indexes: URL?
  /// Returns whether the case of a URL is ignored.
  private let ignoresCase: @Sendable (WebURL) -> Bool
  private let openArchives = Mutex<[Int: Archive]>([:])
  /// The keys of WARC seeds, by the number of the seed and the lowercase form of the key. A seed is
  /// added when it is first searched without regard to case.
  private let foldedKeysBySeed = Mutex<[Int: [String: [String]]]>([:])

  init(_ seeds: [Seed], indexes: URL?, ignoresCase: @escaping @Sendable (WebURL) -> Bool) {
    self.seeds = seeds
    self.indexes = indexes
    self.ignoresCase = ignoresCase
  }

  /// Returns the content of the seeds for a URL as versions stored under a key, as if they had been
  /// saved before anything else.
  func captures(of url: WebURL, key: String) -> [StoredResponse] {
    var found: [StoredResponse] = []
    let isFolded = ignoresCase(url)
    for (number, seed) in seeds.enumerated() {
      switch seed {
      case .folder(let root):
        let file = SeedDirectory(root: root).file(for: url, ignoresCase: isFolded)
        if let file { found.append(Self.storedResponse(file, key)) }
      case .warc:
        let captures = archive(number).map { archive in
          let plainKey = CacheKey.make(url)
          let keys =
            isFolded ? foldedKeys(number, archive)[RuleKey.folded(plainKey)] ?? [] : [plainKey]
          return keys.flatMap { (try? archive.captures(of: $0)) ?? [] }
        }
        found += (captures ?? []).map { capture in
          var capture = capture
          (capture.key, capture.seed) = (key, .archive(number))
          return capture
        }
      }
    }
    return found
  }

  /// Returns the keys for which a seed has a good version.
  func seededKeys(of keys: [String]) -> [String] {
    var hosts: [String: Bool] = [:]
    return keys.filter { key in
      guard let url = WebURL(key), url.isWeb else { return false }
      // Most seeds have no files for most hosts, so the hosts are checked first.
      let mayBePublic = hosts[url.origin] ?? mayContainPages(hostOf: url)
      hosts[url.origin] = mayBePublic
      return mayBePublic && captures(of: url, key: key).contains(where: \.isGood)
    }
  }

  private func mayContainPages(hostOf url: WebURL) -> Bool {
    seeds.contains { seed in
      switch seed {
      case .folder(let root): !SeedDirectory(root: root).hostDirectories(of: url).isEmpty
      case .warc: true
      }
    }
  }

  /// Returns the built-in page for a URL; nil if no seed contains it.
  func builtIn(_ url: WebURL) -> ServedFile? {
    for case .folder(let root) in seeds {
      if let file = SeedDirectory(root: root).file(for: url) { return file }
    }
    return nil
  }

  /// Returns a function that reads the content of a response that `captures` returned.
  func reader(
    of stored: StoredResponse, at position: SeedLocation
  ) throws(ArchiveError) -> () throws(ArchiveError) -> [UInt8]? {
    switch position {
    case .file(let path): return try ServedFile.reader(of: path)
    case .archive(let number):
      guard let archive = archive(number) else { throw .notFound }
      let body = try archive.body(of: stored)
      return { () throws(ArchiveError) -> [UInt8]? in try body.next() }
    }
  }

  /// Closes the WARC files.
  func close() {
    let archives = openArchives.withLock { opened in
      defer { opened = [:] }
      return Array(opened.values)
    }
    archives.forEach { $0.close() }
  }

  private func foldedKeys(_ number: Int, _ archive: Archive) -> [String: [String]] {
    if let known = foldedKeysBySeed.withLock({ $0[number] }) { return known }
    var keys: [String: [String]] = [:]
    var last = ""
    while let part = try? archive.allKeys(after: last, limit: 10_000), let end = part.last {
      for key in part { keys[RuleKey.folded(key), default: []].append(key) }
      last = end
    }
    foldedKeysBySeed.withLock { $0[number] = keys }
    return keys
  }

  private func archive(_ number: Int) -> Archive? {
    guard case .warc(let url) = seeds[number] else { return nil }
    return openArchives.withLock { opened in
      if let archive = opened[number] { return archive }
      let archive = Archive(seed: url, indexes: indexes)
      opened[number] = archive
      return archive
    }
  }

  /// Returns a file as a stored response that has no validators and no lifetime. The modification
  /// time of a file is often the time at which it was copied, and the server must not confirm a
  /// response by a date that it never sent.
  private static func storedResponse(_ file: ServedFile, _ key: String) -> StoredResponse {
    var stored = StoredResponse(
      id: "seed:" + file.path, key: key, response: file.response,
      requestTime: file.modificationDate,
      responseTime: file.modificationDate, contentDate: file.modificationDate, length: file.length)
    stored.seed = .file(path: file.path)
    return stored
  }
}

extension Archive {
  /// Opens a WARC file, or a directory of such files, for reading.
  /// - Parameters:
  ///   - seed: The file or directory.
  ///   - indexes: The directory for the index; nil for an index in memory.
  convenience init(seed: URL, indexes: URL?) {
    let isDirectory = (try? LocalFileSystem().status(of: seed.path))?.isDirectory ?? false
    let digest = DigestBuilder.bytes(of: seed.path.utf8, .sha256).prefix(12)
    let name = Hexadecimal.text(digest) + ".sqlite"
    let index = (indexes ?? seed).appendingPathComponent(name)
    self.init(
      location: ArchiveLocation(
        archive: isDirectory ? seed : seed.deletingLastPathComponent(), index: index),
      device: "seed", readOnly: true, segmentLimit: SegmentWriter.maxSegmentSize,
      only: isDirectory ? nil : seed.lastPathComponent, keepsIndex: indexes != nil)
  }
}
