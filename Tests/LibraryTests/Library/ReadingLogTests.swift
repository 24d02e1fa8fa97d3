@testable import Library
import ReaderMode
import Foundation
import Document
import OfflineCache
import TestSupport
import Testing

@testable import Pages

@Suite struct ReadingLogTests {
  private let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("reading-\(UUID().uuidString)")
  private var file: URL { directory.appendingPathComponent("state/reading.jsonl") }

  private func record(
    _ url: String, _ percent: Int, bookmark: String? = nil, at seconds: Double = 1_795_000_000
  ) -> ReadingLog.Record {
    let document = Document(
      bytes: Array("<p>One<p>Two – zwei<p>Three".utf8), mediaType: "text/html")
    return ReadingLog.Record(
      url: url, title: "Title \"\(percent)\"\u{2028}", date: Date(timeIntervalSince1970: seconds),
      percent: percent, anchor: TextAnchor(at: 3, in: document, blocks: 3), bookmark: bookmark)
  }

  @Test func `the last position of a page counts, and bookmarks are distinguished from positions`()
    throws
  {
    defer { try? FileManager.default.removeItem(at: directory) }
    let log = ReadingLog(file: file)
    #expect(log.last(of: "https://a.test/") == nil && log.recent(limit: 5).isEmpty)
    let records = [
      record("https://a.test/", 10), record("https://a.test/b\"c\\", 20),
      record("https://a.test/", 30), record("https://a.test/", 40, bookmark: "x"),
    ]
    for record in records { try log.append(record) }
    #expect(log.last(of: "https://a.test/") == records[2])
    #expect(log.last(of: "https://a.test/b\"c\\") == records[1])
    #expect(log.last(of: "https://a.test") == nil)
    #expect(log.bookmark("x") == records[3] && log.bookmark("y") == nil)
    #expect(log.recent(limit: 5) == [records[2], records[1]])
    #expect(log.recent(limit: 1) == [records[2]])
    let status = try #require(try LocalFileSystem().status(of: file.path))
    #expect(status.mode & 0o777 == 0o600)
  }

  private func part(
    _ part: Int?, of book: String, key: String?, _ percent: Int, at seconds: Double = 1_795_000_000
  ) -> ReadingLog.Record {
    var record = record(part.map { "\(book)/\($0).xhtml" } ?? book, 50, at: seconds)
    record.book = ReadingLog.Record.Book(url: book, title: "Tides", part: part, percent: percent)
    record.book?.key = key
    return record
  }

  @Test func `the position in a book is found wherever its file is`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let log = ReadingLog(file: file)
    let records = [
      part(1, of: "file:///a.epub", key: "book://1/", 40),
      part(2, of: "file:///b/c.epub", key: "book://1/", 60),
      part(nil, of: "file:///b/c.epub", key: "book://1/", 0),
      part(3, of: "file:///d.epub", key: "book://2/", 90),
      part(nil, of: "file:///e.pdf", key: "book://3/", 30),
    ]
    for record in records { try log.append(record) }
    #expect(log.last(ofBook: "book://1/", part: nil) == records[1])
    #expect(log.last(ofBook: "book://1/", part: 1) == records[0])
    #expect(log.last(ofBook: "book://1/", part: 3) == nil)
    #expect(log.last(ofBook: "book://3/", part: nil) == records[4])
    #expect(log.last(ofBook: "book://4/", part: nil) == nil)
  }

  @Test func `the parts of a book are one reading`() {
    let (book, moved, other) = ("file:///a.epub", "file:///b.epub", "file:///c.epub")
    let history = ReadingHistory([
      record("https://a.test/", 10),
      part(nil, of: moved, key: "book://1/", 0),
      part(2, of: book, key: "book://1/", 60),
      part(1, of: book, key: "book://1/", 20),
      part(nil, of: other, key: nil, 0),
      // A record of version 1.0.0.
      record("\(book)/0.xhtml", 30), record("file:///a.epubs/1.html", 40),
    ])
    #expect(
      history.readings.map(\.url) == ["https://a.test/", moved, other, "file:///a.epubs/1.html"])
    #expect(history.readings.map(\.percent) == [10, 60, 0, 40])
    #expect(history.readings.map(\.contentKey) == [nil, "book://1/", nil, nil])
  }

  @Test(
    arguments: [(nil, 50, 0), (0, 0, 0), (0, 100, 33), (1, 50, 50), (3, 100, 100), (2, 0, 50)]
      as [(Int?, Int, Int)])
  func `the progress in a book counts its parts alike`(index: Int?, percent: Int, whole: Int) {
    // The part with the index 2 is outside the reading order unless it is shown.
    let parts = (0..<4).map {
      PartList.Part(url: DocumentAddress("p\($0)"), title: "", isLinear: $0 != 2)
    }
    let list = PartList(title: "", contentsURL: "c", parts: parts, index: index)
    #expect(list.totalPercent(percent) == whole)
  }

  @Test func `a URL is the same in any percent-encoding`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let log = ReadingLog(file: file)
    let old = record("https://a.test/%7Eada/", 10)
    try log.append(old)
    #expect(log.last(of: "https://a.test/~ada/") == old)
    #expect(log.last(of: "https://a.test/%7eada/") == old)
    #expect(log.last(of: "https://a.test/%2Fada/") == nil)
    let both: Set = ["https://a.test/~ada/", "https://a.test/%7Eada/"]
    #expect(log.read(among: both.union(["https://a.test/ada/"])) == both)
    let new = record("https://a.test/~ada/", 20)
    try log.append(new)
    #expect(log.last(of: "https://a.test/%7Eada/") == new)
    #expect(log.recent(limit: 5) == [new])
    try log.forget(["https://a.test/%7Eada/"])
    #expect(log.recent(limit: 5).isEmpty)
  }

  @Test func `pages that were read are found among several URLs`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let log = ReadingLog(file: file)
    #expect(log.read(among: ["https://a.test/"]).isEmpty)
    let urls = ["https://a.test/", "https://a.test/b\"c\\", "https://b.test/?x=/y&z=1"]
    for url in urls { try log.append(record(url, 10)) }
    #expect(log.read(among: Set(urls + ["https://c.test/", "a.test/", ""])) == Set(urls))
    #expect(log.read(among: ["https://c.test/"]).isEmpty)
    // Truncated or invalid lines do not affect others.
    let whole = try Data(contentsOf: file)
    for length in 0..<whole.count {
      try (whole.prefix(length) + Data("\n\"}\n{\"url\":\"\n\"url\":\"}\n".utf8) + whole).write(
        to: file)
      #expect(log.read(among: Set(urls)) == Set(urls))
    }
  }

  @Test func `truncated and invalid lines do not affect others`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let log = ReadingLog(file: file)
    try log.append(record("https://a.test/", 10))
    let whole = try Data(contentsOf: file)
    var random = SplitMix64(seed: 7)
    for length in 0..<whole.count {
      try whole.prefix(length).write(to: file)
      _ = log.recent(limit: 5)
      try log.append(record("https://a.test/b", 20))
      #expect(log.last(of: "https://a.test/b")?.percent == 20)
      var garbage = whole
      for _ in 0..<8 {
        garbage[Int(random.next() % UInt64(whole.count))] = UInt8(random.next() & 255)
      }
      try garbage.write(to: file)
      _ = log.last(of: "https://a.test/")
      try log.append(record("https://a.test/b", 30))
      #expect(log.last(of: "https://a.test/b")?.percent == 30)
    }
  }

  @Test func `a long log is rewritten with the last position of each page`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let log = ReadingLog(file: file, maxSize: 10_000)
    for number in 0..<200 { try log.append(record("https://a.test/\(number % 7)", number % 100)) }
    try log.append(record("https://a.test/marked", 5, bookmark: "m"))
    let size = try #require(try LocalFileSystem().status(of: file.path)).size
    #expect(size < 11_000)
    #expect(log.recent(limit: 100).count == 7)
    // 199 is 3 more than a multiple of 7.
    #expect(log.last(of: "https://a.test/3")?.percent == 99)
    #expect(log.bookmark("m")?.url == "https://a.test/marked")
  }

  @Test func `a record longer than the maximum size of the log is kept`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let log = ReadingLog(file: file, maxSize: 1000)
    for number in 0..<20 { try log.append(record("https://a.test/\(number)", number)) }
    let long = "https://a.test/" + String(repeating: "x", count: 20_000)
    try log.append(record(long, 42))
    #expect(log.last(of: long)?.percent == 42)
    #expect(log.last(of: "https://a.test/19")?.percent == 19)
  }

  @Test func `forgotten pages are deleted from the disk`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let log = ReadingLog(file: file)
    try log.forget(["https://a.test/"])
    try log.append(record("https://a.test/secret", 10))
    try log.append(record("https://a.test/", 20))
    try log.forget(["https://a.test/secret"])
    #expect(log.recent(limit: 5).map(\.url) == ["https://a.test/"])
    #expect(!String(decoding: try Data(contentsOf: file), as: UTF8.self).contains("secret"))
  }

  @Test(
    arguments: [
      ("<p>New.<p>Also new.<p>alpha alpha<p>The place of it<p>omega", "The place"),
      ("<p>alpha alpha<p>omega the last one", "omega"),
      ("<p>nothing of that", "nothing"), ("", ""),
    ] as [(String, String)])
  func `a position is found again by its text`(html: String, begins: String) {
    let old = Document(
      bytes: Array("<p>alpha alpha<p>The place of it<p>omega the last one".utf8),
      mediaType: "text/html")
    let text = String(decoding: old.text, as: UTF8.self)
    let position = text.range(of: "The place").map {
      text.utf8.distance(from: text.startIndex, to: $0.lowerBound)
    }
    let anchor = TextAnchor(at: UInt32(position ?? 0), in: old, blocks: 3)
    #expect(anchor.offset(in: old) == UInt32(position ?? 0))
    let new = Document(bytes: Array(html.utf8), mediaType: "text/html")
    let offset = Int(anchor.offset(in: new))
    #expect(offset <= new.text.count)
    if begins != "nothing" {
      #expect(new.text[offset...].starts(with: begins.utf8))
    }
  }

  /// Returns a page, and the offsets of its lines in the text.
  private static func page(_ lines: [String]) -> (document: Document, starts: [Int]) {
    let html = lines.map { "<p>\($0)" }.joined()
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    let starts = document.blocks.compactMap { block in
      block.runs.isEmpty ? nil : Int(document.runs[Int(block.runs.lowerBound)].start)
    }
    return (document, starts)
  }

  /// Lines of a page, the number of changed ones at its beginning, the number of lines in the new
  /// version, a line of the old version, and the corresponding one of the new version.
  @Test(
    arguments: [
      // Equal lines, with more or fewer of them in the new version.
      (Array(repeating: "The same line again.", count: 60), 0, 600, 35, 35),
      (Array(repeating: "The same line again.", count: 600), 0, 60, 35, 35),
      // Groups of lines that repeat, with more of them at the end.
      ((0..<90).map { "Line \($0 % 3) of each group." }, 0, 900, 35, 35),
      // A heading changes, so that the texts have no common prefix.
      (Array(repeating: "The same line again.", count: 60), 1, 600, 35, 35),
    ] as [([String], Int, Int, Int, Int)])
  func `with repeated lines, a position stays at the nearest line`(
    lines: [String], changed: Int, count: Int, line: Int, expected: Int
  ) {
    let old = Self.page((changed > 0 ? ["Version of noon."] : []) + lines)
    let more = (0..<count).map { lines[$0 % lines.count] }
    let new = Self.page((changed > 0 ? ["Version of night"] : []) + more)
    let anchor = TextAnchor(
      at: UInt32(old.starts[line + changed]), in: old.document, blocks: 24)
    #expect(Int(anchor.offset(in: new.document)) == new.starts[expected + changed])
  }

  @Test func `of several equal texts, the one with the same following text is chosen`() {
    let line = "A line of forty-eight bytes or more that repeats, always."
    let old = Self.page([line, "first follower of it", line, "second follower", "the end of it"])
    let new = Self.page(
      [
        "a new beginning that moves all by much more than a line or two of this page, so that the"
          + " nearest one is the wrong one"
      ] + Array(repeating: line, count: 3)
        + ["second follower", "the end of it"])
    let anchor = TextAnchor(at: UInt32(old.starts[2]), in: old.document, blocks: 24)
    #expect(Int(anchor.offset(in: new.document)) == new.starts[3])
  }

  @Test func `texts with a common prefix or suffix around a position align it exactly`() {
    let lines = Array(repeating: "The same line again.", count: 50)
    let old = Self.page(lines)
    let longer = Self.page(lines + lines)
    let inserted = Self.page(["Something new that stands above.", "And more."] + lines)
    func aligned(_ line: Int, _ new: Document) -> Int? {
      TextAnchor.offset(of: UInt32(old.starts[line]), in: old.document, alignedTo: new).map(
        Int.init)
    }
    #expect(aligned(35, longer.document) == longer.starts[35])
    #expect(aligned(35, inserted.document) == inserted.starts[37])
    #expect(aligned(35, old.document) == old.starts[35])
    let other = Self.page(["Nothing", "of that"])
    #expect(aligned(35, other.document) == nil)
  }

  @Test(arguments: [Int.min, -1, 0, 7, Int.max])
  func `samples in a file may have any numbers`(start: Int) throws {
    let anchor = try JSONDecoder().decode(
      TextAnchor.self,
      from: Data(
        """
        {"offset":5,"length":9,"samples":[{"start":\(start),"text":"alpha beta"},
        {"start":9223372036854775807,"text":"gamma delta"}]}
        """.utf8))
    let page = Self.page(["alpha beta", "gamma delta", "alpha beta"])
    #expect(page.starts.contains(Int(anchor.offset(in: page.document))))
  }
}
