/// A style sheet in a shadow tree or a frame.
struct ShadowStyleSheet: Sendable {
  /// The node index of the shadow host or the frame element. While the page is parsed, it is that
  /// of the template that contains the shadow tree.
  var host: Int32
  var source: [UInt8]
  /// The `html` and `body` of the page in the frame; nil for a shadow tree, which has none.
  var rootElements: RootElements?
}
