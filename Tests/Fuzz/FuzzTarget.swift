import Foundation

#if OFFREAD_SANITIZE_ADDRESS
  /// The driver of libFuzzer, which has no header file.
  @_silgen_name("LLVMFuzzerRunDriver")
  private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ tryInput: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
  ) -> CInt
#endif

/// The test of the parser that this process fuzzes; set once, before libFuzzer starts.
nonisolated(unsafe) private var tried: (_ bytes: [UInt8]) -> Void = { _ in }

/// Fuzzes one parser with libFuzzer, or without it. `scripts/fuzz` builds and runs this program:
///
///     Fuzz FOLDER list                 the names of the parsers
///     Fuzz FOLDER show NAME FILE       the text that a file of choices stands for
///     Fuzz FOLDER unpack NAME FOLDER   writes the seeds of a parser as files
///     Fuzz FOLDER NAME [ARGUMENTS]     runs libFuzzer
///     Fuzz FOLDER random NAME COUNT SEED FILE CORPUS...
///                                      tries random variations of the inputs in the corpus; one
///                                      that fails is in FILE afterwards
///
/// FOLDER is Tests/Fuzz, which contains the grammars and the seeds.
@main enum FuzzTarget {
  /// The environment variable with the directory and the name of the parser, for processes that
  /// libFuzzer starts.
  private static let variable = "OFFREAD_FUZZED"

  static func main() throws {
    // When libFuzzer starts this program again to merge inputs, it passes only its own arguments.
    let inherited = ProcessInfo.processInfo.environment[Self.variable]
    let arguments =
      (inherited?.split(separator: "\n").map(String.init) ?? []) + CommandLine.arguments.dropFirst()
    guard let folder = arguments.first, let command = arguments.dropFirst().first else {
      fatalError("usage: Fuzz FOLDER (list | show NAME FILE | unpack NAME FOLDER | NAME …)")
    }
    let rest = Array(arguments.dropFirst(2))
    switch command {
    case "list": for parser in FuzzedParser.all { print(parser.name) }
    case "show":
      let choices = try [UInt8](Data(contentsOf: URL(fileURLWithPath: rest[1])))
      let text = try FuzzedParser.named(rest[0]).input(grammars: "\(folder)/Grammars")(choices)
      FileHandle.standardOutput.write(Data(text))
    case "unpack":
      let seeds = try FuzzSeeds(parser: rest[0], in: folder)
      try seeds.unpack(into: rest[1])
    #if OFFREAD_SANITIZE_NONE
      case "random":
        guard rest.count > 4, let count = Int(rest[1]), let seed = UInt64(rest[2]) else {
          fatalError("usage: Fuzz FOLDER random NAME COUNT SEED FILE CORPUS…")
        }
        let parser = FuzzedParser.named(rest[0])
        let input = try parser.input(grammars: "\(folder)/Grammars")
        var inputs = try RandomInputs(corpus: Array(rest[4...]), seed: seed)
        try inputs.run(count, keeping: rest[3]) { parser.run(input($0)) }
    #endif
    default:
      let parser = FuzzedParser.named(command)
      let input = try parser.input(grammars: "\(folder)/Grammars")
      tried = { parser.run(input($0)) }
      setenv(Self.variable, "\(folder)\n\(command)", 1)
      start(rest)
    }
  }

  private static func start(_ arguments: [String]) {
    var pointers = ([CommandLine.arguments[0]] + arguments).map { strdup($0) }
    pointers.append(nil)
    var count = CInt(arguments.count + 1)
    pointers.withUnsafeMutableBufferPointer { buffer in
      guard var base = buffer.baseAddress else { return }
      #if OFFREAD_SANITIZE_ADDRESS
        _ = runDriver(&count, &base) { data, count in
          tried(Array(UnsafeBufferPointer(start: data, count: count)))
          return 0
        }
      #else
        fatalError("libFuzzer is only in the program with the address sanitizer")
      #endif
    }
  }
}

/// The seeds of a parser, each a line of base64, so that they can be stored in the repository as
/// text.
struct FuzzSeeds {
  private let seeds: [Data]

  init(parser: String, in folder: String) throws {
    let file = URL(fileURLWithPath: "\(folder)/Seeds/\(parser).txt")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    seeds = text.split(separator: "\n").compactMap { Data(base64Encoded: String($0)) }
  }

  func unpack(into folder: String) throws {
    for (index, seed) in seeds.enumerated() {
      try seed.write(to: URL(fileURLWithPath: "\(folder)/seed-\(index)"))
    }
  }
}
