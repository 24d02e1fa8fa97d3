@testable import Library
import ReaderMode
import Document
import Testing

@testable import Reader

@Suite struct TextFragmentTests {
  @Test(arguments: [
    (":~:text=some%20words", "some words"), ("top:~:text=x", "x"),
    (":~:text=before-,start", "start"),
    (":~:text=start,end", "start"), (":~:text=start,-after", "start"), (":~:text=a&text=b", "a"),
    (":~:text=", nil), (":~:text=%FF", nil), ("section", nil), ("", nil), (":~:text=a-,-b", nil),
  ])
  func `the words of a fragment`(_ fragment: String, _ words: String?) {
    #expect(TextFragment(fragment)?.words == words)
  }

  @Test(arguments: ["plain", "two words", "a,b-c&d#e", "漢字", "café"])
  func `what is written is read again`(_ words: String) throws {
    let url = TextFragment.url("http://a.example/x?y", words: words)
    #expect(url.hasPrefix("http://a.example/x?y#:~:text="))
    let fragment = try #require(url.split(separator: "#", maxSplits: 1).last)
    #expect(TextFragment(String(fragment))?.words == words)
  }

  @Test func `words are found at the beginning of a word, without regard to accents`() throws {
    let page = Document(bytes: Array("<p>A concatenation<p>The Cát sat".utf8))
    let offset = try #require(TextFragment(":~:text=cat")?.offset(in: page))
    #expect(String(decoding: page.text[Int(offset)...], as: UTF8.self).hasPrefix("Cát"))
    #expect(TextFragment(":~:text=dog")?.offset(in: page) == nil)
  }
}
