package import OfflineCache

/// Details of how a page was loaded.
package struct LoadTrace: Sendable, Equatable {
  /// The redirects that led to the page, in order.
  package var redirects: [Redirect] = []
  /// The identifier of the saved version on screen; nil if it is not saved.
  package var version: String?
  /// The response fields, with `Cache-Status` as printed by `offread fetch -i`.
  package var fields = FieldLines()

  package init() {}

  /// A redirect that was followed.
  package struct Redirect: Sendable, Equatable {
    /// The URL that responded with the redirect, without credentials.
    package var url: DocumentAddress
    /// The status code.
    package var status: Int

    package init(url: DocumentAddress, status: Int) {
      self.url = url
      self.status = status
    }
  }
}
