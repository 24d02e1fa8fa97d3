import ArgumentParser

/// The option for private reading.
struct PrivateArguments: ParsableArguments {
  @Flag(
    name: .named(PrivateOption.isPrivate),
    help: "Write nothing to the profile; saved pages can be read.")
  var isPrivate = false

  /// Rejects options that write to the disk if reading is private.
  func validate(with load: LoadArguments) throws {
    try Self.validate(isPrivate: isPrivate, with: load.choices)
  }

  /// Reads the option if it has this name; see `PlainChoices.read`.
  static func read(_ name: String, _ value: inout PlainValue, _ isPrivate: inout Bool) -> Bool {
    switch PrivateOption(rawValue: name) {
    case nil: false
    case .isPrivate: value.set(&isPrivate)
    }
  }

  /// Rejects options that write to the disk if reading is private.
  static func validate(isPrivate: Bool, with load: LoadChoices) throws {
    if isPrivate, load.log != nil {
      throw ValidationError("--private and --log cannot be used together")
    }
  }
}
