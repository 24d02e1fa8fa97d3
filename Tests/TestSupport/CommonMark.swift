import Foundation

/// commonmark, a reader of Markdown after the CommonMark specification, as an outside judge.
public enum CommonMark {
  /// The HTML that it makes of texts.
  ///
  /// It runs in the Python that `OFFREAD_PYTHON` names; `scripts/test --all` installs both.
  /// - Parameter texts: Markdown.
  /// - Returns: HTML for each text.
  /// - Throws: `Judges.Failure` or `Program.SpawnError` when it is missing, `DecodingError` when it fails.
  public static func html(of texts: [String]) throws -> [String] {
    let script = """
      import commonmark, json, sys
      print(json.dumps([commonmark.commonmark(text) for text in json.load(sys.stdin)]))
      """
    let run = try Judges.python(script, input: try JSONEncoder().encode(texts))
    return try JSONDecoder().decode([String].self, from: run.output)
  }
}
