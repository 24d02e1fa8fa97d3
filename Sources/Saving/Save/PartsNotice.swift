/// A notice about the subresources that a browser needs to display a page, given before they are
/// fetched.
package struct PartsNotice: Sendable, Equatable {
  /// The URL of the page.
  package var url: String
  /// The number of style sheets, scripts, fonts and images that the page references; style sheets
  /// may reference more.
  package var count = 0
  /// The number of parts that are saved already.
  package var savedCount = 0
  /// The size in bytes of the parts that are saved already. The sizes of the others are unknown
  /// until they are loaded.
  package var savedSize: Int64 = 0
}
