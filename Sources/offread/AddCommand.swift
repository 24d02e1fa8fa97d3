import Configuration
import Document
import Crawl
import Exchange
import Library
import ArgumentParser
import Foundation
import OfflineCache
import Pages
import Profiles
import Rendering

/// `offread add URL...`: queues pages and keeps them, without waiting for the network.
struct AddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Queue pages for the next sync or a running reader.")

  @Argument(
    help:
      "http or https URLs, or an offread: URL of another program; - reads them from standard input."
  )
  var urls: [String]

  @Option(
    name: .customLong("tag"), parsing: .unconditionalSingleValue, help: "Tag the pages.")
  var tags: [String] = []

  @Flag(help: "Save style sheets, scripts and fonts too.")
  var complete = false

  @Flag(help: "Print only errors.")
  var quiet = false

  @OptionGroup var arguments: ProfileArguments

  func validate() throws {
    for tag in tags where LibraryAttribute.tags(tag).isEmpty {
      throw ValidationError("--tag takes a tag such as news, not '\(SafeText.line(tag))'")
    }
  }

  mutating func run() throws {
    var list = PagesToQueue()
    for word in urls where word != "-" { list.add(word) }
    if urls.contains("-") {
      try PageListParser.forEachLine(of: "-") { line in
        let location = PageListParser.locationText(line, in: "-") + ": "
        let texts = line.links.isEmpty ? [line.text] : line.links.map(\.address)
        for word in texts { list.add(word, at: location) }
      }
    }
    guard !list.pages.isEmpty else {
      if list.isComplete { StandardOutput.printError("no URL in standard input") }
      throw ExitCode(list.exitCode == 0 ? 1 : list.exitCode)
    }
    let attributes =
      tags.flatMap(LibraryAttribute.tags).map(LibraryAttribute.tag)
      + (complete ? [.complete] : [])
    var (queuedKeys, knownKeys): (Set<String>, Set<String>) = ([], [])
    try arguments.withWritableProfile { profile in
      var changes: [LibraryChange] = []
      for page in list.pages {
        let pageChanges = try Self.changes(
          page.typed, isFromProgram: page.isFromProgram, attributes, profile)
        // URLs that differ in tracking parameters or fragments are one page.
        let url = profile.url(of: page.typed)
        let key = profile.cache.key(of: url) ?? url
        if pageChanges.isEmpty { knownKeys.insert(key) } else { queuedKeys.insert(key) }
        changes += pageChanges
      }
      try profile.library.record(changes)
    }
    if !quiet { try StandardOutput.write(Array(Self.summary(queuedKeys, knownKeys).utf8)) }
    if list.exitCode != 0 { throw ExitCode(list.exitCode) }
  }

  /// Returns the lines that are printed at the end.
  /// - Parameters:
  ///   - queuedKeys: the pages that were queued.
  ///   - knownKeys: the pages that were kept or queued already.
  /// - Returns: the lines with their line feeds; empty if no page was named.
  private static func summary(_ queuedKeys: Set<String>, _ knownKeys: Set<String>) -> String {
    var lines: [String] = []
    let (count, rest) = (queuedKeys.count, knownKeys.subtracting(queuedKeys).count)
    if count > 0 {
      lines.append(
        "queued \(CountFormatter.countText(count, "page")); offread sync or a running reader fetches"
          + " \(count == 1 ? "it" : "them")")
    }
    if rest > 0 {
      lines.append(
        "\(CountFormatter.countText(rest, "page")) \(rest == 1 ? "is" : "are") already kept or queued"
      )
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns the library changes that add a page; none if another program passed a page that is
  /// kept or queued already.
  private static func changes(
    _ typed: TypedURL, isFromProgram: Bool, _ attributes: [LibraryAttribute], _ profile: Profile
  ) throws -> [LibraryChange] {
    let url = profile.url(of: typed)
    guard let key = profile.cache.key(of: url) else { return [] }
    var changes = [LibraryChange(key, .queued, "")] + LibraryChange.address(url, of: key)
    if isFromProgram {
      let known = try profile.library.page(key)
      // Another program must not change a page that the user asked for.
      guard known.pinnedDate == nil, known.queuedDate == nil else { return [] }
      // The page is not kept: it is fetched once, and later syncs do not request it again.
      changes.append(LibraryChange(key, .fromProgram, "1"))
    } else {
      changes += [LibraryChange(key, .fromProgram, nil), LibraryChange(key, .pinned, "1")]
    }
    if typed.mayTryOtherScheme, let page = WebURL(url), !profile.isKnown(page) {
      changes.append(LibraryChange(key, .schemeAssumed, "1"))
    } else if !typed.isSchemeAssumed {
      changes.append(LibraryChange(key, .schemeAssumed, nil))
    }
    return changes + attributes.map { LibraryChange(key, $0, "1") }
  }
}

extension ProfileArguments {
  /// Runs `work` on the profile and closes it; unlike `withProfile`, creates missing directories.
  fileprivate func withWritableProfile(_ work: (Profile) throws -> Void) throws {
    let profile = try confinedProfile(createsDirectories: true)
    defer { StandardOutput.closeAndPrintNotices(closing: profile) }
    try Self.reportingErrors { try work(profile) }
  }
}

/// The pages to queue, from the command line and from standard input.
private struct PagesToQueue {
  private(set) var pages: [(typed: TypedURL, isFromProgram: Bool)] = []
  /// The exit code: 0 if every argument and line was the URL of a web page, otherwise 2.
  private(set) var exitCode: Int32 = 0
  private var seenTexts = SeenTexts()

  /// Whether every argument and line was the URL of a web page.
  var isComplete: Bool { exitCode == 0 }

  /// Adds the page at a URL; reports an error if it is not the URL of a web page.
  /// - Parameters:
  ///   - word: the URL as typed.
  ///   - location: a prefix for the error message that names the line of a list.
  mutating func add(_ word: String, at location: String = "") {
    if ExternalURL.isExternalURL(word) {
      do throws(ExternalURL.Mistake) {
        let url = try ExternalURL(word).url
        add(TypedURL(.web(url), typed: url.description), isFromProgram: true)
      } catch {
        reportError(location + error.description)
      }
      return
    }
    // No host name begins with a hyphen: this is a misplaced option.
    guard !word.hasPrefix("-") else {
      return reportError(location + "not a URL: \(SafeText.line(word))")
    }
    if let text = UnknownCommand.message(forPage: word) { return reportError(location + text) }
    do throws(ReaderError) {
      let address = try Address(typed: word, exists: { _ in false })
      if case .web(let url) = address {
        if url.credentials != nil {
          StandardOutput.printError(
            location
              + "\(SafeText.line(url.withoutCredentials.description)): the user name and password"
              + " are not stored; give them to sync, in a URL or with --netrc")
        }
        return add(TypedURL(address, typed: word), isFromProgram: false)
      }
      reportError(location + ProfileArguments.notWebPageMessage(word))
    } catch {
      if case .unsupportedScheme = error {
        return reportError(location + ProfileArguments.notWebPageMessage(word))
      }
      reportError(location + error.description)
    }
  }

  private mutating func add(_ typed: TypedURL, isFromProgram: Bool) {
    if seenTexts.insert(CacheKey.normalized(typed.url)) { pages.append((typed, isFromProgram)) }
  }

  private mutating func reportError(_ text: String) {
    StandardOutput.printError(text)
    exitCode = 2
  }
}
