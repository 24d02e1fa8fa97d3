import Images
import Terminal

/// The graphics capabilities that the terminal has reported so far.
struct Graphics: Sendable {
  /// The graphics protocol and the size of a cell in pixels.
  struct Capabilities: Sendable, Equatable {
    var graphicsProtocol: GraphicsProtocol
    var cellSize: ImageSize
  }

  /// Whether the terminal was queried.
  private(set) var isRequested = false
  /// The capabilities; nil if the terminal has none, or has not sent all replies.
  private(set) var capabilities: Capabilities?
  private var supportsKitty = false
  private var colorCount = Self.defaultColorCount
  private var cellSize: ImageSize?

  /// The assumed number of Sixel colours if the terminal does not report its own.
  private static let defaultColorCount = 256

  /// Resets the capabilities for a new query.
  mutating func beginQuery() {
    self = Graphics()
    isRequested = true
  }

  /// Handles a reply of the terminal.
  /// - Parameters:
  ///   - response: The reply.
  ///   - measuredCellSize: The cell size reported by the system, used if the terminal does not
  ///     report one.
  /// - Returns: Whether the capabilities have changed.
  mutating func handle(_ response: TerminalReply, measuredCellSize: ImageSize?) -> Bool {
    guard isRequested else { return false }
    switch response {
    case .supportsKitty: supportsKitty = true
    case .cellSize(let size): cellSize = size
    case .sixelColorCount(let count): if count >= 2 { colorCount = count }
    case .deviceAttributes(let attributes):
      let old = capabilities
      let by: GraphicsProtocol? =
        supportsKitty ? .kitty : attributes.contains(4) ? .sixel(colors: colorCount) : nil
      capabilities = by.flatMap { by in
        (cellSize ?? measuredCellSize).map { Capabilities(graphicsProtocol: by, cellSize: $0) }
      }
      return capabilities != old
    }
    return false
  }
}
