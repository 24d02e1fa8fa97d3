package import OfflineCache

/// How a page came: what its address and its content do not tell.
package struct LoadTrace: Sendable, Equatable {
  /// The redirects that led to it, in order.
  package var redirects: [Redirect] = []
  /// The saved version that is shown; nil when it is none.
  package var version: String?
  /// The fields of the answer, with `Cache-Status` as `offread fetch -i` writes it.
  package var fields = FieldLines()

  package init() {}

  /// A redirect that was followed.
  package struct Redirect: Sendable, Equatable {
    /// The URL that answered with it, without credentials.
    package var url: String
    /// Its status.
    package var status: Int

    package init(url: String, status: Int) {
      self.url = url
      self.status = status
    }
  }
}
