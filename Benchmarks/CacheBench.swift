/// A group of figures that are measured together.
struct BenchRow: Sendable {
  let name: String
  let measure: @Sendable (Workplace) throws -> [ResultRow]
}

extension [BenchRow] {
  /// Returns the rows with these names, or all rows if there are no names.
  func named(_ names: [String]) throws -> [BenchRow] {
    for name in names where !contains(where: { $0.name == name }) {
      throw BenchError("no row \(name); there are \(map(\.name).joined(separator: ", "))")
    }
    return names.isEmpty ? self : filter { names.contains($0.name) }
  }
}

/// The rows of `scripts/bench cache`.
enum CacheBench {
  /// The number of alternating runs of programs to compare. The minimum of each is used, because
  /// other work on the device can only add to the time.
  static let rounds = 3

  static let rows = [
    BenchRow(name: "index", measure: IndexRows.measure),
    BenchRow(name: "hit", measure: HitRow.measure),
    BenchRow(name: "small", measure: SmallGetRows.measure),
    BenchRow(name: "body", measure: LargeBodyRows.measure),
    BenchRow(name: "slow", measure: StreamRows.receive),
    BenchRow(name: "upload", measure: StreamRows.send),
    BenchRow(name: "threads", measure: StreamRows.loadAtOnce),
    BenchRow(name: "save", measure: SaveRows.measure),
    BenchRow(name: "catchup", measure: CatchUpRow.measure),
    BenchRow(name: "cdxj", measure: ExchangeRows.index),
  ]
}

/// The minimum figures of several runs of the same work.
struct Least {
  private(set) var wall = Double.infinity
  private(set) var processor = Double.infinity
  private(set) var lastByte = Double.infinity
  /// The maximum memory.
  private(set) var memory = 0.0

  mutating func note(_ usage: Usage) {
    wall = min(wall, usage.wall)
    processor = min(processor, usage.processor)
    lastByte = min(lastByte, usage.lastByte)
    memory = max(memory, usage.memory)
  }

  /// Returns wall and processor time compared with those of another program.
  func compared(to other: Least, _ name: String) -> String {
    let walls = "\(ResultRow.text(wall, "s")) : \(ResultRow.text(other.wall, "s"))"
    let ratio = ResultRow.text(processor / other.processor, "×")
    return "\(walls) of \(name); processor time \(ratio)"
  }
}
