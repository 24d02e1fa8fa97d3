public import Foundation
import GRDB

/// Damages files in random ways that are the same on every run.
public struct FileMutator {
  /// The source of randomness.
  public var random: SplitMix64
  private let page: Int

  /// Creates a mutator.
  /// - Parameters:
  ///   - seed: The seed of the random sequence.
  ///   - page: The page size of the file format in bytes.
  public init(seed: UInt64, page: Int) {
    random = SplitMix64(seed: seed)
    self.page = page
  }

  /// Damages bytes.
  /// - Returns: A description of the damage.
  public mutating func damage(_ bytes: inout [UInt8]) -> String {
    guard !bytes.isEmpty else { return "nothing" }
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1:
      let positions = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        Int.random(in: bytes.indices, using: &random)
      }
      for position in positions { bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
      return "flipped bits at \(positions)"
    case 2:
      let range = pageRange(of: bytes)
      for position in range { bytes[position] = 0 }
      return "zeroed \(range)"
    case 3:
      let range = pageRange(of: bytes)
      for position in range { bytes[position] = UInt8.random(in: 0...255, using: &random) }
      return "noise at \(range)"
    case 4:
      bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
      return "cut to \(bytes.count)"
    case 5:
      let (one, other) = (pageRange(of: bytes), pageRange(of: bytes))
      let (first, second) = (Array(bytes[one]), Array(bytes[other]))
      guard first.count == second.count else { return "nothing" }
      bytes.replaceSubrange(one, with: second)
      bytes.replaceSubrange(other, with: first)
      return "swapped \(one) and \(other)"
    case 6:
      let (from, to) = (pageRange(of: bytes), pageRange(of: bytes))
      let copy = Array(bytes[from])
      bytes.replaceSubrange(to, with: copy)
      return "\(to) overwritten by \(from)"
    default:
      let position = Int.random(in: 0..<min(100, bytes.count), using: &random)
      bytes[position] = UInt8.random(in: 0...255, using: &random)
      return "another byte at \(position)"
    }
  }

  private mutating func pageRange(of bytes: [UInt8]) -> Range<Int> {
    let start = Int.random(in: 0..<(bytes.count + page - 1) / page, using: &random) * page
    return start..<min(start + page, bytes.count)
  }
}

/// Damages SQLite files, by changing their bytes or by SQL statements of foreign programs.
public struct DatabaseMutator {
  private var files: FileMutator
  private let columns: [(table: String, column: String)]
  private static let values = ["NULL", "x'fffe'", "'words'", "zeroblob(3)", "1.5", "-1"]

  /// Creates a mutator.
  /// - Parameters:
  ///   - seed: The seed of the random sequence.
  ///   - columns: Required numeric columns as `table.column`. They are also overwritten by
  ///     statements that update the page checksums.
  public init(seed: UInt64, columns: [String]) {
    files = FileMutator(seed: seed, page: 4096)
    self.columns = columns.compactMap { name in
      let parts = name.split(separator: ".").map(String.init)
      return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
  }

  /// Writes a damaged copy of a database.
  /// - Parameters:
  ///   - bytes: The whole database.
  ///   - file: The destination; auxiliary files beside it are removed.
  /// - Returns: A description of the damage.
  /// - Throws: The error if the file cannot be written.
  public mutating func write(_ bytes: [UInt8], damagedTo file: URL) throws -> String {
    for suffix in ["-wal", "-shm", ".damaged", ".damaged-wal"] {
      try? FileManager.default.removeItem(atPath: file.path + suffix)
    }
    var damaged = bytes
    let kind = Int.random(in: 0..<10, using: &files.random)
    let text = kind < 7 ? files.damage(&damaged) : ""
    try Data(damaged).write(to: file)
    guard kind >= 7 else { return text }
    let (address, isSealed) =
      kind == 9 ? ("file:\(Self.escaped(file.path))?vfs=offread", true) : (file.path, false)
    let queue = try DatabaseQueue(path: address)
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction { try damage($0, isSealed: isSealed) }
  }

  private mutating func damage(_ db: Database, isSealed: Bool) throws -> String {
    let all = try Row.fetchAll(
      db, sql: "SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite%' ORDER BY name")
    var statements: [String] = []
    if Bool.random(using: &files.random), Bool.random(using: &files.random),
      let one = all.randomElement(using: &files.random)
    {
      statements = ["DROP \(one["type"] as String) \(one["name"] as String)"]
    } else if let (table, column) = try column(db, isSealed: isSealed, all) {
      let values = isSealed ? Array(Self.values.prefix(3)) : Self.values
      let value = values.randomElement(using: &files.random) ?? "NULL"
      if value == "NULL" {
        let version = try Int.fetchOne(db, sql: "PRAGMA schema_version") ?? 0
        statements = [
          "PRAGMA writable_schema = ON",
          "UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '')",
          "PRAGMA schema_version = \(version + 1)", "PRAGMA writable_schema = OFF",
        ]
      }
      statements.append("UPDATE OR IGNORE \"\(table)\" SET \"\(column)\" = \(value)")
    }
    for statement in statements {
      // SQLite rejects some of these statements.
      try? db.execute(sql: statement)
    }
    return (isSealed ? "with checksums: " : "") + statements.joined(separator: "; ")
  }

  private mutating func column(
    _ db: Database, isSealed: Bool, _ all: [Row]
  ) throws -> (String, String)? {
    if isSealed { return columns.randomElement(using: &files.random) }
    let tables = all.filter { $0["type"] == "table" }.map { $0["name"] as String }
    guard let table = tables.randomElement(using: &files.random) else { return nil }
    let names = try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('\(table)')")
    return names.randomElement(using: &files.random).map { (table, $0) }
  }

  private static func escaped(_ path: String) -> String {
    path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
  }
}
