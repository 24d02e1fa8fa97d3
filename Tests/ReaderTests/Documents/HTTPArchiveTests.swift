import Exchange
import Foundation
import Testing

/// Files of the developer tools of browsers (HAR).
@Suite struct HTTPArchiveTests {
  /// Returns a file with one response.
  private func parsed(
    url: String = "https://a.test/page#top", method: String = "GET", status: Int = 200,
    headers: [(String, String)] = [], content: String = "{}", _ other: String = ""
  ) -> HTTPArchive? {
    let fields = headers.map { "{\"name\": \"\($0.0)\", \"value\": \"\($0.1)\"}" }
    return HTTPArchive(
      Array(
        """
        {"log": {"version": "1.2", "entries": [{
          "startedDateTime": "2020-01-02T03:04:05.000Z",
          "request": {"method": "\(method)", "url": "\(url)"},
          "response": {"status": \(status), "headers": [\(fields.joined(separator: ", "))],
            "content": \(content)\(other)}
        }]}}
        """.utf8))
  }

  private func text(_ archive: HTTPArchive?) throws -> String {
    let response = try #require(archive?.responses.first)
    return String(decoding: response.message, as: UTF8.self)
  }

  @Test func `the content of a page is decoded text`() throws {
    let archive = parsed(
      headers: [
        ("content-type", "text/html; charset=iso-8859-1"), ("Content-Encoding", "br"),
        ("ETag", "x"), ("Set-Cookie", "a=1"),
      ],
      content: #"{"mimeType": "text/html", "text": "<p>Café"}"#)
    #expect(
      try text(archive)
        == "HTTP/1.1 200 \r\nETag: x\r\nContent-Type: text/html; charset=utf-8\r\n"
        + "Content-Length: 8\r\n\r\n<p>Café")
    let response = try #require(archive?.responses.first)
    #expect(response.url == "https://a.test/page")
    #expect(response.date == Date(timeIntervalSince1970: 1_577_934_245))
  }

  @Test func `binary content is decoded, and its type is unchanged`() throws {
    let archive = parsed(
      content: #"{"mimeType": "text/html; charset=x", "text": "PHA+", "encoding": "base64"}"#)
    #expect(
      try text(archive)
        == "HTTP/1.1 200 \r\nContent-Type: text/html; charset=x\r\nContent-Length: 3\r\n\r\n<p>")
  }

  @Test func `text that is wrongly declared as base64 is not decoded`() throws {
    let archive = parsed(
      content: #"{"mimeType": "text/html", "text": "<p>Caf\u00e9", "encoding": "base64"}"#)
    #expect(
      try text(archive)
        == "HTTP/1.1 200 \r\nContent-Type: text/html; charset=utf-8\r\n"
        + "Content-Length: 8\r\n\r\n<p>Café")
  }

  @Test(arguments: ["location", ""])
  func `redirects lead to their targets`(_ field: String) throws {
    let archive = parsed(
      status: 301, headers: field.isEmpty ? [] : [(field, "/new")], #", "redirectURL": "/new""#)
    #expect(try text(archive).lowercased().contains("\r\nlocation: /new\r\n"))
  }

  @Test func `fields of the file do not add lines to the message`() throws {
    let archive = parsed(
      headers: [("link", #"<a>\r\n<b>"#), ("etag", #"\u0000"#)], content: #"{"text": "x"}"#)
    #expect(
      try text(archive) == "HTTP/1.1 200 \r\nlink: <a>, <b>\r\nContent-Length: 1\r\n\r\nx")
  }

  @Test(arguments: [
    (#"{"size": 5, "mimeType": "text/html"}"#, true), (#"{"size": 0, "text": ""}"#, false),
  ])
  func `missing content is reported`(_ content: String, _ isMissing: Bool) throws {
    let archive = try #require(parsed(content: content))
    #expect(archive.responses.isEmpty)
    #expect(archive.urlsWithoutContent == (isMissing ? ["https://a.test/page"] : []))
  }

  @Test func `content that a 304 confirmed is that of a complete response`() throws {
    let archive = parsed(status: 304, content: #"{"size": 1, "text": "x"}"#)
    #expect(try text(archive) == "HTTP/1.1 200 \r\nContent-Length: 1\r\n\r\nx")
    let empty = try #require(parsed(status: 304, content: #"{"size": 5, "text": ""}"#))
    #expect(empty.responses.isEmpty && empty.urlsWithoutContent.isEmpty)
  }

  @Test func `other requests, errors and other files are left out`() throws {
    let content = #"{"text": "x"}"#
    #expect(parsed(method: "POST", content: content)?.responses.isEmpty ?? false)
    #expect(parsed(status: 404, content: content)?.responses.isEmpty ?? false)
    #expect(parsed(url: "data:,x", content: content)?.responses.isEmpty ?? false)
    #expect(HTTPArchive(Array(#"{"log": "x", "url": "https://a.test/"}"#.utf8)) == nil)
  }
}
