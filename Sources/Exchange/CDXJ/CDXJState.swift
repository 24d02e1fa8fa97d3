package import OfflineCache
import DOM
import WARC

/// What an index says it was made for: the segments of the archive, each with the id of its first
/// record, which is another one once it was written anew (by compacting, or when pages were
/// removed), so that the offsets in the index mean other places.
///
/// It stands in lines that begin with `!`, before all keys: readers of CDXJ find nothing under such
/// a key.
package struct CDXJState: Sendable, Equatable {
  /// The segments.
  package var segments: [SegmentMark]

  /// Makes a state.
  package init(segments: [SegmentMark]) { self.segments = segments }

  /// The lines, each with its end.
  /// - Parameters:
  ///   - software: the name and version of the program.
  ///   - date: the time of day, in milliseconds since 1970.
  /// - Returns: the bytes of the lines.
  package func lines(software: String, date: Int64) -> [[UInt8]] {
    var head = Array("!meta 0 {\"format\": \"cdxj\", \"software\": ".utf8)
    CDXJLine.append(software, to: &head)
    CDXJLine.append(field: "created", WARCDate.text(milliseconds: date / 1000 * 1000), to: &head)
    var lines = [head + [0x7D, 0x0A]]
    for segment in segments {
      var line = Array("!segment 0 {\"filename\": ".utf8)
      CDXJLine.append(segment.name, to: &line)
      CDXJLine.append(field: "record", segment.first, to: &line)
      line += Array(", \"bytes\": \(segment.bytes)}\n".utf8)
      lines.append(line)
    }
    return lines
  }

  /// Reads the lines at the beginning of an index.
  /// - Parameter text: the index, or as much of it as has these lines; when it says nothing of that
  ///   kind, nil results.
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
      segments.append(SegmentMark(name: name, first: first, bytes: bytes))
    }
    if !hasHead { return nil }
  }

  /// What an index that was made for a state is worth now.
  package struct Validity: Sendable, Equatable {
    /// Segments that were written anew, are shorter or gone: what the index says of them is wrong.
    package var changed: [String] = []
    /// How many bytes came since, of which the index knows nothing.
    package var newBytes: Int64 = 0
  }

  /// Compares with the segments that are there now.
  /// - Parameter now: these.
  /// - Returns: what differs.
  package func validity(_ now: [SegmentMark]) -> Validity {
    var validity = Validity()
    var known = Dictionary(now.map { ($0.name, $0) }) { first, _ in first }
    for segment in segments {
      guard let present = known.removeValue(forKey: segment.name) else {
        validity.changed.append(segment.name)
        continue
      }
      guard segment.bytes == 0 || present.first == segment.first, present.bytes >= segment.bytes
      else {
        validity.changed.append(segment.name)
        continue
      }
      validity.newBytes += present.bytes - segment.bytes
    }
    validity.newBytes += known.values.reduce(0) { $0 + $1.bytes }
    return validity
  }
}
