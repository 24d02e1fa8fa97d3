import Foundation

/// commonmark, a reader of Markdown after the CommonMark specification, as an outside judge.
public enum CommonMark {
  /// The HTML that it makes of texts.
  ///
  /// It runs in the Python that `OFFREAD_PYTHON` names; scripts/test installs both. Without it there
  /// is nobody to ask.
  /// - Parameter texts: Markdown.
  /// - Returns: HTML for each text, or nil when nobody can be asked.
  /// - Throws: `Program.SpawnError` when it cannot be started, `DecodingError` when it fails.
  public static func html(of texts: [String]) throws -> [String]? {
    guard let python = ProcessInfo.processInfo.environment["OFFREAD_PYTHON"] else { return nil }
    let script = """
      import commonmark, json, sys
      print(json.dumps([commonmark.commonmark(text) for text in json.load(sys.stdin)]))
      """
    let run = try Program.run(python, ["-c", script], input: try JSONEncoder().encode(texts))
    return try JSONDecoder().decode([String].self, from: run.output)
  }
}
