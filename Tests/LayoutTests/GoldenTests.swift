import ReaderMode
import Document
import Formats
import Testing
import TestSupport

@testable import Layout

/// Pages and their expected layout: `Fixtures/NAME.html` and `NAME.expected`, at 60 columns unless
/// the first comment of the page has other options (`<!-- width 40 ascii numbers -->`).
@Suite struct GoldenTests {
  @Test(arguments: GoldenCase.all(in: "Fixtures"))
  func `the layout of a page is as expected`(_ fixture: GoldenCase) throws {
    let bytes = try fixture.bytes()
    let options = LayoutOptions(fixtureComment: bytes)
    let layout = PageLayout(Document(bytes: bytes, mediaType: "text/html"), options: options)
    let difference = try fixture.difference(
      from: options.bidiOrdering == .app
        ? layout.image() : String(decoding: layout.plainText(), as: UTF8.self))
    #expect(difference == nil, "\(difference ?? "")")
  }

  /// The pages of both fixture directories.
  private static let pages =
    GoldenCase.all(in: "Fixtures") + GoldenCase.all(in: "../HTMLTests/Fixtures")

  @Test(arguments: pages)
  func `a document written as HTML has the same layout as the page`(_ fixture: GoldenCase) throws {
    let document = Document(bytes: try fixture.bytes(), mediaType: "text/html")
    let targets = ExportTargets(
      linkURL: { document.links[$0].target },
      imageURL: { document.images[$0].source.isEmpty ? nil : document.images[$0].source })
    let again = Document(bytes: document.semanticHTML(targets), mediaType: "text/html")
    let options = LayoutOptions(width: 80)
    func text(_ document: Document) -> String {
      String(decoding: PageLayout(document, options: options).plainText(), as: UTF8.self)
    }
    #expect(text(again) == text(document))
  }

  @Test(arguments: GoldenCase.all(in: "Fixtures"))
  func `the layout is valid at every width`(_ fixture: GoldenCase) throws {
    let document = Document(bytes: try fixture.bytes(), mediaType: "text/html")
    for width in Effort.some(Array(20...120), part: 20) + [200, 350, 500] {
      var options = LayoutOptions(width: width)
      options.bidiOrdering = [.off, .app, .terminal][width % 3]
      // Odd widths use one width table, even widths the other.
      if width % 2 == 0 { options.widths = DisplayWidth(ambiguousWidth: 2) }
      let layout = PageLayout(document, options: options)
      #expect(layout.flaw(in: document, options.widths) == nil, "width \(width)")
    }
  }

  @Test(arguments: GoldenCase.all(in: "Fixtures"))
  func `laying out a text dump again does not change it`(_ fixture: GoldenCase) throws {
    let document = Document(bytes: try fixture.bytes(), mediaType: "text/html")
    for width in [20, 41, 60, 100, 500] {
      let options = LayoutOptions(width: width)
      let text = PageLayout(document, options: options).plainText()
      let again = PageLayout(Document(plainText: text), options: options).plainText()
      #expect(again == text, "width \(width)")
    }
  }

  @Test(arguments: GoldenCase.all(in: "Fixtures"))
  func `every word is shown at every width`(_ fixture: GoldenCase) throws {
    let document = Document(bytes: try fixture.bytes(), mediaType: "text/html")
    let wanted = document.text.lettersOnly.sorted()
    for width in stride(from: 20, through: 120, by: 5) {
      let layout = PageLayout(document, options: LayoutOptions(width: width))
      let shown = layout.plainText().lettersOnly
      #expect(shown.contains(allOf: wanted), "width \(width)")
    }
  }

  @Test(arguments: GoldenCase.all(in: "Fixtures").filter { !$0.name.hasPrefix("table") })
  func `outside tables the words keep their order at every width`(_ fixture: GoldenCase) throws {
    let document = Document(bytes: try fixture.bytes(), mediaType: "text/html")
    let wanted = document.text.lettersOnly
    for width in stride(from: 20, through: 120, by: 5) {
      let layout = PageLayout(document, options: LayoutOptions(width: width))
      #expect(layout.plainText().lettersOnly.contains(inOrder: wanted), "width \(width)")
    }
  }

  @Test(arguments: GoldenCase.all(in: "Fixtures"))
  func `a layout built in steps equals one built at once`(_ fixture: GoldenCase) throws {
    let bytes = try fixture.bytes()
    let document = Document(bytes: bytes, mediaType: "text/html")
    let options = LayoutOptions(fixtureComment: bytes)
    var builder = PageLayout.Builder(document, options: options)
    var steps = 0
    while !builder.isComplete, steps < 1000 {
      builder.layOut(minLines: 1)
      steps += 1
    }
    #expect(builder.layout == PageLayout(document, options: options))
  }

  @Test(arguments: GoldenCase.all(in: "Fixtures"))
  func `a layout delivered in parts has the same text`(_ fixture: GoldenCase) throws {
    let bytes = try fixture.bytes()
    let document = Document(bytes: bytes, mediaType: "text/html")
    let options = LayoutOptions(fixtureComment: bytes)
    var builder = PageLayout.Builder(document, options: options)
    var text: [UInt8] = []
    while !builder.isComplete, text.count < 1_000_000 {
      builder.layOut(minLines: 1)
      text += builder.layout.plainText()
      builder.drain()
    }
    #expect(text == PageLayout(document, options: options).plainText())
  }
}

extension LayoutOptions {
  /// Parses the options in the first comment of a page.
  init(fixtureComment bytes: [UInt8]) {
    let text = String(decoding: bytes.prefix(80), as: UTF8.self)
    var words: [Substring] = []
    if text.hasPrefix("<!--") {
      words = text.dropFirst(4).prefix(while: { $0 != ">" }).split(separator: " ")
    }
    func number(after word: Substring) -> Int? {
      guard let index = words.firstIndex(of: word), index + 1 < words.count else { return nil }
      return Int(words[index + 1])
    }
    self.init(
      width: number(after: "width") ?? 60, textWidth: number(after: "text"),
      isCentered: words.contains("centred"), isASCII: words.contains("ascii"),
      foldsNavigation: words.contains("fold"), foldsDetails: words.contains("details"),
      linkNumbers: words.contains("numbers")
        ? .numbers : words.contains("inline") ? .inline : .none,
      wrapsCode: !words.contains("unwrapped"), isLinear: words.contains("linear")
    )
    // The index of any element of a small page.
    if words.contains("open") { toggledFolds = Set(0..<1000) }
    bidiOrdering = words.contains("isolated") ? .terminal : words.contains("visual") ? .app : .off
    if words.contains("wide") { widths = DisplayWidth(ambiguousWidth: 2) }
    if words.contains("saved") { linkStatuses = [.saved, .notSaved, .queued] }
  }
}
