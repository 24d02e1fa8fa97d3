import Commands
import Platform
import Configuration
import Saving
import Document
import Dispatch
import Foundation
import OfflineCache
import Reader
import Synchronization
import Terminal
import TerminalUI

/// Gives content that is no text to the programs that show it; answers go to the mailbox.
final class OpeningWork: Sendable {
  private let profile: Profile
  private let post: @Sendable (Message) -> Void
  private let queue = DispatchQueue(label: "offread.opening")
  private let programs: any Programs
  private let files: Mutex<Files>

  /// Where files are for as long as the session lasts.
  private struct Files {
    var folder: PrivateFolder?
    var isOver = false
  }

  /// - Parameters:
  ///   - profile: where the bytes are, and the settings.
  ///   - programs: starts them.
  ///   - folder: where files are for them; nil for one that is made when it is needed.
  ///   - post: takes answers, from any thread.
  init(
    profile: Profile, programs: any Programs, folder: PrivateFolder?,
    post: @escaping @Sendable (Message) -> Void
  ) {
    self.profile = profile
    self.programs = programs
    self.post = post
    files = Mutex(Files(folder: folder))
  }

  /// Opens something with the program for its type.
  func open(_ attachment: Attachment) {
    guard !profile.isPrivate else {
      return tell("a private session writes no file for other programs", isError: true)
    }
    guard attachment.path == nil, attachment.content == nil else {
      return queue.async { [self] in show(attachment, content: attachment.content) }
    }
    Task { [self] in
      let options = attachment.loadOptions
      do throws(LoadError) {
        let loaded = try await profile.cache.data(
          for: WebRequest(written: attachment.url), options: options)
        let bytes = [UInt8](loaded.content)
        queue.async { [self] in show(attachment, content: bytes) }
      } catch {
        let error = ReaderError(error, url: attachment.url, options: options)
        tell("not opened: \(error.description)", isError: true)
      }
    }
  }

  /// Gives an address to the program that is set for it: behind the reader where there is a desktop,
  /// else in the terminal.
  func open(address: String) {
    queue.async { [self] in
      let address = SafeText.withoutCredentials(address)
      switch programs.open(address: address) {
      case .inTerminal(let line):
        post(.ready(ShellCommand(line: line, url: address, waitsForKey: false)))
      case .started(let program): tell("\(address) goes to \(program)", isError: false)
      case .nothing:
        tell(Self.advice(forScheme: address.prefix { $0 != ":" }.lowercased()), isError: true)
      case .failed, .done, .stopped, .ended:
        tell(programs.whyNothing ?? "no process can be started", isError: true)
      }
    }
  }

  /// Returns the message for a link whose scheme no configured program opens.
  static func advice(forScheme scheme: String) -> String {
    let example = programs[scheme] ?? "firefox"
    return "no program opens \(scheme): links; set BROWSER or opener (BROWSER=\(example))"
  }

  /// An example program for each common scheme.
  private static let programs = [
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
      // The file may be gone since.
      case _ where files.withLock(\.isOver): return
      case .inTerminal(let line):
        post(.ready(ShellCommand(line: line, url: attachment.url, waitsForKey: false)))
      case .started(let program): tell("\(attachment.title) goes to \(program)", isError: false)
      case .nothing:
        tell(
          "set opener in the settings, or a program in ~/.mailcap: nothing shows"
            + " \(attachment.mediaType)", isError: true)
      case .failed, .done, .stopped, .ended:
        tell(programs.whyNothing ?? "no process can be started", isError: true)
      }
    } catch {
      tell("not opened: \(error.description)", isError: true)
    }
  }

  private func tell(_ words: String, isError: Bool) {
    post(.told(SafeText.line(words), isError: isError))
  }

  /// Writes or links the file that a program is given.
  /// - Returns: its path; nil when the session is over.
  private func file(
    for attachment: Attachment, content: [UInt8]?, _ environment: [String: String]
  ) throws(ReaderError) -> String? {
    try files.withLock { files throws(ReaderError) in
      guard !files.isOver else { return nil }
      let folder: PrivateFolder
      if let made = files.folder { folder = made } else { folder = try PrivateFolder(environment) }
      files.folder = folder
      guard let content else {
        return try folder.link(to: attachment.path ?? "", name: attachment.fileName)
      }
      return try folder.write(content, name: attachment.fileName)
    }
  }

  /// Removes the files; what was still to be given to a program is not.
  func finish() {
    files.withLock { files in
      files.isOver = true
      files.folder?.remove()
    }
    programs.finish()
  }
}
