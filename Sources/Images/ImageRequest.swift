/// A request to decode an image: the arguments of the decoder process.
package struct ImageRequest: Sendable, Hashable {
  /// The available cells.
  package var maxSizeInCells: ImageSize
  /// The size of a cell in pixels.
  package var cellSize = ImageSize(width: 8, height: 16)
  /// Whether the image may be enlarged, because the page specifies a size for it.
  package var mayGrow = false
  /// The output format.
  package var output = OutputFormat.symbols(colorCount: 0, isASCII: true)
  /// Whether transparent parts are drawn on a dark background.
  package var isDark = true

  package init(maxSizeInCells: ImageSize) {
    self.maxSizeInCells = maxSizeInCells
  }

  /// The format in which the decoder returns an image.
  package enum OutputFormat: Sendable, Hashable {
    /// Block elements or ASCII characters, with this number of colours.
    case symbols(colorCount: Int, isASCII: Bool)
    /// Red, green, blue and alpha for each pixel of the covered cells.
    case pixels

    init?(_ text: String) {
      switch text {
      case "pixels": self = .pixels
      default:
        let isASCII = text.hasPrefix("ascii:")
        guard isASCII || text.hasPrefix("blocks:"),
          let colors = Int(text.drop { $0 != ":" }.dropFirst()),
          (0...1 << 24).contains(colors)
        else { return nil }
        self = .symbols(colorCount: colors, isASCII: isASCII)
      }
    }

    var argument: String {
      switch self {
      case .symbols(let colors, let isASCII): "\(isASCII ? "ascii" : "blocks"):\(colors)"
      case .pixels: "pixels"
      }
    }
  }

  /// The command-line arguments that represent the request.
  package var arguments: [String] {
    [
      maxSizeInCells.text, cellSize.text, mayGrow ? "grow" : "keep", isDark ? "dark" : "light",
      output.argument,
    ]
  }

  /// Parses command-line arguments; nil if they are invalid.
  package init?(arguments: [String]) {
    guard arguments.count == 5, let box = ImageSize(arguments[0][...]),
      let cell = ImageSize(arguments[1][...]), ["grow", "keep"].contains(arguments[2]),
      ["dark", "light"].contains(arguments[3]), let form = OutputFormat(arguments[4])
    else { return nil }
    self.init(maxSizeInCells: box)
    self.cellSize = cell
    mayGrow = arguments[2] == "grow"
    isDark = arguments[3] == "dark"
    self.output = form
    guard box.width <= Self.maxCells.width, box.height <= Self.maxCells.height,
      cell.width <= Self.maxCellSize, cell.height <= Self.maxCellSize
    else { return nil }
  }

  /// The maximum number of cells, and the maximum size of a cell in pixels.
  static let maxCells = ImageSize(width: 500, height: 500), maxCellSize = 100

  /// The size of the available cells in pixels.
  package var maxSizeInPixels: ImageSize {
    ImageSize(
      width: maxSizeInCells.width * cellSize.width, height: maxSizeInCells.height * cellSize.height)
  }
}
