import Foundation
import TestSupport
import Testing

/// Commands for a page that is saved by a URL that redirects to it.
@Suite struct RedirectedCommandTests {
  let sandbox: Sandbox
  let server: ScriptedServer
  private var short: String { server.url + "/r" }
  private var page: String { server.url + "/t" }

  init() throws {
    sandbox = try Sandbox()
    server = try ScriptedServer()
    server.on("/r", .redirect(301, to: "/t"))
  }

  private func save(_ text: String) throws {
    let html = "<title>Fishing</title><p>\(text)<p>The last paragraph stays the same."
    server.on("/t", .response([("Content-Type", "text/html")], text: html))
    let run = try sandbox.offread("save", "--delay", "0", "--quiet", short)
    #expect(run.status == 0, "\(run.errorText)")
  }

  private func list(_ options: String...) throws -> String {
    try sandbox.offread(["list"] + options).text
  }

  @Test func `the size and the changes of a redirecting URL are those of the page`() throws {
    try save("They catch herring in spring.")
    let line = try list()
    #expect(line.contains(" 91 B ") && !line.contains(" 0 B "), "\(line)")
    try save("They catch herring in autumn.")
    let versions = try sandbox.offread("versions", short).text.split(separator: "\n")
    #expect(versions.count(where: { $0.hasSuffix(page) }) == 2, "\(versions)")
    #expect(versions.first?.hasSuffix("URL") ?? false)
    #expect(versions.dropFirst().first?.contains(" * ") ?? false)
    let other = try sandbox.offread("versions", page).text.split(separator: "\n")
    #expect(other.count == 3 && other.first?.hasSuffix("LAST CHECK") ?? false)
    let difference = try sandbox.offread("diff", short)
    #expect(difference.status == 0 && difference.text.contains("[-spring-]{+autumn+}"))
  }

  @Test func `marking the page marks the URL that is kept`() throws {
    try save("They catch herring in spring.")
    #expect(try sandbox.offread("mark", "--read", "--tag", "sea", page).status == 0)
    #expect(try list("--unread").isEmpty)
    #expect(try list("--tag", "sea").contains(short))
    #expect(try sandbox.offread("mark", "--unread", short).status == 0)
    #expect(try list("--unread").contains(short))
    // Once the page itself is kept, marking it does not mark the URL that redirects to it.
    let saving = try sandbox.offread("save", "--delay", "0", "--quiet", page)
    #expect(saving.status == 0)
    #expect(try sandbox.offread("mark", "--read", page).status == 0)
    #expect(try list("--unread").contains(short) && !list("--unread").contains(page))
  }
}
