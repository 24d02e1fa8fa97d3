import Reader
import Profiles
import Commands
import Document
import Foundation
import OfflineCache
import Pages
import Sandbox
import Synchronization
import Terminal
import TerminalUI

/// Runs effects that open content and links in other programs.
extension EffectRunner {
  /// Opens content with the program for its media type.
  func open(_ attachment: Attachment) {
    guard !profile.isPrivate else {
      return report("a private session does not write files for other programs")
    }
    guard attachment.path == nil, attachment.content == nil else {
      return lanes.run(.programs) { [self] in openInProgram(attachment, content: attachment.content)
      }
    }
    Task { [self] in
      let options = attachment.loadOptions
      do throws(LoadError) {
        let loaded = try await profile.cache.data(
          for: WebRequest(written: attachment.url), options: options)
        lanes.run(.programs) { [self] in openInProgram(attachment, content: loaded.bytes) }
      } catch {
        let error = ReaderError(error, url: attachment.url, options: options)
        report("not opened: \(error.description)")
      }
    }
  }

  /// Opens a URL with the configured program: in the background on a desktop, otherwise in the
  /// terminal.
  func openURL(_ url: String) {
    lanes.run(.programs) { [self] in
      let url = SafeText.withoutCredentials(url)
      switch programs.open(url: url) {
      case .runInTerminal(let line):
        post(.shellCommandReady(ShellCommand(line: line, url: url, waitsForKeyAfterwards: false)))
      case .startedInBackground(let program): report("opened \(url) in \(program)", isError: false)
      case .notStarted:
        report(Self.schemeAdvice(forScheme: url.prefix { $0 != ":" }.lowercased()))
      case .failed, .done, .stopped, .ended:
        report(programs.unavailabilityReason ?? "the program cannot be started")
      }
    }
  }

  /// Returns the message for a link with a scheme for which no program is configured.
  static func schemeAdvice(forScheme scheme: String) -> String {
    let example = exampleProgramsByScheme[scheme] ?? "firefox"
    return "no program opens \(scheme): links; set BROWSER or opener (BROWSER=\(example))"
  }

  /// An example program for each common scheme.
  private static let exampleProgramsByScheme = [
    "mailto": "mutt", "gemini": "amfora", "gopher": "amfora", "finger": "amfora", "irc": "weechat",
    "ircs": "weechat", "magnet": "aria2c", "ftp": "lftp", "ftps": "lftp", "sftp": "lftp",
    "ssh": "ssh", "telnet": "telnet", "news": "tin", "nntp": "tin", "xmpp": "gajim",
    "geo": "gnome-maps", "tel": "linphone", "sip": "linphone", "rtsp": "mpv", "mms": "mpv",
  ]

  private func openInProgram(_ attachment: Attachment, content: [UInt8]?) {
    do throws(ReaderError) {
      let environment = ProcessInfo.processInfo.environment
      guard let file = try fileToOpen(for: attachment, content: content, environment) else {
        return
      }
      switch programs.open(file: file, mediaType: attachment.mediaType) {
      // The session may have ended since, which deletes the file.
      case _ where files.withLock(\.isSessionOver): return
      case .runInTerminal(let line):
        post(
          .shellCommandReady(
            ShellCommand(line: line, url: attachment.url, waitsForKeyAfterwards: false)))
      case .startedInBackground(let program):
        report("opened \(attachment.title) in \(program)", isError: false)
      case .notStarted:
        let setting = attachment.isPlayable ? "player" : "opener"
        report(
          "no program opens \(attachment.mediaType); set \(setting), or add one to ~/.mailcap")
      case .failed, .done, .stopped, .ended:
        report(programs.unavailabilityReason ?? "the program cannot be started")
      }
    } catch {
      report("not opened: \(error.description)")
    }
  }

  /// Provides the file for a program to open, as a new file or a link to an existing one.
  /// - Returns: the path of the file; nil if the session is over.
  private func fileToOpen(
    for attachment: Attachment, content: [UInt8]?, _ environment: [String: String]
  ) throws(ReaderError) -> String? {
    try files.withLock { files throws(ReaderError) in
      guard !files.isSessionOver else { return nil }
      let directory: PrivateDirectory
      if let made = files.directory {
        directory = made
      } else {
        directory = try PrivateDirectory(environment)
      }
      files.directory = directory
      guard let content else {
        return try directory.link(to: attachment.path ?? "", name: attachment.fileName)
      }
      return try directory.write(content, name: attachment.fileName)
    }
  }
}
