/// The completions of a command line.
struct Completion {
  /// A completion with its description, which may be empty.
  struct Candidate: Equatable {
    var word: String
    var description = ""
  }

  /// A further source of completions, which the caller or the shell searches.
  enum Source: Equatable {
    case files, directories, addresses, tags, collections
    /// The saved versions of the page at the first operand.
    case versions
  }

  /// The completions that the command table contains, in its order.
  private(set) var candidates: [Candidate] = []
  /// The further sources of completions.
  private(set) var sources: [Source] = []
  /// The part of the last word that precedes the completed text, such as `--format=`.
  private(set) var fixedPrefix = ""
  /// The text to complete.
  private(set) var typedText: String
  /// The operands before the text to complete.
  private(set) var operands: [String] = []
  /// The directory given with `--data-dir`; nil if the option is missing.
  private(set) var dataDirectory: String?

  private let commandTable: CommandTable
  private var command: CommandTable.Command

  /// Computes the completions.
  /// - Parameters:
  ///   - table: the commands.
  ///   - tokens: the words after the name of the program; the last one is completed.
  init(of table: CommandTable, after tokens: [String]) {
    self.commandTable = table
    typedText = tokens.last ?? ""
    let commands = table.command.subcommands ?? []
    command = commands.first { $0.commandName == "read" } ?? table.command
    let context = read(tokens.dropLast(), commands)
    if let option = context.option {
      addValues(of: option)
    } else if !context.isAfterDoubleDash, typedText.hasPrefix("--"),
      let equalsSign = typedText.firstIndex(of: "="),
      let knownOption = command.option(String(typedText[..<equalsSign]))
    {
      fixedPrefix = String(typedText[...equalsSign])
      typedText = String(typedText[typedText.index(after: equalsSign)...])
      addValues(of: knownOption)
    } else if !context.isAfterDoubleDash, typedText.hasPrefix("-") {
      addOptions(without: context.usedOptions)
    } else {
      if !context.hasCommand, operands.count == (context.isHelp ? 1 : 0) {
        candidates += commands.filter { $0.shouldDisplay != false }.map {
          let isHelp = $0.commandName == "help"
          return Candidate(
            word: $0.commandName,
            description: isHelp ? "Show the manual page of a command." : $0.abstract ?? "")
        }
      }
      if !context.isHelp { addOperand(at: operands.count) }
    }
    candidates.removeAll { !$0.word.hasPrefix(typedText) }
  }

  /// The facts about the previous words that determine the completions.
  private struct Context {
    var hasCommand = false
    var isAfterDoubleDash = false
    var isHelp = false
    var usedOptions: Set<String> = []
    /// The option whose value is completed; nil if the word is not the value of an option.
    var option: CommandTable.Argument?
  }

  private mutating func read(
    _ words: ArraySlice<String>, _ commands: [CommandTable.Command]
  ) -> Context {
    var context = Context()
    for word in words {
      if let option = context.option {
        process(word, of: option)
        context.option = nil
      } else if context.isAfterDoubleDash || word == "-" || !word.hasPrefix("-") {
        let mayBeCommand = !context.hasCommand && operands.isEmpty
        if mayBeCommand, word != "help",
          let namedCommand = commands.first(where: { $0.commandName == word })
        {
          command = namedCommand
          context.hasCommand = true
          continue
        }
        if mayBeCommand, word == "help" { context.isHelp = true }
        operands.append(word)
      } else if word == "--" {
        context.isAfterDoubleDash = true
      } else {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        context.usedOptions.insert(parts[0])
        guard let option = command.option(parts[0]) else { continue }
        if parts.count > 1 { process(parts[1], of: option) } else { context.option = option }
      }
    }
    return context
  }

  private mutating func process(_ value: String, of option: CommandTable.Argument) {
    if option.spellings.contains("--data-dir") { dataDirectory = value }
  }

  private mutating func addOptions(without used: Set<String>) {
    for option in command.arguments ?? [] where option.kind != .positional && option.shouldDisplay {
      guard option.isRepeating || used.isDisjoint(with: option.spellings) else { continue }
      guard let word = option.spellings.last else { continue }
      candidates.append(Candidate(word: word, description: description(of: option, word)))
    }
  }

  /// Returns the description of an option. A `--no-` flag is described only as the opposite of the
  /// flag without `no-`.
  private func description(of option: CommandTable.Argument, _ word: String) -> String {
    let other = "--" + word.dropFirst("--no-".count)
    let isOpposite = word.hasPrefix("--no-") && command.option(other, isFlag: true) != nil
    return isOpposite ? "The opposite of \(other)." : option.abstract ?? ""
  }

  private mutating func addOperand(at index: Int) {
    let positionals = (command.arguments ?? []).filter { $0.kind == .positional }
    if index < positionals.count {
      addValues(of: positionals[index])
    } else if let last = positionals.last, last.isRepeating {
      addValues(of: last)
    }
  }

  /// Adds the accepted values of an argument, and the source that its value name implies.
  private mutating func addValues(of argument: CommandTable.Argument) {
    candidates += (argument.completionKind?.list?["values"] ?? []).map { Candidate(word: $0) }
    switch argument.valueName {
    case "file", "files": sources = [.files]
    case "dir": sources = [.directories]
    case "tag": sources = [.tags]
    case "collection", "name": sources = [.collections]
    case "version", "from", "to": sources = [.versions]
    case "url", "urls", "base": sources = [.addresses]
    case "target":
      candidates += [
        Candidate(word: "about:offread", description: "The start page."),
        Candidate(word: "about:manual", description: "The manual."),
      ]
      sources = [.addresses, .files]
    default: break
    }
  }
}
