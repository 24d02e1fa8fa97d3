import Pages
import Configuration
import Document
import Layout
import Reader
import ReaderMode
import TestSupport
import Testing

@testable import Commands
@testable import Terminal
@testable import TerminalUI

/// The selection of text as a value: keys and the text that is selected afterwards.
@Suite struct MarkedTextTests {
  private static let html = """
    <p>One day it rained. The ship came home, slowly. It was late.</p><p>Another one.</p>
    <details><summary>More</summary><p>Hidden words.</p></details><p>The last one.</p>
    """

  private static func view(_ html: String = html, width: Int = 40) -> PageView {
    var options = LayoutOptions(width: width, foldsNavigation: true, foldsDetails: true)
    options.recordsSources = true
    let page = Page(
      requestedURL: "https://a.test/", url: "https://a.test/",
      document: Document(
        bytes: Array(html.utf8), mediaType: "text/html", charset: "utf-8", url: "https://a.test/"),
      provenance: Provenance(source: .network), length: html.utf8.count)
    return PageView(page: page, options: options)
  }

  private static func context(
    _ view: PageView?, keymap: Keymap = Keymap(), count: Int? = nil
  ) -> LayerContext {
    LayerContext(
      keymap: keymap, view: view, height: 10, count: count, inputHistory: InputHistory(),
      settings: Settings(), themeNames: [], pageSearch: PageSearch(), notice: nil,
      glyphs: Glyphs(isASCII: true, isLinear: false))
  }

  /// Returns the selection after keys; a number before a key is its count.
  private static func selection(
    after keys: String, in view: PageView, from lines: ClosedRange<Int>
  ) throws -> TextSelection {
    var marked = TextSelection.lines(
      SelectedLines(anchorLine: lines.lowerBound, movingLine: lines.upperBound))
    for part in keys.split(separator: " ") {
      let digits = part.prefix { $0.isNumber }
      let key = try #require(Key(String(part.dropFirst(digits.count))))
      _ = marked.handle(key, in: context(view, count: Int(digits)))
    }
    return marked
  }

  private static func text(_ marked: TextSelection, _ view: PageView) -> String? {
    var view = view
    guard let range = marked.selectedPassage(in: &view)?.range else { return nil }
    let text = view.page.document.text[Int(range.lowerBound)..<Int(range.upperBound)]
    return String(decoding: text, as: UTF8.self)
  }

  @Test(
    arguments: [
      ("l", "One day it rained. The ship came home, slowly. It was late.Another"),
      ("h", "One day it rained. The ship came home, slowly. It was"),
      ("3h o 4l", "The ship came home, slowly."), ("3Left o 4Right", "The ship came home, slowly."),
      ("3h o 4l o l", "The ship came home, slowly. It"),
      ("3h o 4l h", "rained. The ship came home, slowly."),
      // At least one word stays selected, at each end.
      ("99h", "One"), ("o 99l", "late."), ("h o 99l l", "was"), ("99h o h", "One"),
      // By lines, once an end was moved by words.
      ("99h j", "One day it rained. The ship came home, slowly. It was late."),
      ("h k", "One day it rained. The ship came home,"),
      ("h 9k", "One day it rained. The ship came home,"),
      ("o j", "slowly. It was late."), ("h o 9j", "was"),
      // By paragraphs, always at the end.
      ("h w", "One day it rained. The ship came home, slowly. It was late.Another one."),
      ("o w", "One day it rained. The ship came home, slowly. It was late.Another one."),
      // To the ends of the page.
      ("h g", "One day it rained. The ship came home,"), ("99h o G", "One"),
      // Words in a closed fold are passed over.
      ("4l h", "One day it rained. The ship came home, slowly. It was late.Another one.More"),
      (
        "5l",
        "One day it rained. The ship came home, slowly. It was late.Another one."
          + "MoreHidden words.The last"
      ),
    ] as [(String, String)])
  func `keys move the ends of the selection`(_ keys: String, _ expected: String) throws {
    let view = Self.view()
    let marked = try Self.selection(after: keys, in: view, from: 0...1)
    #expect(Self.text(marked, view) == expected)
  }

  @Test func `lines without text cannot be selected by words`() throws {
    let view = Self.view("<p>a</p><p>b</p>")
    var marked = TextSelection.lines(SelectedLines(anchorLine: 1, movingLine: 1))
    let requests = marked.handle(.character("l"), in: Self.context(view))
    #expect(requests == [.notify("there are no words here"), .revealSelection(marked)])
    #expect(marked == .lines(SelectedLines(anchorLine: 1, movingLine: 1)))
  }

  @Test func `a selection upwards becomes a passage whose start moves`() throws {
    let view = Self.view()
    var marked = TextSelection.lines(SelectedLines(anchorLine: 3, movingLine: 1))
    _ = marked.handle(.character("l"), in: Self.context(view))
    #expect(Self.text(marked, view) == "It was late.Another one.")
  }

  @Test func `a passage is the same words at any width`() throws {
    let view = Self.view()
    let marked = try Self.selection(after: "3h o 4l", in: view, from: 0...1)
    guard case .passage(let passage) = marked else {
      Issue.record("\(marked)")
      return
    }
    for width in [20, 30, 60, 200] {
      let other = Self.view(width: width)
      #expect(Self.text(marked, other) == "The ship came home, slowly.")
      #expect(other.passageText(of: passage.range) == "The ship came home, slowly.")
    }
  }

  @Test func `a passage over a closed fold opens it`() throws {
    var view = Self.view()
    let marked = try Self.selection(after: "5l", in: view, from: 0...1)
    let selected = marked.selectedPassage(in: &view)
    let passage = try #require(selected)
    let opens = view.unfold(in: passage.range, height: 10)
    #expect(opens && view.hiddenTextRanges.isEmpty)
    let opensAgain = view.unfold(in: passage.range, height: 10)
    #expect(!opensAgain)
  }

  @Test func `lines of a table row with a tall cell include its other cells`() throws {
    let html =
      "<table><tr><th>Name<th>Notes<tr><td>a b<td>A long note that is wrapped in its cell"
      + "</table><p>After</p>"
    var view = Self.view(html, width: 30)
    let first = view.layout.line(showing: 9)
    let shown = view.textRange(ofLines: first...first)
    let range = try #require(shown)
    let text = view.page.document.text[Int(range.lowerBound)..<Int(range.upperBound)]
    #expect(String(decoding: text, as: UTF8.self).hasPrefix("a bA long note"))
  }

  @Test(
    arguments: [
      ("delta", "kappa", "delta epsilon zeta\neta theta iota kappa"),
      ("zeta", "eta", "zeta\neta"),
      ("beta", "epsilon", "beta gamma delta epsilon"),
      ("theta", "lambda", "theta iota kappa lambda"),
      // Blocks below each other are copied as they are shown.
      ("two", "three", "two\n\nthree"),
    ] as [(String, String, String)])
  func `words in cells are copied without those of other cells`(
    _ first: String, _ last: String, _ expected: String
  ) throws {
    var view = Self.view(
      "<table><tr><th>Left<th>Right<tr><td>alpha beta gamma delta epsilon zeta"
        + "<td>eta theta iota kappa lambda mu</table><p>one two</p><p>three four</p>", width: 30)
    view.layOutRest()
    let text = String(decoding: view.page.document.text, as: UTF8.self)
    let end = try #require(text.firstRange(of: last == "eta" ? "zetaeta" : last)?.upperBound)
    let start = try #require(text.firstRange(of: first == "zeta" ? "zetaeta" : first)?.lowerBound)
    func offset(_ index: String.Index) -> UInt32 {
      UInt32(text.utf8.distance(from: text.startIndex, to: index))
    }
    #expect(view.passageText(of: offset(start)..<offset(end)) == expected)
  }

  @Test(arguments: KeyPreset.allCases)
  func `the legend fits 80 columns with the keys of every preset`(preset: KeyPreset) throws {
    let view = Self.view("<p>\(String(repeating: "word ", count: 150))</p>")
    let lines = TextSelection.lines(SelectedLines(anchorLine: 0, movingLine: 0))
    var whole = view
    let selected = TextSelection.lines(SelectedLines(anchorLine: 0, movingLine: 20))
      .selectedPassage(in: &whole)
    let passage = try #require(selected)
    for marked in [lines, .passage(passage)] {
      let row = Layer.selection(marked).lastRow(in: Self.context(view, keymap: Keymap(preset)))
      guard case .hint(let text) = row else {
        Issue.record("\(row)")
        continue
      }
      // The first and the last column stay blank.
      #expect(text.count <= 78, "\(text)")
    }
  }

  @Test func `fixed keys move words even if they are bound to help`() throws {
    let layer = Layer.selection(.lines(SelectedLines(anchorLine: 0, movingLine: 0)))
    #expect(!layer.opensHelp(by: .character("h")))
    #expect(layer.opensHelp(by: .character("H")))
    #expect(layer.opensHelp(by: Key(.function(1))))
  }

  /// Any keys on any page leave a selection inside the page, of at least one word.
  @Test(arguments: Seeds.all)
  func `no sequence of keys leaves the page`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let keys = ["l", "h", "o", "j", "k", "w", "g", "G", "Space", "b", "d", "u", "7l", "7h"]
    for html in [Self.html, "<p>a", "<ul><li>x<li>y</ul>", "<p>東京は日本</p><p>שלום עולם</p>"] {
      for width in [20, 60] {
        let view = Self.view(html, width: width)
        let typed = (0..<40).compactMap { _ in keys.randomElement(using: &random) }
        let marked = try Self.selection(
          after: typed.joined(separator: " "), in: view, from: 0...0)
        guard case .passage(let passage) = marked else { continue }
        #expect(!passage.range.isEmpty)
        #expect(Int(passage.range.upperBound) <= view.page.document.text.count)
        #expect(view.words.wordCount(in: passage.range) > 0)
      }
    }
  }
}
