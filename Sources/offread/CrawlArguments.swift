import Crawl
import ArgumentParser
import OfflineCache

/// The options that limit which links are followed.
struct CrawlArguments: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Follow links to this depth.", valueName: "n"))
  var depth = 0

  @Flag(name: .customLong("same-host"), help: "Follow only links to the same host.")
  var staysOnHost = false

  @Option(
    name: .customLong("include"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Follow only links that match (* is any text).", valueName: "glob"))
  var includes: [String] = []

  @Option(
    name: .customLong("exclude"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Do not follow links that match.", valueName: "glob"))
  var excludes: [String] = []

  func validate() throws {
    guard (0...100).contains(depth) else { throw ValidationError("--depth takes 0 to 100") }
    for (name, isGiven) in [
      ("same-host", staysOnHost), ("include", !includes.isEmpty), ("exclude", !excludes.isEmpty),
    ] where isGiven && depth == 0 {
      throw ValidationError("--\(name) requires --depth, because no links are followed")
    }
  }

  /// The limits of the crawl.
  var bounds: CrawlBounds {
    var bounds = CrawlBounds()
    bounds.depth = depth
    bounds.staysOnHost = staysOnHost
    (bounds.includes, bounds.excludes) = (includes, excludes)
    return bounds
  }
}
