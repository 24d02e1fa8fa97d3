import Algorithms
import DOM
import Document

/// The bidirectional order of a paragraph or of a line of code, computed from `inlineText`.
struct BidiOrder {
  /// The embedding level of the paragraph: 1 for right to left.
  var embeddingLevel: UInt8
  /// The end offset and embedding level of each level run, in logical order.
  var levelRuns: [(end: Int, level: UInt8)] = []
  /// Whether the text is enclosed in an isolate, so that the terminal reorders it.
  var isIsolated = false

  /// The control character that begins an isolate with the direction of the paragraph: LRI or RLI.
  var isolateInitiator: String { embeddingLevel == 0 ? "\u{2066}" : "\u{2067}" }
  /// The control character that begins an isolate whose direction is that of its first letter: FSI.
  static let firstStrongIsolate = "\u{2068}"
  /// The control character that ends an isolate: PDI.
  static let popDirectionalIsolate = "\u{2069}"
}

extension LayoutOptions {
  /// The component that reorders right-to-left text for display.
  package enum BidiOrdering: Sendable, Equatable {
    /// Nothing: text is shown in logical order.
    case off
    /// The terminal, within the isolates (UAX 9) that the layout puts around paragraphs.
    case terminal
    /// offread itself, which uses the levels in `PageLayout.orderedLines`.
    case app
  }
}

extension BlockLayout {
  /// Returns the order of a range of `inlineText`. Its direction is the one in the markup, else
  /// that of its first letter, else that of the lines around it.
  /// - Parameters:
  ///   - range: The byte range in `inlineText`.
  ///   - isCode: Whether the text is left to right, whatever its content.
  /// - Returns: The order; nil if the text is left to right and needs no reordering.
  func bidiOrder(of range: Range<Int>, isCode: Bool = false) -> BidiOrder? {
    guard input.usesBidiOrdering else { return nil }
    let (first, hasRightToLeft) = BidiOrder.firstStrongDirection(
      of: inlineText.bytes, range, isASCII: inlineText.isASCII)
    let said =
      isCode
      ? .leftToRight
      : input.document.locale(at: inlineText.sourceOffset(at: 0, pieceIndex: 0)).direction
    let base: UInt8 = (said ?? first).map { $0 == .rightToLeft ? 1 : 0 } ?? embeddingLevel
    guard hasRightToLeft || base == 1 || embeddingLevel == 1 else { return nil }
    guard hasRightToLeft || base == 1 else {
      return BidiOrder(embeddingLevel: 0, levelRuns: [(range.upperBound, 0)])
    }
    if input.options.bidiOrdering == .terminal {
      return BidiOrder(
        embeddingLevel: base, levelRuns: [(range.upperBound, base * 2)], isIsolated: true)
    }
    return BidiOrder(
      embeddingLevel: base,
      levelRuns: BidiOrder.levelRuns(
        of: inlineText.bytes, range, paragraphLevel: base,
        isolates: inlineText.isolateControls(input.document.isolates)))
  }

  /// Writes a range of `inlineText` on a line whose prefix has been written.
  /// - Parameters:
  ///   - range: The byte range in `inlineText`.
  ///   - cursor: The position in `inlineText`.
  ///   - order: The order of the text; nil if it needs no reordering.
  ///   - columns: The number of columns that the text may fill.
  /// - Returns: The offset in the document of the first byte that is written.
  mutating func write(
    _ range: Range<Int>, by cursor: inout InlineCursor, _ order: BidiOrder?, columns: Int
  ) -> UInt32 {
    guard let order else { return cursor.write(range, of: inlineText, to: &writer) }
    beginBidiOrder(columns: columns)
    if order.isIsolated {
      writer.append(order.isolateInitiator, style: TextStyle())
      writer.endPrefix()
    }
    let levelOffset = writer.levelOffset(of: order.embeddingLevel)
    var source: UInt32?
    var start = range.lowerBound
    var part = order.levelRunIndex(at: start)
    repeat {
      let end =
        part < order.levelRuns.count
        ? min(order.levelRuns[part].end, range.upperBound) : range.upperBound
      let position = cursor.write(start..<end, of: inlineText, to: &writer)
      source = source ?? position
      writer.endLevelRun(level: order.embeddingLevel(ofLevelRun: part) + levelOffset)
      start = end
      part += 1
    } while start < range.upperBound
    return source ?? sourceOffset
  }

  /// Ends the text of a line, which is padded to `columns`.
  mutating func endText(_ order: BidiOrder?, columns: Int) {
    guard let order else { return }
    let levelOffset = writer.levelOffset(of: order.embeddingLevel)
    if order.isIsolated {
      writer.append(BidiOrder.popDirectionalIsolate, style: TextStyle())
      writer.endLevelRun(level: order.embeddingLevel * 2 + levelOffset)
    }
    writer.endLevelRun(level: order.embeddingLevel + levelOffset, minBoxWidth: columns)
  }

  /// Begins the order of a line after its prefix, if bidirectional ordering is on.
  mutating func beginBidiOrder(columns: Int) {
    guard input.usesBidiOrdering else { return }
    writer.beginBidiOrder(level: embeddingLevel, margin: margin, columns: columns)
  }

  /// Ends the level run of an ornament (such as a marker or border) on a bidirectionally ordered
  /// line. The ornament has the given level and is padded to `columns`.
  mutating func endOrnament(level: UInt8, columns: Int) {
    guard writer.hasBidiOrder else { return }
    writer.endLevelRun(level: level + writer.levelOffset(of: level), minBoxWidth: columns)
  }

  /// Appends a label whose bidirectional order is independent of the rest of the line, padded to
  /// `columns`.
  mutating func append(label: String, style: TextStyle, columns: Int) {
    let bytes = Array(label.utf8)
    let blanks = columns - input.options.widths.width(of: bytes, in: 0..<bytes.count)
    guard writer.hasBidiOrder, bytes.hasRightToLeft else {
      writer.append(label, style: style)
      if writer.hasBidiOrder { writer.endLevelRun(level: embeddingLevel * 2) }
      writer.append(byte: .space, count: blanks)
      return endOrnament(level: embeddingLevel, columns: columns)
    }
    if input.options.bidiOrdering == .terminal {
      writer.append(
        BidiOrder.firstStrongIsolate + label + BidiOrder.popDirectionalIsolate, style: style)
      writer.endLevelRun(level: embeddingLevel * 2)
    } else {
      var start = 0
      for part in BidiOrder.levelRuns(of: bytes, 0..<bytes.count, paragraphLevel: embeddingLevel) {
        writer.append(bytes, start..<part.end, style: style)
        writer.endLevelRun(level: part.level)
        start = part.end
      }
    }
    writer.append(byte: .space, count: blanks)
    endOrnament(level: embeddingLevel, columns: columns)
  }

  /// Returns the embedding level of a container's lines. Its direction is the one in the markup at
  /// its start, else that of its first letter, else that of the lines around it.
  func embeddingLevel(ofContainer block: Document.Block, _ index: Int32) -> UInt8 {
    guard input.usesBidiOrdering else { return embeddingLevel }
    let start = Int(input.document.textOffset(ofBlock: index))
    if let said = input.document.locale(at: UInt32(start)).direction {
      return said == .rightToLeft ? 1 : 0
    }
    let end =
      Int(block.end) < input.document.blocks.count
      ? Int(input.document.textOffset(ofBlock: block.end)) : input.document.text.count
    var position = start
    while position < min(end, start + Self.maxSearchedBytes) {
      let scalar = DisplayWidth.decodeScalar(in: input.document.text, at: &position, end: end)
      if scalar.isRightToLeft { return 1 }
      if scalar.isLeftToRight { return 0 }
    }
    return embeddingLevel
  }

  /// The maximum number of bytes of a container that are searched for a letter; bounded because
  /// containers may be deeply nested.
  private static let maxSearchedBytes = 256
}

extension BidiOrder {
  /// Returns the direction of the first letter of a text outside isolates (rule P2; nil if there is
  /// no such letter), and whether the text contains right-to-left letters. `isASCII` is whether all
  /// bytes are below 0x80.
  static func firstStrongDirection(
    of bytes: [UInt8], _ range: Range<Int>, isASCII: Bool = false
  ) -> (first: Document.Direction?, hasRightToLeft: Bool) {
    var first: Document.Direction?
    var hasRightToLeft = false
    var isolateDepth = 0
    var position = range.lowerBound
    while position < range.upperBound, first == nil || !hasRightToLeft {
      let scalar = DisplayWidth.decodeScalar(in: bytes, at: &position, end: range.upperBound)
      switch scalar {
      case 0x2066...0x2068: isolateDepth += 1
      case 0x2069: isolateDepth = max(0, isolateDepth - 1)
      default:
        if scalar.isRightToLeft {
          hasRightToLeft = true
          if isolateDepth == 0 { first = first ?? .rightToLeft }
        } else if first == nil, isolateDepth == 0, scalar.isLeftToRight {
          first = .leftToRight
          if isASCII { return (first, false) }
        }
      }
    }
    return (first, hasRightToLeft)
  }

  /// Returns the embedding levels of a text, computed separately for each of its lines (rule P1).
  /// - Parameters:
  ///   - bytes: The text as UTF-8.
  ///   - range: The byte range to process.
  ///   - paragraphLevel: The level of the paragraph.
  ///   - isolates: Isolate control characters to insert before certain bytes; they are not in the
  ///     text.
  /// - Returns: The end offset and level of each level run.
  static func levelRuns(
    of bytes: [UInt8], _ range: Range<Int>, paragraphLevel: UInt8,
    isolates: [(position: Int, scalars: [UInt32])] = []
  ) -> [(end: Int, level: UInt8)] {
    var parts: [(end: Int, level: UInt8)] = []
    var scalars: [UInt32] = []
    var ends: [Int] = []
    // Reserve one scalar for every two bytes, the length of most right-to-left letters in UTF-8.
    scalars.reserveCapacity(range.count / 2 + 16)
    ends.reserveCapacity(range.count / 2 + 16)
    var last = (end: range.lowerBound, level: paragraphLevel)
    func flush() {
      let levels = FriBidi.levels(of: scalars, paragraphLevel: paragraphLevel)
      for index in levels.indices where ends[index] > last.end {
        if levels[index] != last.level, last.end > range.lowerBound { parts.append(last) }
        last = (ends[index], levels[index])
      }
      scalars.removeAll(keepingCapacity: true)
      ends.removeAll(keepingCapacity: true)
    }
    var position = range.lowerBound
    var marker = isolates.firstIndex { $0.position >= position } ?? isolates.count
    while position < range.upperBound {
      while marker < isolates.count, isolates[marker].position <= position {
        scalars += isolates[marker].scalars
        // Isolate controls have no bytes in the text, so their end is the offset of the next
        // character.
        ends += isolates[marker].scalars.map { _ in position }
        marker += 1
      }
      let isLineFeed = bytes[position] == 0x0A
      scalars.append(DisplayWidth.decodeScalar(in: bytes, at: &position, end: range.upperBound))
      ends.append(position)
      if isLineFeed { flush() }
    }
    flush()
    if last.end > range.lowerBound { parts.append(last) }
    return parts
  }
}

extension InlineText {
  /// Returns the offsets in this inline text at which isolates of the document begin or end, with
  /// their control characters.
  fileprivate func isolateControls(
    _ isolates: [Document.Isolate]
  ) -> [(position: Int, scalars: [UInt32])] {
    guard !isolates.isEmpty, let first = pieces.first, let last = pieces.last else { return [] }
    let end = sourceOffset(at: bytes.count, pieceIndex: pieces.count - 1)
    var events: [(source: UInt32, isStart: Bool, length: UInt32, scalars: [UInt32])] = []
    var index = isolates.partitioningIndex { $0.end > first.sourceOffset }
    // The isolates are sorted by their ends.
    while index < isolates.count, isolates[index].end <= max(end, last.sourceOffset) {
      let isolate = isolates[index]
      let start = max(isolate.start, first.sourceOffset)
      events.append((start, true, isolate.end - start, isolate.initiators))
      events.append((isolate.end, false, isolate.end - start, isolate.terminators))
      index += 1
    }
    // Inner isolates end first and begin last.
    events.sort {
      if $0.source != $1.source { return $0.source < $1.source }
      if $0.isStart != $1.isStart { return !$0.isStart }
      return $0.isStart ? $0.length > $1.length : $0.length < $1.length
    }
    var piece = 0
    return events.map { event in
      func begin() -> Int { piece > 0 ? pieces[piece - 1].end : 0 }
      while piece + 1 < pieces.count,
        event.isStart
          ? pieces[piece].sourceOffset + UInt32(pieces[piece].end - begin()) <= event.source
          : pieces[piece + 1].sourceOffset < event.source
      {
        piece += 1
      }
      let offset =
        pieces[piece].isVerbatim ? Int(event.source) - Int(pieces[piece].sourceOffset) : 0
      return (min(max(begin(), begin() + offset), pieces[piece].end), event.scalars)
    }
  }
}

extension Document.Isolate {
  /// The opening control characters: FSI, LRI or RLI, followed by LRO or RLO for overrides.
  fileprivate var initiators: [UInt32] {
    switch direction {
    case .leftToRight: isOverride ? [0x2066, 0x202D] : [0x2066]
    case .rightToLeft: isOverride ? [0x2067, 0x202E] : [0x2067]
    case nil: [0x2068]
    }
  }

  /// The closing control characters: PDI, preceded by PDF for overrides.
  fileprivate var terminators: [UInt32] {
    isOverride && direction != nil ? [0x202C, 0x2069] : [0x2069]
  }
}

extension BidiOrder {
  /// Returns the index of the level run that contains an offset.
  fileprivate func levelRunIndex(at position: Int) -> Int {
    levelRuns.partitioningIndex { $0.end > position }
  }

  fileprivate func embeddingLevel(ofLevelRun index: Int) -> UInt8 {
    levelRuns.indices.contains(index) ? levelRuns[index].level : embeddingLevel
  }
}

extension UInt32 {
  /// Whether the character is an isolate initiator or terminator, U+2066 to U+2069.
  package var isIsolateControl: Bool { (0x2066...0x2069).contains(self) }

  /// Whether the character is a letter of Hebrew, Arabic, Syriac, Thaana, NKo, Samaritan, Mandaic
  /// or another script in the ranges whose default bidirectional class is R or AL.
  package var isRightToLeft: Bool {
    switch self {
    case 0x0590...0x08FF: !(0x0660...0x0669).contains(self) && !(0x06F0...0x06F9).contains(self)
    case 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
  }

  /// Whether the character is a letter of a left-to-right script. The test is only precise enough
  /// to determine the direction of a paragraph.
  fileprivate var isLeftToRight: Bool {
    switch self {
    case 0x41...0x5A, 0x61...0x7A, 0xAA, 0xB5, 0xBA, 0xC0...0x02B8: self != 0xD7 && self != 0xF7
    case 0x0370...0x058F, 0x0900...0x1FFF, 0x2C00...0x2DFF, 0x3041...0xA4CF, 0xA4D0...0xABFF,
      0xAC00...0xD7A3, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}

extension SIMD16<UInt8> {
  /// Whether the byte may begin a right-to-left character: D6 to E0, EF and F0.
  @inline(__always)
  fileprivate var mayBeginRightToLeft: SIMDMask<SIMD16<Int8>> {
    (self &- SIMD16(repeating: 0xD6) .<= SIMD16(repeating: 0xE0 - 0xD6))
      .| (self &- SIMD16(repeating: 0xEF) .<= SIMD16(repeating: 1))
  }
}

extension [UInt8] {
  /// Whether UTF-8 text contains characters in right-to-left ranges. Other text is scanned 16 bytes
  /// at a time.
  package var hasRightToLeft: Bool {
    withUnsafeBufferPointer { bytes in
      var index = bytes.firstIndex(from: 0, where: \.mayBeginRightToLeft)
      while index < bytes.count {
        if Self.beginsRightToLeft(bytes, index) { return true }
        index = bytes.firstIndex(from: index + 1, where: \.mayBeginRightToLeft)
      }
      return false
    }
  }

  private static func beginsRightToLeft(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    let byte = bytes[index]
    guard byte >= 0xD6, index + 1 < bytes.count else { return false }
    let next = bytes[index + 1]
    switch byte {
    case 0xD6: return next >= 0x90
    case 0xD7...0xDF: return true
    case 0xE0: return next < 0xA4
    case 0xEF:
      let third = index + 2 < bytes.count ? bytes[index + 2] : 0
      return switch next {
      case 0xAC: third >= 0x9D
      case 0xAD...0xB7, 0xBA: true
      case 0xB9: third >= 0xB0
      case 0xBB: third < 0xBF
      default: false
      }
    case 0xF0:
      return (next == 0x90 || next == 0x9E) && index + 2 < bytes.count
        && bytes[index + 2] >= 0xA0
    default: return false
    }
  }
}
