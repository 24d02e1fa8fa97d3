/// What is to be made of an image: the arguments of the process that decodes it.
package struct ImageRequest: Sendable, Hashable {
  /// The cells that there are for it.
  package var box: ImageSize
  /// A cell, in pixels.
  package var cell = ImageSize(width: 8, height: 16)
  /// Whether it may be larger than it is, as the page says how large it is to be.
  package var grows = false
  /// What is made.
  package var form = Form.symbols(colors: 0, isASCII: true)
  /// Whether what is transparent shows something dark.
  package var isDark = true

  package init(box: ImageSize) {
    self.box = box
  }

  /// What an image is made into.
  package enum Form: Sendable, Hashable {
    /// Characters in so many colours: blocks, or those of ASCII.
    case symbols(colors: Int, isASCII: Bool)
    /// Pixels, in red, green, blue and opacity: as many as the cells have that it covers.
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

  /// The arguments that say all of it.
  package var arguments: [String] {
    [box.text, cell.text, grows ? "grow" : "keep", isDark ? "dark" : "light", form.text]
  }

  /// Reads the arguments; nil when they are not exactly those.
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
    guard box.width <= Self.mostCells.width, box.height <= Self.mostCells.height,
      cell.width <= Self.largestCell, cell.height <= Self.largestCell
    else { return nil }
  }

  /// The largest box, and cell.
  static let mostCells = ImageSize(width: 500, height: 500), largestCell = 100

  /// The pixels of the box.
  package var pixels: ImageSize {
    ImageSize(width: box.width * cell.width, height: box.height * cell.height)
  }
}
