import HTML
import OfflineCache
import Testing

@testable import Reader

/// The pages that stand where a page is missing.
@Suite struct ExplanationPageTests {
  private func text(_ error: ReaderError, url: String, saved: [String] = []) -> String {
    let page = ExplanationPage(error: error, url: url, saved: saved).page
    return String(decoding: page.document.text, as: UTF8.self)
  }

  @Test("What is not text comes with the command that saves it, ready for a shell")
  func notText() {
    let url = "https://user:secret@a.test/it's?a&b<c>"
    let words = text(.notText(url: url, mediaType: "image/png", length: 3000), url: url)
    #expect(words.contains("offread fetch -o FILE 'https://a.test/it%27s?a&b<c>'"))
    #expect(words.contains("image/png") && words.contains("3 K"))
    #expect(!words.contains("secret"))
  }

  @Test("Saved pages are links, and nothing in their addresses becomes markup")
  func saved() {
    let url = "https://a.test/x"
    let target = "https://a.test/\"><script>&amp;"
    let page = ExplanationPage(error: .notSaved(url: url), url: url, saved: [target]).page
    #expect(page.provenance.source == .explanation && page.errorStatus == nil)
    #expect(page.document.links.map(\.target) == [target])
  }

  @Test(
    "Every error's page names the address without control characters",
    arguments: [
      ReaderError.notAnAddress("a\u{1B}[2J"), .unsupportedScheme("x\u{7}"),
      .forbiddenTarget("file:///\u{9B}2J"), .unreachable(url: "x", .init(.other, "\u{1B}c")),
      .notSaved(url: "\u{202E}"), .redirects(url: "\u{1B}", limit: 3),
      .noBuiltInPage(url: "about:x"),
      .notText(url: "x", mediaType: "\u{1B}/x", length: 1), .unreadableFile(path: "\u{1B}", "no"),
      .usage("\u{1B}"), .status(url: "x", 404),
    ])
  func clean(_ error: ReaderError) {
    let words = text(error, url: "http://a.test/\u{1B}]0;x\u{7}")
    #expect(words.contains("http://a.test/"))
    let isClean = words.unicodeScalars.allSatisfy { scalar in
      scalar == "\n" || (scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value))
    }
    #expect(isClean)
  }
}
