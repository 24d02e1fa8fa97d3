import TestSupport
import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

/// The tree of a page is built from the events of libxml2 alone.
struct LibXML2Tests {
  @Test(arguments: GoldenCase.all(in: "Fixtures"))
  func `the tree is empty without the events of libxml2`(_ golden: GoldenCase) throws {
    let tree = DOMParser.buildTree(of: try text(golden), read: { _, _ in }).tree
    #expect(tree.nodes.count == 1)
    #expect(tree.attributes.isEmpty && tree.bytes.isEmpty)
    #expect(tree.styleSheet.isEmpty && tree.structuredData.isEmpty)
  }

  @Test func `an element renamed in the event stream has its new name in the tree`() throws {
    var renamedCount = 0
    for golden in GoldenCase.all(in: "Fixtures") {
      let page = try text(golden)
      let tree = DOMParser.buildTree(of: page).tree
      let renamed = DOMParser.buildTree(of: page) { part, sink in
        MarkupEvent.send(
          MarkupEvent.recorded(of: part).map { $0.renamed("span", to: "bdi") }, to: sink)
      }.tree
      let names = tree.nodes.map { $0.name == .span ? .bdi : $0.name }
      #expect(renamed.nodes.map(\.name) == names, "\(golden.name)")
      renamedCount += tree.nodes.count { $0.name == .span }
    }
    #expect(renamedCount >= 10)
  }

  @Test func `nearly all fixtures give the same tree without preprocessing`() throws {
    let fixtures =
      GoldenCase.all(in: "Fixtures") + GoldenCase.all(in: "../LayoutTests/Fixtures")
      + GoldenCase.directories(in: "Fixtures/articles", result: "html")
    // The XML page is excluded.
    let pages = fixtures.filter { $0.name != "cdata-xhtml" }
    #expect(pages.count > 500)
    let differing = try pages.filter { golden in
      let page = try text(golden)
      return DOMParser.buildTree(of: page).tree.outline != unpreparedTree(of: page).outline
    }
    #expect(differing.count * 20 <= pages.count, "\(differing.map(\.name))")
  }

  /// The tree that libxml2 alone builds from the unmodified bytes of a page, without the contents
  /// of script and style elements.
  private func unpreparedTree(of page: [UInt8]) -> DOMTree {
    var sink = TokenSink(isXML: false, byteCount: page.count)
    let bytes = Array("<html><body>".utf8) + page + Array("</html>".utf8)
    let events = bytes.withUnsafeBufferPointer { MarkupEvent.recorded(of: $0) }
    var isProgram = false
    let shownEvents = events.filter { event in
      switch event {
      case .start("script", _, _, _), .start("style", _, _, _): isProgram = true
      case .end("script", _), .end("style", _): isProgram = false
      case .text: return !isProgram
      default: break
      }
      return true
    }
    withUnsafeMutablePointer(to: &sink) { MarkupEvent.send(shownEvents, to: TreeReceiver($0)) }
    return sink.finish().tree
  }

  @Test func `the libxml2 loaded at run time matches the headers used at build time`() {
    #expect(LibXML2.versions.headers / 100 == LibXML2.versions.running / 100)
    #expect(LibXML2.versions.headers >= 20900)
  }

  /// Recorded with libxml2 2.15.4 and `HTML_PARSE_HTML5` from the page in the comment below. That
  /// mode reports every tag in the source, and only these end tags.
  @Test func `events of libxml2 as an HTML5 tokenizer give the tree of the HTML standard`() {
    // <html lang=en><body><p>a &amp; b &copy c<br/>x<b>y<div/>z</b></p></p><svg><title/></title>
    // <path d=x /></svg><textarea>a<b></textarea><table><td>q</i></br><input><img>
    let events: [MarkupEvent] = [
      .start("html", [("lang", "en")], false, 13), .start("body", [], false, 19),
      .start("p", [], false, 22), .text("a "), .text("&"), .text(" b "), .text("©"), .text(" c"),
      .start("br", [], true, 43), .text("x"), .start("b", [], false, 48), .text("y"),
      .start("div", [], true, 54), .text("z"), .end("b", 61), .end("p", 65), .end("p", 69),
      .start("svg", [], false, 73), .start("title", [], false, 80), .end("title", 89),
      .start("path", [("d", "x")], true, 101), .end("svg", 109),
      .start("textarea", [], false, 118), .text("a<b>"), .end("textarea", 134),
      .start("table", [], false, 140), .start("td", [], false, 144), .text("q"), .end("i", 150),
      .end("br", 155), .start("input", [], false, 161), .start("img", [], false, 166),
    ]
    var sink = TokenSink(isXML: false, byteCount: 0)
    withUnsafeMutablePointer(to: &sink) { MarkupEvent.send(events, to: TreeReceiver($0)) }
    let tree = sink.finish().tree
    #expect(
      tree.outline == """
        p a & b © c br x b y div b z p p svg desc other textarea a<b> table td q br input img
        """)
    #expect(tree.nodes.last?.parent == tree.nodes.firstIndex { $0.name == .td }.map(Int32.init))
  }

  private func text(_ golden: GoldenCase) throws -> [UInt8] {
    let page = try golden.bytes()
    return CharacterEncoding.detect(page, charset: nil).decode(page)
  }
}

extension DOMTree {
  /// Names and texts in tree order, with adjacent texts joined.
  fileprivate var outline: String {
    var parts: [String] = []
    var isText = false
    var next = nodeAfter(0, in: 0)
    while let node = next {
      let element = nodes[Int(node)]
      if element.name == .characters {
        let text = String(
          decoding: bytes[Int(element.start)..<Int(element.end)], as: UTF8.self)
        if isText { parts[parts.count - 1] += text } else { parts.append(text) }
      } else {
        parts.append(element.name == .other ? "other" : element.name.rawValue)
      }
      isText = element.name == .characters
      next = nodeAfter(node, in: 0)
    }
    return parts.joined(separator: " ")
  }
}
