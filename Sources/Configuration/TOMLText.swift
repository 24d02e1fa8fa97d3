import DOM

/// Writes values as TOML.
package enum TOMLText {
  /// Returns a key, without quotes if possible.
  package static func key(_ name: String) -> String {
    let isBare =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
      }
    return isBare ? name : quoted(name)
  }

  /// Returns a basic string, with invisible characters escaped.
  package static func quoted(_ text: String) -> String {
    var output = "\""
    for scalar in text.unicodeScalars {
      switch CharacterRole(scalar) {
      case .visible, .variationSelector:
        if scalar == "\"" || scalar == "\\" { output += "\\" }
        output.unicodeScalars.append(scalar)
      case .control, .separator, .lineBreakControl, .invisible:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let (marker, length) = digits.count > 4 ? ("U", 8) : ("u", 4)
        output += "\\\(marker)" + String(repeating: "0", count: length - digits.count) + digits
      }
    }
    return output + "\""
  }

  /// Returns an array of strings.
  package static func list(_ texts: [String]) -> String {
    "[" + texts.map(quoted).joined(separator: ", ") + "]"
  }

  /// Returns an inline table of strings.
  static func table(_ pairs: [(String, String)]) -> String {
    let members = pairs.map { "\(quoted($0)) = \(quoted($1))" }
    return members.isEmpty ? "{}" : "{ " + members.joined(separator: ", ") + " }"
  }
}
