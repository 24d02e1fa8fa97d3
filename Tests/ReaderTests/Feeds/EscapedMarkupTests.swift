import Document
import Feeds
import Foundation
import Testing

/// Markup that a feed escapes too often, or not often enough.
@Suite struct EscapedMarkupTests {
  private static func feed(_ elements: String) throws -> Feed {
    let text = "<rss><channel><title>F</title><item>\(elements)</item></channel></rss>"
    return try #require(Feed(Array(text.utf8), url: "https://a.test/f"))
  }

  private static func item(_ elements: String) throws -> FeedItem {
    try #require(feed(elements).items.first)
  }

  @Test(
    arguments: [
      // CDATA sections that are escaped or nested.
      ("&lt;![CDATA[All of the words.]]&gt;", "All of the words."),
      ("&lt;![CDATA[Begins &lt;b&gt;here&lt;/b&gt; and ends.]]&gt;", "Begins here and ends."),
      ("&lt;![CDATA[&lt;p&gt;One&lt;/p&gt;&lt;p&gt;two&lt;/p&gt;]]&gt;", "One\ntwo"),
      ("<![CDATA[<![CDATA[<p>Deep</p>]]]]><![CDATA[>]]>", "Deep"),
      // HTML that is escaped twice.
      (
        "&amp;lt;p&amp;gt;Twice &amp;lt;b&amp;gt;bold&amp;lt;/b&amp;gt;&amp;lt;/p&amp;gt;",
        "Twice bold"
      ),
      (
        "<![CDATA[&lt;p&gt;In a section&lt;/p&gt;\n&lt;p&gt;Second&lt;/p&gt;]]>",
        "In a section\nSecond"
      ),
      (
        "<![CDATA[See &lt;a href=\"https://b.test/\"&gt;this page&lt;/a&gt; of ours]]>",
        "See this page of ours"
      ),
      ("<![CDATA[&lt;div&gt;Cut &lt;b&gt;off&lt;/b&gt;&lt;/div&gt; here…]]>", "Cut off\nhere…"),
      // Texts about HTML.
      (
        "<![CDATA[Put it between &lt;p&gt; and &lt;/p&gt; in the page]]>",
        "Put it between <p> and </p> in the page"
      ),
      ("<![CDATA[<p>Write <code>&lt;p&gt;x&lt;/p&gt;</code></p>]]>", "Write <p>x</p>"),
      ("<![CDATA[if a &lt; b and c &gt; d]]>", "if a < b and c > d"),
      ("<![CDATA[<pre>&lt;![CDATA[x]]&gt;</pre>]]>", "<![CDATA[x]]>"),
    ] as [(String, String)])
  func `a text that is escaped too often is shown as text`(
    _ description: String, _ expected: String
  ) throws {
    let feed = try Self.feed("<title>T</title><description>\(description)</description>")
    let page = feed.document(of: try #require(feed.items.first), url: "https://a.test/1")
    let lines = String(decoding: page.plainText, as: UTF8.self).split(separator: "\n")
    #expect(lines.dropFirst().joined(separator: "\n") == expected)
  }

  @Test(
    arguments: [
      ("<![CDATA[<h2 class='x'>Head</h2> and tail]]>", "Head and tail"),
      ("<![CDATA[<li>An item</li>]]>", "An item"),
      ("&lt;![CDATA[A title]]&gt;", "A title"),
      // Titles about HTML.
      ("&lt;h1&gt; or &lt;h2&gt;?", "<h1> or <h2>?"),
      ("The &lt;time&gt; element", "The <time> element"),
    ] as [(String, String)])
  func `a title has no markup around it`(_ title: String, _ expected: String) throws {
    #expect(try Self.item("<title>\(title)</title>").title == expected)
  }

  @Test func `a link in an escaped CDATA section is the link of the item`() throws {
    let item = try Self.item("<link>&lt;![CDATA[https://b.test/1]]&gt;</link>")
    #expect(item.url == "https://b.test/1")
  }
}
