import Dates
package import Foundation

/// Names of files with captures of other archives: `memento-HOST-DATE-DIGEST.warc.gz`.
package enum MementoFile {
  private static let prefix = "memento-"
  private static let suffix = ".warc.gz"

  /// Returns the name of the file for a capture.
  /// - Parameters:
  ///   - host: The host of the archive.
  ///   - date: The date of the capture.
  ///   - digest: A digest in hexadecimal that distinguishes it from other captures.
  /// - Returns: The name.
  package static func name(ofArchive host: String, date: Date, digest: String) -> String {
    let time = CivilTime(secondsSince1970: Timestamp.clampedSeconds(date.timeIntervalSince1970))
      .isoText
    let digits = time.filter(\.isNumber)
    let letters = host.utf8.prefix(100).map { byte -> UInt8 in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E: byte
      default: UInt8(ascii: "_")
      }
    }
    return "\(prefix)\(String(decoding: letters, as: UTF8.self))-\(digits)-\(digest)\(suffix)"
  }
}
