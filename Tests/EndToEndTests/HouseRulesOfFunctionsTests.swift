import Foundation
import Testing

/// Rules for functions and switches.
@Suite struct HouseRulesOfFunctionsTests {
  /// Tables of more than 60 lines: exhaustive switches with a row for each case.
  private static let tables: Set = [
    "Command.swift: definition", "Command+Actions.swift: pageAction", "InputKey.swift: definition",
    "FailureKind.swift: facts", "FailureText.swift: text", "ExplanationPage+Advice.swift: advice",
  ]

  /// Returns the names of functions and computed properties with their numbers of lines.
  private static func functions() throws -> [(name: String, length: Int)] {
    let declaration =
      /^( *)(?:@\w+(?:\([^)]*\))? |\w+(?:\(\w+\))? )*(func (?:`[^`]+`|\w+|[^\w\s(]+)|init|subscript|var \w+)\b/
    var found: [(name: String, length: Int)] = []
    for source in try HouseRulesTests.sources(below: ["Sources"]) {
      for (start, line) in source.lines.enumerated() {
        let isProperty = line.contains("var ") && line.hasSuffix("{")
        guard
          isProperty || line.contains("func ") || line.contains("init")
            || line.contains("subscript"),
          let match = line.prefixMatch(of: declaration)
        else { continue }
        // A declaration ends with the first brace at its indentation, or has none in a protocol.
        let rest = source.lines[(start + 1)...].prefix { !$0.hasPrefix(match.1 + "}") }
        let isOwn = rest.allSatisfy {
          $0.isEmpty || $0.hasPrefix(match.1 + " ") || $0.hasPrefix(match.1 + ")")
        }
        let file = source.path.split(separator: "/").last ?? ""
        let length = line.hasSuffix("}") || !isOwn ? 1 : rest.count + 2
        found.append(("\(file): \(match.2.split(separator: " ").last ?? "")", length))
      }
    }
    return found
  }

  @Test func `no function is longer than 60 lines, and few are longer than 40`() throws {
    let all = try Self.functions()
    #expect(all.count > 5000)
    let functions = all.filter { !Self.tables.contains($0.name) }
    #expect(Set(all.map(\.name)).isSuperset(of: Self.tables))
    let long = functions.filter { $0.length > 60 }.map(\.name)
    #expect(long == [], "split them")
    let medium = functions.filter { $0.length > 40 }.map(\.name)
    #expect(medium.count <= 50, "\(medium)")
  }

  @Test func `few functions are named after taking, which has too many meanings`() throws {
    let names = try Self.functions().map(\.name).filter { $0.contains(": take") }
    #expect(names.count <= 10, "\(names)")
  }

  @Test func `only the launcher goes on after a fork, and it starts no thread`() throws {
    let sources = try HouseRulesTests.sources(below: ["Sources"])
    func files(_ isWanted: (Substring) -> Bool) -> Set<String> {
      Set(sources.filter { $0.lines.contains(where: isWanted) }.map { "\($0.path)" })
    }
    let forking = files { $0.contains("SystemProcesses.fork(") }
    #expect(forking.count == 1 && forking.first?.hasSuffix("Session/Launcher.swift") == true)
    let threads = files { line in
      ["Thread", "Dispatch", "Task {", "concurrentPerform", "startInBackground"]
        .contains { line.contains($0) }
    }
    let launcher = [
      "LauncherProcess", "OutputFiles", "FilePolicy", "PartialFile", "ForegroundCommand",
    ]
    for name in launcher {
      #expect(sources.contains { $0.path.hasSuffix("/\(name).swift") }, "\(name)")
      #expect(!threads.contains { $0.hasSuffix("/\(name).swift") }, "\(name)")
    }
  }

  /// A `switch` statement or expression.
  private struct Switch {
    var subject: Substring
    /// The names of the cases that it lists.
    var labels: Set<Substring> = []
    var hasDefault = false
  }

  private static func switches(in lines: [Substring]) -> [Switch] {
    lines.indices.compactMap { start -> Switch? in
      let line = lines[start]
      // Regular expressions are slow, and most lines contain no switch.
      guard line.utf8.last == UInt8(ascii: "{"), line.contains("switch "),
        let match = line.firstMatch(of: /^( *).*\bswitch (.+) \{$/)
      else { return nil }
      var found = Switch(subject: match.2)
      var isLabel = false
      for line in lines[(start + 1)...] {
        if line.hasPrefix(match.1 + "}") { break }
        if line.hasPrefix(match.1 + "default") || line.hasPrefix(match.1 + "case _") {
          found.hasDefault = true
        }
        isLabel = isLabel || line.hasPrefix(match.1 + "case ")
        guard isLabel else { continue }
        let label = line.prefix { $0 != ":" }
        found.labels.formUnion(label.matches(of: /(?:case |, |^ +)\.(\w+)/).map(\.1))
        isLabel = label.endIndex == line.endIndex
      }
      return found
    }
  }

  /// The names of the commands, from their declaration.
  private static func commands() throws -> Set<Substring> {
    let table = try HouseRulesTests.sources(below: ["Sources/Commands"], atLeast: 5)
      .first { $0.path.hasSuffix("/Command.swift") }
    let lines = try #require(table?.lines).prefix { !$0.contains("struct Definition") }
    let cases = lines.drop { !$0.contains("enum Command") }.dropFirst()
      .filter { !$0.drop { $0 == " " }.hasPrefix("//") }
    return Set(
      cases.flatMap { $0.split { !$0.isLetter && !$0.isNumber } }.filter { $0 != "case" })
  }

  @Test func `a switch over commands has no default, so that each command must be handled`() throws
  {
    let commands = try Self.commands()
    #expect(commands.count > 80 && commands.contains("quit"))
    var complete = 0
    for source in try HouseRulesTests.sources(below: ["Sources"]) {
      for found in Self.switches(in: source.lines) {
        let names = found.subject.lowercased()
        let isOverCommands =
          names.contains("command") && found.labels.isSubset(of: commands)
          || names.contains("keymap")
          || found.labels.count > 1 && found.labels.isSubset(of: commands)
            && !names.hasSuffix("kind")
        guard isOverCommands, !found.labels.isEmpty else { continue }
        #expect(!found.hasDefault, "\(source.path): switch \(found.subject)")
        if found.labels == commands { complete += 1 }
      }
    }
    // The complete switches define the descriptions of commands, and their actions on pages, in
    // lists, in the menu and on selected text.
    #expect(complete >= 5)
  }

  /// The enumerations of failures, reasons and import formats, and the directory of each.
  private static let vocabularies = [
    "FailureKind": "WebArchive", "RejectionReason": "WebArchive", "ArchiveError": "WebArchive",
    "IndexError": "WebArchive", "LoadError": "OfflineCache", "CopyReason": "OfflineCache",
    "SchemeError": "OfflineCache", "SavedReason": "Pages", "ReaderError": "Pages",
    "RemoteFailure": "Reader", "RenderFailure": "Rendering", "EnclosureFailure": "Saving",
    "LastingFailure": "Saving", "ContainerError": "Containers", "WACZError": "WACZ",
    "WARCError": "WARC", "DeflateError": "WARC", "HTTPMessageError": "WARC",
    "ImageFailure": "Images", "FormProblem": "Document", "ImportFormat": "Exchange",
    "ListFormat": "Exchange", "Format": "LocalDocuments",
  ]

  /// Returns the names of the cases of an enumeration.
  private static func cases(of name: String, in lines: [Substring]) -> Set<Substring>? {
    guard let start = lines.firstIndex(where: { $0.contains("enum \(name):") }) else { return nil }
    let indentation = lines[start].prefix { $0 == " " }
    let body = lines[(start + 1)...].prefix { !$0.hasPrefix(indentation + "}") }
    return Set(
      body.filter { $0.hasPrefix(indentation + "  case ") }.flatMap { line in
        line.replacing(/\(.*?\)/, with: "").matches(of: /(?:case |, )(\w+)/).map(\.1)
      })
  }

  @Test func `a switch over failures or import formats has no default`() throws {
    let sources = try HouseRulesTests.sources(below: ["Sources"])
    let cases = try Self.vocabularies.map { name, directory in
      try #require(
        sources.lazy.filter { $0.path.hasPrefix("Sources/\(directory)/") }
          .compactMap { Self.cases(of: name, in: $0.lines) }.first, "\(name)")
    }
    #expect(cases.allSatisfy { $0.count > 1 })
    var complete = 0
    for source in sources {
      // A switch over a pair relates two values.
      for found in Self.switches(in: source.lines)
      where !found.labels.isEmpty && !found.subject.hasPrefix("(") {
        if found.hasDefault {
          let isOverKinds = cases.contains { found.labels.isSubset(of: $0) }
          #expect(!isOverKinds, "\(source.path): switch \(found.subject)")
        } else if cases.contains(where: { found.labels == $0 }) {
          complete += 1
        }
      }
    }
    #expect(complete > 30)
  }

  @Test func `a default in a switch over commands is found`() {
    let text = """
        switch command {
        case .lineUp, .lineDown:
          move()
        case .follow where isOpen,
          .quit: return .close
        default: break
        }
      """
    let found = Self.switches(in: text.split(separator: "\n"))
    #expect(found.map(\.hasDefault) == [true])
    #expect(found.first?.labels == ["lineUp", "lineDown", "follow", "quit"])
  }
}
