/// How standalone images within a page are shown.
enum ImageDisplay: Sendable, Equatable {
  /// Only the alternative texts of images are shown.
  case altText
  /// Images are drawn below their alternative texts.
  case drawn
  /// Images are not shown at all.
  case hidden

  /// The message when this value is selected.
  var message: String {
    switch self {
    case .altText: "images are shown as text"
    case .drawn: "images are drawn"
    case .hidden: "images are hidden"
    }
  }
}
