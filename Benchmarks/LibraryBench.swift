import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The rows of `scripts/bench library`.
enum LibraryBench {
  /// The number of saved pages in the library that is searched and listed.
  static let pages = 100_000
  /// The number of pinned pages that are revalidated.
  static let kept = 10_000
  /// Maximum number of pages that are saved at once.
  static let manyPages = 50_000
  /// The number of pages that are saved by following links.
  static let linkCount = 500
  /// Maximum memory in MB for all rows.
  private static let memory = 120.0

  static let rows = [
    BenchRow(name: "search", measure: search),
    BenchRow(name: "groups", measure: GroupRows.groups),
    BenchRow(name: "sync", measure: sync),
    BenchRow(name: "depth", measure: depth),
    BenchRow(name: "many", measure: many),
    BenchRow(name: "check", measure: LibraryWorkRows.check),
    BenchRow(name: "import", measure: LibraryWorkRows.importList),
    BenchRow(name: "remove", measure: LibraryWorkRows.remove),
    BenchRow(name: "wacz", measure: ExchangeRows.collection),
  ]

  // MARK: Search and library screen

  private static func search(_ place: Workplace) throws -> [ResultRow] {
    let data = try place.newFolder("library")
    defer { place.removeFolder(data) }
    let text = try IndexRows.figures(place.work("library", data, String(pages)))[0]
    let opening = try place.runOffread("list", "--tag", "rare", data: data)
    let building = try place.runOffread("search", "--quiet", "--limit", "1", "ba*", data: data)
    let size = Double(fileSize("\(data)/search.sqlite"))
    var searches: [[Double]] = []
    var screens: [Double] = []
    var most = 0.0
    for _ in 0..<CacheBench.rounds {
      let search = try place.work("search", data, String(pages))
      searches.append(try IndexRows.figures(search))
      let screen = try place.work("screen", data)
      screens += try IndexRows.figures(screen)
      most = max(most, search.memory, screen.memory)
    }
    let best = searches.min { $0[1] < $1[1] } ?? []
    let one = try (0..<5).map { _ in try place.runOffread("search", "wove", data: data).wall }
    let list = try place.runOffread("list", data: data)
    return [
      .plain("\(pages) pages: index of the archive built", ResultRow.text(opening.wall, "s")),
      .plain("\(pages) pages: search index built", ResultRow.text(building.wall, "s")),
      .atMost(
        "search index, relative to the text of the pages", size / text * 100, 62, unit: "%",
        note: "\(ResultRow.text(size / 1e6, "MB")) of \(ResultRow.text(text / 1e6, "MB"))"),
      .atMost(
        "first results of a search, p95 of \(LibraryWorker.queryCount)", best[1] * 1e3, 30,
        unit: "ms",
        note:
          "p50 \(ResultRow.text(best[0] * 1e3, "ms")), most \(ResultRow.text(best[2] * 1e3, "ms"))"),
      .plain("offread search, start to end of the process", ResultRow.text(one.median * 1e3, "ms")),
      .atMost("screen of the library, median", screens.median * 1e3, 50, unit: "ms"),
      .plain("offread list of \(pages) kept pages", ResultRow.text(list.wall, "s")),
      .atMost(
        "most memory of building the indexes", max(opening.memory, building.memory), memory,
        unit: "MB"),
      .atMost("most memory of searching and showing the screen", most, memory, unit: "MB"),
      .atMost("most memory of offread list", list.memory, memory, unit: "MB"),
    ]
  }

  // MARK: Sync

  private static func sync(_ place: Workplace) throws -> [ResultRow] {
    let address = try place.address() + "/kept/"
    let folder = try place.newFolder("sync")
    defer { place.removeFolder(folder) }
    let list = "\(folder)/urls"
    let tag = LoopbackServer.keptTag.replacingOccurrences(of: "\"", with: "\\\"")
    try
      ("header = \"If-None-Match: \(tag)\"\n"
      + (0..<kept).map { "url = \"\(address)\($0)\"\noutput = \"/dev/null\"\n" }.joined())
      .write(toFile: list, atomically: false, encoding: .utf8)
    var ours = Least()
    var theirs = Least()
    for _ in 0..<CacheBench.rounds {
      let data = try place.newFolder("data")
      defer { place.removeFolder(data) }
      _ = try place.work("kept", data, address, String(kept))
      // Builds the index.
      _ = try place.runOffread("list", "--tag", "rare", data: data)
      theirs.note(try ChildProcess.run(["curl", "-s", "--no-progress-meter", "-K", list]))
      let usage = try place.runOffread("sync", "--delay", "0", data: data, isSilent: true)
      guard usage.output.contains("\(kept) unchanged") else {
        throw BenchError("sync said \(usage.output.suffix(200))")
      }
      ours.note(usage)
    }
    return [
      .atMost(
        "sync of \(kept) kept pages, nothing changed, against curl", ours.wall / theirs.wall, 8,
        unit: "×", note: ours.compared(to: theirs, "curl")),
      .atMost("most memory of the sync", ours.memory, memory, unit: "MB"),
    ]
  }

  // MARK: Following links

  private static func depth(_ place: Workplace) throws -> [ResultRow] {
    let start = try place.address() + "/links"
    let folder = try place.newFolder("depth")
    defer { place.removeFolder(folder) }
    var ours = Least()
    var theirs = Least()
    for _ in 0..<CacheBench.rounds {
      let data = try place.newFolder("data")
      defer { place.removeFolder(data) }
      theirs.note(
        try ChildProcess.run([
          "wget", "-q", "--recursive", "--level", "1", "-P", "\(data)/wget", "--warc-file",
          "\(data)/pages", start,
        ]))
      let usage = try place.runOffread(
        "save", "--depth", "1", "--delay", "0", start, data: "\(data)/ours", isSilent: true)
      guard usage.output.contains("\(linkCount + 1) of \(linkCount + 1) pages ready") else {
        throw BenchError("save said \(usage.output.suffix(200))")
      }
      ours.note(usage)
    }
    return [
      .atMost(
        "\(linkCount) pages of 60 KB by their links, against wget --recursive --warc-file",
        ours.wall / theirs.wall, 2, unit: "×", note: ours.compared(to: theirs, "wget")),
      .atMost("most memory of the save", ours.memory, memory, unit: "MB"),
    ]
  }

  // MARK: Many pages

  private static func many(_ place: Workplace) throws -> [ResultRow] {
    let start = try place.address() + "/many/"
    return try [500, 5000, manyPages].map { count in
      let data = try place.newFolder("data")
      defer { place.removeFolder(data) }
      let usage = try place.runOffread(
        "save", "--depth", "9", "--max-pages", String(count), "--delay", "0", "--jobs", "8", start,
        data: data, isSilent: true)
      guard usage.output.contains("\(count) of \(count) pages ready") else {
        throw BenchError("save said \(usage.output.suffix(200))")
      }
      return .atMost(
        "most memory of saving \(count) small pages by their links", usage.memory, memory,
        unit: "MB",
        note: ResultRow.text(usage.wall, "s"))
    }
  }

  private static func fileSize(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
