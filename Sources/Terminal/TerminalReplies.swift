import Platform

/// The replies of a terminal to queries about its capabilities.
package struct TerminalReplies: Sendable, Equatable {
  /// Whether the device attributes (DA1) have arrived. Every terminal sends them last, so queries
  /// without a reply until then are not supported.
  package var isComplete = false
  /// Whether the terminal supports Sixel graphics.
  package var supportsSixel = false
  /// Whether the terminal supports the kitty graphics protocol.
  package var supportsKittyGraphics = false
  /// Whether the terminal reports its background colour.
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

  /// Discards replies that are still to come, so that they do not appear at the shell's prompt.
  /// - Parameters:
  ///   - descriptor: The descriptor of the terminal.
  ///   - environment: The environment, which shows whether replies take long.
  static func discardReplies(from descriptor: Int32, _ environment: [String: String]) {
    var timeout: Int32 = InputDecoder.isRemote(environment) ? 300 : 50
    var bytes = [UInt8](repeating: 0, count: maxLength)
    for _ in 0..<maxDiscardedReads {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, timeout) > 0, read(descriptor, &bytes, bytes.count) > 0 else { return }
      // The rest of a reply follows soon.
      timeout = 20
    }
  }

  /// The maximum number of reads that discard replies.
  private static let maxDiscardedReads = 20
}
