/// Maintenance of a library that users wait for: checking all pages, importing a long list,
/// removing a page.
enum LibraryWorkRows {
  private static let checked = 20_000
  private static let listSize = 10 << 20
  private static let segmentSize = 100 << 20

  /// Measures the check of pinned pages in processor time, which matters on battery.
  static func check(_ place: Workplace) throws -> [ResultRow] {
    let data = try place.newFolder("check")
    defer { place.removeFolder(data) }
    _ = try place.work("library", data, String(checked))
    // Builds the index.
    _ = try place.runOffread("list", "--tag", "rare", data: data)
    var least = Least()
    for _ in 0..<CacheBench.rounds {
      let usage = try place.runOffread("check", "--json", data: data)
      least.note(usage)
    }
    return [
      .atMost(
        "check of \(checked) pages, processor time", least.processor, 6, unit: "s",
        note: "\(ResultRow.text(least.wall, "s")) on the clock"),
      .plain("most memory of the check", ResultRow.text(least.memory, "MB")),
    ]
  }

  /// Measures the import of a list of feeds.
  static func importList(_ place: Workplace) throws -> [ResultRow] {
    let folder = try place.newFolder("import")
    defer { place.removeFolder(folder) }
    let list = "\(folder)/feeds.opml"
    let count = try IndexRows.figures(place.work("outlines", list, String(listSize)))[0]
    var least = Least()
    for round in 0..<CacheBench.rounds {
      let usage = try place.runOffread("import", "--quiet", list, data: "\(folder)/\(round)")
      least.note(usage)
    }
    return [
      .atMost(
        "import of an OPML list of 10 MB, \(Int(count)) feeds", least.wall, 5, unit: "s",
        note: "\(ResultRow.text(least.processor, "s")) on processors"),
      .plain("most memory of the import", ResultRow.text(least.memory, "MB")),
    ]
  }

  /// Measures removing a page from a segment that this device wrote, and from the search index.
  static func remove(_ place: Workplace) throws -> [ResultRow] {
    let data = try place.newFolder("remove")
    defer { place.removeFolder(data) }
    _ = try place.work("segment", data, String(segmentSize))
    _ = try place.runOffread("search", "--quiet", "--limit", "1", "ba*", data: data)
    var least = Least()
    for round in 0..<CacheBench.rounds {
      least.note(
        try place.runOffread("remove", LibraryWorker.address(of: 7 + round), data: data))
    }
    return [
      .atMost(
        "one page removed from a segment of 100 MB, start to end of the process", least.wall, 1,
        unit: "s", note: "\(ResultRow.text(least.processor, "s")) on processors")
    ]
  }
}
