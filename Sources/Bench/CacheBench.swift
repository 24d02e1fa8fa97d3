/// The rows of `scripts/bench cache`.
struct CacheBench: Sendable {
  let name: String
  let measure: @Sendable (Workplace) throws -> [ResultRow]

  /// How often what is compared is run, one after the other in turn. The least of each counts: what
  /// else the machine does can only add.
  static let rounds = 3

  private static let all = [
    CacheBench(name: "index", measure: IndexRows.measure),
    CacheBench(name: "hit", measure: HitRow.measure),
    CacheBench(name: "small", measure: SmallGetRows.measure),
    CacheBench(name: "body", measure: LargeBodyRows.measure),
    CacheBench(name: "save", measure: SaveRows.measure),
    CacheBench(name: "catchup", measure: CatchUpRow.measure),
  ]

  /// The rows with these names, or all of them.
  static func rows(named names: [String]) throws -> [CacheBench] {
    for name in names where !all.contains(where: { $0.name == name }) {
      throw BenchError("no row \(name); there are \(all.map(\.name).joined(separator: ", "))")
    }
    return names.isEmpty ? all : all.filter { names.contains($0.name) }
  }
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
