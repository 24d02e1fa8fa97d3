import Configuration
import ArgumentParser
import Foundation
import Reader

/// The option of keeping what the user may do.
struct SandboxArguments: ParsableArguments {
  @Flag(
    name: .customLong("no-sandbox"), help: "Do not give up other files and calls of the system.")
  var isOff = false

  /// Gives up the files that a command does not need, before it reads what others have written; to be called
  /// while there is one thread.
  /// - Parameters:
  ///   - profile: the profile, of which nothing is opened yet.
  ///   - writes: what may be written.
  ///   - allow: adds what the command was told.
  /// - Returns: what came of it; nil when it was not wanted.
  @discardableResult
  func confine(
    _ profile: Profile, writes: Confinement.Writing = .archive,
    _ allow: (inout Confinement) -> Void = { _ in }
  ) -> Confinement.Outcome? {
    Decoder.confine(!isOff)
    guard !isOff else { return nil }
    return confine(profile, to: Confinement(of: profile, writes: writes), allow)
  }

  /// The same, with what is kept.
  @discardableResult
  func confine(
    _ profile: Profile, to kept: Confinement, _ allow: (inout Confinement) -> Void
  ) -> Confinement.Outcome {
    var confinement = kept
    allow(&confinement)
    confinement.moveTemporaryFiles(to: profile.locations.index.deletingLastPathComponent().path)
    let outcome = confinement.begin()
    if case .refused(let reason) = outcome {
      StandardOutput.complain("not confined to its files: \(reason)")
    }
    return outcome
  }
}
