import Configuration
import Platform
import Foundation
import OfflineCache
import Synchronization
import Terminal

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
