/// The replies of a terminal to queries about its capabilities.
package struct TerminalReplies: Sendable, Equatable {
  /// Whether the device attributes (DA1) have arrived. Every terminal sends them last, so queries
  /// without a reply until then are not supported.
  package var isComplete = false
  /// Whether the terminal supports Sixel graphics.
  package var supportsSixel = false
  /// Whether the terminal supports the kitty graphics protocol.
  package var supportsKittyGraphics = false
  /// Whether the terminal reports its background color.
  package var reportsBackground = false

  /// The queries. The one to which every terminal replies is last, as a fence.
  package static let queries =
    "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}]11;?\u{1B}\\\u{1B}[c"

  /// The maximum number of bytes parsed.
  package static let maxLength = 4096

  package init() {}

  /// Parses the bytes received so far.
  package init(_ bytes: [UInt8]) {
    var decoder = InputDecoder()
    for event in decoder.feed(bytes.prefix(Self.maxLength), at: .now) {
      switch event {
      case .reply(.supportsKitty): supportsKittyGraphics = true
      case .reply(.deviceAttributes(let attributes)):
        isComplete = true
        supportsSixel = attributes.contains(4)
      case .background: reportsBackground = true
      case .reply, .key, .paste, .mouse: break
      }
    }
  }
}
