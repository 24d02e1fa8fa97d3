import Testing

@testable import DOM

/// Escaped names in selectors of states, and the names of attributes in style sheets.
@Suite struct EscapedSelectorTests {
  /// Returns whether the subject of a selector equals a compound selector; nil means no subject.
  private func isSubject(
    _ subject: (StyleBytes) -> CompoundSelector?, of selector: String, _ expected: String?
  ) -> Bool {
    let bytes = Array(selector.utf8)
    let found = bytes.withStyleBytes(0..<bytes.count) { subject($0) }
    guard let expected else { return found == nil }
    let name = Array(expected.utf8)
    return found != nil && found == name.withStyleBytes(0..<name.count) { CompoundSelector($0) }
  }

  @Test(
    arguments: [
      (".group:hover .group-hover\\:opacity-100", ".group-hover\\:opacity-100"),
      (".hover\\:a:hover", ".hover\\:a"), (".a:hover .b\\>c", ".b\\>c"), (".a:focus .b", ".b"),
      (".a\\:hover", nil), (".a\\:hover .b", nil), (".a", nil), (".a:hover \\", nil),
    ] as [(String, String?)])
  func `an escaped character is a part of a name under the pointer`(
    selector: String, expected: String?
  ) {
    #expect(isSubject({ $0.subjectOfPointerState?.selector }, of: selector, expected))
  }

  @Test(
    arguments: [
      (".x:checked ~ .md\\:panel", ".md\\:panel"), (".open.lg\\:flex", ".open.lg\\:flex"),
      (".x:checked ~ .a", ".a"), (".x\\:checked ~ .a", nil), (".x:not(.a\\)) ~ .b", ".b"),
    ] as [(String, String?)])
  func `an escaped character is a part of the name of an opened element`(
    selector: String, expected: String?
  ) {
    #expect(isSubject(\.subjectOfOpenedState, of: selector, expected))
  }

  @Test func `names of attributes in content do not displace those in selectors`() {
    let content = (0..<20).map { "@media print { a::after { content: attr(data-c\($0)) } }" }
    let selectors = (0..<40).map { "[data-s\($0)] { display: none }" }
    let count = { (sheet: [String]) in
      Array(sheet.joined().utf8).withUnsafeBufferPointer {
        AttributeSelector.hashesOfUnknownNames(in: $0).count
      }
    }
    #expect(count(content) == 16 && count(selectors) == 32)
    #expect(count(content + selectors) == 48)
  }
}
