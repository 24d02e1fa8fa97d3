import Containers
import Exchange
import Testing

/// Frames of pages in MHTML files.
@Suite struct EmbeddedFramesTests {
  /// Returns a message whose first part is a page with the given content.
  private static func message(_ page: String, _ frames: [(head: String, content: String)]) throws
    -> MIMEMessage
  {
    let parts =
      [(head: "Content-Location: https://a.test/page", content: page)] + frames
    let text =
      "Snapshot-Content-Location: https://a.test/page\nMIME-Version: 1.0\n"
      + "Content-Type: multipart/related; boundary=b\n\n"
      + parts.map { "--b\nContent-Type: text/html\n\($0.head)\n\n\($0.content)\n" }.joined()
      + "--b--\n"
    return try MIMEMessage(Array(text.utf8))
  }

  private static func page(of message: MIMEMessage) throws -> String? {
    var frames = EmbeddedFrames(message)
    return frames.page(try #require(message.parts.first)).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test(
    arguments: [
      (
        "a<iframe src=\"cid:f@x\">b", "Content-ID: <f@x>",
        "a<iframe srcdoc=\"&#60;p&#62;F&#233;\">b"
      ),
      (
        "a<IFRAME id=1 SRC='cid:f%40x' width=5></IFRAME>", "Content-Location: cid:f@x",
        "a<IFRAME id=1 srcdoc=\"&#60;p&#62;F&#233;\" width=5></IFRAME>"
      ),
      ("<iframe src=CID:f@x>", "Content-ID: <f@x>", "<iframe srcdoc=\"&#60;p&#62;F&#233;\">"),
      (
        "<iframe src=\"cid:f@x\">", "Content-ID: <f@x>\nContent-Location: https://b.test/?a&b",
        "<iframe src=\"https://b.test/?a&#38;b\">"
      ),
      (
        "<frame src=\"cid:f@x\">", "Content-ID: <f@x>\nContent-Location: https://b.test/",
        "<frame src=\"https://b.test/\">"
      ),
      ("<frame src=\"cid:f@x\">", "Content-ID: <f@x>", nil),
      ("<iframe src=\"cid:other@x\">", "Content-ID: <f@x>", nil),
      ("<iframe src=\"https://b.test/\">", "Content-ID: <f@x>", nil),
      ("<iframe data-src=\"cid:f@x\">", "Content-ID: <f@x>", nil),
      ("<iframes src=\"cid:f@x\">", "Content-ID: <f@x>", nil),
      ("<img src=\"cid:f@x\"><iframe", "Content-ID: <f@x>", nil),
      ("<iframe title=\"a src='cid:f@x'", "Content-ID: <f@x>", nil), ("<iframe src=", "", nil),
    ] as [(String, String, String?)])
  func `a frame without a web URL is inserted into its page`(
    _ page: String, _ head: String, _ expected: String?
  ) throws {
    let message = try Self.message(page, [(head, "<p>Fé")])
    #expect(try Self.page(of: message) == expected)
  }

  @Test func `frames within frames are inserted, up to a depth`() throws {
    let message = try Self.message(
      "<iframe src=cid:1>",
      [
        ("Content-ID: <1>", "one <iframe src=cid:2></iframe>"),
        ("Content-ID: <2>", "two <iframe src=cid:2></iframe>"),
      ])
    let page = try #require(try Self.page(of: message))
    #expect(page.contains("one ") && page.contains("two "))
    #expect(page.utf8.count < 1000)
  }

  @Test func `a frame is inserted once into each page`() throws {
    let frames = String(repeating: "<iframe src=cid:1></iframe>", count: 200)
    let message = try Self.message(frames, [("Content-ID: <1>", "one " + frames)])
    var embedded = EmbeddedFrames(message)
    for _ in 0..<2 {
      let page = embedded.page(message.parts[0]) ?? []
      let text = String(decoding: page, as: UTF8.self)
      #expect(
        text.hasPrefix("<iframe srcdoc=\"one ") && text.hasSuffix("<iframe src=cid:1></iframe>"))
      #expect(text.ranges(of: "srcdoc").count == 1 && page.count < 20_000)
    }
  }

  @Test(
    arguments: [
      ("x", 900_000, 4), ("x", 1000, 9), ("\"", 900_000, 0), ("\"", 500_000, 1), ("é", 200_000, 3),
      ("x", 1_100_000, 0),
    ] as [(String, Int, Int)])
  func `the inserted frames have a maximum size in all, with their escapes`(
    _ character: String, _ count: Int, _ inserted: Int
  ) throws {
    let content = String(repeating: character, count: count)
    let message = try Self.message(
      (1...9).map { "<iframe src=cid:\($0)></iframe>" }.joined(),
      (1...9).map { (head: "Content-ID: <\($0)>", content: content) })
    let page = try Self.page(of: message) ?? ""
    #expect(page.ranges(of: "srcdoc").count == inserted)
    #expect(page.utf8.count < 1 << 23)
  }
}
