import Foundation
import TestSupport
import Testing

/// Commands on several pages at once, and their reports.
@Suite struct PageSelectionTests {
  let sandbox: Sandbox
  let server: ScriptedServer

  init() throws {
    sandbox = try Sandbox()
    server = try ScriptedServer()
  }

  private func put(_ path: String, _ text: String) {
    server.on(path, .response([("Content-Type", "text/html")], text: text))
  }

  /// Saves the pages `/1`, `/2` and so on with a tag.
  private func save(_ numbers: ClosedRange<Int>, tag: String) throws {
    for number in numbers { put("/\(number)", "<title>Page \(number)</title><p>word\(number)") }
    let run = try sandbox.offread(
      ["save", "--delay", "0", "--quiet", "--tag", tag] + numbers.map { url($0) })
    #expect(run.status == 0, "\(run.errorText)")
  }

  private func url(_ number: Int) -> String { "\(server.url)/\(number)" }

  /// Returns the number of pinned pages.
  private func count() throws -> Int {
    try sandbox.offread("list").text.split(separator: "\n").count { !$0.hasPrefix(" ") }
  }

  @Test
  func `several pages are removed only after confirmation, and an unknown tag removes nothing`()
    throws
  {
    try save(1...3, tag: "sea")
    try save(4...4, tag: "land")
    for tag in ["sae", "", " "] {
      let run = try sandbox.offread("remove", "--yes", "--tag", tag, url(4))
      #expect(run.status == 1 && run.output.isEmpty, "\(tag)")
      #expect(run.errorText.contains(" tag "), "\(run.errorText)")
    }
    let dry = try sandbox.offread("remove", "--dry-run", "--tag", "sea")
    #expect(dry.status == 0)
    #expect(dry.text.split(separator: "\n").count == 4)
    for number in 1...3 { #expect(dry.text.contains("would remove \(url(number)): 1 version")) }
    #expect(dry.text.contains("would remove 3 pages, "))
    let unasked = try sandbox.offread("remove", "--tag", "sea")
    #expect(unasked.status == 2 && unasked.output.isEmpty)
    #expect(
      unasked.errorText.contains(
        "--yes is required without a terminal; --dry-run lists the 3 pages"))
    #expect(try count() == 4)
    let run = try sandbox.offread("remove", "--yes", "--tag", "sea")
    #expect(run.status == 0 && run.text.contains("removed 3 pages, "), "\(run.errorText)")
    #expect(try count() == 1)
    // A page that is only queued does not count as saved.
    #expect(try sandbox.offread("add", url(9)).status == 0)
    let both = try sandbox.offread("remove", "--dry-run", url(4), url(9))
    #expect(both.text.contains("would remove 1 page, "), "\(both.text)")
    #expect(both.text.hasSuffix("; and 1 without saved versions\n"), "\(both.text)")
    #expect(try sandbox.offread("remove", url(9)).status == 0)
    // A single page needs no confirmation, however often it is named.
    #expect(try sandbox.offread("remove", url(4), url(4) + "#x").status == 0)
    #expect(try count() == 0)
  }

  @Test func `on a terminal a removal is confirmed, and any response but yes cancels it`() throws {
    try save(1...2, tag: "sea")
    let no = try sandbox.reader("remove", "--tag", "sea")
    let rows = try no.wait(for: "unlike --later. Remove 2 pages? [y/N]")
    #expect(rows.contains("  " + url(1)) && rows.contains("  " + url(2)), "\(rows)")
    try no.press("Enter")
    #expect(try no.waitForExit() == 1)
    #expect(try count() == 2)
    let yes = try sandbox.reader("remove", "--tag", "sea")
    try yes.wait(for: "Remove 2 pages? [y/N]")
    try yes.type("y")
    try yes.press("Enter")
    #expect(try yes.waitForExit() == 0)
    #expect(try count() == 0)
  }

  @Test func `pages are hidden, marked, checked and exported by tag and by list`() throws {
    try save(1...2, tag: "sea")
    try save(3...3, tag: "land")
    let list = try sandbox.file("urls", "\(url(1))?utm_source=x\n\(url(3))\n")
    let check = try sandbox.offread("check", "--tag", "sea", "--tag", "land")
    #expect(
      check.status == 0 && check.text.hasSuffix("3 of 3 pages can be read without a network\n"))
    #expect(try sandbox.offread("check", "--tag", "none").status == 1)
    #expect(try sandbox.offread("mark", "--from", list, "--tag", "both").status == 0)
    #expect(
      try sandbox.offread("mark", "--tag", "both", "--note", "seen", "--untag", "sea").status == 0)
    let json = try sandbox.offread("list", "--json", "--tag", "both")
    let report = try JSONDecoder().decode(Listing.self, from: Data(json.output))
    #expect(report.version == 1)
    #expect(report.pages.map(\.tags) == [["both"], ["both", "land"]])
    #expect(report.pages.map(\.note) == ["seen", "seen"])
    let text = try sandbox.offread(
      ["export", "--format", "json", "--from", "-"], input: Data("\(url(2))\n\(url(3))\n".utf8))
    #expect(text.status == 0, "\(text.errorText)")
    #expect(
      !text.text.contains("word1") && text.text.contains("word2") && text.text.contains("word3"))
    let tagged = try sandbox.offread("export", "--format", "json", "--tag", "both", url(2))
    for number in 1...3 { #expect(tagged.text.contains("word\(number)")) }
    #expect(try sandbox.offread("export", "--format", "json", "--tag", "none").status == 1)
    #expect(try sandbox.offread("remove", "--later", "--tag", "both").status == 0)
    #expect(try count() == 1)
    #expect(try sandbox.offread("remove", "--undo", "--tag", "both").status == 0)
    #expect(try count() == 3)
  }

  private struct Listing: Decodable {
    var version: Int
    var pages: [Page]

    struct Page: Decodable {
      var url: String
      var tags: [String]
      var note: String?
    }
  }

  private struct Report: Decodable {
    var version: Int
    var changed: Int
    var pages: [Page]

    struct Page: Decodable {
      var url: String
      var change: Change?
    }

    struct Change: Decodable {
      var added: Int
      var removed: Int
      var words: String
    }
  }

  @Test func `a sync of selected pages fetches them immediately, and reports changes line by line`()
    throws
  {
    try save(1...4, tag: "sea")
    put("/1", "<title>Page 1</title><p>word1<p>Another\u{1B}[31m paragraph")
    put("/2", "<title>Page 2</title><!-- the same --><p>word2")
    put("/3", "<title>Page 3</title><p>other")
    put("/4", "<title>Page 4</title><p>not asked for")
    let none = try sandbox.offread("sync", "--dry-run")
    #expect(none.text == "0 queued pages, 0 due, 4 not due\n")
    let plan = try sandbox.offread("sync", "--dry-run", url(4))
    #expect(plan.text == "would refresh \(url(4))\n0 queued pages, 1 due, 0 not due\n")
    let run = try sandbox.offread("sync", "--delay", "0", url(1), url(2), url(3))
    #expect(run.status == 0, "\(run.errorText)")
    #expect(run.text.contains("changed: 2 pages\n"), "\(run.text)")
    #expect(run.text.contains("  Page 1: +1 line: Another\u{FFFD}[31m paragraph\n"), "\(run.text)")
    #expect(run.text.contains("  Page 3: +1 −1 line: other\n"), "\(run.text)")
    #expect(!run.text.contains("Page 2") && !run.text.contains("Page 4"))
    let json = try sandbox.offread("sync", "--delay", "0", "--json", "--tag", "sea")
    let report = try JSONDecoder().decode(Report.self, from: Data(json.output))
    #expect(report.version == 1 && report.changed == 1 && report.pages.count == 4)
    let change = try #require(report.pages.first { $0.url == url(4) }?.change)
    #expect(change.words == "not asked for" && change.added == 1 && change.removed == 1)
    put("/1", "<title>Page 1</title><p>\(String(repeating: "long ", count: 60))")
    let long = try sandbox.offread("sync", "--delay", "0", url(1))
    #expect(long.text.split(separator: "\n").allSatisfy { $0.count <= 120 }, "\(long.text)")
    let missing = server.url + "/none?a=1&b=2"
    let unknown = try sandbox.offread("sync", missing)
    #expect(unknown.status == 1)
    #expect(unknown.errorText.contains("is not kept; to keep it: offread save '\(missing)'"))
  }

  @Test func `tracking parameters appear in no list`() throws {
    put("/p?id=1&utm_source=mail", "<title>Post</title><p>words")
    put("/p?id=1", "<title>Post</title><p>words")
    let asked = server.url + "/p?id=1&utm_source=mail"
    let clean = server.url + "/p?id=1"
    let list = try sandbox.file("list", "\(asked)\n\(server.url)/q?fbclid=1\n")
    #expect(try sandbox.offread("import", list).status == 0)
    #expect(try sandbox.offread("sync", "--dry-run").text.hasPrefix("would fetch \(clean)\n"))
    #expect(try sandbox.offread("save", "--delay", "0", asked).status == 0)
    let texts = [
      try sandbox.offread("list"), try sandbox.offread("list", "--json"),
      try sandbox.offread("list", "--queue"), try sandbox.offread("sync", "--dry-run", clean),
      try sandbox.offread("export", "--format", "json", asked),
      try sandbox.offread("export", "--format", "markdown", "--all"),
    ].map(\.text)
    for text in texts {
      #expect(!text.contains("utm_source") && !text.contains("fbclid"), "\(text)")
    }
    #expect(texts[0].contains(clean) && texts[3].contains(clean) && texts[4].contains(clean))
    #expect(texts[2].contains(server.url + "/q\n"))
  }

  @Test func `a list has aligned columns, is sorted and truncated, and reports if it is empty`()
    throws
  {
    let titles = ["Zebra", "日本語のページ", "a\u{301}b", "Short"]
    for (number, title) in titles.enumerated() {
      let text = String(repeating: "x", count: 1 + number * 2000)
      put("/\(number)", "<title>\(title)</title><p>\(text)")
      #expect(try sandbox.offread("save", "--delay", "0", "--quiet", url(number)).status == 0)
    }
    let lines = try sandbox.offread("list").text.split(separator: "\n")
    #expect(lines.count == 4)
    // The width before the URL is the same in each line: wide characters count two, combining marks
    // none.
    let widths = lines.map { line in
      line.components(separatedBy: "http")[0].unicodeScalars.reduce(0) { sum, scalar in
        sum + ((0x3000...0x9FFF).contains(scalar.value) ? 2 : scalar.value == 0x301 ? 0 : 1)
      }
    }
    #expect(Set(widths).count == 1, "\(lines)")
    func addresses(_ options: String...) throws -> [Int] {
      try sandbox.offread(["list"] + options).text.split(separator: "\n")
        .compactMap { $0.last?.wholeNumberValue }
    }
    #expect(try addresses("--sort", "size") == [3, 2, 1, 0])
    #expect(try addresses("--sort", "title") == [2, 3, 0, 1])
    #expect(try addresses("--sort", "site") == [0, 1, 2, 3])
    #expect(try addresses("--sort", "size", "--limit", "2") == [3, 2])
    #expect(try addresses("--limit", "1") == [0])
    #expect(try sandbox.offread("mark", "--read", url(2)).status == 0)
    #expect(try addresses("--sort", "progress") == [2, 0, 1, 3])
    #expect(try addresses("--site", "127.0.0.1").count == 4)
    let none = try sandbox.offread("list", "--site", "example.org")
    #expect(none.status == 0 && none.output.isEmpty)
    #expect(none.errorText == "offread: no kept page on example.org\n")
    let queue = try sandbox.offread("list", "--queue")
    #expect(queue.output.isEmpty && queue.errorText == "offread: nothing is queued\n")
    let json = try sandbox.offread("list", "--queue", "--json")
    #expect(try JSONDecoder().decode(Listing.self, from: Data(json.output)).pages.isEmpty)
    let screen = try sandbox.reader("list", columns: 50, rows: 10)
    #expect(try screen.waitForExit() == 0)
    let shown = try screen.transcript().filter { $0.contains(" now ") }
    #expect(shown.count == 4, "\(shown)")
    #expect(shown.allSatisfy { $0.contains("  http://127") && $0.hasSuffix("…") }, "\(shown)")
  }

  @Test
  func `a misspelled file name is not requested as a host, and a dash alone is not an option`()
    throws
  {
    let word = try sandbox.offread("dump", "nosuchfile")
    #expect(word.status == 2 && word.output.isEmpty)
    #expect(word.errorText.contains("'nosuchfile' is neither a file nor a URL"))
    let script = "cd \"$1\" && ln -s loop loop && exec \"$0\" dump loop"
    let link = try Program.run(
      "/bin/sh", ["-c", script, Program.offread, sandbox.directory.path])
    #expect(link.status == 2 && link.output.isEmpty)
    #expect(link.errorText.contains("'loop' is a symbolic link that cannot be followed: "))
    let dash = try sandbox.offread("dump", "-dash.html")
    #expect(dash.status == 2 && dash.output.isEmpty)
    #expect(dash.errorText.contains("for a file of that name type ./-dash.html"))
    #expect(try sandbox.offread("dump", "-h").status == 0)
  }

  @Test func `a word that is neither a command nor a URL is reported with a suggestion`() throws {
    for (tokens, meant) in [
      (["tags"], "list"), (["serach", "x"], "search"), (["lst"], "list"),
      (["delete", "x"], "remove"),
      (["--offline", "exprot"], "export"),
    ] {
      let run = try sandbox.offread(tokens)
      #expect(run.status == 2 && run.output.isEmpty)
      #expect(
        run.errorText.contains("is neither a command nor a URL; did you mean offread \(meant)?"))
    }
    let topic = try sandbox.offread("help", "serach")
    #expect(topic.status == 2 && topic.output.isEmpty)
    #expect(topic.errorText.contains("no command 'serach'; did you mean offread help search?"))
    for tokens in [["add", "nonsense"], ["save", "p8.html"], ["sync", "extra", "arg"]] {
      let run = try sandbox.offread(tokens)
      #expect(run.status == 2 && run.errorText.contains("'\(tokens[1])' is not a URL ("))
    }
    let far = try sandbox.offread("xylophone")
    #expect(far.status == 2 && far.errorText.contains("offread --help lists the commands"))
    // A word that may be a host, a file or a path is accepted.
    put("/", "<p>the page")
    let port = server.url.split(separator: ":").last ?? ""
    #expect(try sandbox.offread("localhost:\(port)").text.contains("the page"))
    let file = try sandbox.file("tags", "a file of words\n")
    let directory = (file as NSString).deletingLastPathComponent
    let run = try Program.run(
      "sh", ["-c", "cd \"$1\" && \"$0\" tags && \"$0\" ./tags", Program.offread, directory],
      environment: ["OFFREAD_DATA_DIR": sandbox.data])
    #expect(run.text == "a file of words\na file of words\n", "\(run.errorText)")
    for tokens in [
      ["--offline", "tags/"], ["--offline", "--", "tags"], ["--offline", "tags.test"],
    ] {
      #expect(try sandbox.offread(tokens).status == 4, "\(tokens)")
    }
  }
}
