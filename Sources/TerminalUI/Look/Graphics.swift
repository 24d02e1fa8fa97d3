import Images
import Terminal

/// The graphics of the terminal, as far as it has answered.
struct Graphics: Sendable {
  /// How pixels are drawn, and how many a cell has.
  struct Form: Sendable, Equatable {
    var by: GraphicsProtocol
    var cell: ImageSize
  }

  /// Whether the terminal was asked.
  private(set) var isAsked = false
  /// What it can do; nil when it can do nothing, or has not said all of it.
  private(set) var form: Form?
  private var knowsKitty = false
  private var colors = Self.usualColors
  private var cell: ImageSize?

  /// Of a terminal that does not say.
  private static let usualColors = 256

  /// Notes that it is asked, from the beginning.
  mutating func ask() {
    self = Graphics()
    isAsked = true
  }

  /// Takes an answer.
  /// - Parameters:
  ///   - answer: what it says.
  ///   - measured: a cell, as the system knows it, for who does not say.
  /// - Returns: whether what it can do is another than before.
  mutating func take(_ answer: TerminalAnswer, measured: ImageSize?) -> Bool {
    guard isAsked else { return false }
    switch answer {
    case .knowsKitty: knowsKitty = true
    case .cell(let size): cell = size
    case .colors(let count): if count >= 2 { colors = count }
    case .attributes(let attributes):
      let old = form
      let by: GraphicsProtocol? =
        knowsKitty ? .kitty : attributes.contains(4) ? .sixel(colors: colors) : nil
      form = by.flatMap { by in (cell ?? measured).map { Form(by: by, cell: $0) } }
      return form != old
    }
    return false
  }
}
