/// The reason why an image is not drawn.
package enum ImageFailure: Error, Equatable, CustomStringConvertible {
  /// The format is not supported.
  case unknown
  /// The file is truncated or damaged.
  case damaged
  /// It has too many pixels or bytes.
  case tooLarge
  /// The library for its format is not installed.
  case missing
  /// The file is SVG, which is not supported.
  case svg
  /// The file is text or HTML, which some servers send instead of an image.
  case text
  /// The file is empty.
  case empty
  /// The file is an animation in a form that is not supported.
  case moving
  /// libchafa is not installed.
  case noSymbols
  /// Decoding took too much time or memory.
  case tooMuch
  /// The output of the decoder does not match the request.
  case nonsense

  /// The exit status of the decoder process.
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

  /// Creates the failure for an exit status of the decoder process.
  package init(status: Int32) {
    let all: [ImageFailure] = [.unknown, .damaged, .tooLarge, .missing, .moving, .noSymbols]
    // Any other status, or a signal, means that a limit was exceeded.
    self = all.first { $0.status == status } ?? .tooMuch
  }

  /// A short description for the user, which follows "not drawn: ".
  package var description: String {
    switch self {
    case .unknown: "unsupported image format"
    case .damaged: "damaged or truncated"
    case .tooLarge: "too large"
    case .missing: "the library for its format is not installed (see offread doctor)"
    case .svg: "SVG is not supported"
    case .text: "text or a page instead of an image"
    case .empty: "the file is empty"
    case .moving: "an animation"
    case .noSymbols: "libchafa is not installed"
    case .tooMuch: "decoding takes too much time or memory"
    case .nonsense: "the decoder failed"
    }
  }
}
