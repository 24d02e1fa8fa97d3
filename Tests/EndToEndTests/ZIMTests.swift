import Foundation
import TestSupport
import Testing

/// ZIM files in the built program.
@Suite struct ZIMTests {
  /// A script that acts as a reader of one ZIM file.
  private static let stub = """
    #!/bin/sh
    answer() { printf 'ok\\t%s\\t%s\\t%s\\t2024-05-31\\t%s\\n%s' "${#4}" "$1" "$2" "$3" "$4"; }
    read -r verb rest
    case "$verb $rest" in
      'main ') answer text/html Home 'Home of birds' \\
        '<h1>Birds</h1><p>Welcome. <a href="Old">robin</a> <a href="/etc/passwd">out</a>' ;;
      'get Home') answer text/html Home 'Home of birds' '<h1>Birds</h1>' ;;
      'get Old' | 'get a/Robin') answer text/html a/Robin Robin '<p>The robin sings. <a href="../Home">home</a>' ;;
      'get a/p.png') answer image/png a/p.png '' 'no picture' ;;
      'search '*) answer text/tab-separated-values '' '' \\
        "$(printf 'a/Robin\\tThe robin\\tthe <b>robin</b> sings')" ;;
      *) echo none ;;
    esac
    """

  private let sandbox: Sandbox
  private let file: String
  private let environment: [String: String]

  init() throws {
    sandbox = try Sandbox()
    file = try sandbox.file("wiki.zim", "ZIM\u{4}")
    let program = try sandbox.file("offread-zim", Self.stub)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    environment = ["PATH": "\(sandbox.directory.path):/usr/bin:/bin"]
  }

  private func run(_ arguments: String...) throws -> Program {
    try sandbox.offread(arguments, environment: environment)
  }

  @Test func `a file opens at its main page, and the URLs of its pages are below its own`() throws {
    let main = try run("dump", file)
    #expect(main.status == 0 && main.text.contains("Welcome."), "\(main.errorText)")
    #expect(try run("dump", file + "/Old").text.contains("The robin sings."))
    let links = try run("dump", "--format", "links", file + "/Old")
    #expect(links.text.contains("wiki.zim/Home") && !links.text.contains("wiki.zim/a/Home"))
    let none = try run("dump", file + "/None")
    #expect(none.status == 1 && none.errorText.contains("wiki.zim: has no None"))
  }

  @Test func `a search includes the configured files`() throws {
    #expect(try run("search", "robin").status == 1)
    try sandbox.settings("[zim]\nfiles = [\"\(file)\", \"/no/such.zim\"]")
    let found = try run("search", "robin")
    #expect(found.status == 0)
    #expect(found.text.contains("The robin  (") && found.text.contains("wiki.zim/a/Robin"))
    #expect(found.text.contains("the robin sings"))
    let filtered = try run("search", "robin", "site:example.org")
    #expect(filtered.status == 1 && filtered.text.isEmpty)
  }

  @Test func `the reader searches an open file`() throws {
    let screen = try sandbox.reader(file, environment: environment)
    _ = try screen.wait(for: "Welcome.")
    try screen.type("S")
    _ = try screen.wait(for: "Search:")
    try screen.type("robin")
    try screen.press("Enter")
    let found = try screen.wait(for: "the robin sings")
    #expect(found.contains { $0.contains("The robin") && $0.contains("wiki.zim") })
    try screen.press("Enter")
    _ = try screen.wait(for: "The robin sings.")
  }

  @Test func `without the ZIM reader a file suggests what to install`() throws {
    let without = try sandbox.offread("dump", file, environment: ["PATH": "/none"])
    #expect(without.status == 1)
    #expect(without.errorText.contains("scripts/install --with-zim"))
    #expect(without.errorText.split(separator: "\n").count == 1)
  }

  // MARK: With libzim

  private static let writer = """
    import sys
    from libzim.writer import Creator, Item, StringProvider, Hint
    class Entry(Item):
      def __init__(self, path, title, content, type="text/html"):
        super().__init__()
        self.words = (path, title, content, type)
      def get_path(self): return self.words[0]
      def get_title(self): return self.words[1]
      def get_mimetype(self): return self.words[3]
      def get_contentprovider(self): return StringProvider(self.words[2])
      def get_hints(self): return {Hint.FRONT_ARTICLE: self.words[3] == "text/html"}
    with Creator(sys.argv[1]).config_indexing(True, "eng") as creator:
      creator.set_mainpath("Home")
      creator.add_metadata("Date", "2024-05-31")
      creator.add_item(Entry("Home", "Birds", "<h1>Birds</h1><p>Welcome. <a href='Old'>robin</a> "
        "<a href='a/b%20%C3%A9%3F'>odd</a> <img src='p.png' alt='picture'>"))
      creator.add_item(Entry("Robin", "Robin", "<p>The robin sings in winter &amp; spring."))
      creator.add_item(Entry("a/b \\u00e9?", "Odd name", "<p>Odd words. <a href='../Home'>home</a>"))
      creator.add_item(Entry("p.png", "", "no picture", "image/png"))
      creator.add_item(Entry("large", "Large", "x" * (70 << 20), "text/plain"))
      creator.add_redirection("Old", "Old robin", "Robin", {Hint.FRONT_ARTICLE: True})
    """

  @Test(.enabled(if: Effort.isWhole))
  func `files of libzim are read, searched, and rejected if damaged`() throws {
    let made = sandbox.directory.appendingPathComponent("made.zim")
    let writing = try Judges.python(Self.writer, [made.path])
    try #require(writing.status == 0, "\(writing.errorText)")
    #expect(try sandbox.offread("dump", made.path).text.contains("Welcome."))
    let links = try sandbox.offread("dump", "--format", "links", made.path)
    #expect(links.text.contains("made.zim/a/b%20%C3%A9%3F"))
    #expect(try sandbox.offread("dump", made.path + "/Old").text.contains("The robin sings"))
    let odd = try sandbox.offread("dump", made.absoluteString + "/a/b%20%C3%A9%3F")
    #expect(odd.text.contains("Odd words."))
    let large = try sandbox.offread("dump", made.path + "/large")
    #expect(large.status == 1 && large.errorText.contains("larger than 60 MB"))
    try sandbox.settings("[zim]\nfiles = \"\(made.path)\"")
    let found = try sandbox.offread("search", "--json", "sings winter")
    #expect(found.text.contains("made.zim/Robin") && found.text.contains("2024-05-31"))
    let bytes = try Data(contentsOf: made)
    var random = SplitMix64(seed: 22)
    for round in 0..<Effort.rounds(200, part: 20) {
      var damaged = bytes.prefix(round % 4 == 0 ? bytes.count / (round + 2) : bytes.count)
      for _ in 0..<(1 + round % 50) {
        // The tables at the beginning and the index at the end are damaged more often than the
        // compressed data.
        let position = Int.random(in: 4..<min(4096, damaged.count), using: &random)
        damaged[round % 2 == 0 ? position : damaged.count - position] = UInt8.random(
          in: 0...255, using: &random)
      }
      try damaged.write(to: made)
      for arguments in [["dump", made.path + "/Robin"], ["search", "robin"]] {
        let run = try sandbox.offread(arguments)
        #expect(run.status <= 1, "\(round) \(arguments[0]): \(run.status) \(run.errorText)")
        let lines = run.errorText.split(separator: "\n").filter {
          !$0.hasSuffix("nothing was found")
        }
        #expect(lines.count <= 1, "\(run.errorText)")
      }
    }
  }
}
