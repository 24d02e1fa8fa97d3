import Foundation

/// A stored page, from the start of the process to the last byte of output.
enum HitRow {
  private static let runs = 20

  static func measure(_ place: Workplace) throws -> [ResultRow] {
    let data = try place.newFolder("hit")
    defer { place.removeFolder(data) }
    let url = try place.address() + "/hit"
    _ = try place.runOffread("fetch", url, data: data)
    var times: [Double] = []
    var usages: [Usage] = []
    for _ in 0..<runs {
      let usage = try place.runOffread("fetch", "--mode", "network-first", url, data: data)
      guard usage.bytes > 50_000 else { throw BenchError("a stored page came as \(usage.bytes)") }
      times.append(usage.lastByte)
      usages.append(usage)
    }
    let processor = usages.map(\.processor).median * 1e3
    let ends = usages.map(\.wall).median * 1e3
    return [
      .atMost(
        "stored page of 50 KB, process start to last byte, median of \(runs)",
        times.median * 1e3, 15, unit: "ms",
        note: "least \(ResultRow.text((times.min() ?? .nan) * 1e3, "ms")); to the end of the "
          + "process \(ResultRow.text(ends, "ms")); processor \(ResultRow.text(processor, "ms"))")
    ]
  }
}

/// Many small responses that are saved, compared with curl with one connection and with several.
enum SmallGetRows {
  static let count = 2000

  static func measure(_ place: Workplace) throws -> [ResultRow] {
    let address = try place.address() + "/small/"
    let folder = try place.newFolder("small")
    defer { place.removeFolder(folder) }
    let list = "\(folder)/urls"
    let lines = (0..<count).map { "url = \"\(address)\($0)\"\noutput = \"/dev/null\"\n" }
    try lines.joined().write(toFile: list, atomically: false, encoding: .utf8)
    return try [1, 16].map { width in
      var ours = Least()
      var theirs = Least()
      let parallel = width == 1 ? [] : ["--parallel", "--parallel-max", String(width)]
      for _ in 0..<CacheBench.rounds {
        let quiet = ["-s", "--no-progress-meter"]
        theirs.note(try ChildProcess.run(["curl"] + quiet + parallel + ["-K", list]))
        let data = try place.newFolder("data")
        defer { place.removeFolder(data) }
        ours.note(try place.work("load", data, address, String(count), String(width)))
      }
      return .atMost(
        "\(count) answers of 1 KB, \(width == 1 ? "one by one" : "\(width) at a time"), against curl",
        ours.wall / theirs.wall, 6, unit: "×", note: ours.compared(to: theirs, "curl"))
    }
  }
}

/// Large bodies, compared with `curl -o FILE`.
enum LargeBodyRows {
  static func measure(_ place: Workplace) throws -> [ResultRow] {
    try measure(place, "noise", 100, isTarget: true, memory: 80)
      + measure(place, "noise", 200, isTarget: false, memory: 100)
      + measure(place, "text", 100, isTarget: false, memory: 80)
  }

  private static func measure(
    _ place: Workplace, _ kind: String, _ size: Int, isTarget: Bool, memory: Double
  ) throws -> [ResultRow] {
    let url = try place.address() + "/\(kind)/\(size)"
    let data = try place.newFolder("body")
    defer { place.removeFolder(data) }
    var ours = Least()
    var theirs = Least()
    for _ in 0..<CacheBench.rounds {
      theirs.note(try ChildProcess.run(["curl", "-s", "-o", "\(data)/curl", url]))
      let usage = try place.runOffread("fetch", url, data: "\(data)/archive")
      guard usage.bytes == size << 20 else { throw BenchError("\(url) came incomplete") }
      ours.note(usage)
      place.removeFolder("\(data)/archive")
    }
    let name = "\(size) MB of \(kind == "noise" ? "a compressed type" : "text")"
    let last = ours.lastByte / theirs.wall
    let complete = ours.wall / theirs.wall
    let note = ours.compared(to: theirs, "curl -o")
    let times: [ResultRow] =
      isTarget
      ? [
        .atMost("\(name): last byte, against curl -o FILE", last, 4, unit: "×"),
        .atMost("\(name): record complete", complete, 8, unit: "×", note: note),
      ]
      : [
        .plain("\(name): last byte, against curl -o FILE", ResultRow.text(last, "×")),
        .plain("\(name): record complete", "\(ResultRow.text(complete, "×")) (\(note))"),
      ]
    return times + [.atMost("\(name): most memory", ours.memory, memory, unit: "MB")]
  }
}
