/// Opening an archive and looking up entries, at three sizes.
enum IndexRows {
  private static let sizes = [10_000, 100_000, 1_000_000]
  private static let lookups = 20_000

  static func measure(_ place: Workplace) throws -> [ResultRow] {
    var rows: [ResultRow] = []
    var middles: [Double] = []
    var tails: [Double] = []
    for size in sizes {
      let folder = try place.newFolder("index")
      defer { place.removeFolder(folder) }
      _ = try place.work("archive", folder, String(size), "4")
      let built = try figures(place.work("open", folder))[0]
      rows.append(.plain("\(size) entries: taken into an index", ResultRow.text(built, "s")))
      var opens: [Double] = []
      var runs: [[Double]] = []
      for _ in 0..<5 {
        runs.append(
          try figures(place.work("lookup", folder, String(size), String(lookups))))
        opens.append(runs.last?[0] ?? .nan)
      }
      let middle = runs.map { $0[1] }.min() ?? .nan
      let tail = runs.map { $0[2] }.min() ?? .nan
      middles.append(middle)
      tails.append(tail)
      rows += [
        .atMost("\(size) entries: open, median", opens.median * 1e3, 10, unit: "ms"),
        .atMost("\(size) entries: look-up, p50", middle * 1e6, 50, unit: "µs"),
        .atMost("\(size) entries: look-up, p99", tail * 1e6, 500, unit: "µs"),
      ]
    }
    if let first = middles.first, let last = middles.last, let a = tails.first, let b = tails.last {
      rows.append(
        .atMost(
          "look-up, growth of p50 from the first to the last", last / first, 1.5, unit: "×",
          note: "p99 \(ResultRow.text(b / a, "×"))"))
    }
    return rows
  }

  /// Returns the numbers that a worker printed.
  static func figures(_ usage: Usage) throws -> [Double] {
    let numbers = usage.output.split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }
    guard !numbers.isEmpty else { throw BenchError("a worker wrote no figures") }
    return numbers
  }
}

/// Detecting that nothing has changed in an archive with many segments.
enum CatchUpRow {
  static func measure(_ place: Workplace) throws -> [ResultRow] {
    let folder = try place.newFolder("catchup")
    defer { place.removeFolder(folder) }
    _ = try place.work("archive", folder, "5000", "100")
    _ = try place.work("open", folder)
    let seconds = try IndexRows.figures(place.work("catchup", folder))
    return [
      .atMost(
        "catch-up of 100 unchanged segments, median of 20", seconds.median * 1e3, 5, unit: "ms")
    ]
  }
}
