package import Document

/// A position on a page, identified by the text there. It is independent of width and view, and
/// survives changes of the page and restarts of offread.
package struct TextAnchor: Codable, Sendable, Equatable {
  /// The offset of the position in `Document.text`.
  package var offset: Int
  /// The length of `Document.text` in bytes.
  package var length: Int
  /// Samples of the text at the position and at the start of each of the following blocks. A later
  /// sample is used if the earlier ones no longer occur on the page.
  package var samples: [Sample]

  private enum CodingKeys: String, CodingKey {
    case offset = "offset"
    case length = "length"
    case samples = "samples"
  }

  /// A sample of text.
  package struct Sample: Codable, Sendable, Equatable {
    /// The offset of the sample's first byte in `Document.text`.
    var start: Int
    /// The text, at most 48 bytes of UTF-8.
    var text: String

    private enum CodingKeys: String, CodingKey {
      case start = "start"
      case text = "text"
    }
  }

  private static let sampleLength = 48
  /// The maximum number of following samples that are compared for each candidate offset.
  private static let maxComparedSamples = 8

  /// Creates an anchor for an offset.
  /// - Parameters:
  ///   - source: The offset in `Document.text`.
  ///   - document: The page.
  ///   - blocks: The number of following blocks from which samples are stored.
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

  /// Returns the offset of the position in a page. If none of the samples is found, the result is
  /// proportional to the old offset.
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
    return UInt32(scaled(of: offset, amongst: text.count))
  }

  /// Maps an offset to another version of a page if the offset lies in the common prefix or suffix
  /// of both texts; returns nil between the first and the last difference.
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

  /// Scales an offset in the original text to a text of another length. The result is within that
  /// text even if a file contained invalid numbers.
  private func scaled(of offset: Int, amongst count: Int) -> Int {
    Int(max(0, min(1, Double(offset) / Double(length))) * Double(count))
  }

  /// Returns the offset of a sample in a text; nil if the sample does not occur or is too short to
  /// identify a position. Of several matches, the one that most of the following samples confirm by
  /// their distances is chosen; among equal ones, the one nearest to the old offset.
  private func bestMatch(ofSample index: Int, in text: [UInt8]) -> Int? {
    // The numbers come from a file and may be out of range.
    func start(_ sample: Sample) -> Int { min(max(0, sample.start), 1 << 40) }
    let oldOffset = start(samples[index])
    let followingSamples = samples.dropFirst(index + 1).prefix(Self.maxComparedSamples)
      .map { (start($0) - oldOffset, Array($0.text.utf8)) }
    var best: (offset: Int, support: Int)?
    Self.forEachMatch(of: Array(samples[index].text.utf8)[...], in: text) { offset in
      let support = followingSamples.count { distance, bytes in
        let start = offset + distance
        return distance > 0 && start + bytes.count <= text.count
          && text[start...].starts(with: bytes)
      }
      if let best,
        support < best.support
          || support == best.support
            && abs(offset - oldOffset) >= abs(best.offset - oldOffset)
      {
        return
      }
      best = (offset, support)
    }
    return best?.offset
  }

  /// Returns the offset nearest to `guess` at which a sample occurs; nil if the sample does not
  /// occur or is too short to identify a position.
  private static func nearest(
    _ sample: ArraySlice<UInt8>, in text: [UInt8], to guess: Int
  ) -> Int? {
    var best: Int?
    forEachMatch(of: sample, in: text) { index in
      if abs(index - guess) < abs((best ?? Int.max / 2) - guess) { best = index }
    }
    return best
  }

  /// Calls `visit` with every offset at which a sample occurs; never calls it for a sample that is
  /// too short to identify a position.
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
  /// Returns the start of the character that contains an offset, or the offset itself at a
  /// character boundary.
  fileprivate func characterStart(atOrBefore offset: Int) -> Int {
    var offset = offset
    while offset > 0, offset < count, self[offset] & 0xC0 == 0x80 { offset -= 1 }
    return offset
  }
}

extension Document {
  /// Returns the start of each leaf block after an offset.
  fileprivate func leafStarts(after source: UInt32) -> some Sequence<Int> {
    blocks.lazy.filter { !$0.runs.isEmpty }
      .map { runs[Int($0.runs.lowerBound)].start }
      .filter { $0 > source }.map { Int($0) }
  }

  /// Returns the start of the leaf block that has the longest common prefix with a sample; if there
  /// are several, the one nearest to `guess`. A heading is recognized even if different text
  /// follows it.
  /// - Parameters:
  ///   - sample: The text from the start of a leaf block.
  ///   - guess: The approximate offset.
  /// - Returns: The start of the block; nil if no block either begins with the first 16 bytes of
  ///   the sample or consists of at least three bytes with which the sample begins.
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
