public import Foundation
public import Testing

/// A pair of files, `NAME.INPUT` and `NAME.expected`: the input of a test and the expected output.
///
/// `UPDATE_GOLDEN=1` rewrites the expected files instead of comparing.
public struct GoldenCase: Sendable, CustomTestStringConvertible {
  /// The file name without extension.
  public let name: String
  /// The input file.
  public let input: URL
  /// The file with the expected text.
  public let expected: URL

  /// The name shown in the list of tests.
  public var testDescription: String { name }

  /// Returns all pairs in a directory next to the test file, sorted by name.
  public static func all(
    in parent: String, extension inputExtension: String = "html", file: String = #filePath
  ) -> [GoldenCase] {
    let directory = URL(fileURLWithPath: file).deletingLastPathComponent()
      .appendingPathComponent(parent)
    let files = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    let found = files.filter { $0.hasSuffix("." + inputExtension) }.sorted().map { file in
      let name = String(file.dropLast(inputExtension.count + 1))
      return GoldenCase(
        name: name, input: directory.appendingPathComponent(file),
        expected: directory.appendingPathComponent(name + ".expected"))
    }
    return found.isEmpty ? [missing(in: directory)] : found
  }

  /// Returns a case that cannot be read, so that the test fails if a directory is empty or missing.
  private static func missing(in directory: URL) -> GoldenCase {
    let nothing = directory.appendingPathComponent("no files here")
    return GoldenCase(name: "no files in \(directory.path)", input: nothing, expected: nothing)
  }

  /// Returns all pairs `NAME/source.html` and `NAME/expected.RESULT` in a directory next to the
  /// test file.
  public static func directories(
    in parent: String, result: String, file: String = #filePath
  ) -> [GoldenCase] {
    let directory = URL(fileURLWithPath: file).deletingLastPathComponent()
      .appendingPathComponent(parent)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    let found = names.sorted().map { name in
      let own = directory.appendingPathComponent(name)
      return GoldenCase(
        name: name, input: own.appendingPathComponent("source.html"),
        expected: own.appendingPathComponent("expected." + result))
    }
    return found.isEmpty ? [missing(in: directory)] : found
  }

  /// Returns a case with the same input and another expected file: `NAME.RESULT`.
  public func giving(_ result: String) -> GoldenCase {
    GoldenCase(
      name: "\(name), \(result)", input: input,
      expected: input.deletingPathExtension().appendingPathExtension(result))
  }

  /// Returns the bytes of the input file.
  public func bytes() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: input))
  }

  /// Compares a result with the expected file, or rewrites it.
  /// - Returns: Nil if they are equal, else a text that shows both.
  public func difference(from actual: String) throws -> String? {
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try Data(actual.utf8).write(to: expected)
      return nil
    }
    let wanted = (try? String(decoding: Data(contentsOf: expected), as: UTF8.self)) ?? "(no file)"
    guard wanted != actual else { return nil }
    return "\(name) differs\n--- expected\n\(wanted)\n--- actual\n\(actual)"
  }
}
