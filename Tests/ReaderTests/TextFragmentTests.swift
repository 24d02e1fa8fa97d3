@testable import Library
import ReaderMode
import Document
import Testing

@testable import Pages

@Suite struct TextFragmentTests {
  @Test(
    arguments: [
      (":~:text=some%20words", "some words"), ("top:~:text=x", "x"),
      (":~:text=before-,start", "start"),
      (":~:text=start,end", "start"), (":~:text=start,-after", "start"),
      (":~:text=a&text=b", "a|b"),
      (":~:x=a&text=b", "b"),
      (":~:text=", nil), (":~:text=%FF", nil), ("section", nil), ("", nil), (":~:text=a-,-b", nil),
    ] as [(String, String?)])
  func `the terms of a text fragment are parsed`(_ fragment: String, _ terms: String?) {
    #expect(TextFragment(fragment)?.terms.joined(separator: "|") == terms)
  }

  @Test(arguments: ["plain", "two words", "a,b-c&d#e", "漢字", "café"])
  func `a formatted text fragment is parsed back`(_ term: String) throws {
    let url = TextFragment.url("http://a.example/x?y", text: term)
    #expect(url.hasPrefix("http://a.example/x?y#:~:text="))
    let fragment = try #require(url.split(separator: "#", maxSplits: 1).last)
    #expect(TextFragment(String(fragment))?.terms == [term])
    let terms = TextFragment.url("http://a.example/", terms: [term, "other", term])
    #expect(TextFragment(String(terms.drop { $0 != "#" }))?.terms == [term, "other"])
  }

  @Test func `words match at the beginning of a word, ignoring accents`() throws {
    let page = Document(bytes: Array("<p>A concatenation<p>The Cát sat".utf8))
    let offset = try #require(TextFragment(":~:text=cat")?.offset(in: page))
    #expect(String(decoding: page.text[Int(offset)...], as: UTF8.self).hasPrefix("Cát"))
    #expect(TextFragment(":~:text=dog")?.offset(in: page) == nil)
  }

  @Test func `several terms lead to where they are closest, outside navigation`() throws {
    let text = (1...40).map { "word\($0)" }.joined(separator: " ")
    let page = """
      <title>Knots</title><nav><ul><li><a href=/a>bowline loop</a><li><a href=/b>hitch</a></ul></nav>
      <main><h1>Knots</h1><p>The bowline is old. \(text)</p><p>Each loop holds.</p>
      <p>With a bowline the loop is firm.</p></main>
      """
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    func position(_ fragment: String) throws -> String {
      let offset = try #require(TextFragment(fragment)?.offset(in: document))
      return String(decoding: document.text[Int(offset)...].prefix(12), as: UTF8.self)
    }
    #expect(try position(":~:text=bowline&text=loop") == "bowline the ")
    #expect(try position(":~:text=loop&text=bowline&text=absent") == "bowline the ")
    #expect(try position(":~:text=bowline") == "bowline is o")
    // A term that occurs only in the navigation is found there.
    #expect(try position(":~:text=hitch").hasPrefix("hitch"))
  }

  @Test(
    arguments: [
      // The context tells equal texts apart, also across blocks and in scripts without spaces.
      (":~:text=old-,apple", "apple cake"), (":~:text=apple,-tree", "apple tree"),
      (":~:text=green-,apple,-tree", "apple tree"), (":~:text=tree-,old", "old apple"),
      (":~:text=%E6%98%94-,%E6%9D%B1%E4%BA%AC", "東京。"),
      // Context that is gone is ignored.
      (":~:text=blue-,apple,-tree", "apple tree"), (":~:text=blue-,apple,-bush", "apple pie"),
      (":~:text=%FF-,apple", "apple pie"), (":~:text=-,apple,-", "apple pie"),
    ] as [(String, String)])
  func `the context of a text finds the right occurrence`(
    _ fragment: String, _ expected: String
  ) throws {
    let page = Document(
      bytes: Array(
        "<p>red apple pie<p>green apple tree<p>old apple cake<p>東京は、昔東京。".utf8))
    let offset = try #require(TextFragment(fragment)?.offset(in: page))
    let text = String(decoding: page.text[Int(offset)...], as: UTF8.self)
    #expect(text.hasPrefix(expected), "\(text)")
  }
}
