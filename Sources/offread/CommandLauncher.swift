import Rendering
import Foundation
import Platform
import Profiles
import Session
import Synchronization

/// The launcher of a command: a process that was started before the command entered its sandbox. It
/// writes the files that the user named, and starts decoders, browsers and hooks.
enum CommandLauncher {
  private static let launcher = Mutex<Launcher?>(nil)

  /// The launcher of this process; nil if none was started.
  static var current: Launcher? { launcher.withLock(\.self) }

  /// Starts the launcher, unless there is nothing for it to do. Call it while the process has one
  /// thread.
  /// - Parameters:
  ///   - profile: the profile of the command.
  ///   - scope: the services that the launcher offers.
  ///   - outputs: the files that it may write.
  ///   - needsDirectory: whether the command needs a directory for temporary files.
  static func start(
    for profile: Profile, _ scope: Launcher.Scope, outputs: [OutputGrant], needsDirectory: Bool
  ) {
    guard !scope.isEmpty || needsDirectory else { return }
    guard
      let started = MainActor.assumeIsolated({
        Launcher.start(for: profile, scope: scope, outputs: outputs, needsDirectory: needsDirectory)
      })
    else {
      return StandardOutput.printError("cannot start another process: \(SystemMessage.last)")
    }
    if scope.contains(.decoders) { started.useForDecoders() }
    if scope.contains(.browsers) { started.useForBrowsers() }
    if scope.contains(.hooks) { started.useForHooks() }
    launcher.withLock { $0 = started }
  }
}
