import Foundation
import TestSupport
import Testing

@testable import Configuration

/// The command of a hook, and the arguments that it receives.
@Suite struct HookCommandTests {
  @Test(
    arguments: [
      ("mark-read", ["mark-read"]), ("  a\tb\n c ", ["a", "b", "c"]),
      ("a 'b c' \"d e\"", ["a", "b c", "d e"]), ("a b' 'c\"\"d", ["a", "b cd"]),
      ("a '' \"\"", ["a", "", ""]),
      ("a 'b\\' \"c\\\"d\\\\\" e\\ f", ["a", "b\\", "c\"d\\", "e f"]),
      ("a $HOME `b` *", ["a", "$HOME", "`b`", "*"]), ("", []),
      ("a \"\\d\\$\"", ["a", "\\d$"]),
    ] as [(String, [String])])
  func `a command line is split at white space, with quotes`(_ line: String, _ words: [String]) {
    #expect(HookCommand.split(line) == words)
  }

  @Test(arguments: ["a 'b", "a \"b", "a \\", "'"])
  func `a command line with an open quote is not split`(_ line: String) {
    #expect(HookCommand.split(line) == nil)
    #expect(HookCommand(line: line) == nil)
  }

  @Test(arguments: [
    "", "   ", "-x", "{url}", "{title} a", "bin/a", "./a", "a x{url}", "a {url}{title}",
    "a --title={title}", "a | b", "a {url} > b", "a & b", "a ; b",
    "a>b", "a|b", "a && b",
  ])
  func `a line that names no program, or needs a shell, is no command`(_ line: String) {
    #expect(HookCommand(line: line) == nil)
  }

  @Test func `a list of words may contain any word but a part of a placeholder`() {
    #expect(HookCommand(words: ["a", "|", "{url}"])?.words == ["a", "|", "{url}"])
    #expect(HookCommand(words: ["a", "x\u{0}"]) == nil && HookCommand(words: []) == nil)
    for program in ["a", "/b/a", "~/b/a"] { #expect(HookCommand(line: program) != nil) }
  }

  private static let url = "https://a.example/b?c=d"

  @Test(
    arguments: [
      ("a", ["a", url, "T"]), ("a {url}", ["a", url]),
      ("a {title} -u {url}", ["a", "T", "-u", url]),
      ("a {url} {url}", ["a", url, url]),
    ] as [(String, [String])])
  func `the URL and the title replace the placeholders, or are appended`(
    _ line: String, _ arguments: [String]
  ) throws {
    let command = try #require(HookCommand(line: line))
    #expect(command.arguments(url: Self.url, title: "T") == arguments)
  }

  @Test(arguments: [
    "-rf", "", "a", "file:///etc/passwd", "javascript:alert(1)", "about:blank", "/x", "data:,x",
    "https://me:secret@a.example/", "https://",
  ])
  func `no command receives a URL that is not one of the web`(_ url: String) throws {
    #expect(try #require(HookCommand(line: "a")).arguments(url: url, title: "T") == nil)
  }

  @Test func `the URL is normalised, so that it has no white space and no controls`() throws {
    let command = try #require(HookCommand(line: "a {url}"))
    let words = command.arguments(url: " https://a.example/b c\u{1B}[31m\n'\"$(x)", title: "")
    let url = try #require(words?.last)
    #expect(url.hasPrefix("https://a.example/b%20c"))
    #expect(!url.utf8.contains { $0 <= 0x20 || $0 == 0x7F })
  }

  @Test(
    arguments: [
      ("Plain title", "Plain title"), ("-rf /", " -rf /"), ("--help", " --help"),
      ("@/etc/x", " @/etc/x"),
      ("/etc/passwd", " /etc/passwd"), ("3 boats", "3 boats"), ("Été", "Été"), ("", ""),
      ("a\nb\r\n\tc", "a b c"), ("\u{1B}[31mred", " [31mred"), ("\n-x", " -x"),
      ("$(id) `id`", " $(id) `id`"),
      ("a\u{202E}b", "ab"), ("a\u{0}b", "a b"),
    ] as [(String, String)])
  func `a title is one line that is neither an option nor the name of a file`(
    _ title: String, _ argument: String
  ) {
    #expect(HookCommand.argument(title: title) == argument)
  }

  @Test(
    arguments: [
      ("a --sep '|' {url}", ["a", "--sep", "|", "{url}"]), ("a \">\" \\;", ["a", ">", ";"]),
      ("a '&' x?b&c", ["a", "&", "x?b&c"]),
    ] as [(String, [String])])
  func `operators of the shell may be in quotes`(_ line: String, _ words: [String]) {
    #expect(HookCommand(line: line)?.words == words)
  }

  @Test func `a title of few but long characters is cut off`() {
    let title = "x" + String(repeating: "\u{301}", count: 70_000)
    #expect(HookCommand.argument(title: title).utf8.count <= 2000)
    let short = String(repeating: "\u{1F600}", count: 500)
    #expect(HookCommand.argument(title: short) == short)
  }

  @Test func `a long title is cut off`() {
    #expect(HookCommand.argument(title: String(repeating: "x", count: 100_000)).count == 500)
  }

  @Test(arguments: Seeds.all)
  func `any title becomes one argument without controls`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let command = try #require(HookCommand(line: "a {title}"))
    for _ in 0..<500 {
      let scalars = (0..<20).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0...0x2FFF, using: &random))
      }
      let title = String(String.UnicodeScalarView(scalars))
      let words = try #require(command.arguments(url: Self.url, title: title))
      #expect(words.count == 2 && !words[1].hasPrefix("-"))
      #expect(!words[1].unicodeScalars.contains { $0.properties.generalCategory == .control })
    }
  }

  @Test func `the hook applies to items of the feeds that its patterns match`() throws {
    var settings = HookSettings()
    #expect(!settings.isCalledForItems(of: "https://a.example/feed"))
    settings.readCommand = HookCommand(line: "a")
    #expect(settings.isCalledForItems(of: "https://a.example/feed"))
    #expect(!settings.isCalledForItems(of: ""))
    settings.feeds = ["https://a.example/*"]
    #expect(settings.isCalledForItems(of: "https://a.example/feed"))
    #expect(!settings.isCalledForItems(of: "https://b.example/feed"))
  }
}
