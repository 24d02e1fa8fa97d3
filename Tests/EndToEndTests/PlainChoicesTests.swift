import ArgumentParser
import Testing

@testable import offread

/// Arguments parsed without ArgumentParser have the same meaning as with it: both parse each option
/// of the table.
@Suite struct PlainChoicesTests {
  private static let commands: [(name: String, type: any ParsableCommand.Type)] = [
    ("read", ReadCommand.self), ("dump", DumpCommand.self), ("fetch", FetchCommand.self),
  ]

  /// Options whose values may begin with a hyphen or are secret, which ArgumentParser handles.
  private static let left: Set = ["--data", "-u", "--help", "--version"]

  /// Returns the forms in which an option of a command may be written.
  private static func spellings(of option: CommandTable.Argument) throws -> [[String]] {
    let name = try #require(option.spellings.last)
    guard option.kind == .option else { return [[name]] }
    let values =
      option.completionKind?.list?["values"]
      ?? [["field": "A: b", "n": "30", "dir": "/tmp"][option.valueName ?? ""] ?? "42"]
    return values.flatMap { value in
      [[name, value]] + (name.hasPrefix("--") ? [["\(name)=\(value)"]] : [])
    }
  }

  private static func check(
    _ name: String, _ type: any ParsableCommand.Type, _ arguments: [String]
  ) throws {
    let plain = try #require(
      Offread.plainCommand((name == "read" ? [] : [name]) + arguments), "\(name) \(arguments)")
    let parsedCommand = try type.parse(arguments)
    let parsed: PlainCommand? =
      switch parsedCommand {
      case let command as ReadCommand: .read(command.reading)
      case let command as DumpCommand: .dump(command.dump)
      case let command as FetchCommand: .fetch(command.choices)
      default: nil
      }
    #expect(
      String(reflecting: plain) == String(reflecting: try #require(parsed)),
      "\(name) \(arguments)")
  }

  @Test(arguments: commands.map(\.name))
  func `every option is parsed as by ArgumentParser`(_ name: String) throws {
    let type = try #require(Self.commands.first { $0.name == name }).type
    let table = try #require(
      try CommandTable.ofThisProgram().command.subcommands?.first { $0.commandName == name })
    let options = (table.arguments ?? []).filter {
      $0.kind != .positional && Self.left.isDisjoint(with: $0.spellings)
    }
    #expect(options.count > 15)
    try Self.check(name, type, ["page"])
    for option in options {
      for text in try Self.spellings(of: option) {
        // Conflicts between options are not parsing errors.
        try Self.check(name, type, text + ["page"])
      }
    }
  }

  @Test func `every option that is parsed without ArgumentParser is declared for it`() throws {
    let names =
      PageOption.allCases.map(\.rawValue) + LoadOption.allCases.map(\.rawValue)
      + IdentityOption.allCases.map(\.rawValue) + SandboxOption.allCases.map(\.rawValue)
      + PrivateOption.allCases.map(\.rawValue) + FetchOption.allCases.map(\.rawValue)
    let declared = try CommandTable.ofThisProgram().command.subcommands?
      .filter { ["read", "fetch"].contains($0.commandName) }.flatMap { $0.arguments ?? [] }
    let spellings = Set(try #require(declared).flatMap(\.spellings))
    for name in names {
      #expect(spellings.contains((name.count == 1 ? "-" : "--") + name), "\(name)")
    }
  }

  @Test(arguments: [
    ["dump"], ["dump", "a", "b"], ["dump", "--", "a"], ["dump", "--nosuch", "a"],
    ["dump", "--width", "a"], ["dump", "--width", "5", "a"],
    ["dump", "--reader", "--reader", "a"],
    ["dump", "--width", "70", "--width=80", "a"], ["dump", "--format", "nope", "a"],
    ["dump", "--help"], ["dump", "--reader=yes", "a"], ["dump", "--width", "-70", "a"],
    ["fetch", "--data", "x", "a"], ["fetch", "-X", "-I", "a"], ["fetch", "-iv", "a"],
    ["dump", "--full", "--reader", "a"], ["dump", "--offline", "--mode", "network-only", "a"],
    ["a", "b"], ["list"], ["help"], ["fetch", "--X", "GET", "a"], ["fetch", "-X=GET", "a"],
    ["dump", "-width", "70", "a"], ["fetch", "-H", "A: b", "-H", "C: d", "a"], ["dump", "--base"],
    ["dump", "--log", "", "a"], ["dump", "--data-dir=", "a"],
  ])
  func `ambiguous arguments are left to ArgumentParser`(_ arguments: [String]) {
    #expect(Offread.plainCommand(arguments).map { "\($0)" } == nil)
  }

  @Test(
    arguments: [
      (["dump", "/a.html"], false), (["dump", "./a.html"], false), (["dump", "-"], false),
      (["dump", "--images", "symbols", "/a.html"], true), (["dump", "https://a.example/"], true),
      (["dump", "about:manual"], true), (["fetch", "/a.html"], true), (["/a.html"], true),
    ] as [([String], Bool)])
  func `only the dump of a local file without images needs no session`(
    _ arguments: [String], _ usesSession: Bool
  ) throws {
    let command = try #require(Offread.plainCommand(arguments))
    #expect(command.usesSession == usesSession)
  }
}
