import Configuration
import Foundation
import Testing

/// Filters for the items of feeds.
@Suite struct FeedRuleTests {
  private let item: [FeedRule.Field: String] = [
    .title: "Sponsored: the Über-harbour", .text: "Tides and ferries", .author: "A. Smith",
    .category: "News\nAds",
  ]

  private func matches(_ change: (inout FeedRule) -> Void) -> Bool {
    var rule = FeedRule()
    change(&rule)
    return FeedFilter(rule).matches { item[$0] ?? "" }
  }

  @Test(
    arguments: [
      ("sponsored", true), ("uber-harbour", true), ("ads", true), ("ferry", false),
      ("sponsor", false), ("ides", false), ("smith", true), ("tides and", true),
    ] as [(String, Bool)])
  func `a word matches as a whole in any part, in any case`(_ word: String, _ isMatch: Bool) {
    #expect(matches { $0.terms = ["nothing", word] } == isMatch)
  }

  @Test func `only the given parts are searched`() {
    #expect(!matches { ($0.terms, $0.fields) = (["ads"], [.title, .author]) })
    #expect(matches { ($0.terms, $0.fields) = (["ads"], [.title, .category]) })
  }

  @Test func `a regular expression ignores case`() {
    #expect(matches { ($0.pattern, $0.fields) = ("^sponsored:", [.title]) })
    #expect(!matches { ($0.pattern, $0.fields) = ("^sponsored:", [.text]) })
    #expect(!matches { $0.pattern = "(" })
  }

  @Test func `a rule applies to the feeds that its patterns match`() {
    var rule = FeedRule()
    #expect(rule.applies(to: "https://a.test/feed"))
    rule.urlGlobs = ["https://a.test/*"]
    #expect(rule.applies(to: "https://a.test/feed") && !rule.applies(to: "https://b.test/feed"))
  }
}
