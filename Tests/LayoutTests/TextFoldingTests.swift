import Testing

@testable import Layout

/// Typed search text and the text of pages.
@Suite struct TextFoldingTests {
  @Test func `characters that are not looked up are their own folded form`() {
    let changed = (UInt32(0x80)..<0x20000).filter { scalar in
      TextFolding.isAlreadyFolded(scalar)
        && ![false, true].allSatisfy { keepsAccents in
          TextFolding.foldedScalars(of: scalar, keepsAccents: keepsAccents).elementsEqual([scalar])
        }
    }
    #expect(changed.isEmpty)
  }

  @Test(
    arguments: [
      // German
      ("strasse", "Straße"), ("GRÖSSE", "größe"), ("munchen", "München"),
      ("silbentrennung", "Silben\u{AD}trennung"),
      // Polish
      ("lodz", "Łódź"), ("zolw", "żółw"), ("swieto", "ŚWIĘTO"),
      // Danish, Norwegian
      ("smorrebrod", "smørrebrød"), ("tromso", "TROMSØ"), ("aerlig", "ærlig"),
      // Swedish
      ("goteborg", "Göteborg"), ("angstrom", "Ångström"), ("angstrom", "\u{212B}ngstrom"),
      // Icelandic
      ("thjodveldi", "Þjóðveldi"), ("reykjavik", "Reykjavík"),
      // French
      ("garcon", "garçon"), ("oeuvre", "Œuvre"), ("a la carte", "à la carte"),
      ("lecole", "l\u{200B}école"),
      // Spanish, Portuguese
      ("nino", "niño"), ("cigueña", "cigüena"), ("coracao", "coração"),
      // Turkish
      ("istanbul", "İstanbul"), ("isik", "ışık"), ("gul", "gül"),
      // Czech, Slovak, Hungarian, Romanian
      ("prilis zlutoucky kun", "Příliš žluťoučký kůň"), ("stastny", "šťastný"), ("orvos", "őrvös"),
      ("bucuresti", "București"), ("tara", "ţară"),
      // Croatian
      ("dakovo", "Đakovo"), ("cevapcici", "ćevapčići"),
      // Maltese, Latvian, Lithuanian
      ("hamrun", "Ħamrun"), ("riga", "Rīga"), ("siauliai", "Šiauliai"),
      // Vietnamese
      ("duong", "Đường"), ("pho bo", "phở bò"), ("tieng viet", "Tiê\u{301}ng Viê\u{323}t"),
      // Russian, Ukrainian
      ("елка", "Ёлка"), ("все еще", "ВСЁ ЕЩЁ"), ("замок", "за\u{301}мок"), ("їжак", "ЇЖАК"),
      ("чай", "ча\u{438}\u{306}"),
      // Greek
      ("αθηνα", "Αθήνα"), ("οδος", "ΟΔΟΣ"), ("λογοσ", "λόγος"), ("μαιος", "Μάϊος"),
      // Arabic
      ("كتاب", "كِتَابٌ"), ("محمد", "مُحَمَّد"), ("الله", "اللـــه"), ("احمد", "أحمد"), ("مدرسه", "مدرسة"),
      ("سلام", "\u{FEB3}\u{FEFC}\u{FEE1}"),
      // Persian, Urdu
      ("كتابي", "کتابی"), ("می خواهم", "مي خواهم"), ("میخواهم", "می\u{200C}خواهم"),
      ("2026", "۲۰۲۶"),
      // Hebrew
      ("שלום", "שָׁלוֹם"), ("תנך", "תַּנַךְ"), ("שנה", "\u{FB2A}נה"),
      // Japanese
      ("カタカナ", "ｶﾀｶﾅ"), ("ガギグ", "ｶﾞｷﾞｸﾞ"), ("パソコン", "ﾊﾟｿｺﾝ"), ("が", "か\u{3099}"), ("東京", "東京"),
      ("㈱", "(株)"), ("キロ", "㌔"),
      // Chinese
      ("abc123", "ＡＢＣ１２３"), ("金", "\u{F90A}"),
      // Korean
      ("한국어", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}\u{110B}\u{1165}"), ("서울", "서울"),
      // Hindi, Bengali
      ("किताब", "क़िताब"), ("हिन्दी", "हिन्दी"), ("१२", "12"), ("বাড়ি", "বা\u{9A1}\u{9BC}ি"),
      // Thai
      ("น้ำ", "น\u{E49}\u{E4D}\u{E32}"), ("๑๒๓", "123"),
      // Hausa, Azerbaijani
      ("barawo", "ɓarawo"), ("azerbaycan", "Azərbaycan"),
      // Symbols
      ("file", "\u{FB01}le"), ("h2o", "H₂O"), ("x2", "x²"), ("l'eau", "l’eau"),
      ("iv", "Ⅳ"),
      ("e", "e\u{FE0F}\u{200D}\u{2060}"),
    ] as [(String, String)])
  func `typed text and page text are folded alike`(_ typed: String, _ text: String) {
    #expect(TextFolding.folded(typed) == TextFolding.folded(text))
  }

  @Test(
    arguments: [
      ("чаи", "чай"), ("かき", "がき"), ("ハス", "パス"), ("い", "イ"), ("кит", "кет"), ("ι", "i"),
      ("की", "का"),
      ("도", "더"),
      ("하", "한"), ("ไก่", "ไข่"), ("ב", "כ"), ("o", "0"),
    ] as [(String, String)])
  func `distinct letters stay distinct`(_ one: String, _ other: String) {
    #expect(TextFolding.folded(one) != TextFolding.folded(other))
  }

  @Test func `folding is idempotent`() {
    for value in UInt32(0)..<0x11_0000 where value < 0x3_0000 || value % 97 == 0 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let once = TextFolding.folded(String(scalar))
      if TextFolding.folded(once) != once {
        Issue.record("U+\(String(value, radix: 16)): \(once), then \(TextFolding.folded(once))")
        return
      }
    }
  }

  @Test(
    arguments: [
      ("the Straße ahead", "strasse", "Straße"),
      ("zwei  \n Wörter", "zwei worter", "zwei  \n Wörter"),
      ("서울특별시입니다", "특별", "특별"), ("ｶﾞｲﾄﾞ本", "ガイド", "ｶﾞｲﾄﾞ"), ("cafe\u{301} au", "café", "cafe\u{301}"),
      ("a prefix", "pre", "pre"), ("x 漢字", " 漢 ", "漢"),
      ("私のiPhoneを", "iphone", "iPhone"), ("올해 2024년에", "2024년", "2024년"),
    ] as [(String, String, String)])
  func `folded text is found at its original position`(
    _ text: String, _ query: String, _ found: String
  ) {
    let range = FoldedText(text).range(of: FoldedText(query))
    #expect(range.map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) } == found)
  }

  @Test(
    arguments: [
      ("unfold", "fold", false), ("本unfold", "fold", false), ("folding", "fold", true),
      ("", "x", false), ("x", "", false), ("x", "  ", false), ("a b", "a  c", false),
      ("ends a", "a b", false),
    ] as [(String, String, Bool)])
  func `text that does not occur is not found`(_ text: String, _ query: String, _ isWhole: Bool) {
    #expect(FoldedText(text).range(of: FoldedText(query), matchesWholeWords: isWhole) == nil)
  }

  @Test func `a search continues after the previous match`() {
    let text = FoldedText("é x É")
    #expect(text.range(of: FoldedText("e"), from: 2) == 5..<7)
    #expect(text.range(of: FoldedText("e"), from: 7) == nil)
    // A single character that expands to several words.
    let content = FoldedText("a ﷺ ص")
    #expect(content.range(of: FoldedText("ص")) == 2..<5)
    #expect(content.range(of: FoldedText("ص"), from: 5) == 6..<8)
    #expect(FoldedText("ﬃ").range(of: FoldedText("f")) == 0..<3)
  }
}
