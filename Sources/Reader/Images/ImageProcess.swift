import Configuration
import Configuration
package import Images
import Foundation

/// Decodes images, each in a process of its own that has nothing but its bytes.
package struct ImageProcess: Sendable {
  /// The program that decodes.
  private let program: String?

  /// - Parameter program: the program; this one when nil.
  package init(program: String? = SharedFiles.executable?.path) {
    self.program = program
  }

  /// The argument with which the program does nothing else than decode.
  package static let argument = "--decode-image"

  /// Decodes an image.
  /// - Throws: `ImageFailure`.
  package func decode(
    _ bytes: [UInt8], _ request: ImageRequest
  ) throws(ImageFailure) -> DecodedImage {
    guard bytes.count <= Self.longestInput else { throw .tooLarge }
    var limits = LimitedProcess.Limits()
    limits.seconds = Self.longestTime
    let output: [UInt8]
    do throws(LimitedProcess.Failure) {
      output = try LimitedProcess.run(
        program ?? "offread", [Self.argument] + request.arguments, input: bytes, limits: limits)
    } catch {
      switch error {
      case .missing: throw .missing
      case .failed(let status): throw ImageFailure(status: status)
      case .tooLong, .tooMuch: throw .tooMuch
      }
    }
    guard let image = DecodedImage(output, for: request) else { throw .nonsense }
    return image
  }

  /// Bytes of a file, and seconds, at most.
  package static let longestInput = 32 << 20
  private static let longestTime = 5
}
