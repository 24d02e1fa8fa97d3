package import OfflineCache
import DOM
import WARC

/// The state of the archive that an index was built from: its segments, each with the id of its
/// first record. That id changes when a segment is rewritten (by compaction or removal of pages),
/// which invalidates the offsets in the index.
///
/// The state is stored in lines that begin with `!` and precede all keys, so that CDXJ readers
/// ignore them.
package struct CDXJState: Sendable, Equatable {
  package var segments: [IndexedSegmentState]

  package init(segments: [IndexedSegmentState]) { self.segments = segments }

  /// Returns the lines of the state, each with its line feed.
  /// - Parameters:
  ///   - software: The name and version of the program.
  ///   - date: The current time in milliseconds since 1970.
  /// - Returns: The bytes of the lines.
  package func lines(software: String, date: Int64) -> [[UInt8]] {
    var head = Array("!meta 0 {\"format\": \"cdxj\", \"software\": ".utf8)
    CDXJLine.append(software, to: &head)
    CDXJLine.append(field: "created", WARCDate.text(milliseconds: date / 1000 * 1000), to: &head)
    var lines = [head + [0x7D, 0x0A]]
    for segment in segments {
      var line = Array("!segment 0 {\"filename\": ".utf8)
      CDXJLine.append(segment.name, to: &line)
      CDXJLine.append(field: "record", segment.firstRecordID, to: &line)
      line += Array(", \"bytes\": \(segment.bytes)}\n".utf8)
      lines.append(line)
    }
    return lines
  }

  /// Parses the first lines of an index; returns nil if they contain no valid state.
  /// - Parameter text: The index, or a prefix that contains these lines.
  package init?(parsing text: [UInt8]) {
    segments = []
    var hasHead = false
    for line in text.split(separator: 0x0A) {
      guard line.first == UInt8(ascii: "!") else { break }
      if line.starts(with: "!meta 0 {\"format\": \"cdxj\"".utf8) { hasHead = true }
      guard line.starts(with: "!segment ".utf8), let start = line.firstIndex(of: 0x7B),
        let object = JSONValue(Array(line[start...]))
      else { continue }
      guard let name = object["filename"]?.string, let first = object["record"]?.string,
        let bytes = object["bytes"]?.number.flatMap({ Int64(exactly: $0) })
      else { return nil }
      segments.append(IndexedSegmentState(name: name, firstRecordID: first, bytes: bytes))
    }
    if !hasHead { return nil }
  }

  /// The validity of an index for the current archive.
  package struct Validity: Sendable, Equatable {
    /// The segments that were rewritten, truncated or removed, so that their entries in the index
    /// are wrong.
    package var changedSegments: [String] = []
    /// The number of bytes that were added to the archive after the index was written; the index
    /// has no entries for them.
    package var newBytes: Int64 = 0
  }

  /// Compares the state with the current segments.
  /// - Parameter currentSegments: The current segments.
  /// - Returns: The differences.
  package func validity(_ currentSegments: [IndexedSegmentState]) -> Validity {
    var validity = Validity()
    var known = Dictionary(currentSegments.map { ($0.name, $0) }) { first, _ in first }
    for segment in segments {
      guard let present = known.removeValue(forKey: segment.name) else {
        validity.changedSegments.append(segment.name)
        continue
      }
      guard segment.bytes == 0 || present.firstRecordID == segment.firstRecordID,
        present.bytes >= segment.bytes
      else {
        validity.changedSegments.append(segment.name)
        continue
      }
      validity.newBytes += present.bytes - segment.bytes
    }
    validity.newBytes += known.values.reduce(0) { $0 + $1.bytes }
    return validity
  }
}
