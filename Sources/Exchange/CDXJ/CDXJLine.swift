package import OfflineCache
import WACZ
import WARC

/// Lines of a capture index in the CDXJ format: key, 14-digit timestamp, and a JSON object in
/// ASCII, as read by pywb, OutbackCDX and the tools of Common Crawl.
package enum CDXJLine {
  /// Returns the line of a capture, including the line feed.
  /// - Parameters:
  ///   - capture: The capture.
  ///   - file: The name of the WARC file, if it differs from the name of the segment.
  /// - Returns: The bytes.
  package static func capture(_ capture: RecordedCapture, file: String? = nil) -> [UInt8] {
    var line = SURT.key(capture.key)
    line.reserveCapacity(line.count + 320)
    line.append(32)
    line += timestamp(capture.date)
    line += Array(" {\"url\": ".utf8)
    append(capture.key, to: &line)
    let type = capture.contentType.utf8.prefix { ![0x3B, 32, 9].contains($0) }
    if !type.isEmpty { append(field: "mime", String(decoding: type, as: UTF8.self), to: &line) }
    append(field: "status", String(capture.status), to: &line)
    if !capture.digest.isEmpty { append(field: "digest", capture.digest, to: &line) }
    append(field: "length", String(capture.size), to: &line)
    append(field: "offset", String(capture.offset), to: &line)
    append(field: "filename", file ?? capture.segment, to: &line)
    line += [0x7D, 0x0A]
    return line
  }

  /// Returns a timestamp in the format of capture indexes.
  /// - Parameter milliseconds: The time since 1970, clamped to the years 1970 to 9999.
  /// - Returns: Fourteen digits, in UTC.
  package static func timestamp(_ milliseconds: Int64) -> [UInt8] {
    let limit: Int64 = 253_402_300_799_000
    let text = WARCDate.text(milliseconds: min(max(0, milliseconds), limit))
    return Array(text.utf8.filter { (0x30...0x39).contains($0) }.prefix(14))
  }

  /// Appends a member to a JSON object that already has at least one member.
  static func append(field name: String, _ value: String, to line: inout [UInt8]) {
    line += Array(", \"\(name)\": ".utf8)
    append(value, to: &line)
  }

  /// Appends a JSON string in ASCII, without line feeds and terminal control characters.
  static func append(_ text: String, to line: inout [UInt8]) {
    line.append(0x22)
    for unit in text.utf16 {
      switch unit {
      case 0x22, 0x5C: line += [0x5C, UInt8(unit)]
      case 0x20...0x7E: line.append(UInt8(unit))
      default:
        let digits = String(unit, radix: 16)
        line += Array(("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8)
      }
    }
    line.append(0x22)
  }
}
