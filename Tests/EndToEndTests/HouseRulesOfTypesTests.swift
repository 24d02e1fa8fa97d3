import Foundation
import Testing

/// Rules for targets, their types, and tests.
@Suite struct HouseRulesOfTypesTests {
  /// A target of Package.swift with Swift sources.
  private struct Target {
    var name: String
    var directory: String
    var dependencies: Set<String>
    var imports: Set<String> = []
  }

  /// All names that a target can depend on, and the targets with Swift sources.
  private static let targets = Result {
    let file = HouseRulesTests.root.appendingPathComponent("Package.swift")
    let package = try String(contentsOf: file, encoding: .utf8)
      .components(separatedBy: "swiftLanguageModes:")[0]
    let start = /\.(systemLibrary|target|executableTarget|testTarget)\(\s*name: "(\w+)"/
    let starts = package.matches(of: start)
    var names: Set<String> = []
    var targets: [Target] = []
    for (index, match) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1].range.lowerBound : package.endIndex
      let body = package[match.range.upperBound..<end]
        .replacing(/package: "[^"]*"|\.when\([^)]*\)/, with: "")
      let name = String(match.2)
      let list = body.firstMatch(of: /dependencies: \[([^\]]*)\]/)?.1 ?? ""
      let dependencies = Set(list.matches(of: /"(\w+)"/).map { String($0.1) })
      names.formUnion(dependencies.union([name]))
      let directory = (match.1 == "testTarget" ? "Tests/" : "Sources/") + name
      let path = body.firstMatch(of: /\bpath: "([^"]+)"/).map { String($0.1) }
      targets.append(Target(name: name, directory: path ?? directory, dependencies: dependencies))
    }
    let statement = /^\s*(?:@\w+ )?(?:package |public )?import (?:\w+ )?(\w+)$/
    for index in targets.indices {
      let prefix = targets[index].directory + "/"
      for source in try HouseRulesTests.all.get() where source.path.hasPrefix(prefix) {
        for line in source.lines where line.utf8.count < 80 && line.contains("import ") {
          if let name = line.firstMatch(of: statement)?.1 {
            targets[index].imports.insert(String(name))
          }
        }
      }
    }
    return (names: names, targets: targets.filter { !$0.imports.isEmpty })
  }

  @Test func `each target declares the modules that it imports, and no others`() throws {
    let (names, targets) = try Self.targets.get()
    #expect(targets.count >= 40 && names.count >= 60)
    // C targets that are linked, and executables that tests run.
    let linked: Set = [
      "CLazyCurl", "TestProcess", "TakenOver", "CrashingPages", "ExampleFirst", "ExampleClient",
      "ExampleMirror", "ExampleProxy", "ExampleReplay", "offread",
    ]
    for target in targets {
      let undeclared = target.imports.intersection(names)
        .subtracting(target.dependencies).subtracting([target.name])
      #expect(undeclared.isEmpty, "\(target.name) imports \(undeclared.sorted())")
      let unused = target.dependencies.subtracting(target.imports).subtracting(linked)
      #expect(unused.isEmpty, "\(target.name) does not import \(unused.sorted())")
    }
  }

  /// A type that is not nested in another one.
  private struct OuterType {
    var name: String
    var path: String
    var isPrivate: Bool
    /// Whether the file is the only one that imports a certain C library, so that it may contain
    /// several types.
    var isBesideCLibrary: Bool

    var hasOwnFile: Bool { isBesideCLibrary || path.hasSuffix("/\(name).swift") }
  }

  private static func types() throws -> [OuterType] {
    let declaration = /^(?:@\w+ )*((?:\w+ )*)(?:struct|enum|class|protocol|actor) (\w+)/
    let types = try HouseRulesTests.sources(below: ["Sources"]).flatMap { source in
      let importsCLibrary = source.lines.prefix(20).contains {
        $0.prefixMatch(of: /import C[A-Z]/) != nil
      }
      return source.lines.compactMap { line -> OuterType? in
        guard let match = line.prefixMatch(of: declaration) else { return nil }
        return OuterType(
          name: String(match.2), path: source.path, isPrivate: match.1.contains("private "),
          isBesideCLibrary: importsCLibrary)
      }
    }
    try #require(types.count > 1200)
    return types
  }

  @Test func `no two types share a name`() throws {
    let names = Dictionary(grouping: try Self.types(), by: \.name).filter { $0.value.count > 1 }
    #expect(names.isEmpty, "\(names.mapValues { $0.map(\.path) })")
  }

  @Test func `a type that other files can use is in a file named after it`() throws {
    let found = Set(try Self.types().filter { !$0.isPrivate && !$0.hasOwnFile }.map(\.name))
    #expect(found == [], "they need files of their own")
  }

  @Test func `at most five types are Sendable without a check by the compiler`() throws {
    let types = try HouseRulesTests.sources(below: ["Sources"]).flatMap { source in
      source.lines.filter {
        $0.contains("@unchecked Sendable") && !$0.drop { $0 == " " }.hasPrefix("//")
      }.map { "\(source.path): \($0)" }
    }
    #expect((1...5).contains(types.count), "\(types)")
  }

  @Test func `random tests have a seed, and no test sleeps`() throws {
    let forbidden = [
      "SystemRandomNumberGenerator", "randomElement()", "shuffled()", "shuffle()", "Bool.random()",
      "usleep(", "nanosleep(", "Task.sleep", "Thread.sleep", " sleep(",
    ]
    for source in try HouseRulesTests.sources(below: ["Tests"])
    where !source.path.hasSuffix("/HouseRulesOfTypesTests.swift") {
      for (number, line) in source.lines.enumerated() {
        let isRandom =
          line.contains(".random(in")
          && !source.lines[number...].prefix(3).joined().contains("using:")
        #expect(
          !isRandom && !forbidden.contains { line.contains($0) },
          "\(source.path):\(number + 1): \(line)")
      }
    }
  }

  /// A function, with the names of the functions and macros that it calls.
  private struct Function {
    var name: String
    var path: String
    var calls: Set<String> = []

    var isTest: Bool { name.hasPrefix("`") }

    mutating func addCalls(in line: Substring) {
      for part in line.utf8.split(separator: 0x28, omittingEmptySubsequences: false).dropLast() {
        let name = part.reversed().prefix {
          (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        }
        calls.insert(String(decoding: name.reversed(), as: UTF8.self))
      }
    }
  }

  private static func functions() throws -> [Function] {
    let declaration = /^( *)(?:@Test |@MainActor |\w+ )*func (`[^`]+`|\w+)/
    return try HouseRulesTests.sources(below: ["Tests"]).flatMap { source in
      source.lines.indices.compactMap { start -> Function? in
        let line = source.lines[start]
        guard line.contains("func "), let match = line.prefixMatch(of: declaration) else {
          return nil
        }
        let close = match.1 + "}"
        let isShort = line.hasSuffix("}")
        let end = isShort ? start : source.lines[start...].firstIndex { $0.hasPrefix(close) }
        var function = Function(name: String(match.2), path: source.path)
        for line in source.lines[start...(end ?? start)] { function.addCalls(in: line) }
        return function
      }
    }
  }

  /// A test expects something itself, or calls a function that does.
  @Test func `every test contains an expectation`() throws {
    let functions = try Self.functions()
    #expect(functions.count { $0.isTest } > 2000)
    // `Issue.record` and `#expect(throws:)` are calls of these, too.
    var checks: Set = ["expect", "require", "record", "confirmation"]
    for _ in 0..<3 {
      for function in functions where !function.isTest && !function.calls.isDisjoint(with: checks) {
        checks.insert(function.name)
      }
    }
    for function in functions where function.isTest {
      #expect(!function.calls.isDisjoint(with: checks), "\(function.path): \(function.name)")
    }
  }
}
