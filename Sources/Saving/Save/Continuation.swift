/// A further part of a text on several pages.
struct Continuation {
  /// A digest of the content of the part before; nil if it has neither text nor an image.
  var previousContent: Int?
  /// The cache key of the first part.
  var firstPart: String
  /// Whether this part is kept, because the first part is kept.
  var isPinned: Bool
}
