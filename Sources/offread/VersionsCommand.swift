import Profiles
import Configuration
import Saving
import Document
import Formats
import ArgumentParser
import Foundation
import Exchange
import OfflineCache
import Pages
import Reader
import Rendering
import TerminalUI

/// `offread versions URL`: lists the saved versions of a page.
struct VersionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "versions", abstract: "List the saved versions of a page.")

  @Argument(help: "An http or https URL.")
  var url: String

  @Flag(help: "Write JSON.")
  var json = false

  @Flag(help: "List the captures in the web archives that are set in [[remote]].")
  var remote = false

  @OptionGroup var arguments: ProfileArguments

  mutating func run() throws {
    let typed = try ProfileArguments.url(typed: url)
    if remote { return try listRemote(typed.address) }
    var url = typed.url
    let (versions, rendering) = try arguments.withProfile(ProfileArguments.Needs()) { profile in
      url = profile.url(of: typed)
      let key = profile.cache.key(of: url) ?? url
      let renderings = try SavedRendering.latest(of: [key], in: profile)
      let versions = try profile.cache.pageVersions(of: url)
      if versions.isEmpty {
        let shown = SafeText.line(SafeText.withoutCredentials(url))
        StandardOutput.printError("\(shown) is not saved")
        StandardOutput.printVariant(of: url, in: profile.cache, command: "offread versions")
        throw ExitCode(1)
      }
      return (versions, renderings[key])
    }
    let text = json ? try Self.jsonText(versions) : Self.tableText(versions, in: .local)
    try StandardOutput.write(Array(text.utf8))
    guard let rendering, !json else { return }
    let date = DateTexts.dayAndTimeText(rendering.date, in: .local)
    let title = rendering.title.isEmpty ? "" : ": " + rendering.title
    let line = SafeText.line("rendered by \(rendering.browser) on \(date)\(title)")
    try StandardOutput.write(Array((line + "\n").utf8))
  }

  /// Lists the versions in web archives (Memento TimeMaps, RFC 7089).
  private func listRemote(_ address: Address) throws {
    guard case .web(let page) = address else { return }
    let needs = ProfileArguments.Needs(usesNetwork: true)
    let mementos = try arguments.withProfile(needs) { profile in
      guard !profile.settings.remotes.isEmpty else {
        StandardOutput.printError(
          "no web archive is configured; see [[remote]] in offread.conf(5)")
        throw ExitCode(2)
      }
      let search = RemoteSearch(profile: profile, options: profile.settings.load)
      return profile.settings.remotes.flatMap { archive -> [Memento] in
        do throws(RemoteFailure) {
          return try search.timeMap(of: page, in: archive).mementos.reversed()
        } catch {
          StandardOutput.printError(
            "the archive of \(SafeText.line(archive.host)) \(error.description)")
          return []
        }
      }
    }
    guard !mementos.isEmpty else { throw ExitCode(1) }
    let text =
      json
      ? try JSONReport.text(
        "mementos", mementos.map { RemoteEntry(date: $0.date.ISO8601Format(), url: $0.url) })
      : mementos.map { memento in
        let date = DateTexts.dayAndTimeText(memento.date, in: .local)
        return SafeText.line("\(date)  \(memento.url)") + "\n"
      }.joined()
    try StandardOutput.write(Array(text.utf8))
  }

  private struct RemoteEntry: Encodable {
    var date: String
    var url: String

    private enum CodingKeys: String, CodingKey {
      case date = "date"
      case url = "url"
    }
  }

  /// Returns the versions as a table, newest first; a star marks the version that is shown.
  static func tableText(_ versions: [SavedVersion], in timeZone: TimeZone) -> String {
    let currentVersion = versions.first(where: \.isGood)
    let idLength = prefixLength(versions.map(\.response.id))
    var rows = [["ID", "CONTENT FROM", "STATUS", "LENGTH", "TRUSTED", "LAST CHECK"]]
    // The column exists only if some versions were imported or are from another device.
    let hasForeign = versions.contains { $0.response.importedFile != nil }
    if hasForeign { rows[0].append("FROM FILE") }
    // A URL that redirects is listed with the page to which it leads.
    let hasSeveralURLs = Set(versions.map(\.response.key)).count > 1
    if hasSeveralURLs { rows[0].append("URL") }
    let dates = DateTexts.distinctDateTexts(versions.map(\.response.generationDate), in: timeZone)
    for (version, date) in zip(versions, dates) {
      let response = version.response
      let check = response.lastCheck.map {
        "\(DateTexts.dayAndTimeText($0.date, in: timeZone)): \($0.result.text)"
      }
      rows.append([
        String(response.id.prefix(idLength)) + (version == currentVersion ? " *" : ""),
        date, "\(response.response.status)",
        CountFormatter.byteCountText(response.length),
        version.distrustReason.map { "no: \($0)" } ?? "yes",
        check ?? "-",
      ])
      if hasForeign { rows[rows.count - 1].append(response.importedFile ?? "-") }
      if hasSeveralURLs { rows[rows.count - 1].append(SafeText.withoutCredentials(response.key)) }
    }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      var line = ""
      for (text, width) in zip(row, widths) {
        line += SafeText.line(text).padding(toLength: width + 2, withPad: " ", startingAt: 0)
      }
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  /// Returns the length, at least 8, at which the prefixes of the ids are unique.
  static func prefixLength(_ ids: [String]) -> Int {
    var length = 8
    let longest = ids.map(\.count).max() ?? 0
    while length < longest, Set(ids.map { $0.prefix(length) }).count < Set(ids).count {
      length += 1
    }
    return length
  }

  /// A version in JSON output.
  private struct Entry: Encodable {
    var id: String
    var url: String
    var date: String
    var status: Int
    var length: Int64
    var type: String?
    var digest: String
    var isTrusted: Bool
    var isCurrent: Bool
    var distrust: String?
    var checked: String?
    var check: String?
    var file: String
    var offset: Int64
    var isForeign: Bool

    private enum CodingKeys: String, CodingKey {
      case id = "id"
      case url = "url"
      case date = "date"
      case status = "status"
      case length = "length"
      case type = "type"
      case digest = "digest"
      case isTrusted = "isTrusted"
      case isCurrent = "isCurrent"
      case distrust = "distrust"
      case checked = "checked"
      case check = "check"
      case file = "file"
      case offset = "offset"
      case isForeign = "isForeign"
    }
  }

  private static func jsonText(_ versions: [SavedVersion]) throws -> String {
    let current = versions.first(where: \.isGood)
    let entries = versions.map { version in
      let response = version.response
      return Entry(
        id: response.id, url: response.key, date: response.generationDate.ISO8601Format(),
        status: response.response.status, length: response.length,
        type: response.response.fields["Content-Type"], digest: response.payloadDigest,
        isTrusted: version.isGood, isCurrent: version == current,
        distrust: version.distrustReason,
        checked: response.lastCheck?.date.ISO8601Format(),
        check: response.lastCheck.map(\.result.text), file: version.segment,
        offset: version.offset, isForeign: response.importedFile != nil)
    }
    return try JSONReport.text("versions", entries)
  }
}
