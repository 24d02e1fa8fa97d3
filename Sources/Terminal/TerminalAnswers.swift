/// What a terminal answers when it is asked what it can do.
package struct TerminalAnswers: Sendable, Equatable {
  /// Whether it has told what it is (DA1), which every terminal does: what it has not answered by then it
  /// does not know.
  package var hasAnswered = false
  /// Whether it shows pictures as Sixel.
  package var knowsSixel = false
  /// Whether it shows pictures by the protocol of kitty.
  package var knowsKittyGraphics = false
  /// Whether it tells the colour of its background.
  package var tellsBackground = false

  /// What is asked; the question that every terminal answers comes last, as a fence.
  package static let question =
    "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}]11;?\u{1B}\\\u{1B}[c"

  /// The most bytes of answers.
  package static let limit = 4096

  package init() {}

  /// Reads what has come so far.
  package init(_ bytes: [UInt8]) {
    var decoder = InputDecoder()
    for event in decoder.feed(bytes.prefix(Self.limit)) {
      switch event {
      case .answer(.knowsKitty): knowsKittyGraphics = true
      case .answer(.attributes(let attributes)):
        hasAnswered = true
        knowsSixel = attributes.contains(4)
      case .background: tellsBackground = true
      case .answer, .key, .paste, .mouse: break
      }
    }
  }
}
