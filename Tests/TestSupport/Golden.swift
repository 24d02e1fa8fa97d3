public import Foundation
public import Testing

/// A pair of files, `NAME.INPUT` and `NAME.expected`: the input of a test and the text it must give.
///
/// `UPDATE_GOLDEN=1` rewrites the expected files instead of comparing.
public struct GoldenCase: Sendable, CustomTestStringConvertible {
  /// The file name without extension.
  public let name: String
  /// The input file.
  public let input: URL
  /// The expected text.
  public let expected: URL

  /// The name, for the list of tests.
  public var testDescription: String { name }

  /// Every pair in a folder below the test file's own, sorted by name.
  public static func all(
    in folder: String, extension inputExtension: String = "html", file: String = #filePath
  ) -> [GoldenCase] {
    let directory = URL(fileURLWithPath: file).deletingLastPathComponent()
      .appendingPathComponent(folder)
    let files = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    let found = files.filter { $0.hasSuffix("." + inputExtension) }.sorted().map { file in
      let name = String(file.dropLast(inputExtension.count + 1))
      return GoldenCase(
        name: name, input: directory.appendingPathComponent(file),
        expected: directory.appendingPathComponent(name + ".expected"))
    }
    return found.isEmpty ? [missing(in: directory)] : found
  }

  /// Stands where no pair is: it cannot be read, so that a folder that is empty or has another name fails.
  private static func missing(in directory: URL) -> GoldenCase {
    let nothing = directory.appendingPathComponent("no files here")
    return GoldenCase(name: "no files in \(directory.path)", input: nothing, expected: nothing)
  }

  /// Every `NAME/source.html` with `NAME/expected.RESULT` in a folder below the test file's own.
  public static func folders(
    in folder: String, result: String, file: String = #filePath
  ) -> [GoldenCase] {
    let directory = URL(fileURLWithPath: file).deletingLastPathComponent()
      .appendingPathComponent(folder)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    let found = names.sorted().map { name in
      let own = directory.appendingPathComponent(name)
      return GoldenCase(
        name: name, input: own.appendingPathComponent("source.html"),
        expected: own.appendingPathComponent("expected." + result))
    }
    return found.isEmpty ? [missing(in: directory)] : found
  }

  /// The same input with another file for what it must give: `NAME.RESULT`.
  public func giving(_ result: String) -> GoldenCase {
    GoldenCase(
      name: "\(name), \(result)", input: input,
      expected: input.deletingPathExtension().appendingPathExtension(result))
  }

  /// The bytes of the input file.
  public func bytes() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: input))
  }

  /// Compares a result with the expected file, or rewrites it.
  /// - Returns: nil when they agree, else a text that shows both.
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
