import Foundation
import GRDB
package import WARC

extension Archive {
  /// Returns good versions and rendered pages in the order in which they were added to the index,
  /// for a caller that follows the index.
  /// - Parameters:
  ///   - row: only versions after this row are returned.
  ///   - limit: maximum number of versions.
  /// - Returns: the versions with their rows. Row numbers start again when the index is rebuilt.
  /// - Throws: `ArchiveError.unreadable`.
  package func readVersions(
    after row: Int64, limit: Int
  ) throws(ArchiveError) -> [(row: Int64, stored: StoredResponse)] {
    try index.withCompleteIndex { index throws(IndexError) in
      try index.readVersions(after: row, limit: limit).map { ($0.row, $0.version.stored) }
    }
  }

  /// Returns the newest good version of each of several keys, for lists.
  /// - Parameter keys: the keys; those without a good version are skipped.
  /// - Returns: the versions by key.
  /// - Throws: `ArchiveError.unreadable`.
  package func newest(
    of keys: some Sequence<String>
  ) throws(ArchiveError) -> [String: StoredResponse] {
    try index.withCompleteIndex { index throws(IndexError) in try index.newest(of: keys) }
  }

  /// Returns the content of the newest good version of each of several keys. This is several times
  /// as fast as `newest`.
  /// - Parameter keys: the keys; those without a good version are skipped.
  /// - Returns: the contents by key.
  /// - Throws: `ArchiveError.unreadable`.
  package func newestContents(
    of keys: some Sequence<String>
  ) throws(ArchiveError) -> [String: SavedContent] {
    try index.withCompleteIndex { index throws(IndexError) in try index.newestContents(of: keys) }
  }

  /// Returns the keys that redirect to a key, directly or through other redirects, and whose
  /// trusted versions are all such redirects.
  package func redirects(to key: String) throws(ArchiveError) -> Set<String> {
    let found = try index.withCompleteIndex { index throws(IndexError) in
      try index.redirects(to: [key], keyOf: maintenance.keyOf)
    }
    return Set(found.joined().map(\.stored.key))
  }

  /// Returns the keys with a good version that begin with a prefix.
  /// - Parameters:
  ///   - prefix: the prefix of the keys.
  ///   - limit: maximum number of keys.
  /// - Returns: the keys, sorted.
  /// - Throws: `ArchiveError.unreadable`.
  package func keys(prefix: String, limit: Int) throws(ArchiveError) -> [String] {
    try index.withCompleteIndex { index throws(IndexError) in
      try index.keys(prefix: prefix, limit: limit)
    }
  }

  /// Returns keys with a good version, for a caller that iterates over all of them.
  /// - Parameters:
  ///   - key: only keys that sort after this one are returned.
  ///   - limit: maximum number of keys.
  /// - Returns: the keys, sorted.
  /// - Throws: `ArchiveError.unreadable`.
  package func keys(from key: String, limit: Int) throws(ArchiveError) -> [String] {
    try index.withCompleteIndex { index throws(IndexError) in
      try index.keys(from: key, limit: limit)
    }
  }

  /// Updates the index, and returns keys with any version, including untrusted and damaged ones.
  /// - Parameters:
  ///   - key: only keys that sort after this one are returned.
  ///   - limit: maximum number of keys.
  /// - Returns: the keys, sorted.
  /// - Throws: `ArchiveError.unreadable`.
  package func allKeys(after key: String, limit: Int) throws(ArchiveError) -> [String] {
    try catchUp()
    return try index.withCompleteIndex { index throws(IndexError) in
      try index.allKeys(after: key, limit: limit)
    }
  }

  /// Returns the number of records of a segment that refer to a record that is not in the archive.
  /// - Throws: `ArchiveError.unreadable`.
  package func unresolvedCount(in segment: String) throws(ArchiveError) -> Int {
    try index.withCompleteIndex { index throws(IndexError) in try index.orphanCount(in: segment) }
  }

  /// Returns the records of an imported segment that the user removed, and of whose keys no version
  /// is left.
  /// - Parameter segment: the name of the segment.
  /// - Returns: a function that returns whether a record of the segment is one of them; nil if
  ///   there are none.
  /// - Throws: `ArchiveError.unreadable`.
  package func removedRecords(
    in segment: String
  ) throws(ArchiveError) -> (@Sendable (WARCRecord) -> Bool)? {
    let ids = try index.withCompleteIndex { index throws(IndexError) in
      try index.removedRecords(in: segment)
    }
    guard !ids.isEmpty else { return nil }
    return { record in record.id.map { ids.contains(ArchiveEvent.withoutURNPrefix($0)) } ?? false }
  }

  /// Returns the number of the last row of the index; 0 if it is empty.
  /// - Throws: `ArchiveError.unreadable`.
  package func lastRow() throws(ArchiveError) -> Int64 {
    try index.withCompleteIndex { index throws(IndexError) in try index.lastRow() }
  }
}
