import Configuration
import Saving
import Document
import ArgumentParser
import OfflineCache
import Profiles
import Rendering

/// The common options of `save` and `sync`.
struct SavingArguments: ParsableArguments {
  @OptionGroup var pace: PaceArguments

  @Flag(help: "Print only errors.")
  var quiet = false

  @Flag(help: "Write the report as JSON.")
  var json = false

  @Flag(
    name: .customLong("accept"),
    help: "Accept the responses for the given pages, even if they look like a sign-in page.")
  var accepts = false

  @OptionGroup var load: LoadArguments

  /// Rejects `--copy`, which chooses a version to show.
  func rejectCopy(in command: String) throws {
    guard load.copy == .latest else {
      throw ValidationError("\(command) fetches the newest version; leave out --copy")
    }
  }

  /// Returns the options for loading pages.
  func options(over settings: Settings) -> LoadOptions {
    var options = load.choices.options(over: settings)
    if accepts { options.trust = .accepted }
    return options
  }

  /// Saves pages, shows the progress and prints the report.
  /// - Parameters:
  ///   - requests: the pages to save; all requests share one report.
  ///   - profile: the profile to save them in.
  ///   - renderer: renders the saved pages in a browser; nil to render none.
  ///   - isAgain: whether to render only updated pages that were rendered before.
  ///   - fetchesAllEnclosures: whether the enclosures of all feeds are fetched, rather than those
  ///     of the feeds of this run.
  ///   - announce: called with each page that is done.
  ///   - change: returns the changes of a page that is done, for the JSON report.
  ///   - complete: completes the report before enclosures are fetched and it is printed.
  /// - Returns: the report.
  /// - Throws: `StandardOutput.WriteError` if the report could not be written; all pages are saved
  ///   then.
  func save(
    _ requests: [SaveRequest], in profile: Profile, rendering renderer: Renderer? = nil,
    isAgain: Bool = false, fetchesAllEnclosures: Bool = false,
    announce: (SaveOutcome) -> Void = { _ in },
    change: (SaveOutcome) -> ChangeSummary? = { _ in nil },
    complete: (inout SaveReport) throws -> Void = { _ in }
  ) throws -> SaveReport {
    let savers = requests.map { PageSaver($0, in: profile) }
    let screen = SaveScreen(isQuiet: quiet || json)
    let output = json ? SaveJSON() : nil
    var failures = FailureLines(printsImmediately: quiet)
    if !quiet { Self.reportResumption(of: savers) }
    var pagesToRender: [SaveOutcome] = []
    var report = SaveReport()
    func receive(_ outcome: SaveOutcome) {
      let isRendered = Self.isRendered(outcome, by: renderer, isAgain: isAgain)
      if isRendered { pagesToRender.append(outcome) }
      announce(outcome)
      screen.printLine(outcome)
      let change = change(outcome)
      guard let output else { return failures.add(outcome, isRendered: isRendered) }
      output.write(outcome, change: change)
    }
    for saver in savers where report.mayContinue {
      saver.announce = screen.announce
      saver.announceExcess = { StandardOutput.printError(SaveText.line($0)) }
      report.add(saver.run(outcome: receive, progress: screen.advance))
    }
    if let renderer {
      render(
        pagesToRender, with: renderer, isAgain: isAgain, screen: screen, failures: &failures,
        report: &report)
    }
    screen.finish()
    try complete(&report)
    fetchEnclosures(ofAllFeeds: fetchesAllEnclosures, in: profile, report: &report)
    if let warning = report.warning { StandardOutput.printError(warning) }
    if let output { try output.end(report) } else { try write(report, &failures) }
    return report
  }

  private static func reportResumption(of savers: [PageSaver]) {
    let count = savers.reduce(0) { $0 + $1.resumedCount }
    guard count > 0 else { return }
    StandardOutput.printError(
      "resuming an interrupted save: \(CountFormatter.countText(count, "page"))"
        + " \(count == 1 ? "is" : "are") already saved")
  }

  private static func isRendered(
    _ outcome: SaveOutcome, by renderer: Renderer?, isAgain: Bool
  ) -> Bool {
    guard let renderer, outcome.depth == 0 else { return false }
    return isAgain ? outcome.isCurrent && renderer.hasRendered(outcome.url) : outcome.isReadable
  }

  /// Prints the failures of a run and its summary.
  private func write(_ report: SaveReport, _ failures: inout FailureLines) throws {
    failures.addUnlistedImageCount()
    report.feeds.forEach { failures.add($0) }
    if let enclosures = report.enclosures { failures.add(enclosures) }
    let text = quiet ? "" : SaveText.text(report)
    try StandardOutput.write(failures.text + Array(text.utf8))
  }

  /// Fetches the enclosures of feeds, unless the run ended early.
  private func fetchEnclosures(
    ofAllFeeds isForAll: Bool, in profile: Profile, report: inout SaveReport
  ) {
    let feeds = Set(report.feeds.compactMap { profile.cache.key(of: $0.newURL ?? $0.url) })
    guard isForAll || !feeds.isEmpty,
      !report.isInterrupted, !report.isDiskFull, !report.isBlockedByPortal,
      let run = EnclosureRun(
        of: isForAll ? nil : feeds, in: profile, options: options(over: profile.settings),
        isQuiet: quiet || json)
    else { return }
    report.enclosures = run()
    if report.enclosures?.isInterrupted ?? false { report.isInterrupted = true }
  }

  /// Renders saved pages in a browser, and adds the results to the report.
  private func render(
    _ pages: [SaveOutcome], with renderer: Renderer, isAgain: Bool, screen: SaveScreen,
    failures: inout FailureLines, report: inout SaveReport
  ) {
    for (index, page) in pages.enumerated() where !Interruption.isInterrupted {
      screen.showRendering(page.url, index + 1, of: pages.count)
      guard
        let rendering = isAgain
          ? renderer.renderAgain(page.url) : renderer.renderSavedPage(page.url)
      else { continue }
      report.record(rendering, of: page)
      if !json { failures.add(rendering) }
    }
    report.isInterrupted = report.isInterrupted || Interruption.isInterrupted
  }
}

/// The lines of the report about failures. They are the only data about the pages that are kept in
/// memory until the end.
private struct FailureLines {
  /// Whether lines are printed to standard error immediately.
  let printsImmediately: Bool
  /// The lines with their line feeds.
  private(set) var text: [UInt8] = []

  /// The numbers of images that could not be saved, with and without a line of their own.
  private var listedImageCount = 0, unlistedImageCount = 0

  /// Maximum number of images that get a line.
  private static let maxListedImages = 100

  init(printsImmediately: Bool) { self.printsImmediately = printsImmediately }

  /// Adds a line with the number of images that have no line of their own.
  mutating func addUnlistedImageCount() {
    guard unlistedImageCount > 0 else { return }
    add(
      "\(CountFormatter.countText(unlistedImageCount, "more image")) not saved; --json lists up to 20 for each page"
    )
  }

  /// Adds the line for a page with a problem, and lines for its images that could not be saved.
  /// - Parameters:
  ///   - outcome: the result for the page.
  ///   - isRendered: whether a browser renders it next, which is reported on a separate line.
  mutating func add(_ outcome: SaveOutcome, isRendered: Bool) {
    // A quiet run, such as that of a timer, does not repeat failures that were reported before.
    if outcome.isInReport,
      !(printsImmediately && (outcome.isExcused || outcome.hasOnlyStandInRemark))
    {
      add(SaveText.line(outcome, isRendered: isRendered))
    }
    guard !printsImmediately else { return }
    let images = outcome.missingImageNames.prefix(Self.maxListedImages - listedImageCount)
    images.forEach { add(SaveText.line($0)) }
    listedImageCount += images.count
    unlistedImageCount += outcome.missingImageCount - images.count
  }

  /// Adds the lines for a feed, unless the line of its page reports the problem.
  mutating func add(_ feed: FeedOutcome) {
    if feed.problem != nil, !feed.isReportedAsPage, !(printsImmediately && feed.isExcused) {
      add(SaveText.line(feed))
    }
    if let line = SaveText.missingOlderItemsLine(for: feed) { add(line) }
    if let problem = feed.enclosureProblem {
      let title = SafeText.line(feed.title)
      add("the library cannot record the enclosures of \(title): \(SafeText.line(problem))")
    }
  }

  /// Adds the lines for enclosures that could not be fetched.
  mutating func add(_ enclosures: EnclosureReport) {
    enclosures.failureLines.forEach { add($0) }
  }

  /// Adds the line for a page that could not be rendered.
  mutating func add(_ rendering: RenderOutcome) {
    // An earlier rendering stays; the reader shows its date.
    if !rendering.isSaved, !(printsImmediately && rendering.isAvailable) {
      add(SaveText.line(rendering))
    }
  }

  private mutating func add(_ line: String) {
    if printsImmediately {
      StandardOutput.printError(line)
    } else {
      text += Array((line + "\n").utf8)
    }
  }
}

extension SaveReport {
  fileprivate var mayContinue: Bool { !isInterrupted && !isDiskFull && !isBlockedByPortal }

  /// Throws the exit code of a command that saved pages, unless all of them were saved.
  func throwExitCode(isListWhole: Bool) throws {
    if isInterrupted { throw ExitCode(Interruption.exitCode) }
    if isBlockedByPortal { throw ExitCode(4) }
    if !isComplete || !isListWhole { throw ExitCode(1) }
  }
}
