import Foundation
import WARC

/// The file name of a segment written by offread: `<device>-<UTC date>-<n>.warc.gz`. The names of a
/// device sort in the order of their creation, even if the clock was set back.
package struct SegmentName: Sendable, Equatable, Comparable {
  /// The name of the device that writes the segment.
  package var device: String
  /// The UTC date on which the segment was begun, `YYYYMMDD`.
  var date: String
  /// The number of the segment, counted over all segments of the device.
  var number: Int

  var text: String {
    let digits = String(number)
    let zeros = String(repeating: "0", count: max(0, 6 - digits.utf8.count))
    return "\(device)-\(date)-\(zeros)\(digits).warc.gz"
  }

  /// Parses a file name; nil if it does not have this form.
  package init?(_ text: String) {
    guard text.hasSuffix(".warc.gz") else { return nil }
    let parts = text.dropLast(8).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 3, let number = Int(parts[parts.count - 1]), number > 0,
      parts[parts.count - 2].utf8.count == 8,
      parts[parts.count - 2].utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    device = String(text[..<parts[parts.count - 3].endIndex])
    date = String(parts[parts.count - 2])
    self.number = number
  }

  /// Creates the name of the segment that follows `latest`, or of the first segment if that is nil.
  init(after latest: SegmentName?, device: String, now: Date) {
    let today = String(WARCDate.text(now).prefix(10).filter { $0 != "-" })
    self.device = device
    date = max(today, latest?.date ?? today)
    number = (latest?.number ?? 0) + 1
  }

  package static func < (a: SegmentName, b: SegmentName) -> Bool {
    (a.date, a.number) < (b.date, b.number)
  }

  /// Returns a device name that is valid in segment names: the first 64 bytes of the given name,
  /// without leading dots. Every byte except ASCII letters, digits, `-`, `.` and `_` is replaced by
  /// `_`. If nothing is left, returns `offread`.
  package static func device(_ name: String) -> String {
    let allowed = name.utf8.prefix(64).map { byte -> UInt8 in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: byte
      default: UInt8(ascii: "_")
      }
    }
    let text = String(decoding: allowed.drop { $0 == 0x2E }, as: UTF8.self)
    return text.isEmpty ? "offread" : text
  }
}
