import Foundation
import Testing

/// The article about earlier systems lists a test for each idea.
@Suite("Earlier systems")
struct EarlierSystemsTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The rows of the article's tables: idea, its equivalent here, and test.
  private static func rows() throws -> [[String]] {
    let article = root.appendingPathComponent(
      "Sources/OfflineCache/OfflineCache.docc/EarlierSystems.md")
    return try String(contentsOf: article, encoding: .utf8).components(separatedBy: "\n")
      .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| ---") && !$0.hasSuffix("| Test |") }
      .map { line in
        line.components(separatedBy: " | ").map {
          $0.trimmingCharacters(in: CharacterSet(charactersIn: "| "))
        }
      }
  }

  /// The source text of all test files.
  private static func tests() throws -> String {
    let directory = root.appendingPathComponent("Tests")
    return try FileManager.default.subpathsOfDirectory(atPath: directory.path)
      .filter { $0.hasSuffix("Tests.swift") && !$0.contains("EarlierSystemsTests") }
      .map { try String(contentsOf: directory.appendingPathComponent($0), encoding: .utf8) }
      .joined(separator: "\n")
  }

  @Test func `every idea of the table names an existing test`() throws {
    let rows = try Self.rows()
    let tests = try Self.tests()
    #expect(rows.count > 60)
    for row in rows {
      #expect(row.count == 3, "\(row)")
      let name = (row.last ?? "").trimmingCharacters(in: CharacterSet(charactersIn: "`"))
      #expect(!name.isEmpty, "\(row)")
      #expect(tests.contains("`\(name)`(") || tests.contains("\"\(name)\""), "\(name)")
    }
  }
}
