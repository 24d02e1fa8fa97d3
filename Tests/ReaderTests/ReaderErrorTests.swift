@testable import Sandbox
@testable import Reader
import OfflineCache
import Pages
import Testing

@Suite struct ReaderErrorTests {
  private static let messages: [(ReaderError, Int32, String)] = [
    (
      ReaderError.invalidURL("two words"), 2,
      "'two words' is not a URL; give one such as https://example.org/, or a file"
    ),
    (
      .invalidURL("htps://a.example/x//y"), 2,
      "misspelled scheme in 'htps://a.example/x//y'; did you mean https://a.example/x//y?"
    ),
    (
      .invalidURL("http//a.example"), 2,
      "misspelled scheme in 'http//a.example'; did you mean http://a.example?"
    ),
    (
      .invalidURL("https:///a.example"), 2,
      "'https:///a.example' is not a URL; give one such as https://example.org/, or a file"
    ),
    (
      .invalidURL("a b/\u{EFE9}"), 2,
      "'a b/\u{FFFD}' is not a URL; give one such as https://example.org/, or a file"
    ),
    (
      .noFile("\u{EFE9}.warc", exists: true), 2,
      "\u{FFFD}.warc is a file, but this command takes a web page; for the host of this name,"
        + " give https://\u{FFFD}.warc/"
    ),
    (
      .unsupportedScheme("gopher"), 2,
      "offread reads http, https, about, book and file URLs, not 'gopher:'"
    ),
    (
      .forbiddenTarget("file:///etc/passwd"), 1,
      "a web page may not open file:///etc/passwd; type the URL to open it yourself"
    ),
    (
      .unreachable(url: "https://a.example/", TransportFailure(.timedOut, "28")), 1,
      "https://a.example/: timed out, and no copy is saved"
    ),
    (
      .unreachable(
        url: "https://a.example/", TransportFailure(.notTrusted, "", about: "it has expired")), 1,
      "https://a.example/: certificate not trusted (it has expired), and no copy is saved"
    ),
    (
      .unreachable(url: "https://a.example/", TransportFailure(.noNetwork)), 4,
      "https://a.example/: no network, and no copy is saved"
    ),
    (
      .noResponse(url: "https://a.example/", TransportFailure(.timedOut)), 1,
      "https://a.example/: timed out; no saved copy is used (--no-fallback or network-only)"
    ),
    (
      .noSuchVersion(url: "https://a.example/", .id("zz")), 4,
      "https://a.example/: no saved version has an identifier that begins with zz"
    ),
    (
      .noSuchVersion(url: "https://a.example/", .previous), 4,
      "https://a.example/: no good version older than the newest one is saved"
    ),
    (
      .needsNetwork(url: "https://a.example/", method: "POST"), 4,
      "https://a.example/: POST needs the server, and offread is in offline mode;"
        + " leave out --offline"
    ),
    (
      .notSaved(url: "https://a.example/"), 4,
      "https://a.example/ is not saved; open it once with a network to read it offline"
    ),
    (
      .status(url: "https://a.example/", 404), 5,
      "https://a.example/: the server returned 404 Not Found"
    ),
    (
      .status(url: "https://a.example/", 799), 5,
      "https://a.example/: the server returned 799"
    ),
    (
      ReaderError(
        .forbiddenRedirect(location: "http://b.example:99999/"), url: "https://a.example/"), 1,
      "http://b.example:99999/: not a usable URL, and no copy is saved"
    ),
    (
      ReaderError(.forbiddenRedirect(location: "ftp://b.example/"), url: "https://a.example/"), 1,
      "the page leads to ftp://b.example/, which offread does not read; open it in another program"
    ),
    (
      ReaderError(.forbiddenRedirect(location: "http://b.example:25/"), url: "https://a.example/"),
      1,
      "http://b.example:25/: web pages may not use port 25 (type the URL to open it yourself), and"
        + " no copy is saved"
    ),
    (
      ReaderError(.tooManyRedirects(limit: 20), url: "https://a.example/"), 1,
      "https://a.example/: redirected more than 20 times, and no copy is saved"
    ),
    (
      .unreachable(url: "https://a.example/", TransportFailure(.redirectLoop)), 1,
      "https://a.example/: redirected in a circle (the site may need cookies = true, or --cookies"
        + " FILE), and"
        + " no copy is saved"
    ),
    (
      .archive(url: "https://a.example/", .full), 1,
      "https://a.example/: pages cannot be saved: the disk is full"
    ),
    (
      .notText(url: "https://a.example/x", mediaType: "image/png", length: 1_400_000), 1,
      "https://a.example/x is not text (image/png, 1.4 MB);"
        + " save it with: offread fetch -o FILE 'https://a.example/x'"
    ),
    (
      .unreadableFile(path: "/x", "No such file or directory"), 1,
      "/x: No such file or directory"
    ),
    (.unreadableFile(path: "-", "is empty"), 1, "standard input: is empty"),
    (
      .noBuiltInPage(url: "about:x"), 1,
      "about:x does not exist; the built-in pages are about:offread and about:manual"
    ),
    (
      .noBuiltInPage(url: "about:manual#keys"), 1,
      "about:manual#keys is not installed: it belongs in share/offread beside the program's bin"
        + " directory; reinstall offread"
    ),
  ]

  @Test(arguments: messages)
  func `every error has a one-line message with what happened and what to do`(
    _ error: ReaderError, _ code: Int32, _ text: String
  ) {
    #expect(error.description == text)
    #expect(error.exitCode == code)
    #expect(error.headline.first?.isUppercase == true || error.headline.hasPrefix("offread"))
  }

  @Test func `error messages contain no control characters of a URL, type or system message`() {
    let bad = "x\u{1B}[31m\u{9B}\u{202E}\n\u{7}"
    let errors: [ReaderError] = [
      .invalidURL(bad), .unsupportedScheme(bad), .forbiddenTarget(bad), .notSaved(url: bad),
      .unreachable(url: bad, TransportFailure(.other, bad)), .status(url: bad, 500),
      .noResponse(url: bad, TransportFailure(.proxyFailed, bad, about: bad)),
      .notText(url: bad, mediaType: bad, length: 1),
      .unreadableFile(path: bad, "gone"), .noBuiltInPage(url: bad),
      .archive(url: bad, .unreadable(bad)),
    ]
    for error in errors {
      for text in [error.description, error.headline] {
        let isClean = text.unicodeScalars.allSatisfy {
          $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0.value != 0x202E
        }
        #expect(isClean, "\(error)")
      }
    }
  }

  @Test(
    arguments: [
      (ArchiveError.full, "tags cannot be saved: the disk is full"),
      (.unwritable("/a/b: read-only"), "tags cannot be saved: /a/b: read-only"),
      (.notFound, "tags cannot be saved: there is no such saved page"),
    ] as [(ArchiveError, String)])
  func `a message about an action does not repeat that saving fails`(
    error: ArchiveError, message: String
  ) {
    #expect(error.message(for: "tags cannot be saved") == message)
  }
}
