/// The identifier of a download, which distinguishes its reports from reports of removed downloads.
package struct DownloadID: Hashable, Sendable {
  /// The sequence number, from 1.
  package var number: Int

  package init(_ number: Int) {
    self.number = number
  }
}
