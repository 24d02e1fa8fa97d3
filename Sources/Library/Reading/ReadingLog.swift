package import Foundation
package import OfflineCache

/// What was read and how far: a line of JSON, with a checksum, for each time that a page was left,
/// or marked.
///
/// Of several lines about one page the last one counts. Every method blocks and may be called from
/// any thread; several processes may use the same file at once.
package struct ReadingLog: Sendable {
  /// A page with the place where its reader was.
  package struct Record: Codable, Sendable, Equatable {
    /// The address that was asked for, without its fragment.
    package var url: String
    /// The title of the page, or empty.
    package var title: String
    /// When that was.
    package var date: Date
    /// How far the page was read, from 0 to 100.
    package var percent: Int
    /// The text at the top of the screen.
    package var anchor: TextAnchor
    /// The letter that marks this place; nil when the page was left here.
    package var mark: String?

    /// Makes a record; see the members.
    package init(
      url: String, title: String, date: Date, percent: Int, anchor: TextAnchor,
      mark: String? = nil
    ) {
      self.url = url
      self.title = title
      self.date = date
      self.percent = percent
      self.anchor = anchor
      self.mark = mark
    }
  }

  private let file: URL
  private let sizeLimit: Int64
  /// The second copies of recent appends; nil for none.
  private let copies: RecentAppends?
  private var state: StateFile { StateFile(file: file) }

  /// A larger file is written anew with the latest lines.
  package static let sizeLimit: Int64 = 2 << 20
  private static let pageLimit = 2000

  /// Names a log; nothing is opened yet.
  /// - Parameters:
  ///   - file: where it is; its folder is made with the first line.
  ///   - sizeLimit: the bytes above which it is written anew.
  ///   - copies: receives a second copy of each append; nil for none.
  package init(
    file: URL, sizeLimit: Int64 = Self.sizeLimit, copiedTo copies: RecentAppends? = nil
  ) {
    self.file = file
    self.sizeLimit = sizeLimit
    self.copies = copies
  }

  /// Adds a line.
  /// - Throws: `ArchiveError` when it cannot be written.
  package func append(_ record: Record) throws(ArchiveError) {
    let log = try state.locked()
    defer { log.unlock() }
    _ = try? copies?.repair(log, separator: 10)
    let size = try log.status().size
    // A line that was cut by a kill must not take the next one with it.
    let isCut = size == 0 ? false : try log.bytes(at: size - 1, count: 1) != [10]
    let line = (isCut ? [10] : []) + Self.line(record)
    let copy = copies?.note(line, of: file.lastPathComponent, at: size)
    do throws(ArchiveError) { try log.write(line, at: size) } catch {
      copies?.cancel(copy)
      throw error
    }
    guard size > sizeLimit else { return }
    let all = Self.latest(of: try log.bytes(at: 0, count: Int(size) + 8192), limit: Self.pageLimit)
    try replace(with: all.reversed().flatMap(Self.line))
  }

  /// Restores what the log has lost because a synchroniser wrote an older version of it back, as
  /// far as there is a second copy.
  package func restoreLost() {
    // A log that cannot be written now is repaired later.
    _ = try? copies?.restore(file.path, separator: 10)
  }

  private func replace(with text: [UInt8]) throws(ArchiveError) {
    try state.replace(with: text) { draft throws(ArchiveError) in
      try copies?.begin(anew: file.lastPathComponent, with: draft)
    }
  }

  /// The place where a page was left last; nil when it was not read.
  package func last(of url: String) -> Record? {
    // The members are in the order of their names. Percent-encoding may be spelled in another way.
    let url = CacheKey.normalised(url)
    let end = Array("\"url\":\(Self.json(url))}".utf8)
    return record {
      $0.suffix(end.count).elementsEqual(end) || $0.contains(UInt8(ascii: "%"))
    } where: {
      CacheKey.normalised($0.url) == url && $0.mark == nil
    }
  }

  /// The place with a mark, or nil.
  package func mark(_ letter: String) -> Record? {
    record { _ in
      true
    } where: {
      $0.mark == letter
    }
  }

  /// The pages that were read, each once, the latest first.
  package func recent(limit: Int) -> [Record] {
    Self.latest(of: bytes, limit: limit).filter { $0.mark == nil }
  }

  /// Which of some addresses were read.
  package func read(among urls: Set<String>) -> Set<String> {
    guard !urls.isEmpty else { return [] }
    let spellings = Dictionary(grouping: urls, by: CacheKey.normalised)
    // The address is the last member of a line.
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
      if let same = url.flatMap({ spellings[CacheKey.normalised($0)] }) { found.formUnion(same) }
    }
    return found
  }

  /// Takes every line about some addresses out, and about what is in those that are books.
  /// - Throws: `ArchiveError`.
  package func forget(_ urls: Set<String>) throws(ArchiveError) {
    guard try LocalFileSystem().status(of: file.path) != nil else { return }
    let log = try state.locked()
    defer { log.unlock() }
    let all = try log.bytes(at: 0, count: Int(try log.status().size))
    let records = Self.lines(of: all[...]).compactMap(Self.record)
    let keys = Set(urls.map(CacheKey.normalised))
    let rest = records.filter {
      !keys.contains(CacheKey.normalised(BookAddress.key(of: $0.url)))
    }
    if rest.count < records.count { try replace(with: rest.flatMap(Self.line)) }
  }

  // MARK: The file

  private var bytes: [UInt8] {
    guard let data = try? Data(contentsOf: file, options: .mappedIfSafe) else { return [] }
    return [UInt8](data)
  }

  // MARK: Lines

  private static func lines(of bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    bytes.split(separator: 10)
  }

  /// The last record that fulfils a condition, among the lines that may hold it.
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

  /// The last record of each page and of each mark, the latest first.
  private static func latest(of bytes: [UInt8], limit: Int) -> [Record] {
    var seen: Set<String> = []
    var result: [Record] = []
    for line in lines(of: bytes[...]).reversed() where result.count < limit {
      guard let record = record(line) else { continue }
      let name = record.mark ?? CacheKey.normalised(record.url)
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
    return LineChecksum.sealed(Array(json(record).utf8)) + [10]
  }

  private static func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .secondsSince1970
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

extension ArraySlice<UInt8> {
  /// Where some bytes stand last, or nil.
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
