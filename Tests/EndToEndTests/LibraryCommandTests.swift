import Foundation
import TestSupport
import Testing

/// Library data of pages, followed feeds, and two libraries that are merged.
@Suite struct LibraryCommandTests {
  let sandbox: Sandbox
  let server: ScriptedServer

  init() throws {
    sandbox = try Sandbox()
    server = try ScriptedServer()
  }

  private func put(_ path: String, _ text: String, _ fields: [(String, String)] = []) {
    server.on(path, .response([("Content-Type", "text/html")] + fields, text: text))
  }

  private func save(_ paths: String...) throws {
    let run = try sandbox.offread(
      ["save", "--delay", "0", "--quiet"] + paths.map { server.url + $0 })
    #expect(run.status == 0, "\(run.errorText)")
  }

  private func list(_ options: String...) throws -> [String] {
    try sandbox.offread(["list"] + options).text.split(separator: "\n").map(String.init)
  }

  /// Returns the first and the last word of each line: the title and the URL.
  private func pages(_ options: String...) throws -> [String] {
    try sandbox.offread(["list"] + options).text.split(separator: "\n").map { line in
      let tokens = line.split(separator: " ")
      return "\(tokens.first ?? "") \(tokens.last ?? "")"
    }
  }

  @Test func `a saved page that waits in the queue is listed as queued`() throws {
    put("/a", "<title>A</title><p>Text")
    try save("/a")
    #expect(try list()[0].hasPrefix("A  just now  "))
    #expect(try sandbox.offread("add", server.url + "/a").status == 0)
    let queue = try list("--queue")
    #expect(queue.count == 1 && queue[0].hasPrefix("A  just now, queued  "), "\(queue)")
  }

  @Test func `tags, notes, read and archived states are set and listed`() throws {
    put("/a", "<title>A</title><p>Text")
    put("/b", "<title>B</title><p>Text")
    // The pages are saved one after the other, because they are listed in the order of saving.
    try save("/a")
    try save("/b")
    let (a, b) = (server.url + "/a", server.url + "/b")
    let run = try sandbox.offread("mark", "--tag", "Sea", "--note", "for the ship", "--read", a)
    #expect(run.status == 0 && run.text.isEmpty, "\(run.errorText)")
    let lines = try list("--tag", "sea")
    #expect(lines == ["A  #sea  just now  23 B  read  \(a)", "    for the ship"])
    #expect(try pages("--unread") == ["B \(b)"])
    #expect(try sandbox.offread("mark", "--archive", b).status == 0)
    #expect(try list("--unread").isEmpty && list().count == 2)
    #expect(try pages("--archived") == ["B \(b)"])
    #expect(
      try sandbox.offread("mark", "--unarchive", "--unread", "--untag", "sea", "--note", "", a, b)
        .status == 0)
    #expect(try pages("--unread") == ["A \(a)", "B \(b)"])
    #expect(try sandbox.offread("mark", "--unkeep", a).status == 0)
    #expect(try pages() == ["B \(b)"])
    // Commas separate tags in every option.
    #expect(try sandbox.offread("mark", "--tag", "north  Sea,ships", a).status == 0)
    #expect(try sandbox.offread("mark", "--tag", "harbours", b).status == 0)
    let north = try pages("--tag", "north sea")
    #expect(north == ["A \(a)"])
    #expect(try pages("--tag", "ships") == north)
    #expect(try sandbox.offread("mark", "--tag", "ships, harbours", "--note", "x").status == 0)
    for tag in ["ships", "harbours"] { #expect(try list("--tag", tag).contains("    x"), "\(tag)") }
    #expect(try sandbox.offread("mark", "--untag", "ships,north sea", a).status == 0)
    let several = try sandbox.offread("list", "--tag", "ships,harbours")
    #expect(
      several.status == 2
        && several.errorText.contains(
          "--tag takes one tag without a comma, not 'ships,harbours'")
    )
    let missing = try sandbox.offread("mark", "--untag", "none", b)
    #expect(missing.status == 0 && missing.errorText == "offread: \(b) has no tag none\n")
    // A page that was only read is listed with the title of its copy.
    put("/c", "<title>C</title><p>Text")
    #expect(try sandbox.offread("fetch", server.url + "/c").status == 0)
    #expect(try sandbox.offread("mark", "--tag", "land", server.url + "/c").status == 0)
    #expect(try pages("--tag", "land") == ["C \(server.url)/c"])
    let unknown = try sandbox.offread("mark", "--read", server.url + "/none")
    #expect(unknown.status == 1 && unknown.errorText.contains("is not saved; to save it"))
  }

  @Test
  func `a page with a pending removal is hidden and can be restored, and is then removed`()
    throws
  {
    put("/secret", "<title>Hidden words</title><p>xylophone")
    try save("/secret")
    let url = server.url + "/secret"
    #expect(try sandbox.offread("search", "xylophone").status == 0)
    let later = try sandbox.offread("remove", "--later", url)
    #expect(later.status == 0 && later.text.contains("offread remove --undo"))
    #expect(try list().isEmpty && list("--removed").count == 1)
    #expect(try sandbox.offread("search", "xylophone").status == 1)
    #expect(try sandbox.offread("remove", "--undo", url).text.hasSuffix("is restored\n"))
    #expect(try list().count == 1)
    #expect(try sandbox.offread("search", "xylophone").status == 0)
    #expect(try sandbox.offread("remove", "--undo", url).status == 1)
    // After the undo time a sync removes it.
    try sandbox.settings("[sync]\nundo_time = 0\n")
    #expect(try sandbox.offread("remove", "--later", url).status == 0)
    #expect(try sandbox.offread("sync").text == "nothing to do\n")
    #expect(try sandbox.offread("fetch", "--offline", url).status == 4)
    for path in try #require(FileManager.default.subpaths(atPath: sandbox.data)) {
      let bytes = FileManager.default.contents(atPath: sandbox.data + "/" + path) ?? Data()
      for word in ["xylophone", "Hidden words", "/secret"] {
        #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) in \(path)")
      }
    }
  }

  @Test func `unread feed items that share a link have a line each, in every sort order`() throws {
    let items = ["Cedar", "Birch", "Alder"].map {
      "<item><title>\($0)</title><guid>\($0)</guid><link>\(server.url)/trees</link></item>"
    }.joined()
    put("/feed", "<rss><channel><title>Trees</title>\(items)</channel></rss>")
    put("/trees", "<title>Page</title><p>Text")
    put("/own", "<title>Own</title><p>Text")
    #expect(
      try sandbox.offread("save", "--delay", "0", "--feed", server.url + "/feed").status == 0)
    try save("/own")
    let trees = ["Alder", "Birch", "Cedar"].map { "\($0) \(server.url)/trees" }
    #expect(try pages("--unread") == ["Own \(server.url)/own"] + trees)
    #expect(try pages("--unread", "--sort", "title") == trees + ["Own \(server.url)/own"])
    #expect(try pages("--unread", "--sort", "title", "--limit", "2") == Array(trees.prefix(2)))
    #expect(try list("--feeds").first?.contains("3 of 3 unread") ?? false)
    let json = try sandbox.offread("list", "--unread", "--json").text
    for tree in ["Alder", "Birch", "Cedar"] { #expect(json.contains("\"\(tree)\""), "\(json)") }
    #expect(try list("--saved").count { $0.contains("/trees") } == 1)
    #expect(try sandbox.offread("mark", "--read", server.url + "/trees").status == 0)
    #expect(try pages("--unread") == ["Own \(server.url)/own"])
    #expect(try list("--feeds").first?.contains("0 of 1 unread") ?? false)
  }

  @Test
  func `a feed is followed by its page's URL, brings new items, and is reported if it breaks`()
    throws
  {
    func publish(_ numbers: ClosedRange<Int>) {
      let items = numbers.reversed().map {
        "<item><title>Item \($0)</title><link>\(server.url)/item/\($0)</link></item>"
      }.joined()
      put("/feed", "<rss version='2.0'><channel><title>News</title>\(items)</channel></rss>")
    }
    put("/", "<link rel=alternate type='application/rss+xml' href='/feed'><p>words")
    for number in 1...5 { put("/item/\(number)", "<title>Page \(number)</title>") }
    publish(1...3)
    try sandbox.settings("[sync]\nfeed_interval = \"1 min\"\n")
    let run = try sandbox.offread(
      "save", "--delay", "0", "--items", "2", "--feed", server.url + "/")
    #expect(run.status == 0, "\(run.errorText)")
    #expect(run.text.contains("2 new items of News"))
    let feeds = try list("--feeds")
    #expect(feeds.count == 1 && feeds[0].hasPrefix("News  just now  "), "\(feeds)")
    #expect(feeds[0].hasSuffix("2 of 2 unread  \(server.url)/feed"), "\(feeds)")
    #expect(
      try pages("--unread") == ["Page \(server.url)/item/2", "Page \(server.url)/item/3"])
    #expect(try list().isEmpty)
    // Now as many items are kept as the settings allow.
    publish(1...5)
    let again = try sandbox.offread("save", "--delay", "0", "--feed", server.url + "/feed")
    #expect(again.text.contains("3 new items of News"), "\(again.text)")
    let none = try sandbox.offread("sync", "--delay", "0", server.url + "/feed")
    let lines = none.text.split(separator: "\n").suffix(2)
    #expect(lines == ["no new items of 1 feed", "5 unread items of 1 feed"], "\(none.text)")
    put("/feed", "<p>Not found, but with 200")
    let broken = try sandbox.offread("save", "--delay", "0", "--feed", server.url + "/feed")
    #expect(broken.status == 1)
    #expect(broken.text.contains("no new items of \(server.url)/feed: this is not a feed"))
    #expect(try list("--unread").count == 5)
    #expect(
      try sandbox.offread("remove", server.url + "/feed").text.contains(
        "a feed, which is no longer followed"))
    #expect(try list("--feeds").isEmpty && list("--unread").isEmpty)
    #expect(try sandbox.offread("dump", "--offline", server.url + "/item/3").status == 0)
    // When it is followed again, its items return, except for one that was removed itself.
    #expect(try sandbox.offread("remove", server.url + "/item/4").status == 0)
    publish(1...5)
    let anew = try sandbox.offread("save", "--delay", "0", "--feed", server.url + "/feed")
    #expect(anew.text.contains("4 new items of News"), "\(anew.text)")
    #expect(try list("--unread").count == 4)
    #expect(
      try sandbox.offread("save", "--feed", server.url + "/feed").text.contains("items") == false)
    // Removed with an undo time and followed again, it is listed.
    for command in ["save", "add"] {
      let page = command == "add" ? [server.url + "/item/1"] : ["--feed", server.url + "/feed"]
      #expect(try sandbox.offread(["remove", "--later", page.last ?? ""]).status == 0)
      #expect(try list("--removed").count == 1)
      #expect(try sandbox.offread([command] + page).status == 0)
      #expect(try list("--removed").isEmpty, "\(command)")
    }
    #expect(try list("--feeds").count == 1)
  }

  @Test
  func `two libraries whose files are copied in both directions are merged without loss`()
    throws
  {
    let other = try Sandbox()
    for path in ["a", "b", "c", "d", "gone"] { put("/\(path)", "<title>\(path)</title><p>text") }
    func url(_ path: String) -> String { server.url + "/" + path }
    /// Copies files that are missing or older on the other side, as a sync program does.
    func copy(from: Sandbox, to: Sandbox, names: (String) -> Bool) throws {
      for directory in ["archive", "library"] {
        let source = from.data + "/" + directory
        let target = to.data + "/" + directory
        try FileManager.default.createDirectory(
          atPath: target, withIntermediateDirectories: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: source)
        where !name.hasPrefix(".") && names(name) {
          let bytes = try Data(contentsOf: URL(fileURLWithPath: source + "/" + name))
          try bytes.write(to: URL(fileURLWithPath: target + "/" + name), options: .atomic)
        }
      }
    }
    func run(_ sandbox: Sandbox, _ device: String, _ arguments: String...) throws -> Program {
      try sandbox.offread(arguments, environment: ["OFFREAD_MACHINE": device])
    }
    func exchange() throws {
      try copy(from: sandbox, to: other) { $0.hasPrefix("one") }
      try copy(from: other, to: sandbox) { $0.hasPrefix("two") }
    }
    func texts(_ arguments: String...) throws -> [String] {
      try [(sandbox, "one"), (other, "two")].map { sandbox, device in
        try sandbox.offread(arguments, environment: ["OFFREAD_MACHINE": device]).text
      }
    }
    #expect(try run(sandbox, "one", "save", "--delay", "0", url("a"), url("b")).status == 0)
    #expect(try run(other, "two", "save", "--delay", "0", url("c"), url("gone")).status == 0)
    try exchange()
    // Both sides continue in between, also with changes to the same pages.
    #expect(try run(sandbox, "one", "mark", "--note", "first", url("c")).status == 0)
    #expect(try run(other, "two", "mark", "--tag", "t", url("a")).status == 0)
    #expect(try run(other, "two", "save", "--delay", "0", url("d")).status == 0)
    #expect(try run(sandbox, "one", "remove", url("gone")).status == 0)
    #expect(try run(other, "two", "mark", "--note", "second", url("c")).status == 0)
    try exchange()
    #expect(try run(other, "two", "mark", "--read", url("b")).status == 0)
    try exchange()
    try exchange()
    server.stop()
    let lists = try texts("list")
    #expect(lists[0] == lists[1])
    for line in ["  \(url("a"))\n", "  \(url("b"))\n", "  \(url("d"))\n"] {
      #expect(lists[0].contains(line), "\(lists[0])")
    }
    #expect(lists[0].contains("a  #t  just now  "), "\(lists[0])")
    #expect(lists[0].contains("second\n") && !lists[0].contains("first"))
    #expect(!lists[0].contains("gone"))
    #expect(try texts("list", "--unread").allSatisfy { !$0.contains(url("b")) })
    for path in ["a", "b", "c", "d"] {
      for text in try texts("dump", "--offline", url(path)) { #expect(text.contains("text")) }
    }
    #expect(try run(other, "two", "dump", "--offline", url("gone")).status == 4)
    #expect(try texts("check").allSatisfy { $0.contains("4 of 4 pages") })
    // Both indexes can be rebuilt from the files.
    for sandbox in [sandbox, other] {
      for name in try FileManager.default.contentsOfDirectory(atPath: sandbox.data)
      where name.contains(".sqlite") {
        try FileManager.default.removeItem(atPath: sandbox.data + "/" + name)
      }
    }
    #expect(try texts("list") == lists)
    #expect(try run(sandbox, "one", "dump", "--offline", url("gone")).status == 4)
  }

  @Test
  func `a disk that fills up during a save is reported once, and nothing saved before is lost`()
    throws
  {
    put("/old", "<title>Old</title><p>the old page")
    try save("/old")
    var random = SplitMix64(seed: 3)
    let paths = (0..<30).map { "/new/\($0)" }
    for path in paths {
      let text = (0..<2500).map { _ in String(random.next(), radix: 36) }.joined(separator: " ")
      put(path, "<title>\(path)</title><p>\(text)")
    }
    let script = "trap '' XFSZ; (ulimit -f 512; exec \"$0\" \"$@\") | cat; exit"
    let arguments = ["save", "--delay", "0"] + paths.map { server.url + $0 }
    let run = try Program.run(
      "sh", ["-c", script, Program.offread] + arguments,
      environment: ["OFFREAD_DATA_DIR": sandbox.data])
    #expect(run.text.contains("of 30 pages ready to be read offline"), "\(run.text)")
    #expect(!run.text.contains("30 of 30"))
    #expect(run.errorText.contains("pages cannot be saved"), "\(run.errorText)")
    #expect(try sandbox.offread("dump", "--offline", server.url + "/old").status == 0)
    let check = try sandbox.offread(["check", "--quiet"] + paths.map { server.url + $0 })
    let missing = check.text.split(separator: "\n").count
    #expect(missing > 0 && missing < 30)
    // When there is space again, the same command saves the rest.
    let again = try sandbox.offread(arguments)
    #expect(again.status == 0 && again.text.contains("30 of 30"), "\(again.errorText)")
    #expect(try sandbox.offread("archive", "verify").status == 0)
    #expect(try list().count == 31)
  }

  @Test func `if the disk is full, a change of the library says so, and what to do`() throws {
    #expect(try sandbox.offread("add", server.url + "/a").status == 0)
    let directory = URL(fileURLWithPath: sandbox.data + "/library")
    let journals = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    let journal = directory.appendingPathComponent(try #require(journals.first)).path
    try FileManager.default.removeItem(atPath: journal)
    try FileManager.default.createSymbolicLink(
      atPath: journal, withDestinationPath: "/dev/full")
    let run = try sandbox.offread("add", server.url + "/b")
    #expect(run.status == 1)
    #expect(run.errorText.contains(": the disk is full; free some space and repeat the command\n"))
    #expect(run.errorText.contains("cannot be restored: the disk is full\n"), "\(run.errorText)")
  }

  @Test func `a full disk ends a save with one message, and sync keeps pending pages`() throws {
    let paths = (0..<40).map { "/new/\($0)" }
    for path in paths {
      put(path, "<title>\(path)</title><p>\(path) " + String(repeating: "text ", count: 200))
    }
    // The segment cannot grow, as on a disk that is full from the start.
    #expect(try sandbox.offread(["save", "--delay", "0", server.url + "/new/0"]).status == 0)
    let segment = try #require(try sandbox.segments().first)
    try FileManager.default.removeItem(at: segment)
    try FileManager.default.createSymbolicLink(
      atPath: segment.path, withDestinationPath: "/dev/full")
    let list = try sandbox.file("list", paths.map { server.url + $0 + "\n" }.joined())
    #expect(try sandbox.offread("import", list).status == 0)
    let run = try sandbox.offread("sync", "--delay", "0")
    #expect(run.status == 1)
    // The error is printed once, and the summary has it as a reason once.
    for text in [run.errorText, run.text] {
      let lines = text.split(separator: "\n").filter { $0.contains("disk is full") }
      #expect(lines.count <= 1, "\(text)")
    }
    #expect(run.errorText.contains("disk is full"), "\(run.errorText)")
    #expect(run.text.contains("saved pages stay"))
    #expect(!run.text.contains("failed"))
    try FileManager.default.removeItem(at: segment)
    #expect(try sandbox.offread("sync", "--delay", "0").status == 0)
    #expect(try sandbox.offread("check", "--quiet").status == 0)
  }

  @Test func `a long list of feeds is imported, and its invalid entries are skipped`()
    throws
  {
    let start = "<opml version='2.0'><body><outline text='Press'>"
    var text = Array(start.utf8)
    var count = 0
    while text.count < Effort.rounds(10_000_000, part: 2_000_000) {
      text +=
        "<outline text='Feed \(count)' title='A title that is rather long, with words and words"
        .utf8
      text += String(repeating: " and words", count: 300).utf8
      text += "' xmlUrl='\(server.url)/feed/\(count)'/>".utf8
      if count % 7 == 0 { text += "<outline text='x' xmlUrl='javascript:alert(1)'/><outline".utf8 }
      count += 1
    }
    let file = sandbox.directory.appendingPathComponent("list.opml")
    try Data(text).write(to: file)
    let run = try sandbox.offread("import", file.path)
    #expect(run.status == 0, "\(run.errorText)")
    #expect(try list("--feeds").count > count / 2)
    #expect(try sandbox.offread("sync", "--dry-run").status == 0)
  }

  @Test
  func `a queued page is counted in the last row, and fetched when the network is back`()
    throws
  {
    put("/later", "<title>Later</title><p>words")
    let screen = try sandbox.reader("--offline", server.url + "/later")
    try screen.wait(for: "1 queued")
    #expect(server.requests.isEmpty)
    try screen.press("x")
    try screen.wait(for: "1 queued page arrived")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
    #expect(try list("--queue").isEmpty)
    #expect(try sandbox.offread("dump", "--offline", server.url + "/later").status == 0)
  }

  @Test func `importing a list with an invalid URL is not a success`() throws {
    put("/a", "<title>A</title><p>Text")
    try save("/a")
    let file = try sandbox.file("list", "\(server.url)/a\nftp://x.test/\n")
    let check = try sandbox.offread("check", "--from", file)
    #expect(check.status == 1 && check.errorText.contains("not the URL of a web page"))
    #expect(check.text.contains("1 of 1 page"))
    let input = Data("\(server.url)/a\n".utf8)
    #expect(try sandbox.offread(["check", "-"], input: input).text.contains("1 of 1 page"))
    #expect(try sandbox.offread("check", "--from", file, "-").status == 2)
  }
}
