import Configuration
import Document
import ArgumentParser
import Foundation
import OfflineCache
import Pages
import Platform

/// The values of the options for cookies, passwords and certificates.
struct IdentityChoices: PlainChoices {
  var cookies: String?
  var netrc = false
  var netrcFile: String?
  var cert: String?
  var key: String?
  var cacert: String?

  mutating func read(_ name: String, _ value: inout PlainValue) -> Bool {
    switch IdentityOption(rawValue: name) {
    case nil: false
    case .cookies: value.read(&cookies)
    case .netrc: value.set(&netrc)
    case .netrcFile: value.read(&netrcFile)
    case .cert: value.read(&cert)
    case .key: value.read(&key)
    case .cacert: value.read(&cacert)
    }
  }

  /// Combines the options and the settings into an identity.
  /// - Parameters:
  ///   - settings: the identity in the settings file.
  ///   - target: the URL that the user gave; `--cert` applies to its host only.
  ///   - cookieJar: the file in which cookies are stored.
  /// - Returns: the identity.
  /// - Throws: exit code 1 if a file cannot be used, after that was reported.
  func identity(
    over settings: IdentitySettings, target: String?, cookieJar: URL
  ) throws -> Identity {
    var settings = settings
    if let cookies { settings.cookieFile = URL(fileURLWithPath: cookies) }
    if netrc { settings.usesNetrc = true }
    if let netrcFile { settings.netrcFile = URL(fileURLWithPath: netrcFile) }
    if let cert {
      // A local file needs no certificate.
      let host = target.flatMap(Self.host)
      settings.certificateFile = host == nil ? nil : URL(fileURLWithPath: cert)
      settings.keyFile = nil
      settings.certificateHosts = host.map { [$0] } ?? []
    }
    if let key, cert == nil || settings.certificateFile != nil {
      settings.keyFile = URL(fileURLWithPath: key)
    }
    if let cacert { settings.authorities = URL(fileURLWithPath: cacert) }
    do throws(ArchiveError) {
      let identity = try settings.identity(jar: cookieJar)
      if case .file(let file) = identity.cookies, let text = Self.cookieFileMessage(for: file) {
        let name = LocalFile.displayName(settings.cookieFile?.path ?? "")
        StandardOutput.printError("\(name): \(text)")
      }
      return identity
    } catch {
      StandardOutput.printError(SafeText.line(PathText.displayText(error.description)))
      throw ExitCode(1)
    }
  }

  private static func host(of target: String) -> String? {
    guard case .web(let url)? = try? Address(typed: target, exists: { _ in false }) else {
      return nil
    }
    return url.host
  }

  /// Returns a message about lines of a cookie file that are not cookies; nil if all are cookies.
  private static func cookieFileMessage(for file: CookieFile) -> String? {
    guard let first = file.invalidLines.first else { return nil }
    if file.count == 0 {
      return file.isJSON
        ? "no cookies in the JSON of this file, which needs name, value and domain of each"
        : "no cookies in the Netscape format (cookies.txt), which has one cookie per line"
    }
    let unit = file.isJSON ? "element" : "line"
    return file.invalidLines.count == 1
      ? "\(unit) \(first) is not a cookie and is ignored"
      : "\(file.invalidLines.count) \(unit)s are not cookies and are ignored, the first is "
        + "\(unit) \(first)"
  }
}
