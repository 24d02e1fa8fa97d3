import ArgumentParser

/// `offread dump URL|FILE|-`: writes a page to standard output.
struct DumpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump", abstract: "Write a page to standard output.")

  @Argument(help: "A URL, a file, or - for standard input.")
  var target: String

  @OptionGroup var page: PageArguments
  @OptionGroup var load: LoadArguments
  @OptionGroup var privacy: PrivateArguments

  func validate() throws { try privacy.validate(with: load) }

  /// The dump that the arguments request.
  var dump: Dump {
    Dump(
      target: target, presentation: page.choices, load: load.choices, isPrivate: privacy.isPrivate)
  }

  mutating func run() throws { try dump.runAfterCheckingTarget() }
}

extension Dump {
  /// Runs the dump, unless the target is a misspelled command.
  func runAfterCheckingTarget() throws {
    if let text = UnknownCommand.message(forTarget: target) {
      StandardOutput.printError(text)
      throw ExitCode(2)
    }
    try run()
  }
}
