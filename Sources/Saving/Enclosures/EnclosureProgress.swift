/// The progress of fetching enclosures.
package struct EnclosureProgress: Sendable, Equatable {
  /// The number of the file that is being fetched, from 1.
  package var number: Int
  /// The number of files to fetch.
  package var count: Int
  /// The title of the item; not sanitized.
  package var title: String
  /// The number of bytes of the file that are on the disk.
  package var received: Int64
  /// The size of the file; nil if it is unknown.
  package var total: Int64?

  package init(number: Int, count: Int, title: String, received: Int64, total: Int64?) {
    (self.number, self.count, self.title) = (number, count, title)
    (self.received, self.total) = (received, total)
  }
}
