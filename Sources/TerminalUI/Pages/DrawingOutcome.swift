package import Images

/// The result of drawing an image.
package enum DrawingOutcome: Sendable, Equatable {
  case drawn(DecodedImage)
  /// A short description of the reason for the failure.
  case failed(String)
}

extension DrawingOutcome {
  var byteCount: Int { if case .drawn(let image) = self { image.byteCount } else { 0 } }
}
