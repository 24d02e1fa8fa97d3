import ArgumentParser
import Foundation
import OfflineCache
import Reader
import TerminalUI

/// `offread check [URL...]`: tells what can be read with no network, without using one.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Tell which pages can be read without a network.")

  @Argument(help: "http or https URLs; without any, all kept pages.")
  var urls: [String] = []

  @Option(
    name: .customLong("from"), parsing: .unconditional,
    help: ArgumentHelp(
      "Check the URLs in a file, one a line; - is standard input.", valueName: "file"))
  var list: String?

  @OptionGroup var crawl: CrawlArguments

  @Flag(help: "Tell nothing but what is missing.")
  var quiet = false

  @Flag(help: "Write the report as JSON.")
  var json = false

  @OptionGroup var arguments: ProfileArguments

  mutating func run() throws {
    let profile = try arguments.profile
    defer { StandardOutput.complain(closing: profile) }
    var (pages, isWhole) = try PageList.named(urls, from: list)
    if urls.isEmpty, list == nil {
      pages = try ProfileArguments.telling {
        try profile.library.pages(with: .kept).map(\.url)
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
    let report = PageSaver(request, in: profile).run(progress: { _ in !Interruption.hasCome })
    if report.isInterrupted { throw ExitCode(130) }
    let isComplete = report.pages.allSatisfy(\.isReadable)
    if json {
      try StandardOutput.write(SaveWords.json(report))
    } else {
      let lines = Self.lines(report, now: Date(), isQuiet: quiet)
      try StandardOutput.write(Array(lines.map { $0 + "\n" }.joined().utf8))
    }
    if !isComplete || !isWhole { throw ExitCode(1) }
  }

  /// What is told: a line for each page in the order in which they were found, then a sum.
  /// - Parameters:
  ///   - report: what is there.
  ///   - now: from which ages count.
  ///   - isQuiet: whether only what is missing is told.
  /// - Returns: the lines.
  static func lines(_ report: SaveReport, now: Date, isQuiet: Bool) -> [String] {
    let ready = report.pages.count(where: \.isReadable)
    var lines = report.pages.filter { !isQuiet || !$0.isReadable }.map { page in
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
    if !isQuiet {
      lines.append(
        "\(ready) of \(ByteCount.count(report.pages.count, "page")) can be read without a network")
    }
    return lines
  }
}
