import Platform
import Foundation
import DOM
package import Layout

/// The characters that a terminal takes: all of them where its locale is UTF-8, else those of the
/// locale's ISO 8859, else those of ASCII. A terminal of eight bits obeys the bytes 0x80 to 0x9F, so
/// it gets none of them, also not as parts of UTF-8.
///
/// Pipes and files are in UTF-8 whatever the locale.
package struct TerminalCharset: Sendable, Equatable {
  /// `UTF-8`, `US-ASCII` or `ISO-8859-` with a number.
  package let name: String
  /// The bytes of characters beyond ASCII, and the other way round, of ISO 8859.
  private let bytes: [Unicode.Scalar: UInt8]
  private let scalars: [Unicode.Scalar?]

  /// Everything.
  package static let utf8 = TerminalCharset(name: "UTF-8", scalars: [])
  /// ASCII alone.
  package static let ascii = TerminalCharset(name: "US-ASCII", scalars: [])
  /// That of the terminals of this process.
  package static let current = TerminalCharset(environment: ProcessInfo.processInfo.environment)

  private init(name: String, scalars: [Unicode.Scalar?]) {
    self.name = name
    self.scalars = scalars
    var bytes: [Unicode.Scalar: UInt8] = [:]
    for (index, scalar) in scalars.enumerated() {
      if let scalar { bytes[scalar] = UInt8(0xA0 + index) }
    }
    self.bytes = bytes
  }

  /// The charset that the C library or the name of a locale calls so (`ANSI_X3.4-1968`, `ISO-8859-15`,
  /// `utf8`); ASCII stands for what is neither UTF-8 nor of ISO 8859.
  package init(codeset: String) {
    let word = codeset.uppercased().filter { $0.isLetter || $0.isNumber }
    if word == "UTF8" {
      self = .utf8
      return
    }
    self = .ascii
    guard word.hasPrefix("ISO8859"), let part = Int(word.dropFirst(7)),
      let conversion = Conversion(from: "ISO-8859-\(part)")
    else { return }
    let scalars = (0xA0...0xFF).map { byte -> Unicode.Scalar? in
      let text = String(decoding: conversion.convert([UInt8(byte)]), as: UTF8.self)
      guard let scalar = text.unicodeScalars.first, scalar != "\u{FFFD}" else { return nil }
      return CharacterRole(scalar) == .shown ? scalar : nil
    }
    self.init(name: "ISO-8859-\(part)", scalars: scalars)
  }

  /// The charset of the locale for characters. Of one that is not installed here, as often behind a
  /// remote login, the name tells it; `UTF-8` alone is what macOS has others use.
  /// - Parameters:
  ///   - environment: the variables of the process.
  ///   - codeset: what the C library says of a locale; nil when it does not have it.
  package init(
    environment: [String: String], codeset: (String) -> String? = TerminalCharset.codeset(of:)
  ) {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
    let locale = names.first { !$0.isEmpty } ?? "C"
    let suffix = locale.split(separator: ".", maxSplits: 1).dropFirst().first
    let named = suffix.map { String($0.prefix { $0 != "@" }) }
    self.init(codeset: codeset(locale) ?? named ?? locale)
  }

  /// What the C library calls the codeset of a locale; nil when it does not have it.
  package static func codeset(of locale: String) -> String? {
    guard let known = newlocale(LC_CTYPE_MASK, locale, nil) else { return nil }
    defer { freelocale(known) }
    return nl_langinfo_l(SystemValue.codeset, known).map { String(cString: $0) }
  }

  // MARK: To the terminal

  /// A text in the bytes of the terminal. What it does not have is written in other characters; controls
  /// of ASCII and escape sequences pass as they are.
  /// - Parameter text: UTF-8.
  /// - Returns: bytes of the charset.
  package func encode(_ text: [UInt8]) -> [UInt8] {
    guard self != .utf8, text.contains(where: { $0 >= 0x80 }) else { return text }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    // The known are few in any text.
    var known: [Character: [UInt8]] = [:]
    for character in String(decoding: text, as: UTF8.self) {
      if character.utf8.allSatisfy({ $0 < 0x80 }) {
        result += character.utf8
      } else if let bytes = known[character] {
        result += bytes
      } else {
        let bytes = written(character).unicodeScalars.compactMap { byte(of: $0) }
        known[character] = bytes
        result += bytes
      }
    }
    return result
  }

  /// What stands for a cluster in cells of the screen: as many characters of the terminal as it has
  /// columns. UTF-8 shows it as it is.
  /// - Parameters:
  ///   - cluster: one grapheme cluster.
  ///   - width: the columns that it has, at least 1.
  /// - Returns: the characters.
  package func cell(_ cluster: String, width: Int) -> String {
    guard self != .utf8, cluster.utf8.contains(where: { $0 >= 0x80 }) else { return cluster }
    var text = String.UnicodeScalarView()
    for character in cluster {
      text.append(contentsOf: written(character).unicodeScalars)
    }
    let cut = String(String.UnicodeScalarView(text.prefix(width)))
    return cut + String(repeating: " ", count: max(0, width - text.count))
  }

  /// What stands for the characters of a page; nil where the terminal has all.
  package var substitution: CharacterSubstitution? {
    self == .utf8 ? nil : CharacterSubstitution(charset: name) { [self] in written($0) }
  }

  private func byte(of scalar: Unicode.Scalar) -> UInt8? {
    scalar.isASCII ? UInt8(scalar.value) : bytes[scalar]
  }

  /// A character in those that the terminal has.
  private func written(_ character: Character) -> String {
    let composed = String(character).precomposedStringWithCanonicalMapping
    var result = ""
    for scalar in composed.unicodeScalars {
      if byte(of: scalar) != nil {
        result.unicodeScalars.append(scalar)
        continue
      }
      switch scalar.properties.generalCategory {
      // Accents, selectors, joiners.
      case .nonspacingMark, .enclosingMark, .format: continue
      case .control: result += "?"
      default:
        let words = substitute(for: scalar)
        // What none of it can be said of is one question, however many characters it is made of.
        guard let words else { return result.isEmpty ? "?" : result }
        result += words
      }
    }
    return result
  }

  private func substitute(for scalar: Unicode.Scalar) -> String? {
    if let words = ASCIISubstitutes.words(for: scalar) { return words }
    var result = ""
    // A letter without its accents, the letters of a ligature, the digit in a circle.
    for part in String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars {
      if byte(of: part) != nil {
        result.unicodeScalars.append(part)
      } else if part.properties.generalCategory == .nonspacingMark {
        continue
      } else if part != scalar, let words = ASCIISubstitutes.words(for: part) {
        result += words
      } else {
        return nil
      }
    }
    return result
  }

  // MARK: From the terminal

  /// The character that a byte from 0x80 on is, typed at this terminal; nil where characters are UTF-8,
  /// and of a byte that is none.
  package func scalar(typed byte: UInt8) -> Unicode.Scalar? {
    let index = Int(byte) - 0xA0
    return scalars.indices.contains(index) ? scalars[index] : nil
  }

  /// A text that was typed or pasted at this terminal.
  package func decode(typed text: some Collection<UInt8>) -> String {
    guard !scalars.isEmpty else { return String(decoding: text, as: UTF8.self) }
    return String(
      String.UnicodeScalarView(
        text.map { $0 < 0x80 ? Unicode.Scalar($0) : scalar(typed: $0) ?? "\u{FFFD}" }))
  }

  /// Whether a byte from 0x80 on is a character of its own.
  package var isEightBit: Bool { !scalars.isEmpty }
}
