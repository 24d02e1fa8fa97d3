import TestSupport
import Testing

/// `offread diff`.
@Suite struct DiffCommandTests {
  let sandbox: Sandbox
  let server: ScriptedServer

  init() throws {
    sandbox = try Sandbox()
    server = try ScriptedServer()
  }

  private func save(_ text: String) throws {
    server.on("/page", .response([("Content-Type", "text/html")], text: "<title>T</title>" + text))
    #expect(
      try sandbox.offread("fetch", "--mode", "network-only", "\(server.url)/page").status == 0)
  }

  @Test func `the newest two versions are compared, or the given ones`() throws {
    for ids in [[], ["a", "b"]] {
      let absent = try sandbox.offread(["diff", "\(server.url)/page"] + ids)
      #expect(absent.status == 1 && absent.errorText.contains("/page is not saved"))
    }
    try save("<p>The first wording stands here.<p>Same.")
    let single = try sandbox.offread("diff", "\(server.url)/page")
    #expect(single.status == 1 && single.errorText.contains("only one version"))
    #expect(try sandbox.offread("diff", "--exit-code", "\(server.url)/page").status == 2)
    try save("<p>The second wording stands here.<p>Same.")
    try save("<p>The third wording stands here.<p>Same.")
    let newest = try sandbox.offread("diff", "\(server.url)/page")
    #expect(newest.status == 0, "\(newest.errorText)")
    #expect(newest.text.hasPrefix("--- ") && newest.text.contains("\n+++ "))
    #expect(newest.text.contains("~ The [-second-]{+third+} wording stands here."))
    #expect(newest.text.contains("… 1 paragraph unchanged"))
    let lines = try sandbox.offread("versions", "\(server.url)/page").text.split(separator: "\n")
    let ids = lines.dropFirst().compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(ids.count == 3)
    let named = try sandbox.offread("diff", "\(server.url)/page", ids[2], ids[1])
    #expect(named.text.contains("[-first-]{+second+}"))
    let toNewest = try sandbox.offread(
      "diff", "--format", "markdown", "--exit-code", "\(server.url)/page", ids[2])
    #expect(toNewest.status == 1 && toNewest.text.contains("~~first~~**third**"))
    #expect(toNewest.text.hasPrefix("From \(ids[2].prefix(8)) ("), "\(toNewest.text)")
    let same = try sandbox.offread("diff", "--exit-code", "\(server.url)/page", ids[0], ids[0])
    #expect(same.status == 0 && same.text.contains("the text is the same"))
    let unknown = try sandbox.offread("diff", "\(server.url)/page", "zzz")
    #expect(unknown.status == 1 && unknown.errorText.contains("no version zzz"))
  }

  @Test(arguments: [("auto", true), ("never", false)])
  func `in a terminal the settings decide about colours`(color: String, isColored: Bool) throws {
    try save("<p>The first wording stands here.")
    try save("<p>The second wording stands here.")
    try sandbox.settings("[display]\ncolor = \"\(color)\"\n")
    let screen = try TmuxScreen(
      [Program.offread, "diff", "--data-dir", sandbox.data, "\(server.url)/page"], inShell: true)
    try screen.wait(for: "second")
    #expect(try screen.styledRows().contains { $0.contains("\u{1B}[31m") } == isColored)
  }
}
