import Foundation

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
    let text = String(decoding: bytes.prefix(Self.limit), as: UTF8.self)
    knowsKittyGraphics = text.contains("\u{1B}_Gi=31;OK")
    tellsBackground = text.contains("\u{1B}]11;rgb")
    guard let start = text.range(of: "\u{1B}[?"),
      let end = text[start.upperBound...].firstIndex(where: { !$0.isNumber && $0 != ";" }),
      text[end] == "c"
    else { return }
    hasAnswered = true
    knowsSixel = text[start.upperBound..<end].split(separator: ";").contains("4")
  }
}
