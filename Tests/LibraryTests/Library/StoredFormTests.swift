import Foundation
import OfflineCache
import Testing

@testable import Configuration
@testable import Library
@testable import Saving

/// The forms in which data is stored. The texts were written by 1.0.0, and this version must read
/// them and write the same bytes, whatever the names in its sources are.
@Suite struct StoredFormTests {
  private let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("forms-\(UUID().uuidString)")

  private static let anchor =
    #"{"length":1037,"offset":571,"samples":[{"start":571,"text":"what the keeper of the "#
    + #"harbour saw on day 19. Se"},{"start":1032,"text":"Tides"}]}"#

  /// Returns a file in the temporary directory with a text.
  private func file(_ name: String, _ text: String) throws -> URL {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let file = directory.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    return file
  }

  private static func text(_ file: URL) throws -> String {
    String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }

  @Test func `the header of a journal has its stored form`() throws {
    let line =
      #"{"sum":"be572715","id":"36502F31-89D4-4A25-B8B2-80FEE5A6E446","journal":1,"#
      + #""machine":"harbour"}"# + "\n"
    let head = try #require(LibraryJournal.head(line.utf8))
    #expect(head.id == "36502F31-89D4-4A25-B8B2-80FEE5A6E446")
    #expect(String(decoding: LibraryJournal.text(head), as: UTF8.self) == line)
  }

  @Test(arguments: [
    #"{"sum":"401e2e46","date":1795725174792,"set":"interval","to":"604800.0","url":"#
      + #""http://harbour.example/lamps"}"#,
    #"{"sum":"a13c4d41","date":1795725176345,"set":"trip","to":"{\"depth\":1}","url":"#
      + #""http://lexicon.example/guide/"}"#,
    #"{"sum":"9caed875","date":1795725175789,"set":"tag:reef","url":"#
      + #""http://harbour.example/knots"}"#,
  ])
  func `facts in a journal have their stored form`(line: String) throws {
    let entry = LibraryJournal.entry(Array(line.utf8)[...], device: "harbour")
    guard case .fact(let fact) = entry else {
      Issue.record("\(entry)")
      return
    }
    #expect(String(decoding: LibraryJournal.text([fact]), as: UTF8.self) == line + "\n")
  }

  @Test(arguments: [
    "kept", "title", "queued", "read", "archived", "note", "interval", "feed", "item", "hidden",
    "address", "canonical", "local", "complete", "handed", "again", "failed", "trip",
    "tag:reef", "highlight:2bvl2osb8fos4",
  ])
  func `the names of attributes have their stored form`(name: String) throws {
    #expect(try #require(LibraryAttribute(text: name)).text == name)
  }

  @Test func `a highlight has its stored form`() throws {
    let value =
      #"{"exact":"Book of pilots","note":"ask the pilot","place":0,"prefix":"before ","#
      + #""suffix":" A pilot boards at the outer buoy."}"#
    let highlight = try #require(Highlight(id: "2bvl2osb8fos4", value: value))
    #expect(highlight.note == "ask the pilot")
    #expect(highlight.value == value)
  }

  @Test(arguments: [
    #"{"depth":1}"#,
    #"{"depth":2,"exclude":["*/b/*"],"ignoreRobots":true,"include":["*/a/*"],"maxPages":9,"#
      + #""noImages":true,"sameHost":true,"signedIn":true,"with":"http://lexicon.example/atlas/"}"#,
  ])
  func `the scope of a crawl has its stored form`(text: String) throws {
    #expect(try #require(CrawlScope(text: text)).text == text)
  }

  @Test func `reading positions and bookmarks have their stored form`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    func line(_ sum: String, _ marker: String) -> String {
      #"{"sum":"\#(sum)","anchor":"# + Self.anchor + #","date":1795725184,"# + marker
        + #""percent":100,"title":"Harbour office","url":"http://harbour.example/"}"# + "\n"
    }
    let lines = line("073447c6", "") + line("db883b67", #""mark":"b","#)
    let log = ReadingLog(file: try file("reading.jsonl", lines))
    let position = try #require(log.last(of: "http://harbour.example/"))
    let bookmark = try #require(log.bookmark("b"))
    #expect(position.percent == 100)
    let copy = directory.appendingPathComponent("copy.jsonl")
    for record in [position, bookmark] { try ReadingLog(file: copy).append(record) }
    #expect(try Self.text(copy) == lines)
  }

  @Test func `open tabs have their stored form`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let step =
      #"{"anchor":"# + Self.anchor + #","isReader":false,"title":"Harbour office","#
      + #""url":"http://harbour.example/"}"#
    let text =
      #"{"shown":1,"tabs":[{"page":"# + step + #","past":[]},{"page":"# + step + #","past":["#
      + step + "]}]}\n"
    _ = try file("x.json", text)
    _ = try file("x.lock", "")
    let tabs = SavedTabsDirectory(directory: directory, name: "next").recoverLost().tabs
    let lost: SavedTabs = try #require(tabs.first)
    #expect(lost.tabs.count == 2)
    let saved = SavedTabsDirectory(directory: directory, name: "copy")
    try saved.write(lost)
    #expect(try Self.text(directory.appendingPathComponent("copy.json")) == text)
    try saved.write(nil)
  }

  @Test func `choices of a theme and of views have their stored form`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let text = """
      {
        "theme" : {
          "insteadOf" : "gruvbox",
          "name" : "nord"
        },
        "views" : {
          "harbour.example" : "reader",
          "harbour.example:8080" : "page"
        }
      }

      """
    let file = try file("choices.json", text)
    try ChoiceFile(file: file).add(.view(.reader, site: "harbour.example"))
    #expect(try Self.text(file) == text)
    let choices = try ChoiceFile(file: file).choices
    #expect(choices.theme(insteadOf: "gruvbox") == "nord")
    #expect(choices.readingPreferences.map(\.view) == [.reader, .page])
  }

  /// These values have been stored since 1.0.0.
  @Test func `cookie decisions and crashes have their stored form`() throws {
    let decisions = ["always", "never", "session"]
    #expect(decisions.map { CookieChoice(rawValue: $0) } == [.always, .never, .session])
    let text = #"{"pages":[{"deaths":2,"key":"http://a.test/","signal":11,"version":"1.1.0"}]}"#
    let ledger = try JSONDecoder().decode(CrashLedger.self, from: Data(text.utf8))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    #expect(String(decoding: try encoder.encode(ledger), as: UTF8.self) == text)
  }

  @Test func `reasons for rejecting a response have their stored form`() {
    let stored = [
      "sign-in-page", "foreign-redirect", "moved-away", "login-wall", "consent-page",
      "repeated-answer", "nearly-empty", "cut-off", "error-page", "other-kind", "unknown-coding",
    ]
    for text in stored { #expect(RejectionReason(rawValue: text) != nil, "\(text)") }
  }

  @Test func `kinds of failure have their stored form`() {
    let stored = [
      "no-network", "host-not-found", "connection-refused", "host-unreachable",
      "connect-timed-out", "timed-out", "not-trusted", "certificate-required",
      "no-secure-connection", "incomplete", "malformed", "too-large", "bad-redirect", "bad-url",
      "cancelled", "other",
    ]
    for text in stored { #expect(FailureKind(rawValue: text) != nil, "\(text)") }
  }
}
