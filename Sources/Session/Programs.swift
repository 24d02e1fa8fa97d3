import Configuration
import OfflineCache
import Platform
import Foundation
import Pages
import Sandbox
import Synchronization
import Terminal

/// Starts other programs, either from this process or, if it is sandboxed, through the launcher.
protocol Programs: Sendable {
  /// Opens a file with the program for its type, or returns the command line to run in the
  /// terminal.
  func open(file: String, mediaType: String) -> LauncherResponse
  /// Opens a URL with the configured program, or returns the command line to run in the terminal.
  func open(url: String) -> LauncherResponse
  /// Runs a command that uses the terminal; see `ForegroundCommand.run`.
  /// - Returns: the exit code of the command, or the negated number of the signal that ended it;
  ///   nil if it was not started.
  @MainActor func run(_ command: ShellCommand, keyDescriptor: Int32) -> Int32?
  /// Opens a text in the editor; see `ForegroundCommand.edit`.
  @MainActor func edit(_ text: [UInt8], keyDescriptor: Int32) -> EditedText
  /// Stops all other processes of the job, before this process itself stops.
  func stopJob()
  /// The reason why no program can be started any more; nil as long as programs can be started.
  var unavailabilityReason: String? { get }
  /// The operations on partial files of downloads.
  var partialFiles: PartialFileOperations { get }
  /// Ends the use of programs; no program is started afterwards.
  func finish()
}

/// Chooses the program for a file or a URL based on settings, mailcap files and environment
/// variables.
struct ProgramChoice: Sendable {
  let settings: Settings
  let environment: [String: String]

  private var opener: Opener {
    let mailcaps = Mailcap.paths(environment).compactMap { path -> Mailcap? in
      guard let bytes = try? LocalFile.read(path), bytes.count < 1 << 20 else { return nil }
      return Mailcap(String(decoding: bytes, as: UTF8.self))
    }
    let positions = (environment["PATH"] ?? "").split(separator: ":")
    return Opener(
      setting: settings.opener, player: settings.player, mailcaps: mailcaps,
      hasDesktop: positions.contains { access("\($0)/xdg-open", X_OK) == 0 })
  }

  /// Opens a file.
  /// - Parameters:
  ///   - file: the path of the file.
  ///   - mediaType: the media type of the file.
  ///   - testSucceeds: runs a shell command and returns whether it succeeds.
  ///   - start: starts a shell command in the background, and returns whether that succeeded.
  /// - Returns: the outcome.
  func open(
    file: String, mediaType: String, testSucceeds: (String) -> Bool, start: (String) -> Bool
  ) -> LauncherResponse {
    guard let command = opener.command(path: file, mediaType: mediaType, passes: testSucceeds)
    else {
      return .notStarted
    }
    if command.needsTerminal {
      return .runInTerminal(
        line: command.isCopious ? "{ \(command.line)\n} | ${PAGER:-less}" : command.line)
    }
    return start(command.line) ? .startedInBackground(program: command.program) : .failed(0)
  }

  /// Opens a URL, which the command reads from `OFFREAD_URL`. The command runs in the background on
  /// a desktop, otherwise in the terminal.
  /// - Parameters:
  ///   - url: the URL.
  ///   - start: starts a shell command in the background, and returns whether that succeeded.
  /// - Returns: the outcome.
  func open(url: String, start: (String) -> Bool) -> LauncherResponse {
    let browsers = environment["BROWSER"] ?? ""
    guard let command = opener.command(forURLIn: "OFFREAD_URL", browsers: browsers) else {
      return .notStarted
    }
    let isOnDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains {
      environment[$0]?.isEmpty == false
    }
    guard isOnDesktop else { return .runInTerminal(line: command.line) }
    return start(command.line) ? .startedInBackground(program: command.program) : .failed(0)
  }
}

/// Starts programs from this process.
final class LocalPrograms: Programs {
  private let choice: ProgramChoice
  private let conditions = ShellConditions()
  private let isStopped = Mutex(false)

  init(_ settings: Settings) {
    choice = ProgramChoice(
      settings: settings, environment: SystemProcesses.environment)
  }

  func open(file: String, mediaType: String) -> LauncherResponse {
    choice.open(file: file, mediaType: mediaType) {
      conditions.evaluate($0)
    } start: { line in
      // The session may have ended since, which deletes the file.
      !isStopped.withLock(\.self) && ShellProcess.startInBackground(line)
    }
  }

  func open(url: String) -> LauncherResponse {
    choice.open(url: url) {
      ShellProcess.startInBackground($0, variables: ["OFFREAD_URL": url])
    }
  }

  func run(_ command: ShellCommand, keyDescriptor: Int32) -> Int32? {
    // Editors create missing files, but not missing directories.
    if case .fileName(let path) = command.input {
      try? LocalFileSystem().makeDirectories((path as NSString).deletingLastPathComponent)
    }
    let status = ForegroundCommand.run(command, keyDescriptor: keyDescriptor) {
      NcursesTerminal.stop(keyDescriptor, stopJob)
    }
    return status.map(SystemProcesses.exitCode)
  }

  func edit(_ text: [UInt8], keyDescriptor: Int32) -> EditedText {
    ForegroundCommand.edit(text, keyDescriptor: keyDescriptor) {
      NcursesTerminal.stop(keyDescriptor, stopJob)
    }
  }

  func stopJob() { kill(0, SIGTSTP) }

  var unavailabilityReason: String? { nil }

  var partialFiles: PartialFileOperations { PartialFileOperations() }

  func finish() {
    isStopped.withLock { $0 = true }
    conditions.stop()
  }
}
