import Pages
import Platform
import Document
import ArgumentParser
import OfflineCache
import OfflineCacheURLSession
import Sandbox
import WARC

/// The program: parses the command line and runs a command.
@main
struct Offread: ParsableCommand {
  /// The version of this program.
  static let version = Software.version

  static let configuration = CommandConfiguration(
    commandName: "offread",
    abstract: "Read the web in a terminal, online or offline.",
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

  /// The commands that may load pages.
  private static var loadingCommands: [any ParsableCommand.Type] {
    [
      ReadCommand.self, DumpCommand.self, FetchCommand.self, SaveCommand.self, AddCommand.self,
      SyncCommand.self, CheckCommand.self, MarkCommand.self, VersionsCommand.self, DiffCommand.self,
      ImportCommand.self, ExportCommand.self, DoctorCommand.self,
    ]
  }

  /// Parses the arguments and runs the command; the exit codes are those of offread(1).
  static func main() {
    StandardDescriptors.openMissing()
    SystemProcesses.protectConstants()
    ImageDecodingProcess.run(ifAskedBy: Array(CommandLine.arguments.dropFirst()))
    if CommandLine.arguments.dropFirst().first == Decoder.argument {
      Decoder.execute(Array(CommandLine.arguments.dropFirst(2)))
    }
    Decoder.confine()
    // A closed pipe and an exceeded file size limit are reported as errors of the call instead.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    let arguments = PathText.arguments
    if StandardOutput.isTerminal,
      let page = ManualPage.manualFile(for: arguments, commands: commandNames)
    {
      ManualPage.show(page)
    }
    do {
      // The version is printed early, because ArgumentParser would first query the options of every
      // command.
      if arguments == ["--version"] {
        try StandardOutput.write(Array("\(configuration.version)\n".utf8))
        endProcess(0)
      }
      try run(withTextReplaced(normalized(arguments)))
    } catch {
      finish(error)
    }
  }

  /// Runs the command that the arguments name.
  ///
  /// Plain arguments are parsed without ArgumentParser, and a command at the start is parsed on its
  /// own. Parsing the whole command tree queries every option several times, which takes a quarter
  /// of the time of a short dump, but is necessary for error messages and help.
  private static func run(_ arguments: [String]) throws {
    // The word after an unknown option may be its value.
    if let word = firstWord(of: arguments), !hasUnknownOption(before: word, arguments),
      let text = UnknownCommand.message(
        for: word, commands: commandNames.sorted(), shown: shownCommandNames)
    {
      StandardOutput.printError(text)
      throw ExitCode(2)
    }
    if arguments.first == "help", let topic = arguments.dropFirst().first,
      let text = UnknownCommand.message(
        forTopic: topic, commands: commandNames.sorted(), shown: shownCommandNames)
    {
      StandardOutput.printError(text)
      throw ExitCode(2)
    }
    // URLSessions are prepared before there is a second thread, because the preparation changes the
    // environment for a moment.
    if let plain = plainCommand(arguments) {
      if plain.usesSession { HTTPCache.prepareSessionsWithoutDirectories() }
      try plain.run()
      return
    }
    var command = try parseCommand(arguments)
    if loadingCommands.contains(where: { $0 == type(of: command) }) {
      HTTPCache.prepareSessionsWithoutDirectories()
    }
    try command.run()
  }

  private static func parseCommand(_ arguments: [String]) throws -> any ParsableCommand {
    let arguments = withEmptyValuesSeparate(arguments)
    let named = configuration.subcommands.first {
      $0.configuration.commandName == arguments.first && $0.configuration.subcommands.isEmpty
    }
    // `help` is a command of ArgumentParser.
    if let command = try? named?.parseAsRoot(Array(arguments.dropFirst())),
      type(of: command) == named
    {
      return command
    }
    return try parseAsRoot(arguments)
  }

  /// Returns the arguments with each `--name=` written as `--name` and an empty argument, because
  /// ArgumentParser would use the argument after `--name=` as the value.
  private static func withEmptyValuesSeparate(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    return arguments[..<end].flatMap { argument in
      let hasEmptyValue = argument.hasPrefix("--") && argument.last == "="
      return hasEmptyValue && argument.count { $0 == "=" } == 1
        ? [String(argument.dropLast()), ""] : [argument]
    } + arguments[end...]
  }

  /// Returns the command for plain arguments of the reader, `dump` and `fetch`, the most frequent
  /// invocations; nil for others.
  static func plainCommand(_ arguments: [String]) -> PlainCommand? {
    switch arguments.first {
    case "dump": return Dump(plain: arguments.dropFirst()).map(PlainCommand.dump)
    case "fetch": return FetchChoices(plain: arguments.dropFirst()).map(PlainCommand.fetch)
    default: break
    }
    guard !arguments.contains(where: { commandNames.contains($0) || $0 == "help" }) else {
      return nil
    }
    return ReaderStart(plain: arguments[...]).map(PlainCommand.read)
  }

  /// Returns the arguments with the command first, also if it follows options (`--offline dump
  /// URL`), and with options of other browsers (`-dump`, `-cols`) replaced.
  static func normalized(_ arguments: [String]) -> [String] {
    // A command line that is being typed stays unchanged.
    guard arguments.first != "complete" else { return arguments }
    let arguments = withCommandFirst(arguments)
    // `fetch` gets its arguments unchanged (`--data -dump`).
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

  /// Returns the arguments without characters for raw bytes (see `PathText`) where they are neither
  /// paths nor URLs, such as tags and the words of a search. The name of the data directory is
  /// text, because SQLite and Foundation open files in it.
  private static func withTextReplaced(_ arguments: [String]) -> [String] {
    PathText.sanitizedArguments(
      arguments,
      textOptions: [
        "--data-dir", "--tag", "--untag", "--note", "--title", "--site", "--collection", "--as",
        "--include", "--exclude", "-H",
      ], hasTextOperands: arguments.first == "search")
  }

  /// Returns the arguments of a search with excluded words (`-word`) after `--`, because they are
  /// not options.
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

  /// Returns the first argument that is neither an option nor its value; nil if there is none, or
  /// if `--` precedes it.
  private static func firstWord(of arguments: [String]) -> String? {
    let index = indexAfterOptions(arguments)
    return index < arguments.count && !arguments[index].hasPrefix("-") ? arguments[index] : nil
  }

  /// Returns whether an option that the reader does not have precedes a word.
  private static func hasUnknownOption(before word: String, _ arguments: [String]) -> Bool {
    let options = arguments.prefix { $0 != word }.filter { $0.hasPrefix("--") && $0 != "--" }
    guard !options.isEmpty else { return false }
    let known = UsageMessages.spellings(of: "read")
    return options.contains { !known.contains(String($0.prefix { $0 != "=" })) }
  }

  private static func indexAfterOptions(_ arguments: [String]) -> Int {
    var index = 0
    while index < arguments.count, arguments[index].hasPrefix("--"), arguments[index] != "--" {
      index += ReaderStart().takesNextArgument(after: arguments[index]) ? 2 : 1
    }
    return index
  }

  private static func withCommandFirst(_ arguments: [String]) -> [String] {
    let index = indexAfterOptions(arguments)
    guard index > 0, index < arguments.count, commandNames.contains(arguments[index]) else {
      return arguments
    }
    var result = arguments
    result.insert(result.remove(at: index), at: 0)
    return result
  }

  private static let commandNames = Set(
    configuration.subcommands.compactMap { $0.configuration.commandName })

  /// The names of the commands that `--help` shows.
  private static let shownCommandNames = configuration.subcommands
    .filter { $0.configuration.shouldDisplay }.compactMap { $0.configuration.commandName }.sorted()

  /// Arguments that request help or the version.
  private static let helpArguments: Set = ["help", "-h", "--help", "--help-hidden", "--version"]

  private static func finish(_ error: any Error) -> Never {
    if let code = error as? ExitCode { endProcess(code.rawValue) }
    // The letters of a file name are parsed as options too, `h` among them.
    let arguments = CommandLine.arguments.dropFirst()
    if exitCode(for: error) == .success, !arguments.contains(where: helpArguments.contains),
      let word = arguments.first(where: { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.count > 2 }
      )
    {
      let name = SafeText.line(word)
      StandardOutput.printError(
        "there is no option \(name); for a file of that name type ./\(name)")
      endProcess(2)
    }
    if exitCode(for: error) == .success {
      do {
        try StandardOutput.write(Array((fullMessage(for: error) + "\n").utf8))
      } catch {
        finish(error)
      }
      endProcess(0)
    }
    let text = SafeText.withoutCredentials(inText: UsageMessages.oneLine(message(for: error)))
    let isUsage = exitCode(for: error) == .validationFailure
    StandardOutput.printError(isUsage ? usageText(text) : text)
    endProcess(isUsage ? 2 : 1)
  }

  /// Returns a message of the parser in the style of offread, with a reference to the help.
  private static func usageText(_ message: String) -> String {
    let commandName = CommandLine.arguments.dropFirst().first.flatMap {
      commandNames.contains($0) ? "offread \($0)" : nil
    }
    var text =
      commandName.flatMap { UsageMessages.misplacedOptionMessage(message, of: $0) }
      ?? UsageMessages.unknownOptionMessage(
        message, of: commandName.map { String($0.dropFirst("offread ".count)) })
    text = UsageMessages.restyled(text)
    while text.hasSuffix(".") { text.removeLast() }
    return text + (text.hasSuffix("?") ? " " : "; ") + "see \(commandName ?? "offread") --help"
  }
}

/// Ends the process; inside a command, `exit` is a method of ArgumentParser.
private func endProcess(_ code: Int32) -> Never {
  exit(code)
}
