/// The quotation marks that the property `quotes` sets (CSS Generated Content 3 §3).
package struct QuotationMarks: Sendable, Hashable {
  /// A mark: its UTF-8, of at most four bytes, in the order of increasing significance.
  package struct Mark: Sendable, Hashable {
    private var packed: UInt32 = 0

    fileprivate init?(_ text: [UInt8]) {
      guard text.count <= 4, !text.contains(0) else { return nil }
      for byte in text.reversed() { packed = packed << 8 | UInt32(byte) }
    }

    /// The mark as UTF-8.
    package var bytes: [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: packed >> UInt32(8 * $0)) }.filter { $0 != 0 }
    }
  }

  /// The marks of a quotation.
  package struct Pair: Sendable, Hashable {
    package let open: Mark
    package let close: Mark
  }

  /// The marks of the outermost quotations.
  package let outer: Pair
  /// The marks of quotations within them.
  package let inner: Pair

  /// Parses the value of `quotes`; nil for keywords, and for values with long marks. Page authors
  /// who write `none` or empty strings to hide the marks of browsers usually add none of their own,
  /// so these values do not count either.
  init?(_ value: StyleBytes) {
    var rest = value.trimmed
    var marks: [Mark] = []
    while !rest.isEmpty, marks.count < Self.maxMarks {
      guard let string = GeneratedContent.consumeString(&rest), let mark = Mark(string) else {
        return nil
      }
      marks.append(mark)
      rest = rest.trimmed
    }
    guard marks.count >= 2, marks.count.isMultiple(of: 2),
      marks[..<2].contains(where: { !$0.bytes.isEmpty })
    else { return nil }
    outer = Pair(open: marks[0], close: marks[1])
    inner = marks.count > 2 ? Pair(open: marks[2], close: marks[3]) : outer
  }

  private static let maxMarks = 8
}
