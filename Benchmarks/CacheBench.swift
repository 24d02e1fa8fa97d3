/// A group of figures that are measured together.
struct BenchRow: Sendable {
  let name: String
  let measure: @Sendable (Workplace) throws -> [ResultRow]
}

extension [BenchRow] {
  /// Those with these names, or all of them.
  func named(_ names: [String]) throws -> [BenchRow] {
    for name in names where !contains(where: { $0.name == name }) {
      throw BenchError("no row \(name); there are \(map(\.name).joined(separator: ", "))")
    }
    return names.isEmpty ? self : filter { names.contains($0.name) }
  }
}

/// The rows of `scripts/bench cache`.
enum CacheBench {
  /// How often what is compared is run, one after the other in turn. The least of each counts: what
  /// else the machine does can only add.
  static let rounds = 3

  static let rows = [
    BenchRow(name: "index", measure: IndexRows.measure),
    BenchRow(name: "hit", measure: HitRow.measure),
    BenchRow(name: "small", measure: SmallGetRows.measure),
    BenchRow(name: "body", measure: LargeBodyRows.measure),
    BenchRow(name: "save", measure: SaveRows.measure),
    BenchRow(name: "catchup", measure: CatchUpRow.measure),
    BenchRow(name: "cdxj", measure: ExchangeRows.index),
  ]
}

/// The least of several runs of the same thing.
struct Least {
  private(set) var wall = Double.infinity
  private(set) var processor = Double.infinity
  private(set) var lastByte = Double.infinity
  /// The most, of memory.
  private(set) var memory = 0.0

  mutating func note(_ usage: Usage) {
    wall = min(wall, usage.wall)
    processor = min(processor, usage.processor)
    lastByte = min(lastByte, usage.lastByte)
    memory = max(memory, usage.memory)
  }

  /// Wall and processor time beside those of something else.
  func compared(to other: Least, _ name: String) -> String {
    let walls = "\(ResultRow.text(wall, "s")) : \(ResultRow.text(other.wall, "s"))"
    let ratio = ResultRow.text(processor / other.processor, "×")
    return "\(walls) of \(name); processor time \(ratio)"
  }
}
