import Document
import OfflineCache
import Testing

@testable import Pages
@testable import Profiles
@testable import Reader

/// Pages shown in place of a missing page.
@Suite struct ExplanationPageTests {
  private func text(_ error: ReaderError, url: String, saved: [String] = []) -> String {
    let pages = saved.map { SavedAddresses.Match(url: $0) }
    let page = ExplanationPage(error: error, url: url, savedPages: pages).page
    return String(decoding: page.document.text, as: UTF8.self)
  }

  @Test func `the page for a binary file contains a quoted shell command that saves it`() {
    let url = "https://user:secret@a.test/it's?a&b<c>"
    let content = text(.notText(url: url, mediaType: "image/png", length: 3000), url: url)
    #expect(content.contains("offread fetch -o FILE 'https://a.test/it%27s?a&b<c>'"))
    #expect(content.contains("image/png") && content.contains("3 kB"))
    #expect(!content.contains("secret"))
  }

  @Test func `saved pages are links, and their URLs are escaped`() {
    let url = "https://a.test/x"
    let target = "https://a.test/\"><script>&amp;"
    let page = ExplanationPage(
      error: .notSaved(url: url), url: url,
      savedPages: [
        .init(url: target), .init(url: "https://a.test/b", title: "A <b>title</b>\u{1B}[31m"),
      ]
    ).page
    #expect(page.provenance.source == .explanation && page.errorStatus == nil)
    #expect(page.document.links.map(\.target) == [target, "https://a.test/b"])
    let text = String(decoding: page.document.text, as: UTF8.self)
    #expect(text.contains("A <b>title</b>") && !text.utf8.contains(0x1B))
  }

  @Test(
    arguments: [
      (.incomplete, "Answer incomplete", "The response ended too early"),
      (.malformed, "The response is not valid HTTP", "Check the port of the URL"),
      (.connectionRefused, "Connection refused", "The host responds"),
      (.proxyAuthenticationRequired, "The proxy requires a user name", "Put both into the URL"),
    ] as [(FailureKind, String, String)])
  func `the page of a failed load names the failure and the remedy in plain words`(
    kind: FailureKind, headline: String, advice: String
  ) {
    let failure = TransportFailure(kind, "why")
    let content = text(.unreachable(url: Self.url, failure), url: Self.url)
    #expect(content.contains(headline) && content.contains("No copy of this page is saved."))
    #expect(content.contains(advice) && !content.contains("why"))
    let alone = text(.noResponse(url: Self.url, failure), url: Self.url)
    #expect(alone.contains(headline) && alone.contains(advice) && alone.contains("--no-fallback"))
  }

  @Test func `with an error in the settings, leaving offline mode is not suggested`() {
    var page = ExplanationPage(error: .notSaved(url: "https://a.test/x"), url: "https://a.test/x")
    page.isRestricted = true
    let text = String(decoding: page.page.document.text, as: UTF8.self)
    #expect(text.contains("offread config --print") && !text.contains("leave offline mode"))
  }

  private static let url = "https://a.test/x"

  private static let ofNetwork: [ReaderError] = TransportFailure.Kind.allCases.flatMap { kind in
    let failure = TransportFailure(kind, "why")
    return [ReaderError.unreachable(url: url, failure), .noResponse(url: url, failure)]
  }
  private static let ofStatus: [ReaderError] = [401, 403, 404, 407, 418, 429, 500, 511].map {
    ReaderError.status(url: url, $0)
  }
  private static let archiveErrors: [ArchiveError] = [
    .unwritable("why"), .full, .damaged(file: "f", offset: 1), .unreadable("why"),
    .cookies("why"), .credentials("why"), .notFound, .stopped,
  ]
  private static let ofArchive: [ReaderError] = archiveErrors.map {
    ReaderError.archive(url: url, $0)
  }
  private static let others: [ReaderError] = [
    .invalidURL("x y"), .unsupportedScheme("gopher"), .forbiddenTarget("file:///x"),
    .forbiddenTarget("gemini://a.test/"), .forbiddenTarget("http://a.test/form"),
    .noSuchVersion(url: url, .id("abc")), .noSuchVersion(url: url, .previous),
    .needsNetwork(url: url, method: "POST"), .notSaved(url: url),
    .noBuiltInPage(url: "about:x"), .notText(url: url, mediaType: "image/png", length: 1),
    .tooLarge(url: url, .tooLarge(limit: 1 << 20)),
    .unreadableFile(path: "/x", "No such file or directory"), .usage("do it otherwise"),
  ]
  private static let everyError = ofNetwork + ofStatus + ofArchive + others

  @Test(arguments: everyError)
  func `every error and every reason has a page with advice`(_ error: ReaderError) {
    let page = ExplanationPage(error: error, url: Self.url)
    // More than "try again": a sentence for this particular error, without raw values.
    let sentences = page.advice.filter { !$0.hasPrefix("Press <kbd>r</kbd>") }
    #expect(!sentences.isEmpty)
    #expect(page.advice.contains { !error.description.contains($0.dropLast()) })
    for sentence in page.advice {
      #expect([".", ":", ">"].contains(sentence.suffix(1)), "\(sentence)")
    }
    let content = text(error, url: Self.url)
    #expect(content.contains("https://a.test/x") && !content.contains("<"))
  }

  @Test func `a connection without a response is not called an incomplete response`() {
    let event = "the server closed the connection without a response"
    let content = text(
      .unreachable(url: Self.url, TransportFailure(.incomplete, "", about: event)), url: Self.url)
    #expect(content.contains("The server closed the connection without a response"))
    #expect(content.contains("may refuse") && !content.contains("ended too early"))
  }

  @Test func `the page of a failed redirect names its target without the password`() {
    let failure = TransportFailure(.hostNotFound)
    let content = text(
      .unreachable(url: "https://me:secret@b.test/new", failure), url: Self.url)
    #expect(content.contains(Self.url) && content.contains("It redirects to https://b.test/new."))
    #expect(!text(.unreachable(url: Self.url, failure), url: Self.url).contains("redirects"))
  }

  @Test func `only local targets are described as being on this device`() {
    for (target, isLocal) in [
      ("file:///x", true), ("about:manual", true), ("gemini://a.test/", false),
      ("mailto:b@a.test", false), ("http://a.test/form", false),
    ] {
      let content = text(.forbiddenTarget(target), url: Self.url)
      #expect(content.contains(target) && content.contains("on this device") == isLocal)
    }
  }

  @Test func `a temporarily unavailable page can be queued unless it is queued already`() {
    let refused = ReaderError.unreachable(url: Self.url, TransportFailure(.connectionRefused, "no"))
    #expect(text(refused, url: Self.url).contains("a puts it into the queue"))
    #expect(!text(.status(url: Self.url, 404), url: Self.url).contains("a puts it into the queue"))
    let queued = ExplanationPage(error: refused, url: Self.url, isQueued: true).page.document
    let content = String(decoding: queued.text, as: UTF8.self)
    #expect(content.contains("It is queued") && !content.contains("puts it into the queue"))
    #expect(content.contains("Q lists the queue") && !content.contains("--queue"))
  }

  @Test(arguments: [("/x/a.html", 1), ("/x/book.epub/2", 2)])
  func `a file that cannot be read is named once`(url: String, lineCount: Int) {
    let path = url.replacing("/2", with: "")
    let content = text(.unreadableFile(path: path, "No such file or directory"), url: url)
    #expect(content.ranges(of: path).count == lineCount, "\(content)")
  }

  @Test func `standard input is not said to be read again`() {
    let error = ReaderError.unreadableFile(path: "standard input", "is not text")
    #expect(text(error, url: "stdin:").contains("standard input: is not text."))
    #expect(!text(error, url: "stdin:").contains("reads the file again"))
    #expect(text(error, url: "/a").contains("reads the file again"))
  }

  @Test func `explanations name the keys of the user`() {
    var page = ExplanationPage(
      error: .status(url: Self.url, 500), url: Self.url, isQueued: true)
    page.keyNames = KeyNames(["r": "R", "e": "<"])
    let content = String(decoding: page.page.document.text, as: UTF8.self)
    #expect(content.contains("Press R to try again, < to edit the URL."))
    #expect(content.contains("Q lists the queue"))
  }

  @Test func `commands and links to copy are complete`() {
    #expect(
      text(.noSuchVersion(url: Self.url, .id("zz")), url: Self.url)
        .contains("offread versions 'https://a.test/x'"))
    #expect(
      text(.tooLarge(url: Self.url, .tooLarge(limit: 9)), url: Self.url)
        .contains("offread fetch -o FILE 'https://a.test/x'"))
    let page = ExplanationPage(error: .noBuiltInPage(url: "about:x"), url: "about:x").page
    #expect(page.document.links.map(\.target) == ["about:offread", "about:manual"])
  }

  @Test(arguments: [
    ReaderError.invalidURL("a\u{1B}[2J"), .unsupportedScheme("x\u{7}"),
    .forbiddenTarget("file:///\u{9B}2J"), .unreachable(url: "x", .init(.other, "\u{1B}c")),
    .notSaved(url: "\u{202E}"),
    .unreachable(url: "\u{1B}", TransportFailure(.proxyFailed, "", about: "\u{1B}")),
    .noBuiltInPage(url: "about:x"),
    .notText(url: "x", mediaType: "\u{1B}/x", length: 1), .unreadableFile(path: "\u{1B}", "no"),
    .usage("\u{1B}"), .status(url: "x", 404),
  ])
  func `every error page contains the URL without control characters`(_ error: ReaderError) {
    let content = text(error, url: "http://a.test/\u{1B}]0;x\u{7}")
    #expect(content.contains("http://a.test/"))
    let isClean = content.unicodeScalars.allSatisfy { scalar in
      scalar == "\n" || (scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value))
    }
    #expect(isClean)
  }
}
