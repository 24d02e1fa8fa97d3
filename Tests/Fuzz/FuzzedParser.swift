import Foundation

/// A parser to fuzz, with the grammar of its input.
struct FuzzedParser: Sendable {
  /// The name of the parser, and of its grammar and seed files.
  let name: String
  /// Whether the bytes from libFuzzer are passed to the parser directly, without a grammar.
  var isRaw = false
  /// Parses one input, and traps if an invariant is violated.
  let run: @Sendable (_ input: [UInt8]) -> Void

  static func named(_ name: String) -> FuzzedParser {
    guard let parser = all.first(where: { $0.name == name }) else {
      fatalError("no parser \(name)")
    }
    return parser
  }

  /// Returns a function that converts the bytes from libFuzzer to an input.
  /// - Parameter grammars: the directory of the grammars.
  /// - Returns: the function.
  /// - Throws: an error if the grammar file does not exist.
  func input(grammars: String) throws -> (_ choices: [UInt8]) -> [UInt8] {
    if isRaw { return { $0 } }
    let file = URL(fileURLWithPath: "\(grammars)/\(name).grammar")
    let grammar = Grammar(try String(contentsOf: file, encoding: .utf8))
    return { bytes in
      var choices = Choices(bytes)
      return grammar.text(&choices)
    }
  }

  /// All parsers of data from untrusted sources.
  static let all: [FuzzedParser] = [
    FuzzedParser(name: "page", isRaw: true, run: tryPage),
    FuzzedParser(name: "title", run: tryReaderView),
    FuzzedParser(name: "byline", run: tryReaderView),
    FuzzedParser(name: "article", run: tryReaderView),
    FuzzedParser(name: "table", run: { tryDocument($0, "text/html") }),
    FuzzedParser(name: "formula", run: { tryDocument($0, "text/html") }),
    FuzzedParser(name: "form", run: tryForms),
    FuzzedParser(name: "svg", run: trySVG),
    FuzzedParser(name: "css", run: tryStyles),
    FuzzedParser(name: "markdown", run: { tryDocument($0, "text/markdown") }),
    FuzzedParser(name: "json", run: { tryDocument($0, "application/json") }),
    FuzzedParser(name: "xml", run: { tryDocument($0, "application/xml") }),
    FuzzedParser(name: "csv", run: tryTable),
    FuzzedParser(name: "text", run: { tryDocument($0, "text/plain") }),
    FuzzedParser(name: "code", run: tryCode),
    FuzzedParser(name: "date", run: tryDate),
    FuzzedParser(name: "rss", run: tryFeed),
    FuzzedParser(name: "atom", run: tryFeed),
    FuzzedParser(name: "jsonfeed", run: tryFeed),
    FuzzedParser(name: "opml", run: tryList),
    FuzzedParser(name: "opf", run: tryBook),
    FuzzedParser(name: "zip", run: tryArchive),
    FuzzedParser(name: "package", run: tryPackage),
    FuzzedParser(name: "mime", run: tryMail),
    FuzzedParser(name: "mail", run: tryMailPage),
    FuzzedParser(name: "pdf", run: tryPDF),
    FuzzedParser(name: "zim", run: tryZIM),
    FuzzedParser(name: "savedpage", run: trySavedPage),
    FuzzedParser(name: "response", run: tryResponse),
    FuzzedParser(name: "coding", isRaw: true, run: tryCoding),
    FuzzedParser(name: "secrets", run: trySecrets),
    FuzzedParser(name: "segment", run: trySegment),
    FuzzedParser(name: "url", run: tryURL),
    FuzzedParser(name: "timemap", run: tryTimeMap),
    FuzzedParser(name: "bookmarks", run: tryList),
    FuzzedParser(name: "chromium", run: tryList),
    FuzzedParser(name: "firefox", run: tryList),
    FuzzedParser(name: "links", run: tryList),
    FuzzedParser(name: "mirror", run: tryMirror),
    FuzzedParser(name: "fields", run: tryFields),
    FuzzedParser(name: "warc", run: tryRecords),
    FuzzedParser(name: "robots", run: tryRobots),
    FuzzedParser(name: "journal", run: tryJournal),
    FuzzedParser(name: "search", run: trySearch),
    FuzzedParser(name: "highlight", run: tryHighlight),
    FuzzedParser(name: "anchor", run: tryAnchor),
    FuzzedParser(name: "image", run: tryImage),
    FuzzedParser(name: "picture", isRaw: true, run: tryPicture),
  ]
}

/// Ends the process unless the condition holds; libFuzzer then reports the input.
func require(_ condition: Bool, _ problem: @autoclosure () -> String) {
  if !condition { fatalError(problem()) }
}

/// The current time in all tests: 21 November 2026.
let now = Date(timeIntervalSince1970: 1_795_257_600)
