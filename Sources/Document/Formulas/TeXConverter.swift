/// A converter from a TeX formula to one line of Unicode text: `x²+½`, `(a+b)/c`, `√(x+1)`.
///
/// It is a single pass with groups nested at most `maxDepth` levels. If anything in the formula is
/// not supported, there is no result.
package struct TeXConverter {
  /// Returns the formula on one line; nil if anything in it is not supported, or if `source` (TeX
  /// without the delimiters) is longer than `maxLength` bytes.
  package static func convertedLine(_ source: some Collection<UInt8>) -> String? {
    guard source.count <= maxLength, !source.contains(where: Self.isControl) else { return nil }
    var formula = TeXConverter(
      tokens: TeXToken.tokenize(in: String(decoding: source, as: UTF8.self)))
    guard let text = formula.convertSequence(depth: 0), formula.index == formula.tokens.count else {
      return nil
    }
    return text.isEmpty ? nil : text
  }

  private static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && !(9...13).contains(byte) || byte == 0x7F
  }

  /// The maximum length of a formula in bytes.
  private static let maxLength = 4096
  /// The maximum number of nested groups.
  private static let maxDepth = 24

  private let tokens: [TeXToken]
  private var index = 0

  private init(tokens: [TeXToken]) { self.tokens = tokens }

  /// A converted part of a formula; its kind determines spaces and parentheses around it.
  private struct ConvertedPart {
    var text: String
    var kind = Kind.plain

    enum Kind { case plain, relation, functionName, fraction, largeOperator, space, emptyDelimiter }

    /// The text, in parentheses if it consists of several factors or terms.
    var parenthesizedText: String {
      let isOne =
        text.unicodeScalars.count <= 1 || text.unicodeScalars.allSatisfy(\.isNumberCharacter)
        || kind == .plain && text.unicodeScalars.dropFirst().allSatisfy(\.isScriptOrCombiningMark)
      return isOne || text.isInParentheses ? text : "(\(text))"
    }
  }

  private var token: TeXToken? { index < tokens.count ? tokens[index] : nil }

  private mutating func consume() -> TeXToken? {
    defer { index += 1 }
    return token
  }

  // MARK: Sequences

  /// Converts everything up to the end of the group; nil if anything in it is not supported.
  private mutating func convertSequence(depth: Int) -> String? {
    guard depth < Self.maxDepth else { return nil }
    var parts: [ConvertedPart] = []
    while let token, !token.endsGroup {
      guard var part = convertAtom(depth: depth) else { return nil }
      guard appendScripts(&part, depth: depth) else { return nil }
      if !part.text.isEmpty { parts.append(part) }
    }
    return Self.joined(parts)
  }

  private static func joined(_ parts: [ConvertedPart]) -> String {
    var line = ""
    for (index, part) in parts.enumerated() {
      let previousPart = index > 0 ? parts[index - 1] : nil
      let nextPart = index + 1 < parts.count ? parts[index + 1] : nil
      switch part.kind {
      case .relation:
        if !line.isEmpty, line.last != " " { line += " " }
        line += part.text
        if nextPart != nil { line += " " }
      case .space:
        if !line.isEmpty, line.last != " ", nextPart != nil { line += " " }
      case .fraction:
        let isBesideFactor =
          previousPart?.text.endsAsFactor == true || nextPart?.text.beginsAsFactor == true
        let needsParentheses = isBesideFactor && part.text.unicodeScalars.count > 1
        line += needsParentheses ? "(\(part.text))" : part.text
      case .functionName, .largeOperator:
        if previousPart?.text.endsAsFactor == true, line.last != " " { line += " " }
        line += part.text
        if let nextPart,
          nextPart.kind == .fraction || nextPart.text.beginsAsWord || part.kind == .largeOperator,
          nextPart.kind != .relation, nextPart.kind != .space
        {
          line += " "
        }
      case .emptyDelimiter:
        line += nextPart == nil || nextPart?.kind == .space ? part.text : part.text + " "
      case .plain: line += part.text
      }
    }
    return line
  }

  /// Appends the superscripts and subscripts that follow a part. Returns false if one is not
  /// supported.
  private mutating func appendScripts(_ part: inout ConvertedPart, depth: Int) -> Bool {
    for _ in 0..<4 {
      switch token {
      case .character("^"):
        index += 1
        guard let raised = convertArgument(depth: depth) else { return false }
        if part.kind == .fraction { (part.text, part.kind) = ("(\(part.text))", .plain) }
        part.text += TeXSymbols.superscripted(raised.text)
      case .character("_"):
        index += 1
        guard let lowered = convertArgument(depth: depth) else { return false }
        part.text += TeXSymbols.subscripted(lowered.text)
      case .character("'"):
        index += 1
        part.text += "′"
      case .command("limits"), .command("nolimits"): index += 1
      default: return true
      }
    }
    return true
  }

  /// Converts one token or group; nil if it is missing or not supported.
  private mutating func convertArgument(depth: Int) -> ConvertedPart? {
    guard depth + 1 < Self.maxDepth, let token, !token.endsGroup else { return nil }
    return convertAtom(depth: depth + 1)
  }

  // MARK: Atoms

  private mutating func convertAtom(depth: Int) -> ConvertedPart? {
    switch consume() {
    case .beginGroup:
      guard let text = convertSequence(depth: depth + 1), case .endGroup = consume() else {
        return nil
      }
      return ConvertedPart(text: text)
    case .character(let character): return Self.part(character)
    case .command(let name): return convertCommand(name, depth: depth)
    case .endGroup, .cellSeparator, .rowSeparator, nil: return nil
    }
  }

  private static func part(_ character: Character) -> ConvertedPart? {
    switch character {
    case "=", "<", ">": ConvertedPart(text: String(character), kind: .relation)
    case ":": ConvertedPart(text: ":")
    case "-": ConvertedPart(text: "−")
    case "*": ConvertedPart(text: "∗")
    case "~": ConvertedPart(text: " ", kind: .space)
    case ",", ";": ConvertedPart(text: String(character), kind: .emptyDelimiter)
    case "^", "_", "#", "$", "%", "\\", "\0"..<" ": nil
    default: ConvertedPart(text: String(character))
    }
  }

  /// Returns the part for a command that has no argument; nil for other commands.
  private static func symbol(_ name: String) -> ConvertedPart? {
    if let symbol = TeXSymbols.ordinarySymbols[name] { return ConvertedPart(text: symbol) }
    if let symbol = TeXSymbols.relations[name] {
      return ConvertedPart(text: symbol, kind: .relation)
    }
    if let symbol = TeXSymbols.largeOperators[name] {
      return ConvertedPart(text: symbol, kind: .largeOperator)
    }
    if TeXSymbols.functionNames.contains(name) {
      return ConvertedPart(text: name, kind: .functionName)
    }
    if TeXSymbols.spaceCommands.contains(name) { return ConvertedPart(text: " ", kind: .space) }
    if TeXSymbols.ignoredCommands.contains(name) { return ConvertedPart(text: "") }
    return nil
  }

  private mutating func convertCommand(_ name: String, depth: Int) -> ConvertedPart? {
    if let symbol = Self.symbol(name) { return symbol }
    if let accent = TeXSymbols.accents[name] {
      guard let argument = convertArgument(depth: depth) else { return nil }
      return Self.accented(argument.text, accent).map { ConvertedPart(text: $0) }
    }
    if let letters = TeXSymbols.alphabets[name] {
      guard let argument = convertArgument(depth: depth) else { return nil }
      return ConvertedPart(text: letters.map(argument.text))
    }
    switch name {
    case "frac", "dfrac", "tfrac", "cfrac": return convertFraction(depth: depth)
    case "binom", "dbinom", "tbinom":
      guard let upperPart = convertArgument(depth: depth),
        let lowerPart = convertArgument(depth: depth)
      else {
        return nil
      }
      return ConvertedPart(text: "C(\(upperPart.text), \(lowerPart.text))")
    case "sqrt": return convertRoot(depth: depth)
    case "text", "textrm", "textbf", "textit", "mathrm", "mathit", "mathsf", "mathtt",
      "operatorname",
      "mbox", "rm", "hbox", "boldsymbol", "bm":
      // The name of an operator whose limits are above and below it.
      if name == "operatorname", case .character("*") = token { index += 1 }
      guard let argument = convertArgument(depth: depth) else { return nil }
      return ConvertedPart(
        text: argument.text, kind: name == "operatorname" ? .functionName : .plain)
    case "left", "right", "middle", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr",
      "biggl", "biggr", "Biggl", "Biggr", "bigm", "Bigm":
      return consumeDelimiter()
    case "pmod":
      guard let argument = convertArgument(depth: depth) else { return nil }
      return ConvertedPart(text: " (mod \(argument.text))")
    case "overset", "stackrel", "underset": return convertStack(name, depth: depth)
    case "begin": return convertEnvironment(depth: depth)
    default: return convertDecoration(name, depth: depth)
    }
  }

  /// Converts a symbol with another one above or below it.
  private mutating func convertStack(_ name: String, depth: Int) -> ConvertedPart? {
    guard let scriptArgument = convertArgument(depth: depth),
      let base = convertArgument(depth: depth)
    else { return nil }
    let script =
      name == "underset"
      ? TeXSymbols.subscripted(scriptArgument.text)
      : TeXSymbols.superscripted(scriptArgument.text)
    return ConvertedPart(text: base.text + script, kind: base.kind)
  }

  /// Converts a command that changes the appearance of its argument or adds something to it.
  private mutating func convertDecoration(_ name: String, depth: Int) -> ConvertedPart? {
    if TeXSymbols.ignoredArguments.contains(name) {
      return consumeBracedText() == nil ? nil : ConvertedPart(text: "")
    }
    switch name {
    case "underbrace", "overbrace", "boxed", "mathop", "textcolor":
      if name == "textcolor" { guard consumeBracedText() != nil else { return nil } }
      guard let argument = convertArgument(depth: depth) else { return nil }
      if name == "mathop" { return ConvertedPart(text: argument.text, kind: .functionName) }
      return ConvertedPart(
        text: name.hasSuffix("brace") ? argument.parenthesizedText : argument.text)
    case "hspace", "phantom", "hphantom":
      return consumeBracedText() == nil ? nil : ConvertedPart(text: " ", kind: .space)
    case "tag":
      return consumeBracedText().map { ConvertedPart(text: " (\($0))") }
    case "not":
      guard let relation = convertArgument(depth: depth), relation.text.count == 1 else {
        return nil
      }
      return ConvertedPart(
        text: TeXSymbols.negatedRelations[relation.text] ?? relation.text + "\u{338}",
        kind: relation.kind)
    case "xrightarrow", "xleftarrow":
      guard let label = convertArgument(depth: depth) else { return nil }
      let arrow = name == "xrightarrow" ? "→" : "←"
      return ConvertedPart(text: arrow + TeXSymbols.superscripted(label.text), kind: .relation)
    default: return nil
    }
  }

  /// Returns a letter with an accent, or letters with a line over or under all of them; nil for
  /// other accents over more than one letter.
  private static func accented(_ text: String, _ accent: String) -> String? {
    guard text.count != 1 else { return text + accent }
    guard TeXSymbols.joiningMarks.contains(accent) else { return nil }
    return text.reduce(into: "") { $0 += $1 == " " ? " " : String($1) + accent }
  }

  private mutating func convertFraction(depth: Int) -> ConvertedPart? {
    guard let upper = convertArgument(depth: depth), let lower = convertArgument(depth: depth)
    else { return nil }
    if let vulgar = TeXSymbols.fractions["\(upper.text)/\(lower.text)"] {
      return ConvertedPart(text: vulgar, kind: .fraction)
    }
    return ConvertedPart(
      text: "\(upper.parenthesizedText)/\(lower.parenthesizedText)", kind: .fraction)
  }

  private mutating func convertRoot(depth: Int) -> ConvertedPart? {
    var degree = ""
    if case .character("[") = token {
      index += 1
      while let token = consume() {
        if case .character("]") = token { break }
        guard case .character(let character) = token, degree.count < 8 else { return nil }
        degree.append(character)
      }
    }
    guard let radicand = convertArgument(depth: depth) else { return nil }
    let sign = degree == "3" ? "∛" : degree == "4" ? "∜" : degree.isEmpty ? "√" : nil
    return ConvertedPart(
      text: (sign ?? TeXSymbols.superscripted(degree) + "√") + radicand.parenthesizedText)
  }

  /// Returns the delimiter after `\left` and the like; a period is an empty delimiter. Nil if the
  /// delimiter is not supported.
  private mutating func consumeDelimiter() -> ConvertedPart? {
    switch consume() {
    case .character("."): ConvertedPart(text: "")
    case .character(let character): ConvertedPart(text: String(character))
    case .command(let name): TeXSymbols.ordinarySymbols[name].map { ConvertedPart(text: $0) }
    default: nil
    }
  }

  /// Converts the rows of a matrix, or of cases, separated by `;`; nil if anything in them is not
  /// supported.
  private mutating func convertEnvironment(depth: Int) -> ConvertedPart? {
    guard depth + 1 < Self.maxDepth, let name = consumeBracedName(),
      let (open, close) = TeXSymbols.environmentDelimiters[name]
    else { return nil }
    // The alignment of the columns, or their number.
    if name == "array" || name.hasPrefix("aligna") || name == "alignedat" {
      guard consumeBracedText() != nil else { return nil }
    }
    var rows: [[String]] = [[]]
    while true {
      guard let cell = convertSequence(depth: depth + 1) else { return nil }
      rows[rows.count - 1].append(cell)
      switch consume() {
      case .cellSeparator: continue
      case .rowSeparator: rows.append([])
      case .command("end"):
        guard consumeBracedName() == name else { return nil }
        if rows.last == [""] { rows.removeLast() }
        // Environments without delimiters align the parts of their lines.
        let isAligned = open.isEmpty && !name.hasPrefix("eqnarray")
        let cellSeparator = isAligned ? "" : name.hasSuffix("cases") ? ", " : " "
        let lines = rows.map { Self.line(of: $0, separator: cellSeparator) }
        return ConvertedPart(text: open + lines.joined(separator: "; ") + close)
      default: return nil
      }
    }
  }

  /// Joins the cells of a row by a separator. If that is empty, there is a space before relations,
  /// and between pairs of cells, which are equations of their own.
  private static func line(of cells: [String], separator: String) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() where !cell.isEmpty {
      if !line.isEmpty {
        let isApart = index.isMultiple(of: 2) || TeXSymbols.isRelation(cell.first)
        line += separator.isEmpty && isApart ? " " : separator
      }
      line += cell
    }
    return line
  }

  /// Parses a name in braces; nil if there is none.
  private mutating func consumeBracedName() -> String? {
    guard case .beginGroup = consume() else { return nil }
    var word = ""
    while let token = consume() {
      if case .endGroup = token { return word }
      guard case .character(let character) = token, word.count < 32 else { return nil }
      word.append(character)
    }
    return nil
  }

  /// Consumes a group, which may contain other groups and commands.
  /// - Returns: The characters in it; nil if there is no complete group.
  private mutating func consumeBracedText() -> String? {
    guard case .beginGroup = consume() else { return nil }
    var text = ""
    var depth = 1
    while let token = consume() {
      switch token {
      case .beginGroup: depth += 1
      case .endGroup:
        depth -= 1
        if depth == 0 { return text }
      case .character(let character): text.append(character)
      case .command, .cellSeparator, .rowSeparator: break
      }
    }
    return nil
  }
}

/// A TeX token.
private enum TeXToken: Equatable {
  case character(Character), command(String), beginGroup, endGroup, cellSeparator, rowSeparator

  /// Whether the token ends the current group, cell or environment.
  var endsGroup: Bool {
    switch self {
    case .endGroup, .cellSeparator, .rowSeparator, .command("end"): true
    default: false
    }
  }

  /// Commands whose argument is text, in which spaces are significant.
  private static let textCommands: Set<String> = [
    "text", "textrm", "textbf", "textit", "mbox", "hbox",
  ]

  static func tokenize(in source: String) -> [TeXToken] {
    var tokens: [TeXToken] = []
    var rest = Substring(source)
    var textDepth = 0
    var beginsText = false
    while let first = rest.popFirst() {
      switch first {
      case "\\":
        let name = rest.prefix { $0.isASCII && $0.isLetter }
        rest = rest.dropFirst(name.count)
        if !name.isEmpty {
          tokens.append(.command(String(name)))
          beginsText = textCommands.contains(String(name))
        } else if let sign = rest.popFirst() {
          tokens.append(sign == "\\" ? .rowSeparator : .command(String(sign)))
        } else {
          tokens.append(.character("\\"))
        }
      case "{":
        tokens.append(.beginGroup)
        if textDepth > 0 || beginsText { textDepth += 1 }
        beginsText = false
      case "}":
        tokens.append(.endGroup)
        textDepth = max(0, textDepth - 1)
      case "&": tokens.append(.cellSeparator)
      case _ where first.isWhitespace:
        if textDepth > 0 { tokens.append(.character(" ")) }
      default:
        tokens.append(.character(first))
        beginsText = false
      }
    }
    return tokens
  }
}

extension Unicode.Scalar {
  fileprivate var isNumberCharacter: Bool { ("0"..."9").contains(self) || self == "." }
  /// Whether the character is a superscript, a subscript, a prime or a combining mark.
  fileprivate var isScriptOrCombiningMark: Bool {
    switch value {
    case 0xB2, 0xB3, 0xB9, 0x300...0x36F, 0x2032...0x2034, 0x2070...0x209C, 0x20D0...0x20FF: true
    default: false
    }
  }
  /// Whether the character is a letter or a number, which may be a factor of a product.
  fileprivate var isFactor: Bool {
    properties.isAlphabetic || properties.numericType != nil
  }
}

extension String {
  /// Whether a fraction or a function name directly after the text would be read as multiplied by
  /// its last character.
  fileprivate var endsAsFactor: Bool {
    unicodeScalars.last.map { $0.isFactor || $0 == ")" || $0.isScriptOrCombiningMark } ?? false
  }
  fileprivate var beginsAsWord: Bool { unicodeScalars.first?.isFactor ?? false }
  /// Whether a fraction directly before the text would be read as multiplied by its first
  /// character.
  fileprivate var beginsAsFactor: Bool {
    unicodeScalars.first.map { $0.isFactor || $0 == "(" || $0 == "√" } ?? false
  }
  /// Whether the first parenthesis is closed by the last one.
  fileprivate var isInParentheses: Bool {
    guard first == "(", last == ")" else { return false }
    var depth = 0
    for (offset, character) in unicodeScalars.enumerated() {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if depth == 0 { return offset == unicodeScalars.count - 1 }
    }
    return false
  }
}
