import ArgumentParser
import OfflineCache
import Reader

/// The options that say as whom pages are asked for.
struct IdentityArguments: ParsableArguments {
  @Option(help: ArgumentHelp("Send the cookies of this file (Netscape format).", valueName: "file"))
  var cookies: String?

  /// The identity that the options and the settings choose; a file that cannot be read ends the
  /// command, since a page that nobody asked for would be shown else.
  func identity() throws -> Identity {
    var identity = Identity()
    if let cookies {
      do throws(ArchiveError) {
        let file = try CookieFile(path: cookies)
        if let words = Self.words(badLines: file.badLines) {
          StandardOutput.complain("\(SafeText.line(cookies)): \(words)")
        }
        identity.cookies = .file(file)
      } catch {
        StandardOutput.complain(SafeText.line(error.description))
        throw ExitCode(1)
      }
    }
    return identity
  }

  /// What is said of lines that are no cookies, nil when there are none.
  static func words(badLines: [Int]) -> String? {
    guard let first = badLines.first else { return nil }
    return badLines.count == 1
      ? "line \(first) is no cookie and is left out"
      : "\(badLines.count) lines are no cookies and are left out, the first is line \(first)"
  }
}
