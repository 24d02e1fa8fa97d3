import Foundation
import Testing

/// All code in the articles is compiled and run as an example here.
@Suite("Documentation")
struct DocumentationTests {
  private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let root = directory.deletingLastPathComponent().deletingLastPathComponent()

  /// The code of each example, between `// snippet: NAME` and `// end`, without the common
  /// indentation of its lines.
  private static func snippets() throws -> [(name: String, code: String)] {
    var snippets: [(name: String, code: String)] = []
    let files = try FileManager.default.contentsOfDirectory(
      at: directory, includingPropertiesForKeys: nil)
    for file in files where file.lastPathComponent.hasSuffix("Examples.swift") {
      var open: (name: String, lines: [String])?
      for line in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n") {
        let tokens = line.trimmingCharacters(in: .whitespaces)
        if tokens.hasPrefix("// snippet: ") {
          open = (String(tokens.dropFirst("// snippet: ".count)), [])
        } else if tokens == "// end", let ended = open {
          snippets.append((ended.name, withoutIndentation(ended.lines)))
          open = nil
        } else {
          open?.lines.append(line)
        }
      }
    }
    let first = root.appendingPathComponent("Examples/First/main.swift")
    let code = try String(contentsOf: first, encoding: .utf8)
    snippets.append(("first program", String(code.dropLast())))
    let proxy = root.appendingPathComponent("Examples/Proxy/Proxy.swift")
    snippets.append(("proxy", String(try String(contentsOf: proxy, encoding: .utf8).dropLast())))
    return snippets
  }

  private static func withoutIndentation(_ lines: [String]) -> String {
    let indentation = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(indentation)) }.joined(separator: "\n")
  }

  /// The blocks of Swift code in the articles and in README.md.
  private static func blocks() throws -> [(file: String, code: String)] {
    let sources = root.appendingPathComponent("Sources")
    let names = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    let articles = names.filter { $0.contains(".docc/") && $0.hasSuffix(".md") }.sorted()
    let files = articles.map { sources.appendingPathComponent($0) }
    var blocks: [(file: String, code: String)] = []
    for file in files + [root.appendingPathComponent("README.md")] {
      var open: [String]?
      for line in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n") {
        if line == "```swift" {
          open = []
        } else if line == "```", let code = open {
          blocks.append((file.lastPathComponent, code.joined(separator: "\n")))
          open = nil
        } else {
          open?.append(line)
        }
      }
    }
    return blocks
  }

  @Test func `every code block in the articles is a compiled and tested example`() throws {
    let code = Set(try Self.snippets().map(\.code))
    let blocks = try Self.blocks()
    #expect(blocks.count > 10)
    for block in blocks {
      #expect(code.contains(block.code), "\(block.file):\n\(block.code)")
    }
  }

  @Test func `every example appears in an article`() throws {
    let shown = Set(try Self.blocks().map(\.code))
    for snippet in try Self.snippets() {
      #expect(shown.contains(snippet.code), "\(snippet.name)")
    }
  }
}
