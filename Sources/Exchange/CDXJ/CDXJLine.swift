package import OfflineCache
import WARC

/// The lines of an index of captures in the form CDXJ: key, 14-digit time, and an object with what
/// is known, in ASCII, as pywb, OutbackCDX and the tools of Common Crawl read them.
package enum CDXJLine {
  /// The line of a capture, with its end.
  /// - Parameters:
  ///   - capture: the capture.
  ///   - file: the name of the WARC file, when it is not that of the segment.
  /// - Returns: the bytes.
  package static func capture(_ capture: RecordedCapture, file: String? = nil) -> [UInt8] {
    var line = SURT.key(capture.url)
    line.reserveCapacity(line.count + 320)
    line.append(32)
    line += timestamp(capture.date)
    line += Array(" {\"url\": ".utf8)
    append(capture.url, to: &line)
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

  /// A time as indexes have it.
  /// - Parameter milliseconds: since 1970; what is before it, or after the year 9999, becomes the
  ///   next time that can be written.
  /// - Returns: fourteen digits, in UTC.
  package static func timestamp(_ milliseconds: Int64) -> [UInt8] {
    let limit: Int64 = 253_402_300_799_000
    let text = WARCDate.text(milliseconds: min(max(0, milliseconds), limit))
    return Array(text.utf8.filter { (0x30...0x39).contains($0) }.prefix(14))
  }

  /// Appends a member of an object that is not its first.
  static func append(field name: String, _ value: String, to line: inout [UInt8]) {
    line += Array(", \"\(name)\": ".utf8)
    append(value, to: &line)
  }

  /// Appends a string of JSON in ASCII: nothing in it ends a line or means something to a terminal.
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
