/// The internal subset of a document type (XML 1.0 §2.8), with its general entities.
private struct InternalSubset {
  /// The range of the internal subset, including the brackets.
  let range: Range<Int>
  /// The replacement texts by entity name.
  private(set) var entities: [ArraySlice<UInt8>: [UInt8]] = [:]

  private static let predefinedEntities = ["amp", "apos", "gt", "lt", "quot"].map { Array($0.utf8) }
  private static let maxEntities = 1000
  private static let maxTextLength = 65_536
  /// The maximum number of bytes by which entities may enlarge a page.
  static let maxGrowth = 1_000_000

  /// Parses the internal subset of a document type within the first 4096 bytes; returns nil if
  /// there is none.
  init?(_ bytes: [UInt8]) {
    let subset = bytes.withUnsafeBufferPointer { Self.findSubset($0) }
    guard let subset else { return nil }
    range = subset.range
    for (name, text) in subset.declarations where entities.count < Self.maxEntities {
      // The first declaration of a name counts; predefined entities are not redefined.
      guard entities[bytes[name]] == nil,
        !Self.predefinedEntities.contains(where: bytes[name].elementsEqual)
      else { continue }
      entities[bytes[name]] = replacingReferences(in: bytes[text], maxGrowth: Self.maxTextLength)
    }
  }

  /// Returns a text with its entity references replaced. The text grows by at most `maxGrowth`
  /// bytes; further references are left unchanged.
  func replacingReferences(in text: ArraySlice<UInt8>, maxGrowth: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var remainingGrowth = maxGrowth
    var rest = text
    while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
      result += rest[..<start]
      rest = rest[start...]
      let name = rest.dropFirst().prefix(64).prefix { $0.isNameByte || $0 == 0x2E || $0 == 0x3A }
      let hasEnd = name.endIndex < rest.endIndex && rest[name.endIndex] == UInt8(ascii: ";")
      if hasEnd, let value = entities[name], value.count <= remainingGrowth {
        remainingGrowth -= value.count
        result += value
        rest = rest[(name.endIndex + 1)...]
      } else {
        result.append(rest.removeFirst())
      }
    }
    return result + rest
  }

  // MARK: Parsing

  private typealias SubsetRanges = (range: Range<Int>, declarations: [(Range<Int>, Range<Int>)])

  /// Returns the range of the internal subset, and the ranges of the name and the text of each
  /// entity that it declares; nil if there is no complete internal subset.
  private static func findSubset(_ bytes: UnsafeBufferPointer<UInt8>) -> SubsetRanges? {
    var start = bytes.firstIndex(of: UInt8(ascii: "<"), from: 0)
    while start < min(bytes.count, 4096), !bytes.hasPrefix("<!DOCTYPE", at: start) {
      start = bytes.firstIndex(of: UInt8(ascii: "<"), from: start + 1)
    }
    guard start < min(bytes.count, 4096) else { return nil }
    var index = start
    while index < bytes.count, bytes[index] != UInt8(ascii: "[") {
      if bytes[index] == UInt8(ascii: ">") { return nil }
      index = endOfToken(of: index, in: bytes)
    }
    let first = index
    var declarations: [(Range<Int>, Range<Int>)] = []
    index += 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "]") {
      if bytes.hasPrefix("<!ENTITY", at: index),
        let entity = entityDeclaration(bytes, from: index + 8)
      {
        declarations.append(entity)
      }
      index = endOfToken(of: index, in: bytes)
    }
    return index < bytes.count ? (first..<index + 1, declarations) : nil
  }

  /// Returns the index after a string, a comment or a single byte.
  private static func endOfToken(of start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    switch bytes[start] {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return min(bytes.count, bytes.firstIndex(of: bytes[start], from: start + 1) + 1)
    case UInt8(ascii: "<") where bytes.hasPrefix("<!--", at: start):
      var index = start + 4
      while index < bytes.count, !bytes.hasPrefix("-->", at: index) { index += 1 }
      return min(bytes.count, index + 3)
    default: return start + 1
    }
  }

  /// Returns the ranges of the name and the text of an entity declaration; nil for external
  /// entities.
  private static func entityDeclaration(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> (Range<Int>, Range<Int>)? {
    func skipSpace(_ index: Int) -> Int {
      bytes[index...].firstIndex { !$0.isWhiteSpace } ?? bytes.count
    }
    let nameStart = skipSpace(start)
    // Checked first, because the end of a name may be far away.
    guard nameStart > start else { return nil }
    let nameEnd = bytes[nameStart...].firstIndex(where: \.isWhiteSpace) ?? bytes.count
    let quoteIndex = skipSpace(nameEnd)
    guard nameEnd > nameStart, quoteIndex < bytes.count,
      bytes[quoteIndex] == UInt8(ascii: "\"") || bytes[quoteIndex] == UInt8(ascii: "'")
    else { return nil }
    let valueEnd = bytes.firstIndex(of: bytes[quoteIndex], from: quoteIndex + 1)
    return valueEnd < bytes.count ? (nameStart..<nameEnd, quoteIndex + 1..<valueEnd) : nil
  }
}

extension [UInt8] {
  /// The XML text with references to its own internal entities replaced.
  package var expandingEntities: [UInt8] {
    guard let subset = InternalSubset(self) else { return self }
    return Array(self[..<subset.range.lowerBound])
      + subset.replacingReferences(
        in: self[subset.range.upperBound...], maxGrowth: InternalSubset.maxGrowth)
  }
}
