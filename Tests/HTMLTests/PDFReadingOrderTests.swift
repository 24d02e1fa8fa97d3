import Document
import Foundation
import TestSupport
import Testing

@testable import Formats

/// The reading order of PDF files, derived from the positions of their words.
struct PDFReadingTests {
  /// Parses the pages of a fixture: lines `page WIDTH HEIGHT` and `X Y SIZE TEXT`, where each
  /// letter is half as wide as it is high. After the size, `=` preserves spaces as in code, and `|`
  /// writes from bottom to top.
  private static func pages(_ text: String) -> [PDFPage] {
    var pages: [PDFPage] = []
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 3).map(String.init)
      if parts[0] == "page" {
        pages.append(PDFPage(width: Double(parts[1]) ?? 0, height: Double(parts[2]) ?? 0))
        continue
      }
      let size = Double(parts[2].filter(\.isNumber)) ?? 0
      let isUpward = parts[2].hasSuffix("|")
      let letter = parts[2].hasSuffix("=") ? size * 0.6 : size * 0.5
      var (x, y) = (Double(parts[0]) ?? 0, Double(parts[1]) ?? 0)
      for word in parts[3].split(separator: " ", omittingEmptySubsequences: false) {
        let length = Double(word.count) * (parts[2].hasSuffix("=") ? letter : widths(word) * size)
        let box =
          isUpward
          ? PDFBox(left: x, top: y - length, right: x + size, bottom: y)
          : PDFBox(left: x, top: y, right: x + length, bottom: y + size)
        if !word.isEmpty { pages[pages.count - 1].words.append(PDFWord(String(word), box)) }
        let space = parts[2].hasSuffix("=") ? letter : size * 0.28
        if isUpward { y -= length + space } else { x += length + space }
      }
    }
    return pages
  }

  /// The mean width of the letters of a word, which differ in most fonts.
  private static func widths(_ word: Substring) -> Double {
    word.reduce(0) { $0 + ("il.,;:'1tf".contains($1) ? 0.3 : "mw".contains($1) ? 0.75 : 0.48) }
      / Double(max(1, word.count))
  }

  @Test(
    arguments: [
      ("Microsoft Word - report v3.doc", "report v3.doc"), ("untitled", "file.pdf"),
      ("Microsoft Word - Document1", "file.pdf"),
      ("Slide 1", "file.pdf"), ("PowerPoint in schools", "PowerPoint in schools"),
      ("Document1 of the harbour", "Document1 of the harbour"), ("", "file.pdf"),
      ("1984", "1984"), ("Untitled (2)", "file.pdf"),
    ] as [(String, String)])
  func `a title that a program chose is not the title of the page`(
    _ metadata: String, _ title: String
  ) throws {
    let html = try Self.page(head: "<title>\(metadata)</title>")
    #expect(html.contains("<title>\(title)</title>"), "\(html)")
  }

  @Test(
    arguments: [
      ("Jane &quot;J&quot; Roe", "Jane &#34;J&#34; Roe"), ("李明", "&#26446;&#26126;"), ("jroe", nil),
      ("Microsoft Office User", nil), ("Unknown Author", nil), ("a@b.example, c", nil), ("", nil),
    ] as [(String, String?)])
  func `the author in the metadata is that of the page unless it is an account`(
    _ metadata: String, _ author: String?
  ) throws {
    let html = try Self.page(
      head: "<title>A</title><meta name=\"Author\" content=\"\(metadata)\"/>")
    let element = author.map { "</title><meta name=author content=\"\($0)\"><main>" }
    #expect(html.contains(element ?? "</title><main>"), "\(html)")
  }

  private static func page(head: String) throws -> String {
    let words = (0..<24).map { number in
      let (left, top) = (72 + number % 8 * 50, 90 + number / 8 * 14)
      return "<word xMin=\"\(left)\" yMin=\"\(top)\" xMax=\"\(left + 46)\" "
        + "yMax=\"\(top + 11)\">harbour</word>"
    }
    let output =
      "<head>\(head)</head>"
      + "<page width=\"612\" height=\"792\">\(words.joined())</page>"
    let page = PDFMarkup.page(bboxOutput: Array(output.utf8), title: "file.pdf")
    return String(decoding: try #require(page), as: UTF8.self)
  }

  private static func html(_ pages: [PDFPage]) -> String { PDFReadingOrder(pages)?.html ?? "" }

  @Test(arguments: GoldenCase.all(in: "Fixtures/pdf", extension: "boxes"))
  func `positioned words give the expected text`(_ golden: GoldenCase) throws {
    let text = String(decoding: try golden.bytes(), as: UTF8.self)
    let difference = try golden.difference(from: Self.html(Self.pages(text)))
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test func `short lines of code and lines that were not filled keep their breaks`() {
    let lines = [
      "10 20 10 The harbour of the town is older than the town itself, and nobody knows who",
      "10 32 10 built it, although the stones of the pier have marks that no mason of the",
      "10 44 10 town has ever been able to read.",
      "40 66 10= int main(void)", "40 78 10= {", "40 90 10=     return 0;", "40 102 10= }",
      "10 124 10 Whoever reads them will know at once that nothing was lost in the flood of",
      "10 136 10 that year, and that the lamps were lit again.",
      "10 158 10 the tide comes in", "10 170 10 the boats go out", "20 182 10 and nobody asks",
      "10 194 10 the gulls why",
      "10 216 10 The end of the text follows the verses, and it is long enough to fill a line of",
      "10 228 10 the page.",
    ]
    let html = Self.html(Self.pages("page 400 300\n" + lines.joined(separator: "\n")))
    #expect(html.contains("int main(void)\n{\n    return 0;\n}"), "\(html)")
    #expect(html.contains("the tide comes in\nthe boats go out\n"), "\(html)")
    #expect(html.contains("who built it, although") && html.contains("a line of the page."))
  }

  @Test(
    arguments: [
      ([68, 80, 92], "<p>1. Lanterns</p>"), ([68, 92, 116], "<p>1. Lanterns</p>"),
      ([68, 80], "<h2>1. Lanterns</h2>"),
    ] as [([Int], String)])
  func `a numbered line is a heading unless the next number follows`(_ y: [Int], _ first: String) {
    let texts =
      y.count == 3
      ? ["1. Lanterns", "2. Boats and oars", "3. Nets"]
      : ["1. Lanterns", "The lamps of the harbour were lit again, as soon as the flood was over."]
    let lines =
      [
        "10 20 10 The harbour of the town is older than the town itself, and nobody knows who",
        "10 32 10 built it, although the stones of the pier have marks that no mason of the",
        "10 44 10 town has ever been able to read.",
      ] + zip(y, texts).map { "10 \($0) 10 \($1)" }
    let html = Self.html(Self.pages("page 400 300\n" + lines.joined(separator: "\n")))
    #expect(html.contains(first), "\(html)")
    #expect(y.count < 3 || html.contains("<p>3. Nets</p>"), "\(html)")
  }

  @Test func `the first column of a table is not line numbers`() {
    let rows = (1...40).map { row in
      let y = 40 + row * 14
      return """
        40 \(y) 10 \(row)
        70 \(y) 10 the word
        180 \(y) 10 \(220_386 - row)
        260 \(y) 10 article class
        380 \(y) 10 11.10 percent
        """
    }
    let html = Self.html(Self.pages("page 500 700\n" + rows.joined(separator: "\n")))
    #expect(!html.contains("Line numbers") && html.contains("17"), "\(html)")
  }

  @Test(
    arguments: [
      ("\u{F0B7}", "•"), ("\u{F0D8}", "➢"), ("►", "►"), ("\u{E011}", "\u{E011}"), ("3.", "3."),
    ] as [(String, String)])
  func `an item of a list is a paragraph whatever its bullet and the gap after it`(
    _ marker: String, _ shown: String
  ) throws {
    var words: [(Int, Int, String)] = []
    func add(_ left: Int, _ top: Int, _ text: String) {
      for (index, word) in text.split(separator: " ").enumerated() {
        words.append((left + index * 50, top, String(word)))
      }
    }
    add(72, 80, "harbour captain winter evening morning village lantern bridges harbour")
    for item in 0..<3 {
      add(72, 100 + item * 28, marker)
      add(122, 100 + item * 28, "harbour captain winter evening morning village lantern bridges")
      add(122, 114 + item * 28, "towards evening")
    }
    let page = words.map { left, top, text in
      let width = text.count == 1 ? 6 : text.count == 2 ? 12 : 47
      return "<word xMin=\"\(left)\" yMin=\"\(top)\" xMax=\"\(left + width)\" "
        + "yMax=\"\(top + 11)\">\(text)</word>"
    }
    let output = "<page width=\"612\" height=\"792\">\(page.joined())</page>"
    let html = String(
      decoding: try #require(PDFMarkup.page(bboxOutput: Array(output.utf8), title: "")),
      as: UTF8.self)
    let item = "\(shown) harbour captain winter evening morning village lantern bridges"
    #expect(html.components(separatedBy: "<p>\(item) towards evening</p>").count == 4, "\(html)")
  }

  @Test func `a file without text names a command instead of a key`() {
    let html = String(
      decoding: PDFMarkup.page(layoutOutput: Array("  \n\u{0C}".utf8), title: "Scan"),
      as: UTF8.self)
    #expect(html.contains("without text. <code>:open-external</code> opens it"))
    #expect(!html.contains("<kbd>"))
  }

  @Test func `numbers in front of several cells stay the first column of a table`() {
    let rows = (1...6).map { row in
      let y = 40 + row * 14
      return "40 \(y) 10 \(row).\n70 \(y) 10 the word\n240 \(y) 10 \(220_386 - row)"
    }
    let html = Self.html(Self.pages("page 500 700\n" + rows.joined(separator: "\n")))
    #expect(html.contains("<pre>") && html.contains("220385"), "\(html)")
  }

  @Test(
    arguments: [
      ("T", "he", "The"), ("T", "HE", "THE"), ("L", "’hiver", "L’hiver"), ("“W", "e", "“We"),
      ("A", "boat", "A boat"), ("À", "bord", "À bord"),
      // These letters are not drop caps.
      ("1", "Open", "1 Open"), ("12", "New", "12 New"), ("Q", "How", "Q How"),
    ] as [(String, String, String)])
  func `a drop cap is a part of the word beside it`(_ cap: String, _ word: String, _ text: String) {
    let lines = [
      "40 58 26 \(cap)",
      "60 60 10 \(word) lamps of the harbour were counted by the keeper before all of",
      "60 72 10 that evening, and nobody knew how many there had been at noon in the",
      "40 84 10 town, because the letters of the pilots said nothing about the lamps of it",
      "40 96 10 and the market had closed until the morning after the winter in which the",
      "40 108 10 bridge was built over the river by the pilots and the keeper.",
    ]
    let html = Self.html(Self.pages("page 400 600\n" + lines.joined(separator: "\n")))
    #expect(html.contains("\(text) lamps"), "\(html)")
  }

  @Test(
    arguments: [
      ([1981, 1983, 1986, 1990], false), ([1981, 1982, 1983, 1984], true), ([7, 9, 12, 16], true),
    ] as [([Int], Bool)])
  func `a number on top of a page is a year unless it counts the pages`(
    _ numbers: [Int], _ isRemoved: Bool
  ) {
    let pages = numbers.enumerated().map { index, number in
      """
      page 400 600
      200 20 10 \(number)
      40 100 10 The harbour of the town is older than the town itself, and nobody knows
      40 112 10 who built it, although the stones of the pier have marks that no mason
      40 124 10 of the town has ever been able to read.
      200 580 10 \(index + 1)
      """
    }
    let html = Self.html(Self.pages(pages.joined(separator: "\n")))
    #expect(html.contains("\(numbers[0])<") != isRemoved, "\(html)")
    #expect(isRemoved || !html.contains("(\(numbers[1]))"), "\(html)")
  }

  @Test func `the order of the words in the file does not matter`() throws {
    for golden in GoldenCase.all(in: "Fixtures/pdf", extension: "boxes") {
      var pages = Self.pages(String(decoding: try golden.bytes(), as: UTF8.self))
      let html = Self.html(pages)
      for index in pages.indices { pages[index].words.reverse() }
      #expect(Self.html(pages) == html, "\(golden.name)")
    }
  }

  @Test func `bounding boxes are parsed from the output of pdftotext`() throws {
    let boxes = try #require(
      PDFBoxParser(
        Array(
          """
          <html><head><title>A &amp; B</title></head><body><doc>
            <page width="400.5" height="600">
              <flow><block xMin="1"><line>
                <word xMin="10.5" yMin="20" xMax="30" yMax="31">o&lt;ﬃce</word>
                <word xMin="nan" yMin="20" xMax="30" yMax="31">no</word>
                <word xMin="40" yMin="x" xMax="30" yMax="31">no</word>
                <word xMin="50" yMin="20" xMax="45" yMax="31">turned</word>
                <word xMin="1e300" yMin="20" xMax="45" yMax="31">far</word>
                <word>no</word>
          </page><page width="1" height="2"/>
          <word xMin="1" yMin="2" xMax="3" yMax="4">cut
          """.utf8)))
    #expect(boxes.title == "A & B" && boxes.pages.map(\.width) == [400.5, 1])
    #expect(boxes.pages[0].words.map(\.text) == ["o<ffice", "turned"])
    #expect(boxes.pages[0].words[1].box == PDFBox(left: 45, top: 20, right: 50, bottom: 31))
    #expect(boxes.pages[1].words.map(\.text) == ["cut"])
    #expect(PDFBoxParser(Array("Usage: pdftotext [options]".utf8)) == nil)
  }

  @Test(
    arguments: [
      ("םולש", "שלום"), (")םולש(", "(שלום)"), ("12-ב", "ב-12"), ("1.5x-ב", "ב-1.5x"),
      ("٢١", "٢١"), ("ةنس", "سنة"), ("harbour,", "harbour,"),
      (
        "\u{05DC}\u{05DE}\u{05B5}\u{05E0}\u{05B8}\u{05BC}\u{05D4}\u{05B7}",
        "\u{05D4}\u{05B7}\u{05E0}\u{05B8}\u{05BC}\u{05DE}\u{05B5}\u{05DC}"
      ),
    ] as [(String, String)])
  func `a word that is written from right to left is read in its order`(
    _ visual: String, _ logical: String
  ) {
    #expect(PDFDirection.logicalText(ofVisual: visual) == logical)
  }

  @Test func `a phrase that is written from right to left is read in its order`() throws {
    let lines = [
      "10 20 10 The harbour of the town is older than the town itself, and nobody knows who",
      "10 32 10 built it. On its gate is אבג 12 דהו זחט in old letters, and under them איה stands",
      "10 44 10 again, which was written long after the gate had been built by the town.",
    ]
    let html = Self.html(Self.pages("page 400 300\n" + lines.joined(separator: "\n")))
    #expect(html.contains("is זחט דהו 12 אבג in"), "\(html)")
    #expect(html.contains("them איה stands again"), "\(html)")
  }

  @Test func `a raised letter in text from right to left is a superscript`() {
    let line = PDFLine([
      PDFWord("דהו", PDFBox(left: 10, top: 20, right: 30, bottom: 30)),
      PDFWord("ב", PDFBox(left: 33, top: 19, right: 36, bottom: 25)),
      PDFWord("אבג", PDFBox(left: 36, top: 20, right: 56, bottom: 30)),
    ])
    let runs = PDFBlock.runs(of: line)
    #expect(runs.map(\.baselineShift) == [.none, .raised, .none])
    #expect(runs.map(\.text).joined() == "אבגב דהו")
  }

  /// The words of a line, each followed by a gap of a number of points that a word like `|30`
  /// states; 3 points otherwise.
  private static func line(_ text: String) -> PDFLine {
    var words: [PDFWord] = []
    var x = 40.0
    for part in text.split(separator: " ") {
      if part.hasPrefix("|"), let gap = Double(part.dropFirst()) {
        x += gap
        continue
      }
      let right = x + Double(part.count) * 5
      words.append(PDFWord(String(part), PDFBox(left: x, top: 20, right: right, bottom: 30)))
      x = right + 3
    }
    return PDFLine(words)
  }

  @Test(
    arguments: [
      ("Notes |30 11", "Notes |30 12", "11"), ("11 |30 Notes", "12 |30 Notes", "11"),
      ("Notes · 11", "Notes · 12", "11"), ("Page 3 of 9", "Page 4 of 9", "3"),
      ("Notes, page 3", "Notes, page 4", "3"), ("Notes |30 1/9", "Notes |30 2/9", "1/9"),
      ("Notes 2026", "Notes 2026", ""), ("xi |30 Notes", "xii |30 Notes", "xi"),
      ("- 3 -", "- 4 -", "3"), ("3 |150 4", "4 |150 5", "3"),
    ] as [(String, String, String)])
  func `headers that differ in the page number are equal`(
    _ first: String, _ second: String, _ label: String
  ) {
    let key = PDFRunningKey(Self.line(first), pageIndex: 0)
    let otherKey = PDFRunningKey(Self.line(second), pageIndex: 1)
    #expect(key.text == otherKey.text || key.isPageNumberOnly && otherKey.isPageNumberOnly)
    #expect(key.pageLabel == label)
  }

  @Test(
    arguments: [
      ("Chapter 1", "Chapter 2"), ("Day 1", "Day 2"), ("Exercise 1", "Exercise 2"),
      ("1 Boats", "2 Boats"), ("Notes |30 11", "Notes |30 13"),
      ("1 |30 Name of item 1 |30 3.00", "2 |30 Name of item 2 |30 6.00"),
    ] as [(String, String)])
  func `lines that differ in another number are not equal`(_ first: String, _ second: String) {
    let key = PDFRunningKey(Self.line(first), pageIndex: 0)
    #expect(
      key.text != PDFRunningKey(Self.line(second), pageIndex: 1).text && !key.isPageNumberOnly)
  }

  @Test func `a PDF header after other bytes is found if binary bytes follow it`() {
    let binary: [UInt8] = [0x25, 0xE2, 0xE3, 0xCF, 0xD3, 0x0A]
    for head in ["", "\n\n\n", "\u{FEFF}", "HTTP junk line\r\n\r\n", "<br>Notice: x<br>%PDF-\n"] {
      let bytes = Array("\(head)%PDF-1.3\n".utf8) + binary
      #expect(PDFSignature.isPresent(in: bytes), "\(head)")
      #expect(Document.isBinary(bytes) && Document.sniff(bytes) == .binary, "\(head)")
    }
    let far = String(repeating: "x", count: 1100)
    for text in ["a %PDF-1.3\n%âãÏÓ", "\n%PDF-1.3\nplain", "%PDF 1.3", "%P", "", "\n%PDF-", far] {
      let bytes = Array(text.utf8)
      #expect(!PDFSignature.isPresent(in: bytes), "\(text)")
      #expect(!Document.isBinary(bytes), "\(text)")
    }
    #expect(!PDFSignature.isPresent(in: Array("\(far)%PDF-1.3\n".utf8) + binary))
  }

  @Test func `files without words or with right-to-left text have no reading order`() {
    #expect(PDFReadingOrder([]) == nil && PDFReadingOrder([PDFPage(width: 1, height: 1)]) == nil)
    let box = PDFBox(left: 1, top: 1, right: 9, bottom: 9)
    #expect(PDFReadingOrder([PDFPage(width: 1, height: 1, words: [PDFWord("שלום", box)])]) == nil)
  }

  @Test(
    arguments: [
      ("hyphen-", "ated", "hyphenated"), ("well-", "known", "well-known"),
      ("Anglo-", "Saxon", "Anglo-Saxon"),
      ("soft\u{AD}", "ware", "software"), ("and/", "or", "and/or"), ("end", "next", "end next"),
      ("1-", "2", "1- 2"),
      ("state-of-", "the-art", "state-of-the-art"), ("海図の", "読み方", "海図の読み方"), ("-", "x", "- x"),
    ] as [(String, String, String)])
  func `the lines of a paragraph are joined`(_ head: String, _ tail: String, _ expected: String) {
    let words = "a well-known end of it".split(separator: " ").enumerated().map { index, word in
      let x = Double(index) * 100
      return PDFWord(String(word), PDFBox(left: x, top: 0, right: x + 50, bottom: 10))
    }
    let join = PDFHyphenation([PDFLine(words)]).join(head, tail)
    let first = join == .withoutHyphen ? String(head.dropLast()) : head
    #expect(first + (join == .withSpace ? " " : "") + tail == expected)
  }

  /// Degenerate boxes: points, boxes as large as the page or larger, all on one line, all at one
  /// position.
  @Test(arguments: 0..<6)
  func `degenerate boxes give a text with all their words at bounded cost`(_ kind: Int) {
    var random = SplitMix64(seed: UInt64(kind))
    let count = Effort.rounds(20_000, part: 4000)
    var page = PDFPage(width: 600, height: 800)
    for index in 0..<count {
      let x = Double.random(in: -700...1300, using: &random)
      let y = Double.random(in: -900...1700, using: &random)
      let width = Double.random(in: 0...(kind == 0 ? 1000 : 60), using: &random)
      let height = Double.random(in: 0...(kind == 1 ? 1000 : 14), using: &random)
      let box =
        switch kind {
        case 2: PDFBox(left: 5, top: 5, right: 5, bottom: 5)
        case 3: PDFBox(left: x, top: 5, right: x + width, bottom: 15)
        case 4: PDFBox(left: 5, top: y, right: 25, bottom: y + 10)
        default: PDFBox(left: x, top: y, right: x + width, bottom: y + height)
        }
      page.words.append(PDFWord("w\(index)", box))
    }
    let pieces = Self.html([page]).split(separator: "<").map { $0.drop { $0 != ">" } }
    let text = pieces.joined().filter { $0 == "w" || $0.isNumber }
    #expect(text.count == page.words.reduce(0) { $0 + $1.text.count })
    #expect(text.count { $0 == "w" } == count)
  }

  @Test func `the size of a raster is bounded, whatever the boxes are`() {
    let far = PDFWord("a", PDFBox(left: -99_999, top: -99_999, right: 99_999, bottom: 99_999))
    let small = PDFWord("b", PDFBox(left: 0, top: 0, right: 0, bottom: 0))
    for text in [[far, small], [small, small]] {
      let raster = PDFRaster(text, lineHeight: 0.01)
      #expect(raster.columnCount <= 480 && raster.rowCount <= 640)
      #expect(raster.strips(minWidth: 1, minHeight: 1, maxCount: 4).count <= 4)
    }
  }
}
