import Sandbox
package import Images
import Foundation

/// Decodes images, each in its own process, which can access nothing but the bytes of the image.
package struct ImageProcess: Sendable {
  /// The program that decodes images; nil if offread itself decodes them (`--decode-image`).
  private let program: String?

  /// Creates a decoder.
  /// - Parameter program: the program that decodes images; nil if offread itself decodes them.
  package init(program: String? = nil) {
    self.program = program
  }

  /// Decodes an image.
  /// - Throws: `ImageFailure`.
  package func decode(
    _ bytes: [UInt8], _ request: ImageRequest
  ) throws(ImageFailure) -> DecodedImage {
    guard bytes.count <= Self.maxInputLength else { throw .tooLarge }
    guard !bytes.isEmpty else { throw .empty }
    let decoder = DecoderProgram.image(request)
    let output: [UInt8]
    do throws(LimitedProcess.Failure) {
      output =
        if let program {
          try LimitedProcess.run(
            program, decoder.arguments, input: bytes, limits: decoder.limits)
        } else {
          try LimitedProcess.run(decoder, input: bytes)
        }
    } catch {
      switch error {
      case .missing: throw .missingDecoder
      case .failed(let status):
        let failure = ImageFailure(status: status)
        throw failure == .unsupportedFormat ? Self.failure(ofUnknown: bytes) : failure
      case .timeLimitExceeded, .outputTooLarge: throw .resourceLimit
      }
    }
    guard let image = DecodedImage(output, for: request) else { throw .invalidOutput }
    return image
  }

  /// Returns the reason why a file of an unsupported format is not decoded.
  private static func failure(ofUnknown bytes: [UInt8]) -> ImageFailure {
    let start = bytes.prefix(4096)
    guard !start.contains(where: { $0 < 0x09 }) else { return .unsupportedFormat }
    let text = String(decoding: start, as: UTF8.self).lowercased()
    if text.contains("<svg") { return .svg }
    return String(validating: bytes.prefix(512), as: UTF8.self) == nil ? .unsupportedFormat : .text
  }

  /// Maximum size of an image file in bytes; a larger one is not decoded (`ImageFailure.tooLarge`).
  package static let maxInputLength = 32 << 20
}
