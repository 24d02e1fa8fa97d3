import Platform
import Document
import ArgumentParser
import OfflineCache
import OfflineCacheURLSession
import Reader
import WARC

/// The command line: arguments in, exit code out.
@main
struct Offread: ParsableCommand {
  /// The version of this program.
  static let version = Software.version

  static let configuration = CommandConfiguration(
    commandName: "offread",
    abstract: "Read the web in a terminal, also without a network.",
    discussion: "offread URL reads a page; offread read --help lists the options of the reader.",
    version: "offread \(version)",
    subcommands: [
      ReadCommand.self, DumpCommand.self, FetchCommand.self, SaveCommand.self, AddCommand.self,
      SyncCommand.self, CheckCommand.self, ListCommand.self, MarkCommand.self, SearchCommand.self,
      VersionsCommand.self, DiffCommand.self, RemoveCommand.self, ImportCommand.self,
      ExportCommand.self, BundleCommand.self, CompleteCommand.self,
      ArchiveCommand.self, ConfigCommand.self, DoctorCommand.self,
    ],
    defaultSubcommand: ReadCommand.self)

  /// Parses and runs; the exit codes are those of offread(1).
  static func main() {
    SystemProcesses.protectConstants()
    DecodeImage.run(ifAskedBy: Array(CommandLine.arguments.dropFirst()))
    if CommandLine.arguments.dropFirst().first == Decoder.argument {
      Decoder.become(Array(CommandLine.arguments.dropFirst(2)))
    }
    Decoder.confine()
    // A closed pipe and the limit of a file's size are errors of the call, which are told.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    SessionConfiguration.leaveNoFolders()
    let arguments = Array(CommandLine.arguments.dropFirst())
    if StandardOutput.isTerminal, let page = ManualPage.file(for: arguments, commands: commands) {
      ManualPage.show(page)
    }
    do {
      // ArgumentParser asks every command first what it takes.
      if arguments == ["--version"] {
        try StandardOutput.write(Array("\(configuration.version)\n".utf8))
        endProcess(0)
      }
      var command = try parsed(normalized(arguments))
      try command.run()
    } catch {
      finish(error)
    }
  }

  /// The command that the arguments name. What has plain arguments needs no parser; what is named in
  /// front is parsed by itself first: a tree of commands is asked for everything several times over,
  /// which costs a quarter of a short dump. Only the tree has the words for mistakes and for help.
  private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    // The word after an unknown option may be its value.
    if let word = firstWord(of: arguments), !hasUnknownOption(before: word, arguments),
      let words = UnknownCommand.words(for: word, commands: commands.sorted(), shown: shownCommands)
    {
      StandardOutput.complain(words)
      throw ExitCode(2)
    }
    if arguments.first == "help", let topic = arguments.dropFirst().first,
      let words = UnknownCommand.words(
        forTopic: topic, commands: commands.sorted(), shown: shownCommands)
    {
      StandardOutput.complain(words)
      throw ExitCode(2)
    }
    if let plain = plainCommand(arguments) { return plain }
    let named = configuration.subcommands.first {
      $0.configuration.commandName == arguments.first && $0.configuration.subcommands.isEmpty
    }
    // Help is a command of ArgumentParser's own.
    if let command = try? named?.parseAsRoot(Array(arguments.dropFirst())),
      type(of: command) == named
    {
      return command
    }
    return try parseAsRoot(arguments)
  }

  /// Dumping, fetching and reading with plain arguments: what is done most is there at once.
  static func plainCommand(_ arguments: [String]) -> (any ParsableCommand)? {
    switch arguments.first {
    case "dump":
      return PlainArguments(arguments.dropFirst(), valueOptions: valueOptions)
        .flatMap { DumpCommand($0) }
    case "fetch":
      let options = valueOptions.union(FetchCommand.plainValueOptions)
      return PlainArguments(arguments.dropFirst(), valueOptions: options)
        .flatMap { FetchCommand($0) }
    default: break
    }
    guard !arguments.contains(where: { commands.contains($0) || $0 == "help" }) else { return nil }
    return PlainArguments(arguments, valueOptions: valueOptions).flatMap { ReadCommand($0) }
  }

  /// The arguments with the command in front, also after options (`--offline dump URL`), and with
  /// the spellings with one dash that fingers know from other browsers.
  static func normalized(_ arguments: [String]) -> [String] {
    // What somebody types is no command yet.
    guard arguments.first != "complete" else { return arguments }
    let arguments = withCommandFirst(arguments)
    // Whatever comes after, fetch hands it on as it is (`--data -dump`).
    guard arguments.first != "fetch" else { return arguments }
    if arguments.first == "search" { return withExclusionsLast(arguments) }
    var result: [String] = []
    var isDump = false
    var isLiteral = false
    for argument in arguments {
      isLiteral = isLiteral || argument == "--"
      switch argument {
      case "-dump" where !isLiteral: isDump = true
      case "-cols" where !isLiteral: result.append("--width")
      default: result.append(argument)
      }
    }
    return isDump && result.first != "dump" ? ["dump"] + result : result
  }

  /// The arguments of a search with what must not be found (`-word`) behind `--`: it is no option.
  private static func withExclusionsLast(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    let isExclusion = { (argument: String) in
      argument.hasPrefix("-") && !argument.hasPrefix("--") && !["-", "-h"].contains(argument)
    }
    let excluded = arguments[..<end].filter(isExclusion)
    guard !excluded.isEmpty else { return arguments }
    return arguments[..<end].filter { !isExclusion($0) } + ["--"] + excluded
      + arguments[end...].dropFirst()
  }

  /// The first argument that is no option, unless `--` stands before it.
  private static func firstWord(of arguments: [String]) -> String? {
    let index = indexBehindOptions(arguments)
    return index < arguments.count && !arguments[index].hasPrefix("-") ? arguments[index] : nil
  }

  /// Returns whether an option that the reader does not have precedes a word.
  private static func hasUnknownOption(before word: String, _ arguments: [String]) -> Bool {
    let options = arguments.prefix { $0 != word }.filter { $0.hasPrefix("--") && $0 != "--" }
    guard !options.isEmpty else { return false }
    let known = UsageWords.spellings(of: "read")
    return options.contains { !known.contains(String($0.prefix { $0 != "=" })) }
  }

  private static func indexBehindOptions(_ arguments: [String]) -> Int {
    var index = 0
    while index < arguments.count, arguments[index].hasPrefix("--"), arguments[index] != "--" {
      index += valueOptions.contains(arguments[index]) ? 2 : 1
    }
    return index
  }

  private static func withCommandFirst(_ arguments: [String]) -> [String] {
    let index = indexBehindOptions(arguments)
    guard index > 0, index < arguments.count, commands.contains(arguments[index]) else {
      return arguments
    }
    var result = arguments
    result.insert(result.remove(at: index), at: 0)
    return result
  }

  private static let commands = Set(
    configuration.subcommands.compactMap { $0.configuration.commandName })

  /// Those that a person types.
  private static let shownCommands = configuration.subcommands
    .filter { $0.configuration.shouldDisplay }.compactMap { $0.configuration.commandName }.sorted()

  /// The options that take a value in the next argument and may stand before a command.
  private static let valueOptions: Set = [
    "--data-dir", "--mode", "--copy", "--patience", "--connect-timeout", "--timeout", "--log",
    "--cookies", "--netrc-file", "--cert", "--key", "--cacert",
    "--width", "--base", "--color", "--format", "--links", "--images",
  ]

  /// What asks for help or the version.
  private static let requests: Set = ["help", "-h", "--help", "--help-hidden", "--version"]

  private static func finish(_ error: any Error) -> Never {
    if let code = error as? ExitCode { endProcess(code.rawValue) }
    // Letters of a file's name are read as options, too, `h` among them.
    let arguments = CommandLine.arguments.dropFirst()
    if exitCode(for: error) == .success, !arguments.contains(where: requests.contains),
      let word = arguments.first(where: { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.count > 2 }
      )
    {
      let name = SafeText.line(word)
      StandardOutput.complain("there is no option \(name); a file of that name: ./\(name)")
      endProcess(2)
    }
    if exitCode(for: error) == .success {
      try? StandardOutput.write(Array((fullMessage(for: error) + "\n").utf8))
      endProcess(0)
    }
    var text = SafeText.withoutCredentials(inText: UsageWords.oneLine(message(for: error)))
    let isUsage = exitCode(for: error) == .validationFailure
    if isUsage {
      let named = CommandLine.arguments.dropFirst().first.flatMap {
        commands.contains($0) ? "offread \($0)" : nil
      }
      if let named, let words = UsageWords.option(text, of: named) {
        text = words
      } else {
        text = UsageWords.corrected(text, of: named.map { String($0.dropFirst("offread ".count)) })
      }
      while text.hasSuffix(".") { text.removeLast() }
      text +=
        (text.hasSuffix("?") ? " " : "; ") + "\(named ?? "offread") --help lists what there is"
    }
    StandardOutput.complain(text)
    endProcess(isUsage ? 2 : 1)
  }
}

/// Ends the process; inside a command `exit` is ArgumentParser's.
private func endProcess(_ code: Int32) -> Never {
  exit(code)
}
