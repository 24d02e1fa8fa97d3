package import Document

/// A place on a page by the text that stands there: it outlives another width, another version of
/// the page, another view of it, and the program.
package struct TextAnchor: Codable, Sendable, Equatable {
  /// Offset of the place in `Document.text`.
  package var offset: Int
  /// Length of that text in bytes.
  package var length: Int
  /// The text at the place, then that of the blocks below, should the first be gone.
  package var samples: [Sample]

  /// A piece of text.
  package struct Sample: Codable, Sendable, Equatable {
    /// Offset of its first byte.
    var start: Int
    /// At most 48 bytes of UTF-8.
    var text: String
  }

  private static let sampleLength = 48
  /// Maximum number of following samples that are compared for each candidate offset.
  private static let maxSupport = 8

  /// The place at an offset.
  /// - Parameters:
  ///   - source: offset in `Document.text`.
  ///   - document: the page.
  ///   - blocks: how many blocks below the place are taken down as well.
  package init(at source: UInt32, in document: Document, blocks: Int) {
    offset = min(Int(source), document.text.count)
    length = document.text.count
    let starts = [offset] + document.leafStarts(after: UInt32(offset)).prefix(blocks)
    samples = starts.map { start in
      let end = document.text.characterStart(
        atOrBefore: min(document.text.count, start + Self.sampleLength))
      return Sample(
        start: start, text: String(decoding: document.text[start..<max(start, end)], as: UTF8.self))
    }
  }

  /// Where the text stands in a page; when none of it is there, the same part of the whole.
  package func offset(in document: Document) -> UInt32 {
    guard offset > 0, length > 0 else { return 0 }
    let text = document.text
    if text.count == length, let first = samples.first,
      text[min(offset, length)...].starts(with: first.text.utf8)
    {
      return UInt32(min(offset, length))
    }
    for (index, sample) in samples.enumerated() {
      let guess = min(max(0, sample.start), text.count)
      let bytes = Array(sample.text.utf8)
      let found =
        bestMatch(ofSample: index, in: text) ?? document.leaf(like: bytes, near: guess)
        ?? Self.nearest(bytes.prefix(bytes.count / 2), in: text, to: guess)
        ?? Self.nearest(bytes.prefix(bytes.count / 4), in: text, to: guess)
      if let found { return UInt32(found) }
    }
    return UInt32(place(of: offset, amongst: text.count))
  }

  /// Maps an offset to another version of a page if it lies in the common prefix or suffix of both
  /// texts; nil for text between the first and the last difference.
  package static func offset(of source: UInt32, in old: Document, alignedTo new: Document)
    -> UInt32?
  {
    let (source, old, new) = (Int(source), old.text, new.text)
    guard source <= old.count else { return nil }
    let common = zip(old, new).prefix { $0 == $1 }.count
    if source < common || old.count == new.count && common == old.count { return UInt32(source) }
    let tail = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count
    guard old.count - source <= min(tail, new.count - common), source < old.count else {
      return nil
    }
    return UInt32(new.count - (old.count - source))
  }

  /// An offset in the text of the anchor as the same part of a text of another length. Files have
  /// any numbers: the result is within that text.
  private func place(of offset: Int, amongst count: Int) -> Int {
    Int(max(0, min(1, Double(offset) / Double(length))) * Double(count))
  }

  /// Returns the offset of a sample. Of several, it is the one that most of the following samples
  /// confirm by their distances, and among equal ones the nearest to the old offset. Nil when the
  /// sample does not occur, or is too short to identify a position.
  private func bestMatch(ofSample index: Int, in text: [UInt8]) -> Int? {
    // The numbers come from a file and may be out of range.
    func start(_ sample: Sample) -> Int { min(max(0, sample.start), 1 << 40) }
    let old = start(samples[index])
    let rest = samples.dropFirst(index + 1).prefix(Self.maxSupport)
      .map { (start($0) - old, Array($0.text.utf8)) }
    var best: (offset: Int, support: Int)?
    Self.forEachMatch(of: Array(samples[index].text.utf8)[...], in: text) { offset in
      let support = rest.count { distance, bytes in
        let start = offset + distance
        return distance > 0 && start + bytes.count <= text.count
          && text[start...].starts(with: bytes)
      }
      if let best,
        support < best.support
          || support == best.support
            && abs(offset - old) >= abs(best.offset - old)
      {
        return
      }
      best = (offset, support)
    }
    return best?.offset
  }

  /// The offset nearest to `guess` at which a sample stands; nil when it does not, or is too short
  /// to tell a place.
  private static func nearest(
    _ sample: ArraySlice<UInt8>, in text: [UInt8], to guess: Int
  ) -> Int? {
    var best: Int?
    forEachMatch(of: sample, in: text) { index in
      if abs(index - guess) < abs((best ?? Int.max / 2) - guess) { best = index }
    }
    return best
  }

  /// Calls `visit` with every offset at which a sample occurs, but never for one that is too short
  /// to identify a position.
  private static func forEachMatch(
    of sample: ArraySlice<UInt8>, in text: [UInt8], _ visit: (Int) -> Void
  ) {
    guard let first = sample.first, sample.count >= 8 else { return }
    var index = 0
    while index + sample.count <= text.count {
      if text[index] == first, text[index..<index + sample.count].elementsEqual(sample) {
        visit(index)
      }
      index += 1
    }
  }
}

extension [UInt8] {
  /// The first byte of the character that an offset is within, or the offset between two.
  fileprivate func characterStart(atOrBefore offset: Int) -> Int {
    var offset = offset
    while offset > 0, offset < count, self[offset] & 0xC0 == 0x80 { offset -= 1 }
    return offset
  }
}

extension Document {
  /// Where the leaves behind a place of the text begin.
  fileprivate func leafStarts(after source: UInt32) -> some Sequence<Int> {
    blocks.lazy.filter { !$0.runs.isEmpty }
      .map { runs[Int($0.runs.lowerBound)].start }
      .filter { $0 > source }.map { Int($0) }
  }

  /// The leaf that begins as a sample does for as long as possible, the nearest of several: a
  /// heading is the same one with other text below it.
  /// - Parameters:
  ///   - sample: text from the beginning of a leaf on.
  ///   - guess: about where it is.
  /// - Returns: where the leaf begins; nil when none has 16 bytes in common with the sample, or is
  ///   as a whole its beginning.
  fileprivate func leaf(like sample: [UInt8], near guess: Int) -> Int? {
    var best: (start: Int, common: Int)?
    for block in blocks where !block.runs.isEmpty {
      let start = Int(runs[Int(block.runs.lowerBound)].start)
      let end = Int(runs[Int(block.runs.upperBound) - 1].end)
      var common = 0
      while common < sample.count, start + common < text.count,
        text[start + common] == sample[common]
      {
        common += 1
      }
      guard common >= 16 || (common >= 3 && start + common >= end) else { continue }
      let isBetter =
        best.map {
          common == $0.common ? abs(start - guess) < abs($0.start - guess) : common > $0.common
        } ?? true
      if isBetter { best = (start, common) }
    }
    return best?.start
  }
}
