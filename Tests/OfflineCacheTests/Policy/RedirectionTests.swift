import Foundation
import TestFiles
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("Redirects (RFC 9110 §15.4)")
struct RedirectionTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let status: Int
    let method: String
    let next: String
    var testDescription: String { "\(status) \(method)" }
  }

  static let rows: [Row] = [
    .init(status: 301, method: "GET", next: "GET"), .init(status: 301, method: "POST", next: "GET"),
    .init(status: 302, method: "POST", next: "GET"), .init(status: 302, method: "PUT", next: "PUT"),
    .init(status: 303, method: "PUT", next: "GET"),
    .init(status: 303, method: "HEAD", next: "HEAD"),
    .init(status: 307, method: "POST", next: "POST"),
    .init(status: 308, method: "POST", next: "POST"),
  ]

  @Test(arguments: rows)
  func `method and content change as in browsers`(_ row: Row) throws {
    let request = WebRequest(
      method: row.method, url: "http://a/x", fields: FieldLines([.init("Content-Type", "t/x")]),
      body: [1])
    let response = ResponseHead(status: row.status, fields: FieldLines([.init("Location", "/y")]))
    let url = try #require(WebURL("http://a/x"))
    let next = try Redirection.request(after: response, to: request, at: url).request
    #expect(next.method == row.next)
    #expect(next.url == "http://a/y")
    #expect(next.body.isEmpty == (row.next == "GET" && row.method != "GET"))
    #expect((next.fields["Content-Type"] == nil) == next.body.isEmpty)
  }

  @Test func `a redirect to a URL in ISO-8859-1 keeps its octets`() throws {
    let lines: [[UInt8]] = [
      Array("HTTP/1.1 302 Found".utf8), Array("Location: /caf".utf8) + [0xE9, 0x3F, 0xFC],
      Array("X-Name: caf".utf8) + [0xE9], [],
    ]
    var reader = ResponseHeadReader()
    var head: ResponseHead?
    for line in lines { head = line.withUnsafeBytes { reader.parse($0) } }
    let response = try #require(head)
    let url = try #require(WebURL("http://h/a"))
    #expect(Redirection.target(of: response, from: url)?.description == "http://h/caf%E9?%FC")
    #expect(response.fields["X-Name"] == "café")
  }

  @Test func `RFC 9112 §5.2: a folded value with an empty line has no surrounding white space`()
    throws
  {
    let lines = [
      "HTTP/1.1 200 OK", "Content-Type:", " text/html;", "\tcharset=utf-8", " ", "ETag: \"1\"", "",
    ]
    var reader = ResponseHeadReader()
    var head: ResponseHead?
    for line in lines { head = Array(line.utf8).withUnsafeBytes { reader.parse($0) } }
    let fields = try #require(head).fields
    #expect(fields["Content-Type"] == "text/html; charset=utf-8" && fields["ETag"] == "\"1\"")
  }

  @Test(arguments: [302, 307, 308])
  func `content sent over https is not resent over http`(status: Int) throws {
    let url = try #require(WebURL("https://a/x"))
    for (location, isSafe) in [("http://a/y", false), ("https://b/y", true), ("/y", true)] {
      let response = ResponseHead(
        status: status, fields: FieldLines([.init("Location", location)]))
      let post = WebRequest(method: "POST", url: "https://a/x", body: [1])
      // A 302 changes the method to GET without content.
      if isSafe || status == 302 {
        let next = try Redirection.request(after: response, to: post, at: url).request
        #expect(next.body.isEmpty == (status == 302))
      } else {
        #expect(throws: LoadError.forbiddenRedirect(location: location)) {
          try Redirection.request(after: response, to: post, at: url)
        }
      }
      let get = WebRequest(url: "https://a/x")
      #expect(try Redirection.request(after: response, to: get, at: url).request.method == "GET")
    }
  }

  @Test func `credentials are sent to the same site only`() throws {
    let fields = FieldLines([
      .init("authorization", "x"), .init("Cookie", "y"), .init("Accept", "z"),
      .init("X-Api-Key", "k"), .init("Private-Token", "t"), .init("Range", "bytes=0-1"),
    ])
    let request = WebRequest(url: "http://a/x", fields: fields)
    let url = try #require(WebURL("http://a/x"))
    for (location, isKept) in [
      ("/y", true), ("http://a:80/y", true), ("https://a/y", false), ("http://b/y", false),
      ("http://a:81/", false),
    ] {
      let response = ResponseHead(
        status: 302, fields: FieldLines([.init("Location", location)]))
      let next = try Redirection.request(after: response, to: request, at: url).request
      #expect((next.fields["Authorization"] != nil) == isKept, "\(location)")
      for name in ["Cookie", "X-Api-Key", "Private-Token"] {
        #expect((next.fields[name] != nil) == isKept, "\(location) \(name)")
      }
      #expect(next.fields["Range"] == "bytes=0-1")
      #expect(next.fields["Accept"] == "z")
    }
  }

  @Test func `a conditional range request is not redirected to another resource`() throws {
    let fields = FieldLines([.init("If-Range", "\"1\""), .init("Range", "bytes=5-")])
    let request = WebRequest(url: "http://a/x", fields: fields)
    let url = try #require(WebURL("http://a/x"))
    for (location, isKept) in [("/y", true), ("http://b/y", false)] {
      let response = ResponseHead(
        status: 302, fields: FieldLines([.init("Location", location)]))
      let next = try Redirection.request(after: response, to: request, at: url).request
      #expect((next.fields["Range"] != nil) == isKept)
      #expect((next.fields["If-Range"] != nil) == isKept)
    }
  }

  @Test(arguments: ["file:///etc/hosts", "about:x", "data:,x", ""])
  func `only redirects to http and https are followed`(_ location: String) throws {
    let response = ResponseHead(
      status: 302, fields: FieldLines([.init("Location", location)]))
    let url = try #require(WebURL("http://a/x#f"))
    guard Redirection.isRedirect(response) else {
      #expect(location.isEmpty)
      return
    }
    #expect(throws: LoadError.self) {
      try Redirection.request(after: response, to: WebRequest(url: "http://a/x"), at: url)
    }
  }

  @Test func `the fragment is inherited unless the target has one`() throws {
    let url = try #require(WebURL("http://a/x#f"))
    for (location, expected) in [("/y", "http://a/y#f"), ("/y#g", "http://a/y#g")] {
      let response = ResponseHead(status: 302, fields: FieldLines([.init("Location", location)]))
      let next = try Redirection.request(
        after: response, to: WebRequest(url: "http://a/x"), at: url)
      #expect(next.url.description == expected)
      #expect(next.request.url == "http://a/y")
    }
  }
}
