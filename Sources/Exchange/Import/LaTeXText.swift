import DOM
import Foundation

/// The values of fields in BibTeX without the commands of LaTeX.
enum LaTeXText {
  /// Returns a text without braces and commands; accents and special letters become characters.
  static func plain(_ source: [UInt8]) -> String {
    var result = String.UnicodeScalarView()
    /// The combining character for the next letter; nil for none.
    var accent: Unicode.Scalar?
    var rest = String(decoding: source, as: UTF8.self).unicodeScalars[...]
    while let scalar = rest.popFirst() {
      var text = String(scalar)
      switch scalar {
      case "{", "}", "$": continue
      case "~": text = " "
      case "\\":
        let name = commandName(&rest)
        if let mark = accents[name] {
          accent = mark
          continue
        }
        // An accent replaces the dot.
        text = accent != nil && name == "i" ? "i" : character(named: name)
      case " " where accent != nil: continue
      default: break
      }
      result.append(contentsOf: text.unicodeScalars)
      if let mark = accent, !text.isEmpty {
        result.append(mark)
        accent = nil
      }
    }
    return String(result).precomposedStringWithCanonicalMapping
      .replacing("---", with: "\u{2014}").replacing("--", with: "\u{2013}")
      .replacing("``", with: "\u{201C}").replacing("''", with: "\u{201D}")
  }

  /// Returns an address, or a text with addresses, without braces and backslashes.
  static func address(_ source: [UInt8]) -> String {
    String(decoding: source, as: UTF8.self).replacing("\\url{", with: " ")
      .replacing("\\textasciitilde", with: "~").filter { !"{}\\".contains($0) }.oneLine
  }

  /// Removes the name of a command from the start of a text, with the spaces after it, and returns
  /// it: letters, or one other character.
  private static func commandName(_ rest: inout Substring.UnicodeScalarView) -> String {
    let letters = rest.prefix(while: isLetter)
    guard !letters.isEmpty else { return rest.popFirst().map { String($0) } ?? "" }
    rest = rest[letters.endIndex...].drop { $0 == " " }
    return String(letters)
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && scalar.properties.isAlphabetic
  }

  /// Returns the character that a command stands for. A command that is a single character other
  /// than a letter, such as `\&`, stands for that character. Empty for commands that are not in the
  /// table, such as `emph`.
  private static func character(named name: String) -> String {
    if let character = characters[name] { return character }
    return name.unicodeScalars.first.map(isLetter) == true ? "" : name
  }

  /// The combining characters of accents, by the names of their commands.
  private static let accents: [String: Unicode.Scalar] = [
    "`": "\u{300}", "'": "\u{301}", "^": "\u{302}", "~": "\u{303}", "=": "\u{304}",
    "u": "\u{306}", ".": "\u{307}", "\"": "\u{308}", "r": "\u{30A}", "H": "\u{30B}",
    "v": "\u{30C}", "d": "\u{323}", "c": "\u{327}", "k": "\u{328}", "b": "\u{331}",
  ]

  /// The characters of other commands, by their names.
  private static let characters = [
    "i": "ı", "j": "ȷ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ",
    "OE": "Œ", "aa": "å", "AA": "Å", "ss": "ß", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ",
    "\\": " ", ",": " ", " ": " ", "-": "", "/": "", "textendash": "–",
    "textemdash": "—", "ldots": "…", "dots": "…", "LaTeX": "LaTeX", "TeX": "TeX",
    "textquoteright": "’", "textquoteleft": "‘", "textasciitilde": "~", "textbackslash": "\\",
  ]
}
