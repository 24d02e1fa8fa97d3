import TestSupport
import Foundation
import Layout
import Testing

@testable import offread

/// Messages of the command line, without running it.
@Suite struct CommandMessageTests {
  @Test func `lines of a parser message are joined with commas`() {
    #expect(UsageMessages.oneLine("one") == "one")
    #expect(
      UsageMessages.oneLine("Please provide one of the following:\n  - text\n  - ansi\n  - json")
        == "Please provide one of the following: text, ansi, json")
  }

  @Test(
    arguments: [
      (
        "The value '5' is invalid for '--every <time>'",
        "--every takes a time of at least one minute, such as 12h, not '5'"
      ),
      (
        "The value 'abc' is invalid for '--patience <patience>'",
        "--patience takes a number of seconds, not 'abc'"
      ),
      (
        "The value 'x' is invalid for '--format <format>'. Please provide one of 'text' and 'ansi'.",
        "--format takes 'text' and 'ansi', not 'x'"
      ),
      (
        "The value 'x' is invalid for '--to <to>'. Please provide one of the following: a, b, c",
        "--to takes a, b, c, not 'x'"
      ),
      ("The value 'x' is invalid for '<from>'", "'x' is not valid for <from>"),
      ("Missing expected argument '<target>'", "missing argument: target"),
      ("Missing expected argument '--to <to>'", "missing option: --to"),
      ("Unknown option '--x'", "unknown option '--x'"), ("--limit takes 1", "--limit takes 1"),
      ("", ""), ("A", "A"), ("'x' is wrong", "'x' is wrong"),
    ] as [(String, String)])
  func `a message of the parser is like all others`(_ message: String, _ expected: String) {
    #expect(UsageMessages.restyled(message) == expected)
  }

  @Test func `an option of another command is reported as such`() throws {
    let text = try #require(
      UsageMessages.misplacedOptionMessage("Unknown option '--offline'", of: "offread list"))
    #expect(text.hasPrefix("offread list has no option --offline, which read, dump, fetch, "))
    #expect(text.hasSuffix(" have") && !text.contains("complete"))
    #expect(
      UsageMessages.misplacedOptionMessage("Unknown option '--nosuch'", of: "offread list") == nil)
    #expect(
      UsageMessages.misplacedOptionMessage("Missing argument '--offline'", of: "offread list")
        == nil)
  }

  @Test(
    arguments: [
      ("--ofline", "--offline"), ("--offlin", "--offline"), ("--ofilne", "--offline"),
      ("-offline", "--offline"), ("--widht", "--width"), ("--hepl", "--help"),
      ("--verison", "--version"),
      ("--no-fallbak", "--no-fallback"), ("--Offline", "--offline"),
    ] as [(String, String)])
  func `an unknown option is reported with the most similar one`(typed: String, suggestion: String)
  {
    let text = UsageMessages.unknownOptionMessage(
      "Unknown option '\(typed)'. Did you mean '--full'?", of: nil)
    #expect(text == "Unknown option '\(typed)'; did you mean \(suggestion)?")
  }

  @Test
  func `an unknown option without a similar one is reported alone, and other messages are kept`() {
    #expect(
      UsageMessages.unknownOptionMessage("Unknown option '--xyzzyx'", of: "list")
        == "Unknown option '--xyzzyx'")
    // Half of the letters are different.
    #expect(
      UsageMessages.unknownOptionMessage("Unknown option '--nope'", of: nil)
        == "Unknown option '--nope'")
    #expect(UsageMessages.unknownOptionMessage("Missing value", of: nil) == "Missing value")
  }

  @Test func `neither an option nor a number is taken for the URL of a feed or page`() throws {
    let sandbox = try Sandbox()
    let feed = try sandbox.offread("save", "--feed", "--items", "8", "http://a.test/")
    #expect(feed.status == 2 && feed.output.isEmpty)
    #expect(feed.errorText.contains("--feed takes a URL, not '--items'"), "\(feed.errorText)")
    let page = try sandbox.offread("save", "8")
    #expect(page.status == 2 && page.errorText.contains("'8' is not a URL"), "\(page.errorText)")
    #expect(try !sandbox.offread("list", "--queue").text.contains("http://0.0.0.8/"))
  }

  @Test(
    arguments: [
      ("dmp", "there is no command 'dmp'; did you mean offread help dump?"),
      ("sy", "there is no command 'sy'; did you mean offread help sync?"),
      ("zzz", "there is no command 'zzz'; offread --help lists the commands"),
      ("", "there is no command ''; offread --help lists the commands"),
      ("dump", nil), ("--all", nil),
    ] as [(String, String?)])
  func `help reports a word that is not a command`(_ word: String, _ message: String?) {
    let commands = ["add", "dump", "sync"]
    #expect(UnknownCommand.message(forTopic: word, commands: commands, shown: commands) == message)
  }

  @Test func `internal commands are not suggested`() {
    let text = UnknownCommand.message(
      for: "completely", commands: ["complete", "list"], shown: ["list"], exists: { _ in false })
    #expect(text?.contains("offread --help lists the commands") == true)
    #expect(
      UnknownCommand.message(for: "complete", commands: ["complete", "list"], shown: ["list"])
        == nil)
  }

  @Test func `completion of help lists the commands, and negated options have a description`()
    throws
  {
    let table = try CommandTable.ofThisProgram()
    let topics = Completion(of: table, after: ["help", "s"]).candidates.map(\.word)
    #expect(topics == ["save", "sync", "search"])
    #expect(Completion(of: table, after: ["help", "save", ""]).candidates.isEmpty)
    #expect(Completion(of: table, after: ["rea"]).candidates.map(\.word) == ["read"])
    let help = Completion(of: table, after: ["hel"]).candidates.map(\.description)
    #expect(help == ["Show the manual page of a command."] || help.isEmpty)
    let options = Completion(of: table, after: ["save", "--no-"]).candidates
    let descriptions = Dictionary(
      uniqueKeysWithValues: options.map { ($0.word, $0.description) })
    #expect(descriptions["--no-complete"] == "The opposite of --complete.")
    #expect(descriptions["--no-images"] == "Do not save images.")
  }

  @Test func `a snippet is wrapped at spaces, indented, and never within a bold word`() {
    var lines = SnippetLines(width: 12)
    lines.add("about a ", isBold: false)
    lines.add("Kno", isBold: true)
    lines.add("t, and lists", isBold: false)
    #expect(lines.text == "  about a\n  \u{1B}[1mKno\u{1B}[0mt, and\n  lists\n")
    lines = SnippetLines(width: nil)
    lines.add("about a Knot, and lists", isBold: false)
    #expect(lines.text == "  about a Knot, and lists\n")
    #expect(SnippetLines(width: 12).text.isEmpty)
  }
}
