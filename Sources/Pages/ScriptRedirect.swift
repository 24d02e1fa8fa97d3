import DOM

/// Finds the URL to which the scripts of a page redirect.
enum ScriptRedirect {
  /// Maximum length in bytes of a page that only redirects.
  private static let maxPageLength = 1 << 16
  /// Maximum length in bytes of the URL of a redirect.
  private static let maxTargetLength = 2048

  /// Returns the target of the first `location = "…"`, `location.href = "…"`,
  /// `location.replace("…")` or `location.assign("…")` in the script elements of a short page.
  ///
  /// Statements that run only under a condition or later, such as those in most blocks, do not
  /// count: they redirect old browsers, for example. Nor does a page with an external script, which
  /// may be an application.
  /// - Parameter page: the page, in an encoding that contains ASCII.
  /// - Returns: the target as written; nil if there is none, or if it is not a single string.
  static func target(in page: [UInt8]) -> String? {
    guard page.count <= maxPageLength else { return nil }
    let lowercase = page.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    var scripts: [Range<Int>] = []
    var index = 0
    while let tag = lowercase[index...].firstRange(of: Array("<script".utf8)),
      let end = lowercase[tag.upperBound...].firstIndex(of: UInt8(ascii: ">"))
    {
      if isExternal(lowercase[tag.upperBound..<end]) { return nil }
      index = lowercase[end...].firstRange(of: Array("</script".utf8))?.lowerBound ?? page.count
      scripts.append(end + 1..<max(end + 1, index))
    }
    for script in scripts {
      var scan = ScriptScan(script: lowercase[script])
      while let position = scan.nextLocation() {
        if let target = assignedURL(after: page[position..<script.upperBound]) { return target }
      }
    }
    return nil
  }

  /// Returns whether the attributes of a script element in lower case include `src`.
  private static func isExternal(_ attributes: ArraySlice<UInt8>) -> Bool {
    attributes.split { $0 <= 0x20 || $0 == UInt8(ascii: "/") }.contains { attribute in
      attribute.elementsEqual("src".utf8) || attribute.starts(with: "src=".utf8)
    }
  }

  /// Returns the URL that a statement assigns to `location`; nil for other statements. `statement`
  /// is the script after the word `location`.
  private static func assignedURL(after statement: ArraySlice<UInt8>) -> String? {
    var rest = statement.drop { $0 <= 0x20 }
    var name = ""
    if rest.first == UInt8(ascii: ".") {
      let member = rest.dropFirst().prefix { isNamePart($0) }.prefix(16)
      name = String(decoding: member, as: UTF8.self)
      rest = rest.dropFirst(1 + member.count).drop { $0 <= 0x20 }
    }
    switch name {
    case "", "href": guard rest.popFirst() == UInt8(ascii: "=") else { return nil }
    case "replace", "assign": guard rest.popFirst() == UInt8(ascii: "(") else { return nil }
    default: return nil
    }
    rest = rest.drop { $0 <= 0x20 }
    guard let quote = rest.popFirst(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    else { return nil }
    let targetBytes = rest.prefix(maxTargetLength).prefix { $0 != quote }
    rest = rest.dropFirst(targetBytes.count)
    // A string that continues after this one is not the whole URL.
    guard rest.popFirst() == quote, rest.first(where: { $0 > 0x20 }) != UInt8(ascii: "+") else {
      return nil
    }
    let target = String(decoding: targetBytes, as: UTF8.self).replacing("\\/", with: "/")
    guard !target.isEmpty, !target.hasPrefix("#"), !target.contains("\\"), !target.hasScriptScheme
    else { return nil }
    return target
  }

  fileprivate static func isNamePart(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
  }
}

/// Finds the statements of a script that begin with `location` and always run.
private struct ScriptScan {
  private let script: ArraySlice<UInt8>
  private var position: Int
  /// The text of the current statement up to `position`, without white space and comments; at most
  /// its first `maxStatementLength` bytes.
  private var statement = ""
  /// Whether each enclosing block always runs.
  private var blocks: [Bool] = []

  /// The objects with the property `location`.
  private static let owners: Set = [
    "", "window.", "self.", "document.", "top.", "parent.", "window.top.", "window.parent.",
  ]
  /// The texts that precede the opening brace of a block that always runs.
  private static let callers: Set = [
    "try", "settimeout(function()", "settimeout(()=>", "window.settimeout(function()",
    "window.settimeout(()=>", "(function()", "(()=>", "window.onload=function()",
    "window.onload=()=>",
  ]
  /// The texts that precede a string whose statements always run.
  private static let stringCallers: Set = ["settimeout(", "window.settimeout("]
  private static let maxStatementLength = 64

  /// Creates a scan from the start of a script, which must be in lower case.
  init(script: ArraySlice<UInt8>) {
    (self.script, position) = (script, script.startIndex)
  }

  /// Returns the position after the next `location` with which a statement begins that always runs;
  /// nil at the end of the script.
  mutating func nextLocation() -> Int? {
    let word = Array("location".utf8)
    while position < script.endIndex {
      let rest = script[position...]
      if skipComment(rest) { continue }
      if rest.starts(with: word), blocks.allSatisfy(\.self), Self.owners.contains(statement) {
        advance(word.count)
        return position
      }
      readCharacter(script[position])
    }
    return nil
  }

  private mutating func readCharacter(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "{"):
      blocks.append(Self.callers.contains(statement))
      endStatement()
    case UInt8(ascii: "}"):
      _ = blocks.popLast()
      endStatement()
    case UInt8(ascii: ";"): endStatement()
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
      if Self.stringCallers.contains(statement) { endStatement() } else { skipString(byte) }
    default: advance(1)
    }
  }

  /// Reads bytes as a part of the statement.
  private mutating func advance(_ count: Int) {
    for byte in script[position...].prefix(count) where byte > 0x20 {
      if statement.utf8.count < Self.maxStatementLength {
        statement.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    position += count
  }

  private mutating func endStatement() {
    statement = ""
    position += 1
  }

  private mutating func skipString(_ quote: UInt8) {
    advance(1)
    while position < script.endIndex {
      let byte = script[position]
      position += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == quote { return }
    }
  }

  /// Skips a comment at the position, and returns whether there was one. `<!--` begins a comment,
  /// too.
  private mutating func skipComment(_ rest: ArraySlice<UInt8>) -> Bool {
    if rest.starts(with: "/*".utf8) {
      position = rest.dropFirst(2).firstRange(of: Array("*/".utf8))?.upperBound ?? script.endIndex
    } else if rest.starts(with: "//".utf8) || rest.starts(with: "<!--".utf8) {
      position = rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? script.endIndex
    } else {
      return false
    }
    return true
  }
}
