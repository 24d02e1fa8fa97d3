import TestSupport
import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

@Suite struct XMLTreeTests {
  /// A short form of the tree: `name[attributes](children)`, and the text of childless elements.
  private static func outline(_ element: XMLElement) -> String {
    let attributes = element.attributes.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
    let children = element.children.map(outline).joined(separator: " ")
    let prefix = element.prefix.isEmpty ? "" : element.prefix + ":"
    return prefix + element.name + (attributes.isEmpty ? "" : "[\(attributes)]")
      + (children.isEmpty ? (element.text.isEmpty ? "" : "'\(element.text)'") : "(\(children))")
  }

  @Test(
    arguments: [
      ("<a><b>x</b><c/></a>", "a(b'x' c)"),
      ("<?xml version='1.0'?><!-- < --><!DOCTYPE a [<!ENTITY b 'c>'>]><a>x</a>", "a'x'"),
      ("<a b='1' C=\"2\" d=3 e>x</a>", "a[b=1,C=2,d=3]'x'"),
      ("<n:A n:b='&amp;&#233;&nope;'/>", "n:a[n:b=&é&nope;]"),
      ("<a>x & y &amp; z &lt;&eacute;&#x20AC;</a>", "a'x & y & z <é€'"),
      ("<a>/?b=1&copy=2&section=3&lt;&eacute</a>", "a'/?b=1&copy=2&section=3<é'"),
      ("<a>1 < 2 <= 3</a>", "a'1 < 2 <= 3'"),
      ("<a><![CDATA[<b>&amp;]]>&amp;</a>", "a'<b>&amp;&'"),
      ("<a><![CDATA[x", "a'x'"),
      ("<a><b>x</a>y", "a(b'x')"),
      ("<a>x</b></a>", "a'x'"),
      ("<a><c>x</d><e/></a>", "a(c'x' e)"),
      ("<a><b>x", "a(b'x')"),
      ("<a><b c='x", "a"),
      ("<a><b c='1'<c/></a>", "a(b[c=1](c))"),
      ("<a b=x/>", "a[b=x]"),
      ("<a b=\"1>2\"/>", "a[b=1>2]"),
      ("<a><b/", "a"),
      ("", ""), ("x", "'x'"), ("<", "'<'"), ("</", "'</'"), ("<>", "'<>'"), ("<!", ""),
      ("<!--", ""),
      ("<![CDATA[", ""), ("<é>x</é>", "é'x'"),
    ] as [(String, String)])
  func `any text gives a tree, however malformed it is`(_ text: String, _ expected: String) {
    let root = XMLTree(Array(text.utf8)).root
    let outline = Self.outline(root)
    let inner = outline.hasPrefix("(") ? String(outline.dropFirst().dropLast()) : outline
    #expect(inner == expected)
  }

  @Test func `text between tags is kept verbatim, with the position of each element`()
    throws
  {
    let tree = XMLTree(Array("<a>1<b>2<c/>&amp;</b>3</a>".utf8))
    let element = try #require(tree.elements.first { $0.name == "b" })
    #expect(element.source.elementsEqual("2<c/>&amp;".utf8) && element.hasElements)
    #expect(element.parent?.name == "a" && element.parent?.parent?.parent == nil)
    #expect(tree.elements.map(\.name) == ["a", "b", "c"] && tree.root.text == "12&3")
    #expect(element.attribute("x") == nil)
  }

  @Test func `the elements in a tree of any bytes are properly nested`() {
    var random = SplitMix64(seed: 1998)
    let pieces = [
      "<", ">", "/", "a", "b", "=", "'", "\"", "&", ";", "<a>", "</a>", "<!", "[", "]]>", "<!--",
      "-->", " ", "\u{0}", "é",
    ]
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 0...30, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      let tree = XMLTree(Array(text.utf8))
      for element in tree.elements {
        let (own, outer) = (element.source, element.parent?.source)
        #expect(
          outer.map { own.startIndex >= $0.startIndex && own.endIndex <= $0.endIndex } == true)
        _ = (element.text, element.attributes)
      }
    }
  }

  @Test
  func `the number of parsed nodes is limited, and some elements are never nested`() {
    let text = Array("<a><b>1<c>2<b>3</b><x:b>4<b>5</a>".utf8)
    let whole = XMLTree(text)
    #expect(Self.outline(whole.root) == "(a(b(c(b'3' x:b(b'5')))))" && !whole.isTruncated)
    let apart = XMLTree(text, unnestableNames: ["b", "x:b"])
    #expect(Self.outline(apart.root) == "(a(b(c'2') b'3' x:b'4' b'5'))")
    for most in 0..<20 {
      let tree = XMLTree(text, maxNodes: most)
      #expect(
        tree.isTruncated == (most < whole.nodes.count) && tree.nodes.count <= max(1, most) + 2)
    }
  }
}
