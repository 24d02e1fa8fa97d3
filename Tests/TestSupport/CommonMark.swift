import Foundation

/// The commonmark package for Python, as an independent implementation of the CommonMark
/// specification.
public enum CommonMark {
  /// Converts texts to HTML.
  ///
  /// Runs the Python interpreter named by `OFFREAD_PYTHON`; `scripts/test --all` installs both.
  /// - Parameter texts: The Markdown texts.
  /// - Returns: The HTML of each text.
  /// - Throws: `Judges.Failure` or `Program.SpawnError` if the interpreter is missing,
  ///   `DecodingError` if the script fails.
  public static func html(of texts: [String]) throws -> [String] {
    let script = """
      import commonmark, json, sys
      print(json.dumps([commonmark.commonmark(text) for text in json.load(sys.stdin)]))
      """
    let run = try Judges.python(script, input: try JSONEncoder().encode(texts))
    return try JSONDecoder().decode([String].self, from: run.output)
  }
}
