import Images
import Terminal

/// The graphics capabilities that the terminal has reported so far.
struct Graphics: Sendable {
  /// The graphics protocol and the size of a cell in pixels.
  struct Form: Sendable, Equatable {
    var by: GraphicsProtocol
    var cell: ImageSize
  }

  /// Whether the terminal was queried.
  private(set) var isRequested = false
  /// The capabilities; nil if the terminal has none, or has not sent all replies.
  private(set) var form: Form?
  private var knowsKitty = false
  private var colors = Self.usualColors
  private var cell: ImageSize?

  /// The assumed number of Sixel colours if the terminal does not report its own.
  private static let usualColors = 256

  /// Resets the capabilities for a new query.
  mutating func ask() {
    self = Graphics()
    isRequested = true
  }

  /// Handles a reply of the terminal.
  /// - Parameters:
  ///   - response: The reply.
  ///   - measured: The cell size reported by the system, used if the terminal does not report one.
  /// - Returns: Whether the capabilities have changed.
  mutating func handle(_ response: TerminalReply, measured: ImageSize?) -> Bool {
    guard isRequested else { return false }
    switch response {
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
