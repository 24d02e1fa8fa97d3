import Foundation

/// Content of 500 MB that neither side holds in memory, and many loads at the same time.
enum StreamRows {
  /// The number of bytes, in MB.
  static let size = 500
  private static let loadCount = 2000

  /// 500 MB through a URLSession whose delegate is slower than the server.
  static func receive(_ place: Workplace) throws -> [ResultRow] {
    let folder = try place.newFolder("slow")
    defer { place.removeFolder(folder) }
    let usage = try place.work("slow", folder, "\(try place.address())/noise/\(size)")
    return [
      .atMost(
        "\(size) MB through a slow delegate of a URLSession: most memory", usage.memory, 100,
        unit: "MB", note: "in \(ResultRow.text(usage.wall, "s"))")
    ]
  }

  /// 500 MB of a stream to a server that is slower than the stream.
  static func send(_ place: Workplace) throws -> [ResultRow] {
    let folder = try place.newFolder("upload")
    defer { place.removeFolder(folder) }
    let usage = try place.work("upload", folder, "\(try place.address())/upload")
    return [
      .atMost(
        "sending a stream of \(size) MB: most memory", usage.memory, 100, unit: "MB",
        note: "in \(ResultRow.text(usage.wall, "s"))")
    ]
  }

  /// Loads that all run at the same time, and the threads of their process.
  static func loadAtOnce(_ place: Workplace) throws -> [ResultRow] {
    let folder = try place.newFolder("threads")
    defer { place.removeFolder(folder) }
    let usage = try place.work(
      "threads", folder, "\(try place.address())/small/", String(loadCount))
    guard let threads = Double(usage.output.trimmingCharacters(in: .whitespacesAndNewlines)),
      threads > 0
    else {
      throw BenchError("no number of threads")
    }
    return [
      .atMost(
        "\(loadCount) loads at the same time, all correct: most threads", threads, 10, unit: "",
        note: "\(ResultRow.text(usage.memory, "MB")), in \(ResultRow.text(usage.wall, "s"))")
    ]
  }
}
