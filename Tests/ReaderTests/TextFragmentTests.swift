@testable import Library
import ReaderMode
import Document
import Testing

@testable import Reader

@Suite struct TextFragmentTests {
  @Test(arguments: [
    (":~:text=some%20words", "some words"), ("top:~:text=x", "x"),
    (":~:text=before-,start", "start"),
    (":~:text=start,end", "start"), (":~:text=start,-after", "start"), (":~:text=a&text=b", "a|b"),
    (":~:x=a&text=b", "b"),
    (":~:text=", nil), (":~:text=%FF", nil), ("section", nil), ("", nil), (":~:text=a-,-b", nil),
  ])
  func `the words of a fragment`(_ fragment: String, _ words: String?) {
    #expect(TextFragment(fragment)?.terms.joined(separator: "|") == words)
  }

  @Test(arguments: ["plain", "two words", "a,b-c&d#e", "漢字", "café"])
  func `what is written is read again`(_ words: String) throws {
    let url = TextFragment.url("http://a.example/x?y", words: words)
    #expect(url.hasPrefix("http://a.example/x?y#:~:text="))
    let fragment = try #require(url.split(separator: "#", maxSplits: 1).last)
    #expect(TextFragment(String(fragment))?.terms == [words])
    let terms = TextFragment.url("http://a.example/", terms: [words, "other", words])
    #expect(TextFragment(String(terms.drop { $0 != "#" }))?.terms == [words, "other"])
  }

  @Test func `words are found at the beginning of a word, without regard to accents`() throws {
    let page = Document(bytes: Array("<p>A concatenation<p>The Cát sat".utf8))
    let offset = try #require(TextFragment(":~:text=cat")?.offset(in: page))
    #expect(String(decoding: page.text[Int(offset)...], as: UTF8.self).hasPrefix("Cát"))
    #expect(TextFragment(":~:text=dog")?.offset(in: page) == nil)
  }

  @Test func `several terms lead to where they are nearest, outside navigation`() throws {
    let text = (1...40).map { "word\($0)" }.joined(separator: " ")
    let page = """
      <title>Knots</title><nav><ul><li><a href=/a>bowline loop</a><li><a href=/b>hitch</a></ul></nav>
      <main><h1>Knots</h1><p>The bowline is old. \(text)</p><p>Each loop holds.</p>
      <p>With a bowline the loop is firm.</p></main>
      """
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    func place(_ fragment: String) throws -> String {
      let offset = try #require(TextFragment(fragment)?.offset(in: document))
      return String(decoding: document.text[Int(offset)...].prefix(12), as: UTF8.self)
    }
    #expect(try place(":~:text=bowline&text=loop") == "bowline the ")
    #expect(try place(":~:text=loop&text=bowline&text=absent") == "bowline the ")
    #expect(try place(":~:text=bowline") == "bowline is o")
    // What is in the navigation only is found there.
    #expect(try place(":~:text=hitch").hasPrefix("hitch"))
  }
}
