import OfflineCache
import WebArchive
import WARC

/// The parts of a WARC file that cannot be read. The archive skips them, so `import` reports them.
struct RecordFindings {
  /// Whether the file ends within a record.
  private(set) var isTruncated = false
  /// The number of damaged parts.
  private(set) var damaged = 0
  /// The number of complete records that cannot be read.
  private(set) var unreadable = 0
  /// The first complete records that cannot be read, each with the reason.
  private(set) var examples: [String] = []
  /// The first damaged records whose names could be read, each with the reason.
  private(set) var damagedRecords: [String] = []
  /// Whether a capture has no id or that of another capture; see `CaptureIDs`.
  private(set) var hasSharedIDs = false

  /// The maximum number of examples.
  static let maxExamples = 5

  /// Reads a file and collects the findings.
  /// - Parameters:
  ///   - file: the file.
  ///   - ids: the ids of the captures in the files that were read before it.
  /// - Throws: `WARCError.unreadable`, or the errors of reading the file.
  init(_ file: OpenFile, after ids: inout CaptureIDs) throws {
    let reader = WARCReader { try file.read(at: $0, into: $1) }
    var unreadableRecord: (offset: Int64, example: String)?
    while let entry = try reader.next() {
      if case .damage(let damage) = entry, try !Self.isPadding(damage.range, of: file) {
        if damage.isTruncated { isTruncated = true } else { damaged += 1 }
        if let name = damage.record, damagedRecords.count < Self.maxExamples {
          damagedRecords.append("\(name): \(damage.reason)")
        }
        // The damage explains why the head of the record could not be read, so it is reported only
        // once.
        if unreadableRecord?.offset == damage.range.lowerBound { unreadableRecord = nil }
      }
      if let (_, example) = unreadableRecord { add(example) }
      unreadableRecord = nil
      if case .record(let record, _) = entry, ids.lacksOwnID(record) { hasSharedIDs = true }
      if case .record(let record, let position) = entry,
        let reason = try Self.reason(record) ?? Self.blockReason(record, reader)
      {
        let name = record.targetURI ?? record.id ?? "a record"
        unreadableRecord = (position.offset, "\(name): \(reason)")
      }
    }
    if let (_, example) = unreadableRecord { add(example) }
  }

  /// Reads a file that is imported alone.
  /// - Throws: `WARCError.unreadable`, or the errors of reading the file.
  init(_ file: OpenFile) throws {
    var ids = CaptureIDs()
    try self.init(file, after: &ids)
  }

  /// Whether a file consists only of zero bytes within a range, up to its end. Some programs pad
  /// files with zeros.
  private static func isPadding(_ range: Range<Int64>, of file: OpenFile) throws -> Bool {
    guard try range.upperBound == file.status().size else { return false }
    var offset = range.lowerBound
    while offset < range.upperBound {
      let bytes = try file.bytes(at: offset, count: 1 << 16)
      guard !bytes.isEmpty, bytes.allSatisfy({ $0 == 0 }) else { return false }
      offset += Int64(bytes.count)
    }
    return true
  }

  private mutating func add(_ example: String) {
    unreadable += 1
    if examples.count < Self.maxExamples { examples.append(example) }
  }

  /// Returns the reason why the archive skips a record; nil if the archive reads the record, or if
  /// the record does not hold a page.
  static func reason(_ record: WARCRecord) -> String? {
    switch record.kind {
    case .response, .resource, .revisit: break
    // Files with the text of crawled pages (WET) contain only such records.
    case .conversion: return "it contains a conversion of a page and not the page"
    case .warcinfo, .request, .metadata, .continuation, nil: return nil
    }
    guard let uri = record.targetURI, !uri.isEmpty else { return "it has no WARC-Target-URI" }
    if record.date == nil {
      return record.fields["WARC-Date"] == nil ? "it has no WARC-Date" : "its WARC-Date is invalid"
    }
    if record.kind != .revisit {
      // The archive never shows incomplete content as the page.
      if record.fields["WARC-Truncated"] != nil { return "its content was truncated when recorded" }
      if record.fields["WARC-Segment-Number"] != nil { return "it is a segment of a record" }
    }
    guard hasScheme(uri) else { return "its WARC-Target-URI has no scheme" }
    let isWeb = uri.hasPrefix("http:") || uri.hasPrefix("https:")
    return isWeb && WebURL(uri) == nil ? "its WARC-Target-URI is not a URL" : nil
  }

  /// Whether a text begins with the scheme of a URI (RFC 3986 §3.1).
  private static func hasScheme(_ uri: String) -> Bool {
    guard let colon = uri.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let scheme = uri.utf8[..<colon]
    guard let first = scheme.first, (0x61...0x7A).contains(first | 0x20) else { return false }
    return scheme.allSatisfy {
      (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0)
        || [0x2B, 0x2D, 0x2E].contains($0)
    }
  }

  /// Returns the reason why the block of a response cannot be read; nil if it can be read. Also nil
  /// if the block is damaged, which the WARC reader reports.
  private static func blockReason(
    _ record: WARCRecord, _ reader: WARCReader
  ) throws -> String? {
    guard record.kind == .response, record.isHTTPMessage else { return nil }
    var block = BlockReader(foreign: record)
    do {
      while let chunk = try reader.nextChunk() {
        block.push(chunk)
        while (try? block.content()) != nil {}
      }
    } catch .unreadable(let reason) {
      throw WARCError.unreadable(reason)
    } catch {
      return nil
    }
    guard block.response != nil else { return "it does not start with a status line" }
    return block.isComplete ? nil : "its content is truncated or has a damaged coding"
  }
}
