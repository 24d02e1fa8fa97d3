import Document
import Exchange
import Images
import Reader

/// Prepares the images of an exported book: images in formats that not every reading system
/// supports are converted to PNG.
struct BookImages {
  /// A message for each image that is left out.
  private(set) var problems: [String] = []
  private let process: ImageProcess
  /// The URLs of the images that were converted, or could not be converted.
  private var processedURLs: Set<String> = []

  init(process: ImageProcess = ImageProcess()) { self.process = process }

  /// Returns the images of a page for the book.
  /// - Parameter images: the files of the images, by URL.
  /// - Returns: the images, except those that cannot be converted and those that were converted for
  ///   an earlier page.
  mutating func convertedForBook(_ images: [String: [UInt8]]) -> [String: [UInt8]] {
    var result: [String: [UInt8]] = [:]
    for (url, bytes) in images.sorted(by: { $0.key < $1.key }) {
      guard let format = ImageFormat(of: bytes), !format.isEPUBCoreType else {
        result[url] = bytes
        continue
      }
      guard processedURLs.insert(url).inserted else { continue }
      do throws(ImageFailure) {
        result[url] = try process.png(of: bytes)
      } catch {
        problems.append(
          "the image \(SafeText.line(url)) (\(format.rawValue)) is not in the book: \(error.description)"
        )
      }
    }
    return result
  }
}
