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
  private let conditions = ShellConditions()
  private let files = Mutex(Files())

  /// Where files are for as long as the session lasts.
  private struct Files {
    var folder: PrivateFolder?
    var isOver = false
  }

  /// - Parameters:
  ///   - profile: where the bytes are, and the settings.
  ///   - post: takes answers, from any thread.
  init(profile: Profile, post: @escaping @Sendable (Message) -> Void) {
    self.profile = profile
    self.post = post
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
      let environment = ProcessInfo.processInfo.environment
      let command = Self.opener(profile.settings, environment).command(
        forAddressIn: "OFFREAD_URL", browsers: environment["BROWSER"] ?? "")
      guard let command else {
        return tell(
          "set BROWSER, or opener in the settings: nothing opens addresses", isError: true)
      }
      let address = SafeText.withoutCredentials(address)
      let isOnDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains {
        environment[$0]?.isEmpty == false
      }
      guard isOnDesktop else {
        return post(
          .ready(ShellCommand(line: command.line, url: address, waitsForKey: false)))
      }
      let isStarted = ShellProcess.startInBackground(
        command.line, variables: ["OFFREAD_URL": address])
      tell(
        isStarted ? "\(address) goes to \(command.program)" : "no process can be started",
        isError: !isStarted)
    }
  }

  private func show(_ attachment: Attachment, content: [UInt8]?) {
    do throws(ReaderError) {
      let environment = ProcessInfo.processInfo.environment
      guard let file = try file(for: attachment, content: content, environment) else { return }
      let command = Self.opener(profile.settings, environment).command(
        path: file, mediaType: attachment.mediaType
      ) { conditions.holds($0) }
      // The file may be gone since.
      guard !files.withLock(\.isOver) else { return }
      guard let command else {
        return tell(
          "set opener in the settings, or a program in ~/.mailcap: nothing shows"
            + " \(attachment.mediaType)", isError: true)
      }
      start(command, attachment)
    } catch {
      tell("not opened: \(error.description)", isError: true)
    }
  }

  private func start(_ command: Opener.Command, _ attachment: Attachment) {
    if command.needsTerminal {
      let line = command.isCopious ? "{ \(command.line)\n} | ${PAGER:-less}" : command.line
      return post(.ready(ShellCommand(line: line, url: attachment.url, waitsForKey: false)))
    }
    let isStarted = ShellProcess.startInBackground(command.line)
    tell(
      isStarted ? "\(attachment.title) goes to \(command.program)" : "no process can be started",
      isError: !isStarted)
  }

  private func tell(_ words: String, isError: Bool) {
    post(.told(SafeText.line(words), isError: isError))
  }

  private static func opener(_ settings: Settings, _ environment: [String: String]) -> Opener {
    let mailcaps = Mailcap.paths(environment).compactMap { path -> Mailcap? in
      guard let bytes = try? LocalFile.read(path), bytes.count < 1 << 20 else { return nil }
      return Mailcap(String(decoding: bytes, as: UTF8.self))
    }
    let places = (environment["PATH"] ?? "").split(separator: ":")
    return Opener(
      setting: settings.opener, mailcaps: mailcaps,
      hasDesktop: places.contains { access("\($0)/xdg-open", X_OK) == 0 })
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
    conditions.stop()
  }
}
