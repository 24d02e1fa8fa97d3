import TestSupport
import Testing

@testable import OfflineCache

@Suite("Topics of a page")
struct PageTopicsTests {
  @Test(
    arguments: [
      ("404 not found", .failure), ("sign in", .signIn), ("wi-fi", .network),
      ("we use cookies", [.consent, .cookies]), ("インターネット接続", [.network, .internet, .entry]),
      ("nutzungsbedingungen", .terms), ("连接", .entry), ("log i", []), ("s", []), ("", []),
      ("disagree", .entry), ("войт", []), ("please password", .signIn),
      ("error", .failure), ("server error", .failure), ("terrorism", []), ("une erreur", .failure),
      ("page d'erreur", .failure), ("la terreur", []), ("roads blocked", .message),
      ("has been removed", .message), ("subscribe to read", .subscription),
      ("this domain is for sale", [.thisDomain, .domain, .sale]),
      ("your quota is exceeded", [.allowance, .spent]), ("for members only", []),
      ("read the full story", []),
    ] as [(String, PageTopics)])
  func `a text has the topics of its phrases`(_ text: String, _ topics: PageTopics) {
    #expect(PageTopics(of: Array(text.utf8)) == topics)
  }

  @Test func `a matcher finds the same phrases as separate searches`() {
    var generator = SplitMix64(seed: 27)
    let letters = Array("abc\u{E9}".utf8)
    func text(_ length: Int) -> [UInt8] {
      (0..<length).map { _ in letters.randomElement(using: &generator) ?? 0 }
    }
    for _ in 0..<200 {
      let lists = (0..<8).map { bit in
        (
          PageTopics(rawValue: 1 << bit),
          (0..<3).map { _ in
            String(decoding: text(.random(in: 2...5, using: &generator)), as: UTF8.self)
          }
        )
      }
      let matcher = PhraseMatcher(lists)
      let searched = text(.random(in: 0...40, using: &generator))
      let expected = lists.filter { _, phrases in
        phrases.contains { ByteCase.firstIndex(of: Array($0.utf8), in: searched, from: 0) != nil }
      }
      #expect(matcher.topics(of: searched) == PageTopics(expected.map(\.0)))
    }
  }
}
