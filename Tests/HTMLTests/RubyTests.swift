import Testing

/// Ruby annotations in parentheses after their bases.
@Suite struct RubyTests {
  @Test(
    arguments: [
      ("字<rt>zì<rt>second", "字(zì second)"),
      ("<rb>字</rb><rt>zì</rt><rt>second</rt>", "字(zì second)"),
      ("字<rtc><rt>zì</rt><rt>second</rt></rtc>", "字(zì second)"),
      ("漢<rt>かん</rt>字<rt>zì</rt><rt>second</rt>", "漢(かん)字(zì second)"),
      ("<rb>東</rb><rb>京</rb><rt>とう</rt><rt>きょう</rt>", "東京(とうきょう)"),
      ("<rb>東</rb><rb>京</rb><rtc><rt>とう</rt><rt>きょう</rt></rtc>", "東京(とうきょう)"),
      ("東<rb>京<rt>とう<rt>きょう", "東京(とうきょう)"), ("字<rt>zì</rt><rt></rt>", "字(zì)"),
    ] as [(String, String)])
  func `two annotations of one base are separated`(ruby: String, expected: String) {
    #expect(ComponentTests.leaves("<p><ruby>\(ruby)</ruby></p>") == expected)
  }

  @Test(
    arguments: [
      ("東京<rtc>Tokyo</rtc>", "東京(Tokyo)"),
      (
        "<rb>東</rb><rb>京</rb><rtc><rt>dong</rt><rt>jing</rt></rtc><rtc>Tokyo</rtc>",
        "東京(dongjing)(Tokyo)"
      ),
      ("字<rt>zì</rt><rtc></rtc>", "字(zì)"),
    ] as [(String, String)])
  func `a container of an annotation without parts is in parentheses`(
    ruby: String, expected: String
  ) {
    #expect(ComponentTests.leaves("<p><ruby>\(ruby)</ruby></p>") == expected)
  }
}
