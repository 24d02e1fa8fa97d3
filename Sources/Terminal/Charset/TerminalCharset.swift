import Platform
import Foundation
import DOM
package import Layout

/// The characters that a terminal can show: all of them in a UTF-8 locale, those of ISO 8859 in
/// such a locale, otherwise those of ASCII. A terminal with 8-bit characters interprets the bytes
/// 0x80 to 0x9F as control characters, so they are never sent to it, not even as parts of UTF-8.
///
/// Output to pipes and files is UTF-8 in any locale.
package struct TerminalCharset: Sendable, Equatable {
  /// `UTF-8`, `US-ASCII` or `ISO-8859-` with a number.
  package let name: String
  /// The bytes of non-ASCII characters in ISO 8859; empty for the other charsets.
  private let bytesByScalar: [Unicode.Scalar: UInt8]
  /// The characters of the bytes from 0xA0 on in ISO 8859, nil for unassigned bytes; empty for the
  /// other charsets.
  private let highScalars: [Unicode.Scalar?]

  /// All characters.
  package static let utf8 = TerminalCharset(name: "UTF-8", highScalars: [])
  /// ASCII only.
  package static let ascii = TerminalCharset(name: "US-ASCII", highScalars: [])
  /// The charset of this process's locale.
  package static let current = TerminalCharset(environment: SystemProcesses.environment)

  private init(name: String, highScalars: [Unicode.Scalar?]) {
    self.name = name
    self.highScalars = highScalars
    var bytes: [Unicode.Scalar: UInt8] = [:]
    for (index, scalar) in highScalars.enumerated() {
      if let scalar { bytes[scalar] = UInt8(0xA0 + index) }
    }
    self.bytesByScalar = bytes
  }

  /// Creates the charset for a codeset as the C library or a locale name spells it
  /// (`ANSI_X3.4-1968`, `ISO-8859-15`, `utf8`); ASCII unless it is UTF-8 or ISO 8859.
  package init(codeset: String) {
    let word = codeset.uppercased().filter { $0.isLetter || $0.isNumber }
    if word == "UTF8" {
      self = .utf8
      return
    }
    self = .ascii
    guard word.hasPrefix("ISO8859"), let part = Int(word.dropFirst(7)),
      let conversion = IconvConversion(from: "ISO-8859-\(part)")
    else { return }
    let scalars = (0xA0...0xFF).map { byte -> Unicode.Scalar? in
      let text = String(decoding: conversion.convert([UInt8(byte)]), as: UTF8.self)
      guard let scalar = text.unicodeScalars.first, scalar != "\u{FFFD}" else { return nil }
      return CharacterRole(scalar) == .visible ? scalar : nil
    }
    self.init(name: "ISO-8859-\(part)", highScalars: scalars)
  }

  /// Creates the charset of the locale (`LC_CTYPE`). If the locale is not installed, as often in a
  /// remote login, its name determines the charset. macOS may pass on `UTF-8` without a language.
  /// - Parameters:
  ///   - environment: The environment of the process.
  ///   - codeset: Returns the C library's codeset of a locale; nil if the locale is not installed.
  package init(
    environment: [String: String], codeset: (String) -> String? = TerminalCharset.codeset(of:)
  ) {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
    let locale = names.first { !$0.isEmpty } ?? "C"
    let suffix = locale.split(separator: ".", maxSplits: 1).dropFirst().first
    let named = suffix.map { String($0.prefix { $0 != "@" }) }
    self.init(codeset: codeset(locale) ?? named ?? locale)
  }

  /// Returns the C library's codeset of a locale; nil if the locale is not installed.
  package static func codeset(of locale: String) -> String? {
    guard let known = newlocale(LC_CTYPE_MASK, locale, nil) else { return nil }
    defer { freelocale(known) }
    return nl_langinfo_l(SystemValue.codesetItem, known).map { String(cString: $0) }
  }

  // MARK: Output

  /// Encodes a text for the terminal. Characters that the charset lacks are replaced; ASCII control
  /// characters and escape sequences are unchanged.
  /// - Parameter text: The text as UTF-8.
  /// - Returns: The text in this charset.
  package func encode(_ text: [UInt8]) -> [UInt8] {
    guard self != .utf8, text.contains(where: { $0 >= 0x80 }) else { return text }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    // A text has few distinct non-ASCII characters.
    var known: [Character: [UInt8]] = [:]
    for character in String(decoding: text, as: UTF8.self) {
      if character.utf8.allSatisfy({ $0 < 0x80 }) {
        result += character.utf8
      } else if let bytes = known[character] {
        result += bytes
      } else {
        let bytes = representation(character).unicodeScalars.compactMap { byte(of: $0) }
        known[character] = bytes
        result += bytes
      }
    }
    return result
  }

  /// Returns the text for a cluster in cells of the screen: in charsets other than UTF-8, exactly
  /// one character per column.
  /// - Parameters:
  ///   - cluster: One grapheme cluster.
  ///   - width: Its width in columns, at least 1.
  /// - Returns: The characters of the charset.
  package func cellText(_ cluster: String, width: Int) -> String {
    guard self != .utf8, cluster.utf8.contains(where: { $0 >= 0x80 }) else { return cluster }
    var text = String.UnicodeScalarView()
    for character in cluster {
      text.append(contentsOf: representation(character).unicodeScalars)
    }
    let cut = String(String.UnicodeScalarView(text.prefix(width)))
    return cut + String(repeating: " ", count: max(0, width - text.count))
  }

  /// The substitution for characters in pages; nil for UTF-8.
  package var substitution: CharacterSubstitution? {
    self == .utf8 ? nil : CharacterSubstitution(charset: name) { [self] in representation($0) }
  }

  private func byte(of scalar: Unicode.Scalar) -> UInt8? {
    scalar.isASCII ? UInt8(scalar.value) : bytesByScalar[scalar]
  }

  /// Returns a character, or its replacement, in characters of this charset.
  private func representation(_ character: Character) -> String {
    let composed = String(character).precomposedStringWithCanonicalMapping
    var result = ""
    for scalar in composed.unicodeScalars {
      if byte(of: scalar) != nil {
        result.unicodeScalars.append(scalar)
        continue
      }
      switch scalar.properties.generalCategory {
      // These are accents, variation selectors and joiners.
      case .nonspacingMark, .enclosingMark, .format: continue
      case .control: result += "?"
      default:
        let text = substitute(for: scalar)
        // A cluster without any substitute becomes a single question mark.
        guard let text else { return result.isEmpty ? "?" : result }
        result += text
      }
    }
    return result
  }

  private func substitute(for scalar: Unicode.Scalar) -> String? {
    if let text = ASCIISubstitutes.substitute(for: scalar) { return text }
    var result = ""
    // The decomposition yields a letter without its accents, the letters of a ligature, or the
    // digit in a circle.
    for part in String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars {
      if byte(of: part) != nil {
        result.unicodeScalars.append(part)
      } else if part.properties.generalCategory == .nonspacingMark {
        continue
      } else if part != scalar, let text = ASCIISubstitutes.substitute(for: part) {
        result += text
      } else {
        return nil
      }
    }
    return result
  }

  // MARK: Input

  /// Returns the character of a byte from 0x80 on that was typed at this terminal; nil if the
  /// charset is UTF-8, or the byte is not a character.
  package func scalar(typed byte: UInt8) -> Unicode.Scalar? {
    let index = Int(byte) - 0xA0
    return highScalars.indices.contains(index) ? highScalars[index] : nil
  }

  /// Decodes text that was typed or pasted at this terminal.
  package func decode(typed text: some Collection<UInt8>) -> String {
    guard !highScalars.isEmpty else { return String(decoding: text, as: UTF8.self) }
    return String(
      String.UnicodeScalarView(
        text.map { $0 < 0x80 ? Unicode.Scalar($0) : scalar(typed: $0) ?? "\u{FFFD}" }))
  }

  /// Whether non-ASCII characters are single bytes, as in ISO 8859.
  package var isSingleByte: Bool { !highScalars.isEmpty }
}
