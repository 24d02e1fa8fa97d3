import Commands
import ArgumentParser

/// `offread [URL|FILE|-]`: starts the reader; if standard output is not a terminal, does what
/// `dump` does.
struct ReadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read", abstract: "Read a page (the default command).")

  @Argument(help: "A URL, a file, or - for standard input; the library if omitted.")
  var target: String?

  @OptionGroup var page: PageArguments
  @OptionGroup var load: LoadArguments
  @OptionGroup var privacy: PrivateArguments

  func validate() throws { try privacy.validate(with: load) }

  /// The start of the reader with the arguments of this command.
  var reading: ReaderStart {
    ReaderStart(
      target: target, presentation: page.choices, load: load.choices, isPrivate: privacy.isPrivate)
  }

  mutating func run() throws { try reading.run() }
}
