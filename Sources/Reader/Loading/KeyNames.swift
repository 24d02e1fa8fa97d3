import Document
import Foundation

/// The names of keys that pages by offread mention, such as explanations of errors.
package struct KeyNames: Sendable, Equatable {
  /// The names of the user's keys, by the default keys of the same commands.
  private let namesByDefaultKey: [String: String]

  /// Creates the names.
  /// - Parameter names: the names of the user's keys, by the default keys of the same commands;
  ///   other default keys keep their names.
  package init(_ names: [String: String] = [:]) { namesByDefaultKey = names }

  /// Returns HTML in which each default key in a `kbd` element is replaced by the user's key.
  func applied(to html: String) -> String {
    let start = "<kbd>"
    let parts = html.components(separatedBy: start)
    return parts[0]
      + parts.dropFirst().map { part in
        let key = String(part.prefix { $0 != "<" })
        return start + Markup.escaped(namesByDefaultKey[key] ?? key) + part.dropFirst(key.count)
      }.joined()
  }
}
