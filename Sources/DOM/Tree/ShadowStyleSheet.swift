/// A style sheet in a shadow tree.
struct ShadowStyleSheet: Sendable {
  /// The element whose content the shadow tree is. While the page is parsed, the template that
  /// contains the shadow tree.
  var host: Int32
  var source: [UInt8]
}
