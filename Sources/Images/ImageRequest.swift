/// A request to decode an image: the arguments of the decoder process.
package struct ImageRequest: Sendable, Hashable {
  /// The available cells.
  package var box: ImageSize
  /// The size of a cell in pixels.
  package var cell = ImageSize(width: 8, height: 16)
  /// Whether the image may be enlarged, because the page specifies a size for it.
  package var grows = false
  /// The form of the result.
  package var form = Form.symbols(colors: 0, isASCII: true)
  /// Whether transparent parts are drawn on a dark background.
  package var isDark = true

  package init(box: ImageSize) {
    self.box = box
  }

  /// The form of a decoded image.
  package enum Form: Sendable, Hashable {
    /// Block elements or ASCII characters, with this number of colours.
    case symbols(colors: Int, isASCII: Bool)
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
        self = .symbols(colors: colors, isASCII: isASCII)
      }
    }

    var text: String {
      switch self {
      case .symbols(let colors, let isASCII): "\(isASCII ? "ascii" : "blocks"):\(colors)"
      case .pixels: "pixels"
      }
    }
  }

  /// The command-line arguments that represent the request.
  package var arguments: [String] {
    [box.text, cell.text, grows ? "grow" : "keep", isDark ? "dark" : "light", form.text]
  }

  /// Parses command-line arguments; nil if they are invalid.
  package init?(arguments: [String]) {
    guard arguments.count == 5, let box = ImageSize(arguments[0][...]),
      let cell = ImageSize(arguments[1][...]), ["grow", "keep"].contains(arguments[2]),
      ["dark", "light"].contains(arguments[3]), let form = Form(arguments[4])
    else { return nil }
    self.init(box: box)
    self.cell = cell
    grows = arguments[2] == "grow"
    isDark = arguments[3] == "dark"
    self.form = form
    guard box.width <= Self.maxCells.width, box.height <= Self.maxCells.height,
      cell.width <= Self.largestCell, cell.height <= Self.largestCell
    else { return nil }
  }

  /// The maximum number of cells, and the maximum size of a cell in pixels.
  static let maxCells = ImageSize(width: 500, height: 500), largestCell = 100

  /// The size of the box in pixels.
  package var pixels: ImageSize {
    ImageSize(width: box.width * cell.width, height: box.height * cell.height)
  }
}
