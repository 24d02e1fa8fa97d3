import Testing

@testable import OfflineCache

@Suite("Versions of a page")
struct PageVersionTests {
  private static func text(_ numbers: Range<Int>, _ rest: String = "") -> String {
    "<title>T</title><p>" + numbers.map { "word\($0)" }.joined(separator: " ") + "</p>" + rest
  }

  @Test(
    arguments: [
      ("the same article", text(0..<100), text(0..<100), true),
      ("an article with new paragraphs", text(0..<100), text(0..<140), true),
      ("a beginning", text(0..<200), text(0..<60), false),
      ("one text among many", text(0..<100), text(0..<500), false),
      ("another article", text(0..<100), text(500..<600), false),
      ("the same short text", text(0..<20), text(0..<20), true),
      ("a similar short text", text(0..<20), text(0..<18), false),
      ("the same very short text", text(0..<3), text(0..<3), false),
      ("a password form", text(0..<100), text(0..<100, "<input type=password>"), false),
    ] as [(String, String, String, Bool)])
  func `a version has the text of the page`(
    _ name: String, _ old: String, _ new: String, _ isVersion: Bool
  ) {
    let traits = PageTraits(Array(new.utf8))
    #expect(traits.isVersion(of: PageTraits(Array(old.utf8))) == isVersion, "\(name)")
  }
}
