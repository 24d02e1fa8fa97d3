import Configuration
import DOM
import Saving
import Document
import Crawl
import Library
import ArgumentParser
import Foundation
import OfflineCache
import Pages
import Profiles
import Rendering
import TerminalUI

/// `offread save URL...`: fetches pages in advance and keeps them.
struct SaveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Fetch pages and keep them for offline reading.")

  @Argument(help: "http or https URLs; - reads them from standard input, one per line.")
  var urls: [String] = []

  @Option(
    name: .customLong("from"), parsing: .unconditional,
    help: ArgumentHelp(
      "Save the URLs in a file, one per line; - is standard input.", valueName: "file"),
    transform: NonemptyArgument.parse)
  var list: String?

  @OptionGroup var crawl: CrawlArguments

  @Option(
    name: .customLong("max-pages"), parsing: .unconditional,
    help: ArgumentHelp("Maximum number of pages, including the given ones.", valueName: "n"))
  var maxPages: Int?

  @Option(
    name: .customLong("max-size"),
    help: ArgumentHelp("Start no transfers after this many bytes: 20M, 1G.", valueName: "bytes"))
  var maxBytes: ByteLimit?

  @Option(
    name: .customLong("as"), parsing: .unconditional,
    help: ArgumentHelp(
      "Name of the collection of the saved pages; the title by default.", valueName: "name"))
  var name: String?

  @Option(
    name: .customLong("tag"), parsing: .unconditionalSingleValue,
    help: "Tag the pages, or their collection.")
  var tags: [String] = []

  @Flag(name: .customLong("no-images"), help: "Do not save images.")
  var skipsImages = false

  @Flag(
    inversion: .prefixedNo,
    help: "Save style sheets, scripts and fonts too, also in later syncs; --no-complete stops that."
  )
  var complete: Bool?

  @Flag(
    name: .customLong("render"),
    help: "Run the scripts of the pages in a browser, and save the resulting text.")
  var renders = false

  @Flag(name: .customLong("ignore-robots"), help: "Follow links even where robots.txt forbids it.")
  var ignoresRobots = false

  @Option(
    name: .customLong("feed"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Follow the feed at this URL, or that of the page.", valueName: "url"))
  var feeds: [String] = []

  @Option(
    name: .customLong("items"), parsing: .unconditional,
    help: ArgumentHelp("Number of items to keep of each feed; 0 for all.", valueName: "n"))
  var maxItems: Int?

  @Option(
    name: .customLong("every"),
    help: ArgumentHelp("How often sync refreshes the pages: 12h, 1w.", valueName: "time"))
  var interval: Interval?

  @OptionGroup var saving: SavingArguments

  func validate() throws {
    guard !urls.isEmpty || list != nil || !feeds.isEmpty else {
      throw ValidationError("give URLs, --feed URL or --from FILE")
    }
    for feed in feeds where feed.hasPrefix("-") {
      throw ValidationError("--feed takes a URL, not '\(SafeText.line(feed))'")
    }
    if saving.accepts, urls.isEmpty { throw ValidationError("--accept requires URLs") }
    if list != nil, urls.contains("-") { throw ValidationError("give - or --from, not both") }
    if let maxPages, maxPages < 1 { throw ValidationError("--max-pages takes 1 or more") }
    if let maxItems {
      guard !feeds.isEmpty else { throw ValidationError("--items requires --feed") }
      guard maxItems >= 0 else { throw ValidationError("--items takes 0 or more") }
    }
    if let name {
      guard !name.oneLine.isEmpty else {
        throw ValidationError("--as takes a name that is not empty")
      }
      guard feeds.isEmpty else {
        throw ValidationError("--as and --feed cannot be used together: a feed is not a collection")
      }
    }
    if ignoresRobots, crawl.depth == 0, feeds.isEmpty {
      throw ValidationError("--ignore-robots requires --depth or --feed")
    }
    if skipsImages, complete == true {
      throw ValidationError("--no-images and --complete cannot be used together")
    }
    try saving.rejectCopy(in: "save")
    try saving.load.choices.rejectTimeLimitsOffline()
    for tag in tags where LibraryAttribute.tags(tag).isEmpty {
      throw ValidationError("--tag takes a tag such as news, not '\(SafeText.line(tag))'")
    }
  }

  mutating func run() throws {
    try saving.load.choices.checkLog()
    let (typed, isWhole) = try PageListParser.pagesWithCompleteness(
      urls.filter { $0 != "-" }, from: list ?? (urls.contains("-") ? "-" : nil))
    let typedFeeds = try PageListParser.urls(feeds)
    let profile = try saving.load.choices.profile(for: (typed.first ?? typedFeeds.first)?.url)
    saving.load.choices.confine(profile, writes: .library, browsers: renders)
    ProfileArguments.watchPages(of: profile)
    // A saved page keeps its scheme; for a new one, both schemes may be tried.
    let pages = typed.map(profile.url(saving:))
    let feeds = typedFeeds.map(profile.url(saving:))
    for typed in typed + typedFeeds {
      if case .web(let url) = typed.address, let credentials = Credentials(of: url) {
        profile.cache.signIn(credentials, at: url, isPreemptive: true)
      }
    }
    var request = request(for: pages, feeds: feeds, settings: profile.settings)
    request.assumedPages = Set(
      zip(typed, pages).filter { $0.mayTryOtherScheme && $0.url == $1 }.map(\.1))
    defer { StandardOutput.closeAndPrintNotices(closing: profile) }
    let renderer =
      renders
      ? Renderer(profile: profile, options: request.options, pace: request.pace) {
        Interruption.isInterrupted
      } : nil
    renderer?.start()
    defer { renderer?.stop() }
    let report = try saving.save([request], in: profile, rendering: renderer)
    try report.throwExitCode(isListWhole: isWhole)
  }

  private func request(for pages: [String], feeds: [String], settings: Settings) -> SaveRequest {
    var request = SaveRequest(pages: pages, options: saving.options(over: settings))
    request.bounds = crawl.bounds
    (request.bounds.maxPages, request.bounds.maxBytes) = (maxPages, maxBytes?.bytes)
    request.pace = saving.pace.limits
    request.includesImages = !skipsImages
    request.isComplete = complete
    request.obeysRobots = !ignoresRobots
    if name != nil || crawl.depth > 0 {
      request.collection = CollectionRequest(name: name?.oneLine)
    }
    request.tags = tags.flatMap(LibraryAttribute.tags)
    request.interval = interval?.seconds
    request.feeds = feeds.map { FeedRequest($0, maxItems: maxItems, isNew: true) }
    request.feedItems = settings.sync.feedItems
    if saving.load.offline { request.options.mode = .cacheOnly }
    return request
  }
}
