import ArgumentParser
import Reader

/// The option of reading without a trace.
struct PrivateArguments: ParsableArguments {
  @Flag(name: .customLong("private"), help: "Write nothing anywhere; what is saved can be read.")
  var isPrivate = false

  /// Fails where another option asks for something that is written.
  func validate(with load: LoadArguments) throws {
    if isPrivate, load.log != nil {
      throw ValidationError("--private and --log exclude each other")
    }
  }
}
