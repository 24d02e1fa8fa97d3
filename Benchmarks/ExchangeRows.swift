import Exchange
import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Exports for other programs: the index of a large archive, and a WACZ file with many pages.
enum ExchangeRows {
  private static let pages = 2000

  /// Measures the index of the archive as CDXJ, and as ZipNum blocks.
  static func index(_ place: Workplace) throws -> [ResultRow] {
    try index(place, of: 100_000, atMost: 2) + index(place, of: 1_000_000, atMost: 20)
  }

  private static func index(
    _ place: Workplace, of size: Int, atMost target: Double
  ) throws -> [ResultRow] {
    let folder = try place.newFolder("cdxj")
    defer { place.removeFolder(folder) }
    _ = try place.work("archive", folder, String(size), "4")
    // Builds the index.
    _ = try place.runOffread("archive", "info", data: folder)
    let file = "\(folder)/index.cdxj"
    let lines = try place.runOffread("archive", "cdxj", "-o", file, data: folder)
    let blocks = "\(folder)/blocks"
    let zipped = try place.runOffread("archive", "cdxj", "--zipnum", "-o", blocks, data: folder)
    let packed = [".cdx.gz", ".idx", ".loc"].map { fileSize(blocks + $0) }.reduce(0, +)
    return [
      .atMost(
        "CDXJ of \(size) captures", lines.wall, target, unit: "s",
        note: "most memory \(ResultRow.text(lines.memory, "MB"))"),
      .plain(
        "bytes for a capture: lines; blocks, their index and places",
        "\(fileSize(file) / size); \(packed / size), in \(ResultRow.text(zipped.wall, "s"))"),
    ]
  }

  /// Measures pages with an image that is much larger than the page, as on the web, and pages
  /// without images.
  static func collection(_ place: Workplace) throws -> [ResultRow] {
    let (size, least) = try collection(place, of: pages, picture: 450_000)
    let (text, plain) = try collection(place, of: 4 * pages, picture: 0)
    return [
      .atLeast(
        "WACZ of \(pages) pages of 60 KB with a picture of 450 KB each, "
          + ResultRow.text(size, "MB"), size / least.wall, 60, unit: "MB/s",
        note: "\(ResultRow.text(least.processor, "s")) on processors"),
      .atMost("most memory of it", least.memory, 100, unit: "MB"),
      .plain(
        "WACZ of \(4 * pages) pages of 60 KB alone, \(ResultRow.text(text, "MB"))",
        "\(ResultRow.text(Double(4 * pages) / plain.wall, "pages/s")), "
          + ResultRow.text(plain.memory, "MB")),
    ]
  }

  /// Measures writing a WACZ file.
  /// - Returns: The size of the segment in MB, and the resource usage.
  private static func collection(
    _ place: Workplace, of count: Int, picture: Int
  ) throws -> (size: Double, Least) {
    let data = try place.newFolder("wacz")
    defer { place.removeFolder(data) }
    _ = try place.work("pictures", data, String(count), String(picture))
    // Builds the index.
    _ = try place.runOffread("archive", "info", data: data)
    var least = Least()
    for round in 0..<CacheBench.rounds {
      let file = "\(data)/\(round).wacz"
      least.note(
        try place.runOffread(
          "export", "--format", "wacz", "--all", "-o", file, data: data, isSilent: true))
      unlink(file)
    }
    return (Double(fileSize("\(data)/archive/made-1000.warc.gz")) / 1e6, least)
  }

  private static func fileSize(_ path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.size] as? Int ?? 0
  }
}

/// A book that `scripts/bench terminal` opens.
enum BenchBook {
  private static let chapterSize = 60_000

  /// Writes an EPUB 3 file whose first chapter contains a word that occurs nowhere else.
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - size: The approximate size of the file in bytes.
  ///   - word: The word.
  /// - Returns: The path of the first chapter within the file.
  /// - Throws: `ZIPError`, or an error if the file cannot be written.
  static func write(_ path: String, size: Int, word: String) throws -> String {
    var packed: [UInt8] = []
    var writer = ZIPWriter(date: Date(timeIntervalSince1970: 1_780_000_000))
    func add(_ name: String, _ text: String) throws {
      try writer.add(ZIPEntry(path: name, bytes: Array(text.utf8))) { packed += $0 }
    }
    try add("mimetype", "application/epub+zip")
    try add(
      "META-INF/container.xml",
      "<?xml version=\"1.0\"?><container><rootfiles><rootfile full-path=\"book.opf\" "
        + "media-type=\"application/oebps-package+xml\"/></rootfiles></container>")
    var text = GeneratedText(seed: 5, isNatural: true)
    var count = 0
    while packed.count < size {
      var chapter =
        "<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"><head>"
        + "<title>Chapter \(count)</title></head><body><h1>Chapter \(count)</h1>"
        + (count == 0 ? "<p>\(word) of it.</p>" : "")
      while chapter.utf8.count < chapterSize { chapter += "<p>\(text.words(60)).</p>\n" }
      try add("c\(count).xhtml", chapter + "</body></html>")
      count += 1
    }
    let items = (0..<count).map {
      "<item id=\"c\($0)\" href=\"c\($0).xhtml\" media-type=\"application/xhtml+xml\"/>"
    }
    try add(
      "book.opf",
      "<package version=\"3.0\"><metadata><dc:title>A book</dc:title></metadata><manifest>"
        + "<item id=\"nav\" href=\"nav.xhtml\" media-type=\"application/xhtml+xml\" "
        + "properties=\"nav\"/>\(items.joined())</manifest><spine>"
        + (0..<count).map { "<itemref idref=\"c\($0)\"/>" }.joined() + "</spine></package>")
    try add(
      "nav.xhtml",
      "<html><body><nav epub:type=\"toc\"><ol>"
        + (0..<count).map { "<li><a href=\"c\($0).xhtml\">Chapter \($0)</a></li>" }.joined()
        + "</ol></nav></body></html>")
    try writer.finish { packed += $0 }
    try Data(packed).write(to: URL(fileURLWithPath: path))
    return "c0.xhtml"
  }
}
