import Document
import Exchange
import Images
import Reader

/// The pictures of a book that is written: those in forms that not every reader of books knows become PNG.
struct BookPictures {
  /// What is wrong with pictures that are left out, a line each.
  private(set) var problems: [String] = []
  private let process: ImageProcess
  /// The pictures that were looked at, by their URLs.
  private var known: Set<String> = []

  init(process: ImageProcess = ImageProcess()) { self.process = process }

  /// The pictures of a page as a book has them.
  /// - Parameter images: by their URLs.
  /// - Returns: the same, without those that cannot be made into PNG and those that an earlier page has had made.
  mutating func forBook(_ images: [String: [UInt8]]) -> [String: [UInt8]] {
    var result: [String: [UInt8]] = [:]
    for (url, bytes) in images.sorted(by: { $0.key < $1.key }) {
      guard let format = PictureFormat(of: bytes), !format.isForBooks else {
        result[url] = bytes
        continue
      }
      guard known.insert(url).inserted else { continue }
      do throws(ImageFailure) {
        result[url] = try process.png(of: bytes)
      } catch {
        problems.append(
          "\(SafeText.line(url)) (\(format.rawValue)) is not in the book: \(error.description)")
      }
    }
    return result
  }
}
