import Library
import Pages

/// The state of the background revalidation of a page that is shown.
enum Revalidation: Sendable, Equatable {
  case none
  /// A load that may deliver a newer version.
  case awaited(LoadID)
  /// A newer version that has been received and saved.
  case received(Page)

  /// The newer version, or nil.
  var newerPage: Page? { if case .received(let page) = self { page } else { nil } }
}
