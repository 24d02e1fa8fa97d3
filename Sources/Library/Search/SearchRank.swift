import GRDB
import GRDBSQLite

// How good a match is, as a function of the index (an auxiliary function of SQLite's FTS5). It is
// that of Okapi BM25 without the part that asks how rare a word is in all pages: to count that,
// SQLite reads every place of every word for each search, a tenth of a second for a few frequent
// words in 100,000 pages. All pages that are ranked have all words; so what is lost is only which
// of them weighs more.

/// The rank of a match: the higher the better.
enum SearchRank {
  /// The name of the function in SQL; its argument is the table.
  static let name = "closeness"

  /// What each column counts: text, title, address, site, and what is beside the text.
  private static let weights = [1.0, 10, 3, 3, 0.2]
  /// How soon more of the same word counts no more (`k1` of BM25), and how much length counts
  /// (`b`).
  private static let saturation = 1.2
  private static let lengthShare = 0.75
  /// How many words the text of a page has that is neither short nor long.
  private static let usualLength = 1000.0
  /// As many places of words are looked at in a page.
  private static let mostPlaces: Int32 = 500

  /// Makes the function known to a connection.
  /// - Throws: `DatabaseError` when SQLite refuses.
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
    var nearness = Nearness(phrases: frequencies.count)
    var places: Int32 = 0
    guard api.xInstCount(match, &places) == SQLITE_OK else { return 0 }
    for place in 0..<min(places, mostPlaces) {
      var (phrase, column, offset): (Int32, Int32, Int32) = (0, 0, 0)
      guard api.xInst(match, place, &phrase, &column, &offset) == SQLITE_OK,
        frequencies.indices.contains(Int(phrase)), weights.indices.contains(Int(column))
      else { continue }
      frequencies[Int(phrase)] += weights[Int(column)]
      if column == 0 { nearness.add(Int(phrase), at: Int(offset)) }
    }
    var length: Int32 = 0
    _ = api.xColumnSize(match, 0, &length)
    let share = 1 - lengthShare + lengthShare * Double(length) / usualLength
    let rank = frequencies.reduce(0) { $0 + $1 * (saturation + 1) / ($1 + saturation * share) }
    return rank * (1 + nearness.value)
  }

  /// The proximity of the phrases of a query in the text of a page.
  private struct Nearness {
    /// The last position of each phrase, or -1.
    private var last: [Int]
    /// The number of phrases found, and the length of the shortest run of words that includes all
    /// of them.
    private var count = 0
    private var shortest = Int.max

    init(phrases: Int) { last = Array(repeating: -1, count: phrases) }

    /// Adds an occurrence of a phrase. Positions must be passed in ascending order.
    mutating func add(_ phrase: Int, at place: Int) {
      guard last.count > 1 else { return }
      if last[phrase] < 0 { count += 1 }
      last[phrase] = place
      guard count == last.count else { return }
      shortest = min(shortest, place - (last.min() ?? place) + 1)
    }

    /// A value from 0, if a phrase does not occur, to 1, if all phrases are adjacent.
    var value: Double {
      shortest == .max ? 0 : min(1, Double(last.count) / Double(max(1, shortest)))
    }
  }
}
