/// The reason why an image is not drawn.
package enum ImageFailure: Error, Equatable, CustomStringConvertible {
  /// The format is not supported.
  case unsupportedFormat
  /// The file is truncated or damaged.
  case damaged
  /// The image has too many pixels or bytes.
  case tooLarge
  /// The library for its format is not installed.
  case missingDecoder
  /// The file is SVG, which is not supported.
  case svg
  /// The file is text or HTML, which some servers send instead of an image.
  case text
  /// The file is empty.
  case empty
  /// The file is an animation that the decoder does not support.
  case unsupportedAnimation
  /// libchafa is not installed.
  case missingChafa
  /// Decoding took too much time or memory.
  case resourceLimit
  /// The output of the decoder does not match the request.
  case invalidOutput

  /// The exit status of the decoder process.
  package var status: Int32 {
    switch self {
    case .unsupportedFormat: 65
    case .damaged: 66
    case .tooLarge: 67
    case .missingDecoder: 68
    case .unsupportedAnimation: 69
    case .missingChafa: 70
    case .resourceLimit: 71
    case .invalidOutput: 72
    case .svg: 73
    case .text: 74
    case .empty: 75
    }
  }

  /// Creates the failure for an exit status of the decoder process.
  package init(status: Int32) {
    let all: [ImageFailure] = [
      .unsupportedFormat, .damaged, .tooLarge, .missingDecoder, .unsupportedAnimation,
      .missingChafa,
    ]
    // Any other status, or a signal, means that a limit was exceeded.
    self = all.first { $0.status == status } ?? .resourceLimit
  }

  /// A short description for the user, which follows "not drawn: ".
  package var description: String {
    switch self {
    case .unsupportedFormat: "unsupported image format"
    case .damaged: "damaged or truncated"
    case .tooLarge: "too large"
    case .missingDecoder: "the library for its format is not installed (see offread doctor)"
    case .svg: "SVG is not supported"
    case .text: "text or a page instead of an image"
    case .empty: "the file is empty"
    case .unsupportedAnimation: "an animation"
    case .missingChafa: "libchafa is not installed"
    case .resourceLimit: "decoding takes too much time or memory"
    case .invalidOutput: "the decoder failed"
    }
  }
}
