package import Foundation
package import OfflineCache

/// The reading history: one line of JSON with a checksum for each time that the user left a page or
/// set a bookmark.
///
/// The last line about a page applies. All methods block and may be called from any thread. Several
/// processes may use the same file at once.
package struct ReadingLog: Sendable {
  /// A page with a reading position.
  package struct Record: Codable, Sendable, Equatable {
    /// The requested URL without its fragment.
    package var url: String
    /// The title of the page, or empty.
    package var title: String
    /// The time of the record.
    package var date: Date
    /// The reading progress in percent, from 0 to 100.
    package var percent: Int
    /// The text at the top of the screen.
    package var anchor: TextAnchor
    /// The letter of the bookmark; nil if the user left the page at this position.
    package var bookmark: String?
    /// The file that contains the page; nil for a web page.
    package var book: Book?

    /// A file, such as a book, and the position in it.
    package struct Book: Codable, Sendable, Equatable {
      /// The URL of the file, or of the page as which it was imported; it opens the table of
      /// contents if the file has parts.
      package var url: String
      /// The title of the file, or empty.
      package var title: String
      /// The key of the file's content (`BookAddress.key`), which does not depend on the location
      /// of the file; nil if it is unknown.
      package var key: String?
      /// The index of the page among the parts of the file; nil for a file without parts, and for
      /// the table of contents.
      package var part: Int?
      /// The reading progress in the whole file in percent, from 0 to 100.
      package var percent: Int

      package init(url: String, title: String, part: Int?, percent: Int) {
        (self.url, self.title, self.part, self.percent) = (url, title, part, percent)
      }
    }

    private enum CodingKeys: String, CodingKey {
      case url = "url"
      case title = "title"
      case date = "date"
      case percent = "percent"
      case anchor = "anchor"
      case bookmark = "mark"
      case book = "book"
    }

    package init(
      url: String, title: String, date: Date, percent: Int, anchor: TextAnchor,
      bookmark: String? = nil
    ) {
      self.url = url
      self.title = title
      self.date = date
      self.percent = percent
      self.anchor = anchor
      self.bookmark = bookmark
    }
  }

  private let file: URL
  private let maxSize: Int64
  /// The backup copies of recent appends; nil if there are none.
  private let recentAppends: RecentAppends?
  /// Receives a message if the log cannot be read.
  private let note: @Sendable (String) -> Void
  private var state: StateFile { StateFile(file: file) }

  /// The default maximum size in bytes. If the file is larger, it is rewritten with the latest
  /// lines only.
  package static let maxSize: Int64 = 2 << 20
  private static let maxPages = 2000

  /// Creates a log without opening the file.
  /// - Parameters:
  ///   - file: The file; its directory is created with the first line.
  ///   - maxSize: The size in bytes above which the file is rewritten.
  ///   - copies: Receives a backup copy of each append; nil to keep no copies.
  ///   - note: Receives a message if the log cannot be read and is therefore treated as empty.
  package init(
    file: URL, maxSize: Int64 = Self.maxSize, copiedTo copies: RecentAppends? = nil,
    note: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.file = file
    self.maxSize = maxSize
    self.recentAppends = copies
    self.note = note
  }

  /// Appends a record. If the file exceeds the maximum size, it is rewritten with the latest
  /// records.
  /// - Throws: `ArchiveError` if the record cannot be written.
  package func append(_ record: Record) throws(ArchiveError) {
    let log = try state.openLocked()
    defer { log.unlock() }
    _ = try? recentAppends?.repair(log, separator: 10)
    let size = try log.status().size
    // A line truncated by a crash must not corrupt the next one.
    let isTruncated = size == 0 ? false : try log.bytes(at: size - 1, count: 1) != [10]
    let line = (isTruncated ? [10] : []) + Self.line(record)
    let copy = recentAppends?.record(line, of: file.lastPathComponent, at: size)
    do throws(ArchiveError) { try log.write(line, at: size) } catch {
      recentAppends?.cancel(copy)
      throw error
    }
    guard size > maxSize else { return }
    let all = Self.latest(
      of: try log.bytes(at: 0, count: Int(size) + line.count), limit: Self.maxPages)
    try replace(with: all.reversed().flatMap(Self.line))
  }

  /// Restores the end of the log from the backup copy, if a file synchronizer replaced the log with
  /// an older version.
  package func restoreLost() {
    // If the log cannot be written now, it is repaired later.
    _ = try? recentAppends?.restore(file.path, separator: 10)
  }

  private func replace(with text: [UInt8]) throws(ArchiveError) {
    try state.replace(with: text) { newFile throws(ArchiveError) in
      try recentAppends?.begin(replacing: file.lastPathComponent, with: newFile)
    }
  }

  /// Returns the record of the last time that the user left a page; nil if there is none.
  package func last(of url: String) -> Record? {
    // The members of the JSON object are sorted by name, so the URL comes last. Percent-encoding
    // may be spelled in another way.
    let url = CacheKey.normalized(url)
    let end = Array("\"url\":\(Self.json(url))}".utf8)
    return record {
      $0.suffix(end.count).elementsEqual(end) || $0.contains(UInt8(ascii: "%"))
    } where: {
      CacheKey.normalized($0.url) == url && $0.bookmark == nil
    }
  }

  /// Returns the record of the last time that the user left a part of a file, wherever the file was
  /// then; nil if there is none.
  /// - Parameters:
  ///   - key: The key of the content of the file.
  ///   - part: The index of the part; nil for any part, or for a file without parts.
  /// - Returns: The record.
  package func last(ofBook key: String, part: Int?) -> Record? {
    let member = Array("\"key\":\(Self.json(key))".utf8)
    var contents: Record?
    let record = record {
      $0.lastRange(of: member) != nil
    } where: { record in
      guard record.bookmark == nil, let book = record.book, book.key == key else { return false }
      if part == nil, book.part == nil, contents == nil { contents = record }
      return book.part != nil && (part == nil || book.part == part)
    }
    return record ?? contents
  }

  /// Returns the last record of the bookmark with a letter; nil if there is none.
  package func bookmark(_ letter: String) -> Record? {
    record { _ in
      true
    } where: {
      $0.bookmark == letter
    }
  }

  /// Returns the last records of at most `limit` pages that were read, latest first.
  package func recent(limit: Int) -> [Record] {
    Self.latest(of: bytes, limit: limit) { $0.bookmark == nil }
  }

  /// Returns the subset of the given URLs that were read.
  package func read(among urls: Set<String>) -> Set<String> {
    guard !urls.isEmpty else { return [] }
    let spellings = Dictionary(grouping: urls, by: CacheKey.normalized)
    // The URL is the last member of a line.
    let name = Array("\"url\":\"".utf8)
    var found: Set<String> = []
    for line in Self.lines(of: bytes[...]) {
      guard line.suffix(2).elementsEqual("\"}".utf8), let last = line.lastRange(of: name) else {
        continue
      }
      let address = line[last.upperBound...].dropLast(2)
      let url =
        address.contains(UInt8(ascii: "\\"))
        ? Self.record(line)?.url : String(decoding: address, as: UTF8.self)
      if let same = url.flatMap({ spellings[CacheKey.normalized($0)] }) { found.formUnion(same) }
    }
    return found
  }

  /// Removes all lines about the given URLs and, if they are books, about their parts.
  /// - Throws: `ArchiveError`.
  package func forget(_ urls: Set<String>) throws(ArchiveError) {
    guard try LocalFileSystem().status(of: file.path) != nil else { return }
    let log = try state.openLocked()
    defer { log.unlock() }
    let all = try log.bytes(at: 0, count: Int(try log.status().size))
    let records = Self.lines(of: all[...]).compactMap(Self.record)
    let keys = Set(urls.map(CacheKey.normalized))
    let rest = records.filter {
      !keys.contains(CacheKey.normalized(BookAddress.key(of: $0.url)))
        && !($0.book?.key.map { keys.contains(CacheKey.normalized($0)) } ?? false)
    }
    if rest.count < records.count { try replace(with: rest.flatMap(Self.line)) }
  }

  // MARK: The file

  private var bytes: [UInt8] {
    do throws(ArchiveError) {
      return try LocalFileSystem().contents(of: file.path) ?? []
    } catch {
      note("the reading history cannot be read: \(error.reason)")
      return []
    }
  }

  // MARK: Lines

  private static func lines(of bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    bytes.split(separator: 10)
  }

  /// Returns the last record that satisfies a condition; nil if there is none. Only lines that may
  /// contain the record are parsed.
  private func record(
    among mayHold: (ArraySlice<UInt8>) -> Bool, where isWanted: (Record) -> Bool
  ) -> Record? {
    let bytes = bytes
    var end = bytes.count
    while end > 0 {
      let start = (bytes[..<(end - 1)].lastIndex(of: 10) ?? -1) + 1
      let line = bytes[start..<end].last == 10 ? bytes[start..<(end - 1)] : bytes[start..<end]
      if mayHold(line), let record = Self.record(line), isWanted(record) { return record }
      end = start
    }
    return nil
  }

  /// Returns the last record of each page and of each bookmark, latest first.
  /// - Parameters:
  ///   - bytes: The content of the log.
  ///   - limit: The maximum number of records.
  ///   - isWanted: Whether to return a record.
  /// - Returns: The records.
  private static func latest(
    of bytes: [UInt8], limit: Int, where isWanted: (Record) -> Bool = { _ in true }
  ) -> [Record] {
    var seen: Set<String> = []
    var result: [Record] = []
    for line in lines(of: bytes[...]).reversed() where result.count < limit {
      guard let record = record(line), isWanted(record) else { continue }
      let name = record.bookmark ?? CacheKey.normalized(record.url)
      if seen.insert(name).inserted { result.append(record) }
    }
    return result
  }

  private static func record(_ line: ArraySlice<UInt8>) -> Record? {
    guard LineChecksum.isIntact(line) else { return nil }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    return try? decoder.decode(Record.self, from: Data(line))
  }

  private static func line(_ record: Record) -> [UInt8] {
    var record = record
    record.date = Date(timeIntervalSince1970: record.date.timeIntervalSince1970.rounded())
    return LineChecksum.withChecksum(Array(json(record).utf8)) + [10]
  }

  private static func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .secondsSince1970
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

extension ArraySlice<UInt8> {
  /// Returns the last range of a sequence of bytes; nil if it does not occur.
  fileprivate func lastRange(of bytes: [UInt8]) -> Range<Int>? {
    var start = endIndex - bytes.count
    while start >= startIndex {
      if self[start] == bytes[0], self[start..<start + bytes.count].elementsEqual(bytes) {
        return start..<start + bytes.count
      }
      start -= 1
    }
    return nil
  }
}
