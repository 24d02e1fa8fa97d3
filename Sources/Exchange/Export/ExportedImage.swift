import Formats

/// An image without scripts and external references.
package struct ExportedImage: Sendable, Equatable {
  package let format: ImageFormat
  /// The bytes: sanitized SVG, or other formats unchanged.
  package let bytes: [UInt8]

  /// Creates an image; returns nil if its format is unknown, or if it is SVG that cannot be
  /// sanitized.
  package init?(_ bytes: [UInt8]) {
    guard let format = ImageFormat(of: bytes) else { return nil }
    self.format = format
    guard format == .svg else {
      self.bytes = bytes
      return
    }
    guard let sanitizedBytes = SVGSanitizer.sanitized(bytes) else { return nil }
    self.bytes = sanitizedBytes
  }
}
