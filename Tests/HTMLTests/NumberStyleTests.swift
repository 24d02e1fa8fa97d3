import Testing

@testable import DOM

/// Numbers in the styles of CSS.
@Suite struct NumberStyleTests {
  @Test(
    arguments: [
      (.decimalLeadingZero, 7, "07"), (.decimalLeadingZero, 12, "12"),
      (.decimalLeadingZero, -3, "-03"),
      (.lowerAlpha, 28, "ab"), (.upperRoman, 14, "XIV"), (.lowerGreek, 3, "γ"),
      (.lowerGreek, 25, "αα"), (.lowerGreek, 0, "0"), (.hebrew, 15, "טו"), (.hebrew, 118, "קיח"),
      (.armenian, 21, "ԻԱ"), (.armenian, 10_000, "10000"), (.georgian, 12, "იბ"),
      (.hiragana, 2, "い"), (.arabicIndic, 105, "١٠٥"), (.persian, -4, "-۴"), (.thai, 10, "๑๐"),
      (.cjkDecimal, 20, "二〇"), (.cjkIdeographic, 10, "十"), (.cjkIdeographic, 42, "四十二"),
      (.cjkIdeographic, 100, "100"), (.cjkHeavenlyStem, 10, "癸"), (.cjkHeavenlyStem, 11, "11"),
      (.tamil, .min, "-௨௧௪௭௪௮௩௬௪௮"), (.lowerGreek, .min, "-2147483648"),
    ] as [(NumberStyle, Int32, String)])
  func `a style formats the numbers that it can represent`(
    _ style: NumberStyle, _ value: Int32, _ text: String
  ) {
    #expect(style.text(of: value) == text)
  }
}
