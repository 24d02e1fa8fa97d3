import Profiles
import Configuration
import Document
import Library
import ArgumentParser
import Foundation
import OfflineCache
import Platform
import TerminalUI

/// `offread search WORDS`: searches the saved pages.
struct SearchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Search the saved pages.")

  @Argument(
    help: """
      Words, "a phrase", prefix*, -without, site:HOST, tag:TAG, before:DATE, after:DATE.
      """)
  var words: [String]

  @Option(
    name: .customLong("open"),
    help: ArgumentHelp("Open the result with this number, at its best match.", valueName: "n"))
  var opened: Int?

  @Option(help: ArgumentHelp("Maximum number of results.", valueName: "n"))
  var limit = 20

  @Option(help: ArgumentHelp("Use of colours: auto, always or never.", valueName: "when"))
  var color: Settings.ColorChoice?

  @Flag(help: "Print only results and errors.")
  var quiet = false

  @Flag(help: "Write JSON.")
  var json = false

  @Flag(
    name: .customLong("print-match"),
    help: ArgumentHelp(
      "Print the URL of the match that --open opens; internal.", visibility: .private))
  var printsMatch = false

  @OptionGroup var arguments: ProfileArguments

  func validate() throws {
    guard (1...10_000).contains(limit) else { throw ValidationError("--limit takes 1 to 10000") }
    if json, color == .always {
      throw ValidationError("--color and --json cannot be used together")
    }
    if json, opened != nil { throw ValidationError("--open and --json cannot be used together") }
    if let opened, !(1...10_000).contains(opened) {
      throw ValidationError("--open takes 1 to 10000")
    }
  }

  mutating func run() throws {
    let query: SearchQuery
    do throws(SearchQuery.Mistake) {
      query = try SearchQuery(SearchQuery.text(ofArguments: words), timeZone: .local)
    } catch {
      switch error {
      case .empty: StandardOutput.printError(error.description)
      case .date(let text):
        StandardOutput.printError(
          "\(SafeText.line(text)) is not a date; give one such as 2026-11-21")
      }
      throw ExitCode(2)
    }
    if let opened {
      if printsMatch { return try printMatch(ofHit: opened, query) }
      return try open(try url(ofHit: opened))
    }
    try printHits(try hits(of: query))
  }

  /// Searches in another process of this program (`--print-match`), which confines itself; this
  /// process cannot, because it then starts a reader with a sandbox of its own. A forked process
  /// that continues without `exec` must not search: two threads that initialize the same global
  /// would block forever, because the runtime identifies threads by the thread of the parent.
  /// - Parameter number: the number of the hit, from 1.
  /// - Returns: the URL of the match in the page.
  /// - Throws: an exit code if there is no such hit, after that was reported.
  private func url(ofHit number: Int) throws -> String {
    guard let (own, child) = SystemProcesses.makeMessageSocketPair() else { throw ExitCode(1) }
    defer { close(own) }
    let program = SharedFiles.executable?.path ?? "offread"
    let process = SystemProcesses.startInJob(
      [program, "search", "--print-match", "--open", "\(number)", "--limit", "\(limit)"]
        + (quiet ? ["--quiet"] : []) + profileOptions + ["--"] + words, output: child)
    close(child)
    guard let process else {
      StandardOutput.printError("cannot start another process: \(SystemMessage.last)")
      throw ExitCode(1)
    }
    var address: [UInt8] = []
    while let (bytes, descriptors) = SystemProcesses.receive(from: own) {
      for descriptor in descriptors { close(descriptor) }
      address += bytes
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let code = SystemProcesses.exitCode(status)
    guard code == 0, !address.isEmpty else { throw ExitCode(code > 0 ? code : 1) }
    return String(decoding: address, as: UTF8.self)
  }

  /// Writes the URL of a match, without a line feed.
  private func printMatch(ofHit number: Int, _ query: SearchQuery) throws {
    let found = try hits(of: query)
    guard found.count >= number else {
      let pages = CountFormatter.countText(found.count, "page")
      StandardOutput.printError(
        found.isEmpty ? "nothing was found" : "the search found only \(pages)")
      throw ExitCode(1)
    }
    try StandardOutput.write(Array(found[number - 1].url.utf8))
  }

  /// The options for another command with the same profile.
  private var profileOptions: [String] {
    (arguments.dataDirectory.map { ["--data-dir", $0] } ?? [])
      + (arguments.sandbox.isOff ? ["--no-sandbox"] : [])
  }

  private func hits(of query: SearchQuery) throws -> [SearchIndex.Hit] {
    let profile = try arguments.confinedProfile()
    ProfileArguments.watchPages(of: profile)
    defer { StandardOutput.closeAndPrintNotices(closing: profile) }
    let bar = ProgressBar("indexing new pages", isQuiet: quiet) { "\($0)" }
    let (limit, search) = (max(limit, opened ?? 0), profile.search)
    return try ProfileArguments.reportingErrors {
      defer { bar.finish() }
      try search.catchUp { bar.advance(ArchiveProgress(done: $0.done, total: $0.total)) }
      let found = try profile.find(query, limit: limit)
      for line in found.problems { StandardOutput.printError(line) }
      return found.hits
    }
  }

  /// Opens a page in the reader at the match.
  private func open(_ url: String) throws {
    var page = PageChoices()
    page.color = color
    var load = LoadChoices()
    load.dataDirectory = arguments.dataDirectory
    load.sandbox = arguments.sandbox.choices
    try ReaderStart(target: url, presentation: page, load: load).run()
  }

  private func printHits(_ hits: [SearchIndex.Hit]) throws {
    guard !hits.isEmpty else {
      if json { try StandardOutput.write(Array(JSONReport.text("pages", [Entry]()).utf8)) }
      if !quiet, !json { StandardOutput.printError("nothing was found") }
      throw ExitCode(1)
    }
    let isBold = (color ?? .auto).isWanted ?? StandardOutput.isCapableTerminal
    // Terminals would break lines within words.
    let width = StandardOutput.isTerminal ? ProgressBar.columns - 1 : nil
    let text =
      json
      ? try JSONReport.text("pages", hits.map(Entry.init))
      : hits.map { Self.hitText($0, now: Date(), isBold: isBold, width: width) }
        .joined(separator: "\n")
    try StandardOutput.write(Array(text.utf8))
  }

  /// Returns the lines of a hit: title and age, URL, and a snippet with bold matches.
  /// - Parameters:
  ///   - hit: the hit.
  ///   - now: the time from which its age is computed.
  ///   - isBold: whether the title and the matches are bold.
  ///   - width: the width of the snippet in columns; nil for a single line.
  /// - Returns: the lines.
  static func hitText(_ hit: SearchIndex.Hit, now: Date, isBold: Bool, width: Int? = nil) -> String
  {
    let title = hit.title.isEmpty ? "(no title)" : SafeText.line(hit.title)
    let age = DateTexts.age(of: hit.date, now: now, in: .local)
    var snippet = SnippetLines(width: width)
    let characters = Array(hit.snippet)
    var location = 0
    for match in hit.matches where match.upperBound <= characters.count {
      snippet.add(SafeText.line(String(characters[location..<match.lowerBound])), isBold: false)
      snippet.add(SafeText.line(String(characters[match])), isBold: isBold)
      location = match.upperBound
    }
    snippet.add(SafeText.line(String(characters[location...])), isBold: false)
    let url = SafeText.line(SafeText.withoutCredentials(hit.key))
    return "\(isBold ? "\u{1B}[1m\(title)\u{1B}[0m" : title)  (\(age))\n\(url)\n"
      + snippet.text
  }

  private struct Entry: Encodable {
    var url: String
    var title: String
    var date: Date
    var snippet: String
    var address: String

    private enum CodingKeys: String, CodingKey {
      case url = "url"
      case title = "title"
      case date = "date"
      case snippet = "snippet"
      case address = "address"
    }

    init(_ hit: SearchIndex.Hit) {
      (url, title) = (SafeText.withoutCredentials(hit.key), hit.title)
      (date, snippet) = (hit.date, hit.snippet)
      address = SafeText.withoutCredentials(hit.url)
    }
  }
}
