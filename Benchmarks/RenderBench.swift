import ReaderMode
import Foundation
import Document
import Layout

// The speed of displaying pages. Processor time is compared with that of other programs on the same
// page, in alternating runs, without their startup time. The minimum of each is used.

/// The rows of `scripts/bench render`.
enum RenderBench {
  static let rows = [
    BenchRow(name: "parse", measure: parse),
    BenchRow(name: "linear", measure: linear),
    BenchRow(name: "programs", measure: programs),
    BenchRow(name: "memory", measure: memory),
    BenchRow(name: "small", measure: small),
    BenchRow(name: "table", measure: table),
    BenchRow(name: "paint", measure: paint),
    BenchRow(name: "reader", measure: reader),
    BenchRow(name: "bidi", measure: bidi),
  ]

  private static let rounds = 5

  private static func page(_ place: Workplace, _ size: Int) throws -> String {
    let path = "\(place.folder)/page-\(size).html"
    if !FileManager.default.fileExists(atPath: path) {
      _ = try place.work("page", path, String(size))
    }
    return path
  }

  /// Returns a readable number of bytes.
  static func size(_ size: Int) -> String {
    size < 1_000_000 ? "\(size / 1000) KB" : megabytes(size)
  }

  private static func megabytes(_ size: Int) -> String {
    let tenths = size / 100_000
    return tenths % 10 == 0 ? "\(tenths / 10) MB" : "\(tenths / 10).\(tenths % 10) MB"
  }

  /// Writes an empty page. Its dump measures the startup time, which is subtracted from net
  /// figures.
  private static func emptyPage(_ place: Workplace) throws -> String {
    let path = "\(place.folder)/empty.html"
    try Data().write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Runs commands alternately, several times.
  private static func compare(_ commands: [[String]]) throws -> [Least] {
    var results = Array(repeating: Least(), count: commands.count)
    for _ in 0..<rounds {
      for (index, command) in commands.enumerated() {
        results[index].note(try ChildProcess.run(command))
      }
    }
    return results
  }

  // MARK: Processor time

  private static func parse(_ place: Workplace) throws -> [ResultRow] {
    let empty = try emptyPage(place)
    return try [200_000, 1_000_000, 5_000_000, 20_000_000].map { size in
      let page = try page(place, size)
      let runs = try compare([
        [place.offread, "dump", page], [place.offread, "dump", empty],
        ["xmllint", "--html", "--noout", page], ["xmllint", "--html", "--noout", empty],
      ])
      let ours = (runs[0].processor - runs[1].processor) * 1e3
      let theirs = (runs[2].processor - runs[3].processor) * 1e3
      return .atMost(
        "dump of \(megabytes(size)), net, against xmllint --html --noout", ours / theirs, 1.25,
        unit: "×",
        note: "\(ResultRow.text(ours, "ms")) : \(ResultRow.text(theirs, "ms"))")
    }
  }

  private static func linear(_ place: Workplace) throws -> [ResultRow] {
    let sizes = [2_500_000, 5_000_000, 10_000_000, 20_000_000]
    var costs: [Double] = []
    for size in sizes {
      let runs = try compare([
        [place.offread, "dump", try page(place, size)],
        [place.offread, "dump", try emptyPage(place)],
      ])
      costs.append((runs[0].processor - runs[1].processor) * 1e9 / Double(size))
    }
    let list = costs.map { ResultRow.text($0, "") }.joined(separator: ", ")
    return [
      .atMost(
        "cost of a byte in 20 MB against that in 2.5 MB", costs[3] / costs[0], 1.25, unit: "×",
        note: "\(list) ns in 2.5, 5, 10 and 20 MB")
    ]
  }

  /// Other programs, with the minimum size of pages for which offread should be faster.
  private static let others: [(name: String, words: [String], from: Int)] = [
    ("w3m", ["w3m", "-dump"], 500_000), ("lynx", ["lynx", "-dump"], 500_000),
    ("elinks", ["elinks", "-dump"], 500_000), ("links2", ["links2", "-dump"], 2_000_000),
  ]

  private static func programs(_ place: Workplace) throws -> [ResultRow] {
    try others.flatMap { other -> [ResultRow] in
      guard Workplace.isInstalled(other.name) else {
        return [.plain("dump as a whole process, against \(other.name)", "not installed")]
      }
      return try [500_000, 2_000_000].filter { $0 >= other.from }.map { size in
        let page = try page(place, size)
        let runs = try compare([[place.offread, "dump", page], other.words + [page]])
        return .atMost(
          "dump of \(megabytes(size)) as a whole process, against \(other.name) -dump",
          runs[0].processor / runs[1].processor, 1, unit: "×",
          note: "\(ResultRow.text(runs[0].processor * 1e3, "ms")) : "
            + ResultRow.text(runs[1].processor * 1e3, "ms"))
      }
    }
  }

  private static func memory(_ place: Workplace) throws -> [ResultRow] {
    try [5_000_000, 20_000_000].map { size in
      let usage = try ChildProcess.run([place.offread, "dump", try page(place, size)])
      return .atMost(
        "most memory for a page of \(megabytes(size))", usage.memory, 6 * Double(size) / 1e6 + 25,
        unit: "MB")
    }
  }

  private static func small(_ place: Workplace) throws -> [ResultRow] {
    let page = try page(place, 10_000)
    var times: [Double] = []
    for _ in 0..<20 {
      times.append(try ChildProcess.run([place.offread, "dump", page]).wall * 1e3)
    }
    return [
      .atMost(
        "dump of 10 KB, process start to end, median of 20", times.median, 14, unit: "ms",
        note: "least \(ResultRow.text(times.min() ?? .nan, "ms"))")
    ]
  }

  private static func table(_ place: Workplace) throws -> [ResultRow] {
    var costs: [Double] = []
    for rows in [2500, 10_000] {
      let path = "\(place.folder)/table-\(rows).html"
      _ = try place.work("table", path, String(rows), "50")
      let runs = try compare([
        [place.offread, "dump", "--width", "500", path],
        [place.offread, "dump", try emptyPage(place)],
      ])
      costs.append((runs[0].processor - runs[1].processor) * 1e9 / Double(50 * rows))
    }
    return [
      .atMost(
        "cost of a cell of 10,000 × 50 against one of 2500 × 50", costs[1] / costs[0], 1.25,
        unit: "×", note: "\(ResultRow.text(costs[1], "ns")), parsing and writing included")
    ]
  }

  // MARK: Reader view

  private static func reader(_ place: Workplace) throws -> [ResultRow] {
    try [200_000, 1_000_000, 5_000_000].map { size in
      let page = try page(place, size)
      let runs = try compare([
        [place.offread, "dump", "--reader", page], [place.offread, "dump", page],
        [place.offread, "dump", try emptyPage(place)],
      ])
      let content = (runs[0].processor - runs[2].processor) * 1e3
      let whole = (runs[1].processor - runs[2].processor) * 1e3
      return .atMost(
        "dump --reader of \(megabytes(size)), net, against dump", content / whole, 1.5, unit: "×",
        note: "\(ResultRow.text(content, "ms")) : \(ResultRow.text(whole, "ms"))")
    }
  }

  // MARK: First paint

  private static func paint(_ place: Workplace) throws -> [ResultRow] {
    var figures: [[Double]] = []
    for size in [1_000_000, 20_000_000] {
      let output = try place.work("paint", try page(place, size)).output
      figures.append(output.split(separator: "\n").compactMap { Double($0) })
    }
    guard figures.allSatisfy({ $0.count == 2 }) else { throw BenchError("nothing was laid out") }
    let all = figures.map { ResultRow.text($0[1] * 1e3, "ms") }.joined(separator: "; ")
    return [
      .atMost(
        "layout until the first screens of 20 MB, against that of 1 MB",
        figures[1][0] / figures[0][0], 2, unit: "×",
        note: figures.map { ResultRow.text($0[0] * 1e3, "ms") }.joined(separator: "; ")
          + " of \(all) for the whole")
    ]
  }

  /// Prints the seconds until the first screens of a page are laid out, and until all of it is.
  static func paint(_ path: String) throws {
    let document = Document(bytes: Array(try Data(contentsOf: URL(fileURLWithPath: path))))
    var first = Double.infinity
    var whole = Double.infinity
    for _ in 0..<rounds {
      let start = Clock.now
      var builder = PageLayout.Builder(document, options: LayoutOptions(width: 80))
      builder.layOut(minLines: 2000)
      first = min(first, Clock.now - start)
      builder.layOut()
      whole = min(whole, Clock.now - start)
    }
    print(first)
    print(whole)
  }
}
