import Rendering
import ArgumentParser
import Foundation

/// The option that disables the sandbox.
struct SandboxArguments: ParsableArguments {
  @Flag(name: .named(SandboxOption.noSandbox), help: "Run without the sandbox.")
  var isOff = false

  /// The value of the option.
  var choices: SandboxChoices { SandboxChoices(isOff: isOff) }
}
