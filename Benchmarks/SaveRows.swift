import Foundation

/// Saving many pages, compared with wget writing a WARC file, and rebuilding the index of them.
enum SaveRows {
  static let count = 2000
  private static let pageSize = 60_000.0

  static func measure(_ place: Workplace) throws -> [ResultRow] {
    let address = try place.address() + "/page/"
    let folder = try place.newFolder("save")
    defer { place.removeFolder(folder) }
    let list = "\(folder)/urls"
    try (0..<count).map { "\(address)\($0)\n" }.joined()
      .write(toFile: list, atomically: false, encoding: .utf8)
    var wget = Least()
    var single = Least()
    var several = Least()
    var last = ""
    for round in 0..<CacheBench.rounds {
      place.removeFolder("\(folder)/wget")
      wget.note(
        try ChildProcess.run([
          "wget", "-q", "-i", list, "-P", "\(folder)/wget", "--warc-file", "\(folder)/pages",
        ]))
      if !last.isEmpty { place.removeFolder(last) }
      last = "\(folder)/single-\(round)"
      single.note(try place.work("load", last, address, String(count), "1"))
      let data = "\(folder)/several-\(round)"
      several.note(try place.work("load", data, address, String(count), "8"))
      place.removeFolder(data)
    }
    let ours = fileSizes(in: "\(last)/archive")
    let theirs = Double(fileSize("\(folder)/pages.warc.gz"))
    return [
      .atMost(
        "\(count) pages of 60 KB saved one by one, against wget --warc-file",
        single.wall / wget.wall, 2, unit: "×", note: single.compared(to: wget, "wget")),
      .atMost(
        "the same, 8 at a time", several.wall / wget.wall, 2, unit: "×",
        note: several.compared(to: wget, "wget")),
      .plain(
        "size of the segments, against wget's",
        "\(ResultRow.text(ours / theirs, "×")) (\(ResultRow.text(ours / 1e6, "MB")))"),
    ] + (try rebuild(place, last))
  }

  private static func rebuild(_ place: Workplace, _ data: String) throws -> [ResultRow] {
    var times: [Double] = []
    for _ in 0..<CacheBench.rounds {
      for suffix in ["", "-wal", "-shm"] { unlink("\(data)/index.sqlite" + suffix) }
      times.append(try IndexRows.figures(place.work("open", data))[0])
    }
    let seconds = times.min() ?? .nan
    return [
      .atLeast(
        "index of \(count) pages built again, decoded records",
        Double(count) * pageSize / 1e6 / seconds, 50, unit: "MB/s")
    ]
  }

  private static func fileSizes(in folder: String) -> Double {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.map { Double(fileSize("\(folder)/\($0)")) }.reduce(0, +)
  }

  private static func fileSize(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
