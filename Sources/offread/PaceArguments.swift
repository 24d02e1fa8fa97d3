import Crawl
import ArgumentParser

/// The options that limit the request rate.
struct PaceArguments: ParsableArguments {
  @Option(
    name: .customLong("delay"), parsing: .unconditional,
    help: ArgumentHelp("Milliseconds between two requests to the same host.", valueName: "ms"))
  var delay = 250

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Number of hosts to contact at the same time.", valueName: "n"))
  var jobs = 8

  func validate() throws {
    guard (0...3_600_000).contains(delay) else {
      throw ValidationError("--delay takes 0 to 3600000 milliseconds")
    }
    guard (1...64).contains(jobs) else { throw ValidationError("--jobs takes 1 to 64") }
  }

  /// The limits of the request rate.
  var limits: PaceLimits {
    var limits = PaceLimits()
    limits.minGap = .milliseconds(delay)
    limits.hosts = jobs
    return limits
  }
}
