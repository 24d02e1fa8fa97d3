package import LocalDocuments
package import OfflineCache

/// An imported book that is open.
package struct OpenedBook: Sendable {
  /// The version of the book in the archive.
  package let stored: StoredResponse
  /// The parsed file.
  package let file: DocumentFile
}
