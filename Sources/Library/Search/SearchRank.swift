import GRDB
import GRDBSQLite

// The rank of a match, as an FTS5 auxiliary function: Okapi BM25 without inverse document
// frequency, for which SQLite would have to read every position of every term for each search (a
// tenth of a second for a few frequent words in 100,000 pages). All ranked pages contain all terms,
// so only the relative weight of the terms is lost.

/// The rank of a match; a higher rank is better.
enum SearchRank {
  /// The name of the SQL function; its argument is the table.
  static let name = "closeness"

  /// The weights of the columns: text, title, URL, site, and text outside the content.
  private static let weights = [1.0, 10, 3, 3, 0.2]
  /// The parameter `k1` of BM25 (saturation of term frequency).
  private static let saturation = 1.2
  /// The parameter `b` of BM25 (length normalization).
  private static let lengthWeight = 0.75
  /// The assumed average length of a page in words.
  private static let averageLength = 1000.0
  /// The maximum number of term positions examined per page.
  private static let maxPositions: Int32 = 500

  /// Registers the function with a connection.
  /// - Throws: `DatabaseError` if SQLite rejects it.
  static func install(in db: Database) throws {
    let api = FTS5.api(db)
    let mutable = UnsafeMutablePointer(mutating: api)
    let code = api.pointee.xCreateFunction?(
      mutable, name, nil,
      { api, match, context, _, _ in
        guard let api, let match else { return }
        sqlite3_result_double(context, SearchRank.rank(api.pointee, match))
      }, nil)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: .SQLITE_ERROR) }
  }

  private static func rank(_ api: Fts5ExtensionApi, _ match: OpaquePointer) -> Double {
    var frequencies = [Double](repeating: 0, count: Int(api.xPhraseCount(match)))
    var nearness = Proximity(phrases: frequencies.count)
    var positions: Int32 = 0
    guard api.xInstCount(match, &positions) == SQLITE_OK else { return 0 }
    for position in 0..<min(positions, maxPositions) {
      var (phrase, column, offset): (Int32, Int32, Int32) = (0, 0, 0)
      guard api.xInst(match, position, &phrase, &column, &offset) == SQLITE_OK,
        frequencies.indices.contains(Int(phrase)), weights.indices.contains(Int(column))
      else { continue }
      frequencies[Int(phrase)] += weights[Int(column)]
      if column == 0 { nearness.add(Int(phrase), at: Int(offset)) }
    }
    var length: Int32 = 0
    _ = api.xColumnSize(match, 0, &length)
    let share = 1 - lengthWeight + lengthWeight * Double(length) / averageLength
    let rank = frequencies.reduce(0) { $0 + $1 * (saturation + 1) / ($1 + saturation * share) }
    return rank * (1 + nearness.value)
  }

  /// The proximity of the phrases of a query in the text of a page.
  private struct Proximity {
    /// The last position of each phrase so far; nil if the phrase has not occurred yet.
    private var lastPositions: [Int?]
    /// The number of different phrases found.
    private var foundPhraseCount = 0
    /// The length of the shortest run of words that includes all phrases; `Int.max` if there is
    /// none.
    private var minRunLength = Int.max

    init(phrases: Int) { lastPositions = Array(repeating: nil, count: phrases) }

    /// Adds an occurrence of the phrase with the given index. Positions must be passed in ascending
    /// order.
    mutating func add(_ phrase: Int, at position: Int) {
      guard lastPositions.count > 1 else { return }
      if lastPositions[phrase] == nil { foundPhraseCount += 1 }
      lastPositions[phrase] = position
      guard foundPhraseCount == lastPositions.count else { return }
      let first = lastPositions.lazy.compactMap(\.self).min() ?? position
      minRunLength = min(minRunLength, position - first + 1)
    }

    /// The proximity, from 0 if a phrase does not occur to 1 if all phrases are adjacent.
    var value: Double {
      minRunLength == .max ? 0 : min(1, Double(lastPositions.count) / Double(max(1, minRunLength)))
    }
  }
}
