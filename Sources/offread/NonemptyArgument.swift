import ArgumentParser

/// A path or URL on the command line that must not be empty: an empty path, such as the value of a
/// shell variable that is not set, would otherwise select the working directory or the defaults.
enum NonemptyArgument {
  /// Returns the text, or throws an error that ArgumentParser reports if it is empty.
  static func parse(_ text: String) throws -> String {
    guard !text.isEmpty else { throw ValidationError("the value is empty") }
    return text
  }
}
