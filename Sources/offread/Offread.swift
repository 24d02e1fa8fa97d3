import ArgumentParser

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The command line: arguments in, exit code out.
@main
struct Offread: ParsableCommand {
  /// The version of this program.
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "offread",
    abstract: "Read the web in a terminal, also without a network.",
    version: "offread \(version)",
    subcommands: [ReadCommand.self, DumpCommand.self, FetchCommand.self],
    defaultSubcommand: ReadCommand.self)

  /// Parses and runs; the exit codes are those of offread(1).
  static func main() {
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parseAsRoot(normalized(Array(CommandLine.arguments.dropFirst())))
      try command.run()
    } catch {
      finish(error)
    }
  }

  /// The spellings with one dash that fingers know from other browsers.
  static func normalized(_ arguments: [String]) -> [String] {
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

  private static func finish(_ error: any Error) -> Never {
    if let code = error as? ExitCode { endProcess(code.rawValue) }
    let text = fullMessage(for: error)
    if exitCode(for: error) == .success {
      try? StandardOutput.write(Array((text + "\n").utf8))
      endProcess(0)
    }
    if exitCode(for: error) == .validationFailure {
      try? StandardOutput.write(Array((text + "\n").utf8), to: STDERR_FILENO)
      endProcess(2)
    }
    StandardOutput.complain(message(for: error))
    endProcess(1)
  }
}

/// Ends the process; inside a command `exit` is ArgumentParser's.
private func endProcess(_ code: Int32) -> Never {
  exit(code)
}
