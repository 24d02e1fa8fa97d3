/// Why an image is not drawn.
package enum ImageFailure: Error, Equatable, CustomStringConvertible {
  /// It is of a kind that is not decoded.
  case unknown
  /// It ends early, or is not what it says.
  case damaged
  /// It has too many pixels or bytes.
  case tooLarge
  /// The library for its kind is not installed.
  case missing
  /// The file is SVG, which is not drawn.
  case svg
  /// The file is text or HTML, which some servers send instead of an image.
  case text
  /// The file is empty.
  case empty
  /// It moves, in a way that is not decoded.
  case moving
  /// libchafa is not installed.
  case noSymbols
  /// It took too long, or too much memory.
  case tooMuch
  /// What came of it is not what was asked for.
  case nonsense

  /// What the process that decodes exits with.
  package var status: Int32 {
    switch self {
    case .unknown: 65
    case .damaged: 66
    case .tooLarge: 67
    case .missing: 68
    case .moving: 69
    case .noSymbols: 70
    case .tooMuch: 71
    case .nonsense: 72
    case .svg: 73
    case .text: 74
    case .empty: 75
    }
  }

  /// The failure that a process exited with.
  package init(status: Int32) {
    let all: [ImageFailure] = [.unknown, .damaged, .tooLarge, .missing, .moving, .noSymbols]
    // By a signal, or killed: it was out of something.
    self = all.first { $0.status == status } ?? .tooMuch
  }

  /// A few words for a person, to stand behind "not drawn: ".
  package var description: String {
    switch self {
    case .unknown: "a kind that is not drawn"
    case .damaged: "damaged or cut off"
    case .tooLarge: "too large"
    case .missing: "the library for its kind is not installed (see offread doctor)"
    case .svg: "SVG is not supported"
    case .text: "not an image, but a text or a page"
    case .empty: "the file is empty"
    case .moving: "an animation"
    case .noSymbols: "libchafa is not installed"
    case .tooMuch: "takes too much time or memory"
    case .nonsense: "the decoder failed"
    }
  }
}
