import ArgumentParser
import OfflineCache
import Reader
import TerminalUI

/// `offread remove URL...`: takes what is saved of pages off the disk.
struct RemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove what is saved of pages, from the disk as well.")

  @Argument(help: "An http or https URL.")
  var urls: [String]

  @Flag(name: .customLong("dry-run"), help: "Only tell what would go.")
  var isDryRun = false

  @Flag(help: "Tell nothing but errors.")
  var quiet = false

  @OptionGroup var arguments: ProfileArguments

  mutating func run() throws {
    let urls = try urls.map(ProfileArguments.url)
    let (isDryRun, quiet) = (isDryRun, quiet)
    let isAllThere = try arguments.withProfile { profile in
      var isAllThere = true
      for url in urls {
        let bar = ProgressBar("removing", isQuiet: quiet)
        defer { bar.finish() }
        // Its words are only known while the archive has it.
        if !isDryRun, let key = profile.cache.key(of: url) { try profile.search.remove(key) }
        let removal = try profile.cache.remove(url, isDryRun: isDryRun, progress: bar.advance)
        if !isDryRun {
          let gone = [removal.key] + removal.redirects.compactMap(profile.cache.key)
          try profile.library.forget(Set(gone))
          for key in gone { InterruptedSave.forget(key, in: profile.locations.saves) }
        }
        bar.finish()
        let lines = Self.lines(removal, isDryRun: isDryRun)
        if removal.versions == 0 {
          isAllThere = false
          StandardOutput.complain(lines[0])
        } else if !quiet {
          try StandardOutput.write(Array((lines.joined(separator: "\n") + "\n").utf8))
        }
      }
      return isAllThere
    }
    if !isAllThere { throw ExitCode(1) }
  }

  /// What is told of a removal.
  static func lines(_ removal: Removal, isDryRun: Bool) -> [String] {
    let url = SafeText.line(SafeText.withoutCredentials(removal.key))
    guard removal.versions > 0 else { return ["nothing is saved of \(url)"] }
    let versions = ByteCount.count(removal.versions, "version")
    var lines = [
      "\(isDryRun ? "would remove" : "removed") \(url): \(versions),"
        + " \(ByteCount.text(removal.bytes))"
    ]
    if removal.foreignVersions > 0 {
      lines.append(
        "  \(removal.foreignVersions) of them in files that this machine did not write:"
          + " \(SafeText.line(removal.foreignFiles.joined(separator: ", ")))")
      lines.append(
        "    hidden for good, and on the disk until the machine that wrote them runs"
          + " offread archive compact, or the file is deleted")
    }
    for url in removal.redirects {
      lines.append("  and the redirect to it from \(SafeText.line(url))")
    }
    for url in removal.remaining {
      lines.append("  it led to \(SafeText.line(url)), which stays saved")
    }
    return lines
  }
}
