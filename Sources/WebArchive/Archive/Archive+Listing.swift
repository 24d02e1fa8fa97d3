import Foundation
import GRDB

extension Archive {
  /// The good versions, and what was rendered of pages, in the order in which they came into the index, for who
  /// follows it.
  /// - Parameters:
  ///   - row: only those after this row.
  ///   - limit: the most that are given.
  /// - Returns: the versions with their rows; rows begin anew when the index was built again.
  /// - Throws: `ArchiveError.unreadable`.
  package func readVersions(
    after row: Int64, limit: Int
  ) throws(ArchiveError) -> [(row: Int64, stored: StoredResponse)] {
    try index.whole { index throws(IndexError) in
      try index.readVersions(after: row, limit: limit).map { ($0.row, $0.version.stored) }
    }
  }

  /// The newest good version of each of some keys; for lists, which ask for many at a time.
  /// - Parameter keys: the keys; those of which nothing is saved are passed over.
  /// - Returns: the versions by their keys.
  /// - Throws: `ArchiveError.unreadable`.
  package func newest(
    of keys: some Sequence<String>
  ) throws(ArchiveError) -> [String: StoredResponse] {
    try index.whole { index throws(IndexError) in try index.newest(of: keys) }
  }

  /// The keys that begin with a prefix and have a good version.
  /// - Parameters:
  ///   - prefix: the beginning, as a key has it.
  ///   - limit: the most that are given.
  /// - Returns: the keys, sorted.
  /// - Throws: `ArchiveError.unreadable`.
  package func keys(prefix: String, limit: Int) throws(ArchiveError) -> [String] {
    try index.whole { index throws(IndexError) in try index.keys(prefix: prefix, limit: limit) }
  }

  /// The keys that have a good version, for who goes through all of them.
  /// - Parameters:
  ///   - key: only those that sort after it.
  ///   - limit: the most that are given.
  /// - Returns: the keys, sorted.
  /// - Throws: `ArchiveError.unreadable`.
  package func keys(from key: String, limit: Int) throws(ArchiveError) -> [String] {
    try index.whole { index throws(IndexError) in try index.keys(from: key, limit: limit) }
  }

  /// The keys that have any version, also one that is not trusted or damaged.
  /// - Parameters:
  ///   - key: only those that sort after it.
  ///   - limit: the most that are given.
  /// - Returns: the keys, sorted.
  /// - Throws: `ArchiveError.unreadable`.
  package func allKeys(after key: String, limit: Int) throws(ArchiveError) -> [String] {
    try catchUp()
    return try index.whole { index throws(IndexError) in try index.allKeys(after: key, limit: limit)
    }
  }

  /// The number of the last row of the index; 0 when there is none.
  /// - Throws: `ArchiveError.unreadable`.
  package func lastRow() throws(ArchiveError) -> Int64 {
    try index.whole { index throws(IndexError) in try index.lastRow() }
  }
}
