public import Foundation
public import WARC

extension WACZFile {
  /// A line of the index (CDXJ): a response, and the position of its record.
  public struct Capture: Sendable, Hashable {
    /// The URL of the response.
    public var url: String
    /// The time of the capture, or nil.
    public var date: Date?
    /// The media type, or nil.
    public var mediaType: String?
    /// The status code, or nil.
    public var status: Int?
    /// The digest of the payload, or nil.
    public var digest: String?
    /// The name of the WARC file, as in `warcFiles`.
    public var file: String
    /// The offset of the record, or of the gzip member that contains it, in the WARC file, in
    /// bytes.
    public var offset: Int64
    /// The length of the record or member in the WARC file, in bytes, or nil.
    public var length: Int64?
  }

  /// Passes every line of the index to a closure, in order. Lines that are not captures are
  /// skipped.
  /// - Parameter body: Receives a capture, and returns whether to continue.
  /// - Throws: `WACZError` if the index cannot be read; errors of `body`.
  public func forEachCapture(_ body: (Capture) throws -> Bool) throws {
    try readIndex { _, line in
      guard let capture = Self.capture(line) else { return true }
      return try body(capture)
    }
  }

  /// Returns the captures of a URL in the order of the index, which is sorted by URL and time.
  ///
  /// URLs are compared without scheme, `www.`, trailing slashes, session ids and the order of query
  /// parameters (SURT), even if the program that wrote the index has kept some of these.
  /// - Parameter url: The URL.
  /// - Returns: The captures; none if the file does not contain the URL.
  /// - Throws: `WACZError` if the index cannot be read.
  public func captures(of url: String) throws -> [Capture] {
    let key = SURT.key(url)
    var captures: [Capture] = []
    try readIndex { lineKey, line in
      if SURT.matches(lineKey, key), let capture = Self.capture(line) { captures.append(capture) }
      return true
    }
    return captures
  }

  /// Opens the record of a capture.
  /// - Parameter capture: The capture.
  /// - Returns: The header of the record, and a reader whose `nextChunk` and `readMessage` read its
  ///   block.
  /// - Throws: `WACZError` if the WARC file is missing or has no record at this offset; `WARCError`
  ///   if it cannot be read.
  public func record(of capture: Capture) throws -> (record: WARCRecord, reader: WARCReader) {
    let reader = try reader(of: capture.file, at: WARCPosition(offset: capture.offset))
    guard case .record(let record, _)? = try reader.next() else {
      throw WACZError.damaged("\(capture.file) has no record at byte \(capture.offset)")
    }
    return (record, reader)
  }

  /// Passes the key and the rest (a timestamp and a JSON object) of every line of the index to a
  /// closure that returns whether to continue.
  private func readIndex(
    _ body: (_ key: ArraySlice<UInt8>, _ rest: ArraySlice<UInt8>) throws -> Bool
  ) throws {
    struct EnoughRead: Error {}
    let paths = self.paths.filter { path in
      path.hasPrefix("indexes/")
        && [".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz"].contains { path.hasSuffix($0) }
    }
    do {
      for path in paths {
        try readLines(of: path) { line in
          guard line.first != UInt8(ascii: "!"), let space = line.firstIndex(of: 32) else { return }
          guard try body(line[..<space], line[(space + 1)...]) else { throw EnoughRead() }
        }
      }
    } catch is EnoughRead {}
  }

  /// A member of the JSON object, which some programs write as a number and others as a string.
  private struct Number: Decodable {
    var value: Int64?

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      value =
        (try? container.decode(Int64.self))
        ?? (try? container.decode(String.self)).flatMap { Int64($0) }
    }
  }

  private struct Members: Decodable {
    var url: String?
    var mime: String?
    var status: Number?
    var digest: String?
    var length: Number?
    var offset: Number?
    var filename: String?
  }

  /// Parses the timestamp and the JSON object of a line; nil if it is not a capture.
  private static func capture(_ line: ArraySlice<UInt8>) -> Capture? {
    guard let brace = line.firstIndex(of: UInt8(ascii: "{")),
      let members = try? JSONDecoder().decode(Members.self, from: Data(line[brace...])),
      let url = members.url, let file = members.filename, let offset = members.offset?.value,
      offset >= 0
    else { return nil }
    let name = file.hasPrefix("archive/") ? String(file.dropFirst("archive/".count)) : file
    return Capture(
      url: url, date: date(line[..<brace]), mediaType: members.mime,
      status: members.status?.value.flatMap { Int(exactly: $0) }, digest: members.digest,
      file: name, offset: offset, length: members.length?.value)
  }

  /// Parses a timestamp of 14 or, with milliseconds, 17 digits; nil if it is invalid.
  private static func date(_ text: ArraySlice<UInt8>) -> Date? {
    let digits = text.filter { (0x30...0x39).contains($0) }
    guard digits.count >= 14 else { return nil }
    func part(_ range: Range<Int>) -> String { String(decoding: digits[range], as: UTF8.self) }
    let milliseconds = digits.count >= 17 ? ".\(part(14..<17))" : ""
    return WARCDate.parse(
      "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T"
        + "\(part(8..<10)):\(part(10..<12)):\(part(12..<14))\(milliseconds)Z")
  }
}
