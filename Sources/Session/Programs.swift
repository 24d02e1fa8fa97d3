import Configuration
import OfflineCache
import Platform
import Foundation
import Reader
import Synchronization
import Terminal

/// What starts other programs for the reader: the reader itself, or its launcher when it is confined.
protocol Programs: Sendable {
  /// Opens a file with the program for its type, or says what is to have the terminal for it.
  func open(file: String, mediaType: String) -> LauncherAnswer
  /// Opens an address with the program for it, or says what is to have the terminal for it.
  func open(address: String) -> LauncherAnswer
  /// Gives the terminal to a command; see `ForegroundCommand.run`.
  /// - Returns: 0 if it succeeded, its exit code, or the negative number of the signal that ended it; nil if it was
  ///   not started.
  @MainActor func run(_ command: ShellCommand, keys: Int32) -> Int32?
  /// Lets a person change a text in the editor; see `ForegroundCommand.edit`.
  @MainActor func edit(_ text: [UInt8], keys: Int32) -> [UInt8]?
  /// Stops all others of the job, before this process stops.
  func stopJob()
  /// Why nothing can be started any more; nil as long as something can.
  var whyNothing: String? { get }
  /// How files are made that a person has named.
  var drafts: DraftPlaces { get }
  /// Starts nothing any more.
  func finish()
}

/// The choice of the program for a file or an address, by settings, mailcap and the environment.
struct ProgramChoice: Sendable {
  let settings: Settings
  let environment: [String: String]

  private var opener: Opener {
    let mailcaps = Mailcap.paths(environment).compactMap { path -> Mailcap? in
      guard let bytes = try? LocalFile.read(path), bytes.count < 1 << 20 else { return nil }
      return Mailcap(String(decoding: bytes, as: UTF8.self))
    }
    let places = (environment["PATH"] ?? "").split(separator: ":")
    return Opener(
      setting: settings.opener, mailcaps: mailcaps,
      hasDesktop: places.contains { access("\($0)/xdg-open", X_OK) == 0 })
  }

  /// Opens a file.
  /// - Parameters:
  ///   - file: its path.
  ///   - mediaType: its type.
  ///   - passes: whether a command of the shell succeeds.
  ///   - start: starts a command behind the reader.
  /// - Returns: what came of it.
  func open(
    file: String, mediaType: String, passes: (String) -> Bool, start: (String) -> Bool
  ) -> LauncherAnswer {
    guard let command = opener.command(path: file, mediaType: mediaType, passes: passes) else {
      return .nothing
    }
    if command.needsTerminal {
      return .inTerminal(
        line: command.isCopious ? "{ \(command.line)\n} | ${PAGER:-less}" : command.line)
    }
    return start(command.line) ? .started(program: command.program) : .failed(0)
  }

  /// Opens an address, which a command finds in `OFFREAD_URL`: behind the reader where there is a desktop.
  /// - Parameters:
  ///   - address: the address.
  ///   - start: starts a command behind the reader.
  /// - Returns: what came of it.
  func open(address: String, start: (String) -> Bool) -> LauncherAnswer {
    let browsers = environment["BROWSER"] ?? ""
    guard let command = opener.command(forAddressIn: "OFFREAD_URL", browsers: browsers) else {
      return .nothing
    }
    let isOnDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains {
      environment[$0]?.isEmpty == false
    }
    guard isOnDesktop else { return .inTerminal(line: command.line) }
    return start(command.line) ? .started(program: command.program) : .failed(0)
  }
}

/// Starts programs itself.
final class OwnPrograms: Programs {
  private let choice: ProgramChoice
  private let conditions = ShellConditions()
  private let isOver = Mutex(false)

  init(_ settings: Settings) {
    choice = ProgramChoice(
      settings: settings, environment: ProcessInfo.processInfo.environment)
  }

  func open(file: String, mediaType: String) -> LauncherAnswer {
    choice.open(file: file, mediaType: mediaType) {
      conditions.holds($0)
    } start: { line in
      // The file may be gone since.
      !isOver.withLock(\.self) && ShellProcess.startInBackground(line)
    }
  }

  func open(address: String) -> LauncherAnswer {
    choice.open(address: address) {
      ShellProcess.startInBackground($0, variables: ["OFFREAD_URL": address])
    }
  }

  func run(_ command: ShellCommand, keys: Int32) -> Int32? {
    // Editors create a file, but not its directory.
    if case .named(let path) = command.input {
      try? LocalFileSystem().makeFolders((path as NSString).deletingLastPathComponent)
    }
    let status = ForegroundCommand.run(command, keys: keys) { NcursesTerminal.stop(keys, stopJob) }
    return status.map(SystemProcesses.exitCode)
  }

  func edit(_ text: [UInt8], keys: Int32) -> [UInt8]? {
    ForegroundCommand.edit(text, keys: keys) { NcursesTerminal.stop(keys, stopJob) }
  }

  func stopJob() { kill(0, SIGTSTP) }

  var whyNothing: String? { nil }

  var drafts: DraftPlaces { DraftPlaces() }

  func finish() {
    isOver.withLock { $0 = true }
    conditions.stop()
  }
}
