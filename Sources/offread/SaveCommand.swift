import ArgumentParser
import Foundation
import OfflineCache
import Reader
import TerminalUI

/// `offread save URL...`: fetches pages ahead of time and keeps them.
struct SaveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Fetch pages and keep them, to be read without a network.")

  @Argument(help: "http or https URLs.")
  var urls: [String] = []

  @Option(
    name: .customLong("from"), parsing: .unconditional,
    help: ArgumentHelp(
      "Save the URLs in a file, one a line; - is standard input.", valueName: "file"))
  var list: String?

  @OptionGroup var crawl: CrawlArguments

  @Option(name: .customLong("max-pages"), help: "Stop after so many pages.")
  var mostPages: Int?

  @Option(
    name: .customLong("max-size"),
    help: ArgumentHelp("Stop after so many bytes; 20M, 1G.", valueName: "bytes"))
  var mostBytes: ByteLimit?

  @Option(
    name: .customLong("tag"), parsing: .unconditionalSingleValue, help: "Give the pages a tag.")
  var tags: [String] = []

  @Flag(name: .customLong("no-images"), help: "Save no images.")
  var skipsImages = false

  @Flag(name: .customLong("ignore-robots"), help: "Follow links where robots.txt says not to.")
  var ignoresRobots = false

  @OptionGroup var pace: PaceArguments

  @Flag(help: "Tell nothing but errors.")
  var quiet = false

  @Flag(help: "Write the report as JSON.")
  var json = false

  @OptionGroup var load: LoadArguments

  func validate() throws {
    guard !urls.isEmpty || list != nil else {
      throw ValidationError("give URLs, or --from with a file of them")
    }
    if let mostPages, mostPages < 1 { throw ValidationError("--max-pages takes 1 or more") }
    for tag in tags where LibraryAttribute.tag(tag) == nil {
      throw ValidationError("--tag takes a word")
    }
  }

  mutating func run() throws {
    try load.checkLog()
    let pages = try PageList.urls(urls, from: list)
    let profile = try load.profile(for: pages.first)
    for page in pages {
      if let url = WebURL(page), let credentials = Credentials(of: url) {
        profile.cache.signIn(credentials, at: page, isEager: true)
      }
    }
    var request = SaveRequest(pages: pages, options: load.options(over: profile.settings))
    request.bounds = crawl.bounds
    (request.bounds.mostPages, request.bounds.mostBytes) = (mostPages, mostBytes?.bytes)
    request.pace = pace.limits
    request.includesImages = !skipsImages
    request.obeysRobots = !ignoresRobots
    request.tags = tags.compactMap(LibraryAttribute.tag)
    if load.offline { request.options.mode = .cacheOnly }
    let report = Self.save(request, in: profile, isQuiet: quiet, isJSON: json)
    StandardOutput.complain(closing: profile)
    if report.isInterrupted { throw ExitCode(130) }
    if !report.isComplete { throw ExitCode(1) }
  }

  /// Saves, tells how far it is, and what came of it.
  static func save(
    _ request: SaveRequest, in profile: Profile, isQuiet: Bool, isJSON: Bool
  ) -> SaveReport {
    let saver = PageSaver(request, in: profile)
    let screen = SaveScreen(isQuiet: isQuiet || isJSON)
    if saver.resumed > 0, !isQuiet {
      StandardOutput.complain(
        "going on with a save that was interrupted: \(ByteCount.count(saver.resumed, "page")) of it"
          + " \(saver.resumed == 1 ? "is" : "are") saved")
    }
    let report = saver.run(outcome: screen.tell, progress: screen.advance)
    screen.finish()
    if let warning = report.warning { StandardOutput.complain(warning) }
    if isJSON {
      try? StandardOutput.write(SaveWords.json(report))
    } else if !isQuiet {
      try? StandardOutput.write(Array(SaveWords.text(report).utf8))
    } else {
      SaveWords.failures(report).forEach(StandardOutput.complain)
    }
    return report
  }
}

/// A number of bytes as typed: `500K`, `20M`, `1G`, or plain.
struct ByteLimit: ExpressibleByArgument, Equatable {
  /// The bytes.
  var bytes: Int64

  /// Reads what was typed; nil when it is none, or zero.
  init?(argument: String) {
    guard let bytes = Units.bytes(typed: argument), bytes > 0 else { return nil }
    self.bytes = bytes
  }
}
