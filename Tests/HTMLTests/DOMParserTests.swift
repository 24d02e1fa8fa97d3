import TestSupport
import Testing

@testable import DOM
@testable import Document
@testable import Formats
@testable import ReaderMode

struct DOMParserTests {
  @Test(arguments: GoldenCase.all(in: "Fixtures"), [1, 40, 700])
  func `a page passed to libxml2 in small chunks gives the same document`(
    _ golden: GoldenCase, _ size: Int
  )
    throws
  {
    let page = try golden.bytes()
    let bytes = CharacterEncoding.detect(page, charset: nil).decode(page)
    let whole = DOMParser.buildTree(of: bytes).tree
    let parts = DOMParser.buildTree(of: bytes, partSize: size).tree
    #expect(Document(tree: parts).dump() == Document(tree: whole).dump())
    #expect(parts.bytes == whole.bytes)
    #expect(parts.nodes.map(\.name) == whole.nodes.map(\.name))
  }

  @Test func `an empty page is an empty document`() {
    #expect(Document(bytes: [], mediaType: "text/html") == Document())
    #expect(Document(tree: DOMParser.parse([])).blocks.isEmpty)
  }

  @Test func `in XHTML any element can be self-closing, and CDATA sections are supported`() {
    let page = """
      <?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/>
      <script src="x.js"/></head><body><div/><p>a<![CDATA[<b> & c]]></p><textarea/><p>d</p></body></html>
      """
    let document = Document(bytes: Array(page.utf8), mediaType: "application/xhtml+xml")
    #expect(
      document.content
        == "a<b> & c\n[\u{A0}\u{A0}\u{A0}\u{A0}\u{A0}\u{A0}\u{A0}\u{A0}\u{A0}\u{A0}]\nd")
    #expect(Document.kind(of: Array(page.utf8), mediaType: nil) == .xhtml)
  }

  @Test(arguments: [
    "<title/>", "<script/>", "<script src='x'/>", "<style/>", "<iframe/>", "<b/>",
    "<a href='x'/>",
    "<a id='y' />", "<textarea/>", "<select/>", "<div/>", "<svg/>", "<table/>", "<li/>", "<xmp/>",
  ])
  func `a self-closing element in XHTML leaves the following text unaffected`(_ tag: String) {
    let page = Array("<html><body><p>one</p>\(tag)<p>two</p></body></html>".utf8)
    let content = Document(bytes: page, mediaType: "application/xhtml+xml").content
    #expect(content.hasPrefix("one") && content.hasSuffix("two"))
    let declared = Array("<?xml version='1.0'?>".utf8) + page
    #expect(Document(bytes: declared, mediaType: "text/html").content == content)
    let two = Document(bytes: page, mediaType: "application/xhtml+xml").runs.last
    #expect(two?.style.isEmpty == true && two?.link.value == nil)
  }

  @Test func `the contents of style elements are kept`() {
    let tree = DOMParser.parse(Array("<style>a{}</style><p>x<style>b{}</style>".utf8))
    #expect(tree.styleSheet == Array("a{}\nb{}\n".utf8))
  }

  @Test(arguments: [1, 9, 1000])
  func `JSON in script elements is kept verbatim, and JavaScript is not`(_ size: Int) {
    let page = Array(
      """
      a &amp; b<script type="application/ld+json">{"a":"&amp; </p><!--"}</script>c
      <script>{"b":1}</script><SCRIPT TYPE=" Application/JSON; charset=utf-8" id=x>{}</SCRIPT>
      <script type=module>{"c":1}</script><script type=application/json src=x></script>
      <style type="application/json">d{}</style><script type="application/ld+json">{"e":
      """.utf8)
    let tree = DOMParser.buildTree(of: page, partSize: size).tree
    let texts = tree.structuredData.map { String(decoding: tree.bytes[$0.range], as: UTF8.self) }
    #expect(texts == [#"{"a":"&amp; </p><!--"}"#, "{}", "", #"{"e":"#])
    #expect(tree.structuredData.map(\.kind) == [.linkedData, .state, .state, .linkedData])
  }
}

struct PlainTextTests {
  @Test func `plain text is one preformatted block with its white space`() {
    let document = Document(
      bytes: Array("  a\r\n\tb <p>\n\n\u{1B}[1mc\u{202E}\n\n".utf8), mediaType: "text/plain",
      url: "https://example.org/a.txt")
    #expect(document.blocks.map(\.kind) == [.preformatted(language: nil)])
    #expect(document.content == "  a\n\tb <p>\n\nc")
    #expect(document.baseURL == "https://example.org/a.txt")
    #expect(document.problems == [])
  }

  @Test(
    arguments: [
      ("<!DOCTYPE html>", .html), ("  \n<HTML lang=en>", .html), ("<p>x", .html),
      ("<!-- c -->", .html), ("<?xml version='1.0'?><html>", .xhtml),
      ("<?xml version='1.0'?><rss>", .text),
      ("<pineapple>", .text), ("<details><summary>", .html), ("<figure>", .html),
      ("<br/>x", .html), ("<!DOCTYPE svg>", .xhtml), ("< p>", .text), ("<3 you", .text),
      ("</p>", .text),
      ("<", .text), ("hello", .text), ("", .text), ("\u{FEFF}<html>", .html),
      ("\u{89}PNG\r\n\u{1A}\n\u{0}", .binary), ("a\u{0}b", .binary), ("a\u{1B}[1mb", .text),
    ] as [(String, Document.ContentKind)])
  func `the type of bytes without a media type is sniffed`(
    _ text: String, _ kind: Document.ContentKind
  ) {
    #expect(Document.sniff(Array(text.utf8)) == kind)
  }

  @Test(
    arguments: [
      ("text/html", "plain", .html), ("TEXT/HTML", "x", .html), ("text/plain", "<html>", .text),
      ("application/xhtml+xml", "", .xhtml), ("application/xml", "<?xml?><html>", .xhtml),
      ("text/xml", "<article><sec>", .text), ("text/xml", "<!-- x --><html>", .xhtml),
      ("text/xml", "<div xmlns='http://www.w3.org/1999/xhtml'>", .xhtml),
      ("text/xml", "<feed>", .text), ("application/json", "{}", .text),
      ("application/octet-stream", "<html>", .html), ("text/css", "<html>", .text),
    ] as [(String, String, Document.ContentKind)])
  func `a media type is used if it is specific enough`(
    _ type: String, _ text: String, _ kind: Document.ContentKind
  ) {
    #expect(Document.kind(of: Array(text.utf8), mediaType: type) == kind)
  }

  @Test(arguments: ["<!DOCTYPE html>", " \n<html>", "<p>", "<!-- c -->"])
  func `content that begins as HTML is HTML, however many control characters it contains`(
    _ start: String
  ) {
    let page = Array((start + String(repeating: "\u{1}\u{2}\u{1B}", count: 2000) + "end").utf8)
    #expect(!Document.isBinary(page))
    #expect(Document.sniff(page) == .html)
    #expect(Document.isBinary(Array(page.drop { $0 != 1 })))
    #expect(Document(bytes: page, mediaType: "text/html").content.hasSuffix("end"))
  }

  @Test func `UTF-16 is recognized as text and HTML`() {
    let page: [UInt8] =
      [0xFF, 0xFE] + "<html>é".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(Document.sniff(page) == .html)
    let document = Document(bytes: page)
    #expect(document.content == "é")
    #expect(document.encodingName == "UTF-16LE")
  }

  @Test func `each attribute has its own bit`() {
    let bits = Set(AttributeName.allCases.map(\.bitMask))
    #expect(bits.count == AttributeName.allCases.count && !bits.contains(0))
  }

  @Test func `the descendants of a node are those that nodeAfter visits`() {
    let tree = DOMParser.parse(Array("<h1>a<i>b</i></h1><div><p>c<br>d<p></div>e<ul><li>f".utf8))
    for root in Int32(0)..<Int32(tree.nodes.count) {
      var expected: [Int32] = []
      while let next = tree.nodeAfter(expected.last ?? root, in: root) {
        expected.append(next)
      }
      #expect(Array(tree.descendants(of: root)) == expected)
    }
  }

  @Test func `siblings beside white space and line breaks are found`() {
    let tree = DOMParser.parse(Array("<p><b>a</b> <br> <i>c</i>".utf8))
    let names = tree.nodes.indices.map { tree.nodes[$0].name }
    guard let first = names.firstIndex(of: .b), let second = names.firstIndex(of: .i) else {
      Issue.record("the elements are missing")
      return
    }
    #expect(tree.siblingAfter(Int32(first)) == Int32(second))
    #expect(tree.siblingBefore(Int32(second)) == Int32(first))
    #expect(tree.siblingBefore(Int32(first)) == nil && tree.siblingAfter(Int32(second)) == nil)
    #expect(tree.nodes[Int(tree.blockAround(Int32(first)))].name == .p)
  }

  @Test(
    arguments: [
      ("<p class='a hidden b'>", true), ("<p class=hidden>", true), ("<p class='hidden-x'>", false),
      ("<p class=Hidden>", false), ("<p id=hidden>", false),
    ] as [(String, Bool)])
  func `whole words of an attribute are compared`(markup: String, isFound: Bool) throws {
    let tree = DOMParser.parse(Array(markup.utf8) + [0x78])
    let node = Int32(try #require(tree.nodes.firstIndex { $0.name == .p }))
    #expect(tree.value(.class, of: node, hasWordAmong: ["other", "hidden"]) == isFound)
    #expect(tree.value(.class, of: node, matches: WordMatcher("hidden")) != markup.contains("id="))
  }
}
