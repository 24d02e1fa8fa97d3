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

/// Effects that open content and links in other programs.
extension EffectRunner {
  /// Opens content with the program for its media type.
  func open(_ attachment: Attachment) {
    guard !profile.isPrivate else {
      return report("a private session does not write files for other programs")
    }
    guard attachment.path == nil, attachment.content == nil else {
      return lanes.run(.programs) { [self] in show(attachment, content: attachment.content) }
    }
    Task { [self] in
      let options = attachment.loadOptions
      do throws(LoadError) {
        let loaded = try await profile.cache.data(
          for: WebRequest(written: attachment.url), options: options)
        let bytes = [UInt8](loaded.content)
        lanes.run(.programs) { [self] in show(attachment, content: bytes) }
      } catch {
        let error = ReaderError(error, url: attachment.url, options: options)
        report("not opened: \(error.description)")
      }
    }
  }

  /// Opens a URL with the configured program: in the background on a desktop, otherwise in the
  /// terminal.
  func open(address: String) {
    lanes.run(.programs) { [self] in
      let address = SafeText.withoutCredentials(address)
      switch programs.open(address: address) {
      case .inTerminal(let line):
        post(.ready(ShellCommand(line: line, url: address, waitsForKey: false)))
      case .started(let program): report("opened \(address) in \(program)", isError: false)
      case .nothing:
        report(Self.advice(forScheme: address.prefix { $0 != ":" }.lowercased()))
      case .failed, .done, .stopped, .ended:
        report(programs.unavailabilityReason ?? "the program cannot be started")
      }
    }
  }

  /// Returns the message for a link whose scheme no configured program opens.
  static func advice(forScheme scheme: String) -> String {
    let example = examples[scheme] ?? "firefox"
    return "no program opens \(scheme): links; set BROWSER or opener (BROWSER=\(example))"
  }

  /// An example program for each common scheme.
  private static let examples = [
    "mailto": "mutt", "gemini": "amfora", "gopher": "amfora", "finger": "amfora", "irc": "weechat",
    "ircs": "weechat", "magnet": "aria2c", "ftp": "lftp", "ftps": "lftp", "sftp": "lftp",
    "ssh": "ssh", "telnet": "telnet", "news": "tin", "nntp": "tin", "xmpp": "gajim",
    "geo": "gnome-maps", "tel": "linphone", "sip": "linphone", "rtsp": "mpv", "mms": "mpv",
  ]

  private func show(_ attachment: Attachment, content: [UInt8]?) {
    do throws(ReaderError) {
      let environment = ProcessInfo.processInfo.environment
      guard let file = try file(for: attachment, content: content, environment) else { return }
      switch programs.open(file: file, mediaType: attachment.mediaType) {
      // The file may have been deleted since, because the session is over.
      case _ where files.withLock(\.isOver): return
      case .inTerminal(let line):
        post(.ready(ShellCommand(line: line, url: attachment.url, waitsForKey: false)))
      case .started(let program): report("opened \(attachment.title) in \(program)", isError: false)
      case .nothing:
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

  /// Writes the file that a program opens, or links to it.
  /// - Returns: its path; nil if the session is over.
  private func file(
    for attachment: Attachment, content: [UInt8]?, _ environment: [String: String]
  ) throws(ReaderError) -> String? {
    try files.withLock { files throws(ReaderError) in
      guard !files.isOver else { return nil }
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
