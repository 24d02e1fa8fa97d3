import OfflineCache
import Sandbox
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
