import Configuration
import Saving
import Library
import Document
import Formats
import Foundation
import ReaderMode
import OfflineCache
import Pages
import Profiles
import Rendering
import WARC

/// The parts of `scripts/bench library` that run in separate processes.
enum LibraryWorker {
  /// The number of measured searches.
  static let queryCount = 400

  private static let pageSize = 6000
  private static let segments = 8
  private static let date = Date(timeIntervalSince1970: 1_780_000_000)

  private static func profile(_ folder: String) -> Profile {
    Profile(locations: Locations(dataDirectory: folder, environment: [:]), shared: nil)
  }

  private static func url(_ number: Int) -> String {
    "https://host\(number % 997).example/articles/\(number)/a-page-with-a-name"
  }

  // MARK: Creating libraries

  /// Creates a library of pinned pages. Prints the number of bytes of their text.
  static func make(_ folder: String, pages: Int) throws {
    let writer = WARCWriter(compression: .gzip(level: 1))
    try FileManager.default.createDirectory(
      atPath: "\(folder)/archive", withIntermediateDirectories: true)
    var text = 0
    for segment in 0..<segments {
      try inFile("\(folder)/archive/made-\(1000 + segment).warc.gz") { sink in
        for number in stride(from: segment, to: pages, by: segments) {
          let page = GeneratedText.libraryPage(number, size: pageSize)
          if number % 50 == 0 {
            text += try textLength(of: page) * 50
          }
          try write(
            page, url(number), date.addingTimeInterval(Double(number) * 100), writer, sink)
        }
      }
    }
    let profile = profile(folder)
    for start in stride(from: 0, to: pages, by: 5000) {
      var changes: [LibraryChange] = []
      for number in start..<min(pages, start + 5000) {
        let key = url(number)
        changes.append(LibraryChange(key, .pinned, "1"))
        changes.append(LibraryChange(key, .title, "Page \(GeneratedText.name(number))"))
        if number % 10 == 0 { changes.append(LibraryChange(key, .tag("tenth"), "1")) }
        if number % 1000 == 0 { changes.append(LibraryChange(key, .tag("rare"), "1")) }
      }
      try profile.library.record(changes)
    }
    profile.close()
    print(text)
  }

  private static func textLength(of page: [UInt8]) throws -> Int {
    try PageContent(page, type: MediaType("text/html"), limit: 1 << 20)
      .document(url: "", view: .reader(ReaderOptions())).plainText.count
  }

  /// Creates a library of pinned pages of the server that are due for revalidation.
  static func makeKept(_ folder: String, _ address: String, pages: Int) throws {
    let writer = WARCWriter(compression: .gzip(level: 1))
    try FileManager.default.createDirectory(
      atPath: "\(folder)/archive", withIntermediateDirectories: true)
    let date = Date(timeIntervalSinceNow: -2 * 86_400)
    try inFile("\(folder)/archive/made-1000.warc.gz") { sink in
      for number in 0..<pages {
        let page = GeneratedText.libraryPage(number, size: pageSize)
        try write(page, "\(address)\(number)", date, writer, sink)
      }
    }
    let profile = profile(folder)
    try profile.library.record((0..<pages).map { LibraryChange("\(address)\($0)", .pinned, "1") })
    profile.close()
  }

  /// Creates an archive with one segment of this device, with poorly compressible pages. Prints the
  /// number of pages.
  static func makeSegment(_ folder: String, bytes: Int) throws {
    let profile = profile(folder)
    let name = try profile.device
    profile.close()
    let writer = WARCWriter(compression: .gzip(level: 1))
    try FileManager.default.createDirectory(
      atPath: "\(folder)/archive", withIntermediateDirectories: true)
    var (number, size) = (0, 0)
    try inFile("\(folder)/archive/\(name)-20260601-000001.warc.gz") { sink in
      while size < bytes {
        try write(
          GeneratedText.libraryPage(number, size: segmentPageSize), url(number),
          date.addingTimeInterval(Double(number)), writer
        ) {
          size += $0.count
          sink($0)
        }
        number += 1
      }
    }
    print(number)
  }

  private static let segmentPageSize = 60_000

  /// Creates a library of pinned pages with an image of `picture` bytes each; without images if it
  /// is 0.
  static func makePictures(_ folder: String, pages: Int, picture: Int) throws {
    // The compression levels that the archive uses.
    let writer = WARCWriter(compression: .gzip(level: 6))
    let pictures = WARCWriter(compression: .gzip(level: 0))
    try FileManager.default.createDirectory(
      atPath: "\(folder)/archive", withIntermediateDirectories: true)
    try inFile("\(folder)/archive/made-1000.warc.gz") { sink in
      for number in 0..<pages {
        let time = date.addingTimeInterval(Double(number))
        var page = GeneratedText.libraryPage(number, size: segmentPageSize)
        if picture > 0 {
          page += "<p><img src=\"/pictures/\(number).jpg\">".utf8
          var bytes = GeneratedText.noise(picture)
          withUnsafeBytes(of: number.littleEndian) { bytes.replaceSubrange(0..<8, with: $0) }
          try write(
            bytes, "https://host\(number % 997).example/pictures/\(number).jpg", time, pictures,
            sink,
            type: "image/jpeg")
        }
        try write(page, url(number), time, writer, sink)
      }
    }
    let profile = profile(folder)
    try profile.library.record((0..<pages).map { LibraryChange(url($0), .pinned, "1") })
    profile.close()
  }

  /// Creates a list of feeds. Prints the number of feeds.
  static func makeOutlines(_ path: String, bytes: Int) throws {
    var (number, size) = (0, 0)
    try inFile(path) { sink in
      func write(_ text: String) {
        size += text.utf8.count
        sink(Array(text.utf8))
      }
      write("<?xml version=\"1.0\"?>\n<opml version=\"2.0\"><body>\n")
      while size < bytes {
        let host = "host\(number % 997).example"
        write(
          "<outline type=\"rss\" text=\"Feed \(number) of things\""
            + " xmlUrl=\"https://\(host)/feeds/\(number)/feed.xml\""
            + " htmlUrl=\"https://\(host)/feeds/\(number)/\"/>\n")
        number += 1
      }
      write("</body></opml>\n")
    }
    print(number)
  }

  /// Returns the URL of a generated page.
  static func address(of number: Int) -> String { url(number) }

  private static func inFile(_ path: String, _ work: (([UInt8]) -> Void) throws -> Void) throws {
    guard let file = fopen(path, "w") else { throw BenchError("\(path) cannot be written") }
    defer { fclose(file) }
    try work { fwrite($0, 1, $0.count, file) }
  }

  private static func write(
    _ page: [UInt8], _ url: String, _ date: Date, _ writer: WARCWriter, _ sink: ([UInt8]) -> Void,
    type: String = "text/html"
  ) throws {
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(page.count)\r\n"
      + "ETag: \(LoopbackServer.keptTag)\r\n\r\n"
    let record = WARCRecord(
      .response, date: date, targetURI: url, contentType: "application/http;msgtype=response")
    try writer.write(record, block: Array(head.utf8) + page, into: sink)
  }

  // MARK: Searching

  /// Runs different kinds of queries. Prints the median, the 95th percentile and the maximum of the
  /// seconds until the results.
  static func search(_ folder: String, among pages: Int) throws {
    let profile = profile(folder)
    var text = GeneratedText(seed: 99, isNatural: true)
    var times: [Double] = []
    var worst: [(Double, String)] = []
    for number in 0..<queryCount {
      let words = query(number, &text, pages)
      let query = try SearchQuery(words, timeZone: .gmt)
      let start = Clock.now
      try profile.search.catchUp()
      let hits = try profile.search.search(query, limit: 20)
      times.append(Clock.now - start)
      worst.append((times[number], "\(words): \(hits.count)"))
    }
    profile.close()
    if ProcessInfo.processInfo.environment["OFFREAD_BENCH_QUERIES"] != nil {
      for (time, words) in worst.sorted(by: { $0.0 > $1.0 }) {
        FileHandle.standardError.write(Data("\(ResultRow.text(time * 1e3, "ms")) \(words)\n".utf8))
      }
    }
    print(times.median, times.percentile(0.95), times.max() ?? .nan)
  }

  private static func query(_ number: Int, _ text: inout GeneratedText, _ pages: Int) -> String {
    let page = text.number(below: pages)
    switch number % 10 {
    case 0, 1: return text.words(1)
    case 2, 3: return text.words(2)
    case 4: return text.words(3)
    case 5: return GeneratedText.name(page)
    case 6: return "\(text.words(2)) \(GeneratedText.name(page))"
    case 7: return "\"\(text.words(2))\""
    case 8:
      let filter = ["tag:tenth", "tag:rare", "site:host7.example", "before:2026-06-20"]
      return "\(text.words(1)) \(filter[text.number(below: filter.count)])"
    default:
      return number % 20 == 9 ? text.han(2) : text.words(1).prefix(3) + "*"
    }
  }

  // MARK: The library screen

  /// Opens a library and reads the content of its first screen, several times. Prints the seconds
  /// of each.
  static func showScreen(_ folder: String) throws {
    for _ in 0..<10 {
      let start = Clock.now
      let profile = profile(folder)
      let list = try LibraryContents(of: profile, limit: LibraryContents.maxFirstRows)
      guard list.rows.count >= LibraryContents.maxFirstRows,
        list.rows.allSatisfy({ $0.date != nil && $0.isPinned })
      else { throw BenchError("the list has \(list.rows.count) pages") }
      print(Clock.now - start)
      profile.close()
    }
  }
}
