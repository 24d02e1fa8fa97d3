import Configuration
import Document
import ArgumentParser
import Foundation
import OfflineCache
import Reader

/// The options for cookies, passwords and certificates; they override the settings file.
struct IdentityArguments: ParsableArguments {
  @Option(help: ArgumentHelp("Send the cookies of this file (Netscape format).", valueName: "file"))
  var cookies: String?

  @Flag(help: "Take passwords from ~/.netrc.")
  var netrc = false

  @Option(
    name: .customLong("netrc-file"),
    help: ArgumentHelp("Take passwords from this file.", valueName: "file"))
  var netrcFile: String?

  @Option(
    help: ArgumentHelp("Show this certificate (PEM) to the host that is named.", valueName: "file"))
  var cert: String?

  @Option(help: ArgumentHelp("The key of the certificate (PEM).", valueName: "file"))
  var key: String?

  @Option(
    help: ArgumentHelp("Trust the certificates of this file (PEM) only.", valueName: "file"))
  var cacert: String?

  /// Combines the options and the settings to an identity.
  /// - Parameters:
  ///   - settings: the identity in the settings file.
  ///   - target: the URL that the user gave; `--cert` applies to its host only.
  ///   - jar: the file in which cookies are stored.
  /// - Returns: the identity.
  /// - Throws: exit code 1 if a file cannot be used, after that was reported.
  func identity(
    over settings: IdentitySettings, target: String?, jar: URL
  ) throws -> Identity {
    var settings = settings
    if let cookies { settings.cookieFile = URL(fileURLWithPath: cookies) }
    if netrc { settings.usesNetrc = true }
    if let netrcFile { settings.netrcFile = URL(fileURLWithPath: netrcFile) }
    if let cert {
      // A local file needs no certificate.
      let host = target.flatMap(Self.host)
      settings.certificate = host == nil ? nil : URL(fileURLWithPath: cert)
      settings.key = nil
      settings.certificateHosts = host.map { [$0] } ?? []
    }
    if let key, cert == nil || settings.certificate != nil {
      settings.key = URL(fileURLWithPath: key)
    }
    if let cacert { settings.authorities = URL(fileURLWithPath: cacert) }
    do throws(ArchiveError) {
      let identity = try settings.identity(jar: jar)
      if case .file(let file) = identity.cookies, let words = Self.words(for: file) {
        StandardOutput.complain("\(SafeText.line(settings.cookieFile?.path ?? "")): \(words)")
      }
      return identity
    } catch {
      StandardOutput.complain(SafeText.line(error.description))
      throw ExitCode(1)
    }
  }

  private static func host(of target: String) -> String? {
    guard case .web(let url)? = try? Address(typed: target, exists: { _ in false }) else {
      return nil
    }
    return url.host
  }

  /// Returns a message about lines of a cookie file that are not cookies; nil if there are none.
  private static func words(for file: CookieFile) -> String? {
    guard let first = file.badLines.first else { return nil }
    if file.count == 0 {
      return "there is no cookie in it; it takes the Netscape format (cookies.txt), a cookie a line"
    }
    return file.badLines.count == 1
      ? "line \(first) is no cookie and is left out"
      : "\(file.badLines.count) lines are no cookies and are left out, the first is line \(first)"
  }
}
