import ArgumentParser
import Foundation
import OfflineCache
import Reader
import TerminalUI

/// `offread check [URL...]`: tells what can be read with no network, without using one.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Tell which pages can be read without a network.")

  @OptionGroup var selection: PageSelection

  @OptionGroup var crawl: CrawlArguments

  @Flag(help: "Tell nothing but what is missing.")
  var quiet = false

  @Flag(help: "Write the report as JSON.")
  var json = false

  @OptionGroup var arguments: ProfileArguments

  mutating func run() throws {
    let profile = try arguments.profile
    defer { StandardOutput.complain(closing: profile) }
    let chosen = try selection.pages(in: profile)
    var (pages, isWhole) = (chosen.urls, chosen.isWhole)
    if selection.isEmpty {
      try ProfileArguments.telling {
        try profile.library.forEachPage(with: .kept) { pages += $0.map(\.url) }
      }
      guard !pages.isEmpty else {
        StandardOutput.complain("no page is kept; keep one with: offread save URL")
        throw ExitCode(1)
      }
    }
    var request = SaveRequest(pages: pages)
    request.bounds = crawl.bounds
    request.options.mode = .cacheOnly
    request.includesImages = false
    Interruption.watch()
    let output = json ? SaveJSON() : nil
    let lines = ReportOutput()
    let now = Date()
    let report = PageSaver(request, in: profile).run(
      outcome: { outcome in
        if let output { return output.tell(outcome) }
        if !quiet || !outcome.isReadable { lines.write(Self.line(outcome, now: now) + "\n") }
      }, progress: { _ in !Interruption.hasCome })
    try output?.end(report)
    if report.isInterrupted { throw ExitCode(130) }
    if output == nil, !quiet {
      lines.write(
        "\(report.ready) of \(ByteCount.count(report.pages, "page")) can be read without a network\n"
      )
    }
    try lines.end()
    if report.ready < report.pages || !isWhole { throw ExitCode(1) }
  }

  /// What is told of a page.
  /// - Parameters:
  ///   - page: what is there of it.
  ///   - now: from which ages count.
  /// - Returns: the line.
  private static func line(_ page: SaveOutcome, now: Date) -> String {
    let url = SafeText.line(SafeText.withoutCredentials(page.url))
    switch page.result {
    case .failed(let reason): return "missing  \(url): \(SafeText.line(reason))"
    case .refused, .saved, .unchanged, .kept:
      let age =
        page.date.map { DateWords.age(of: $0, now: now, in: .current) }
        ?? (page.url.hasPrefix("about:") ? "built in" : "saved")
      return "ready    \(url)  \(age)"
    }
  }
}
