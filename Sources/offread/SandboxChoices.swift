import Configuration
import Profiles
import Sandbox
import Session
import Foundation

/// The value of the option that disables the sandbox.
struct SandboxChoices: PlainChoices {
  var isOff = false

  mutating func read(_ name: String, _ value: inout PlainValue) -> Bool {
    switch SandboxOption(rawValue: name) {
    case nil: false
    case .noSandbox: value.set(&isOff)
    }
  }

  /// Confines the process to the files that a command needs, before it reads untrusted data. Call
  /// it while the process has one thread.
  /// - Parameters:
  ///   - profile: the profile, of which nothing is opened yet.
  ///   - writes: the part of the profile that the command may write.
  ///   - outputs: the output files that the user named.
  ///   - browsers: whether pages are rendered.
  ///   - hooks: whether the commands of `[hooks]` may be called.
  ///   - allow: adds the files that the arguments name.
  /// - Returns: the outcome; nil if the sandbox is disabled.
  @discardableResult
  func confine(
    _ profile: Profile, writes: Confinement.Writing = .archive, outputs: [OutputGrant] = [],
    browsers: Bool = false, hooks: Bool = false, _ allow: (inout Confinement) -> Void = { _ in }
  ) -> Confinement.Outcome? {
    Decoder.confine(!isOff)
    var scope = outputs.isEmpty ? Launcher.Scope() : .outputs
    if !isOff, Confinement.isPossible {
      scope.formUnion(.decoders)
      if browsers { scope.formUnion(.browsers) }
      if hooks, profile.settings.hooks.readCommand != nil { scope.formUnion(.hooks) }
    }
    let kept = isOff ? nil : Confinement(of: profile, writes: writes)
    let needsDirectory = kept.map {
      !$0.writablePaths.isEmpty && !Self.isIndexDirectoryWritable(profile)
    }
    CommandLauncher.start(
      for: profile, scope, outputs: outputs, needsDirectory: needsDirectory ?? false)
    guard let kept else { return nil }
    return confine(profile, to: kept) { confinement in
      allow(&confinement)
      for output in outputs { confinement.allowWriting(named: output.path) }
    }
  }

  /// Returns whether the directory of the indexes, where temporary files go, is writable.
  private static func isIndexDirectoryWritable(_ profile: Profile) -> Bool {
    access(profile.locations.index.deletingLastPathComponent().path, W_OK) == 0
  }

  /// Confines the process to `base` and what `allow` adds.
  @discardableResult
  func confine(
    _ profile: Profile, to base: Confinement, _ allow: (inout Confinement) -> Void
  ) -> Confinement.Outcome {
    var confinement = base
    allow(&confinement)
    var temporary = profile.locations.index.deletingLastPathComponent().path
    if let directory = CommandLauncher.current?.directory {
      confinement.writablePaths.insert(directory.path)
      temporary = directory.path
    }
    confinement.moveTemporaryFiles(to: temporary)
    let outcome = confinement.apply()
    if case .refused(let reason) = outcome {
      StandardOutput.printError("running without a file sandbox: \(reason)")
    }
    return outcome
  }
}
