/// A counter style that a style sheet defines by `@counter-style` (CSS Counter Styles 3 §3).
struct CounterStyle: Sendable {
  /// The algorithm that forms the text of a number.
  enum System: Sendable, Equatable {
    case cyclic, numeric, alphabetic, symbolic, additive
    /// Each symbol represents one number; the first symbol represents `first`.
    case fixed(first: Int32)
    /// The algorithm and the other descriptors of another style.
    case extends(CounterStyleName)
  }

  /// A number with its symbol, in `additive-symbols` and `pad`.
  private struct NumberedSymbol: Sendable {
    var number: Int32
    var symbol: [UInt8]
  }

  private(set) var system = System.symbolic
  private var symbols: [[UInt8]] = []
  private var additiveSymbols: [NumberedSymbol] = []
  private var ranges: [ClosedRange<Int32>]?
  /// The text before and after a negative number.
  private var negative: [[UInt8]]?
  /// The minimum length of the text of a number, and the symbol that is repeated before it.
  private var pad: NumberedSymbol?
  private(set) var prefix: [UInt8]?
  private(set) var suffix: [UInt8]?
  private(set) var fallback: CounterStyleName?

  private static let maxSymbols = 1024
  /// The maximum length of the text of a number in bytes.
  private static let maxLength = 200
  /// The maximum length of a symbol in bytes.
  private static let maxSymbolLength = 64

  /// Parses the content of a rule without comments; nil if it defines no style.
  init?(_ descriptors: StyleBytes) {
    descriptors.forEachDeclaration { property, value in
      let value = value.trimmed
      if property.isWord("system") {
        system = Self.system(value)
      } else if property.isWord("symbols") {
        symbols = Self.symbols(value)
      } else if property.isWord("additive-symbols") {
        additiveSymbols = value.parts(separator: UInt8(ascii: ",")).prefix(Self.maxSymbols)
          .compactMap { Self.numberedSymbol($0) }
      } else if property.isWord("range") {
        ranges = Self.ranges(value)
      } else if property.isWord("negative") {
        negative = Self.symbols(value)
      } else if property.isWord("pad") {
        pad = Self.numberedSymbol(value)
      } else if property.isWord("prefix") {
        prefix = Self.symbols(value).first
      } else if property.isWord("suffix") {
        suffix = Self.symbols(value).first
      } else if property.isWord("fallback") {
        fallback = CounterStyleName(value)
      }
    }
    guard isComplete else { return nil }
  }

  /// Whether the style has the symbols that its system needs.
  private var isComplete: Bool {
    switch system {
    case .cyclic, .symbolic, .fixed: !symbols.isEmpty
    case .numeric, .alphabetic: symbols.count >= 2
    case .additive: !additiveSymbols.isEmpty
    case .extends: true
    }
  }

  /// Adopts the algorithm of a style that this one extends, and the descriptors that it lacks.
  mutating func inherit(from base: Self) {
    (system, symbols, additiveSymbols) = (base.system, base.symbols, base.additiveSymbols)
    ranges = ranges ?? base.ranges
    negative = negative ?? base.negative
    pad = pad ?? base.pad
    prefix = prefix ?? base.prefix
    suffix = suffix ?? base.suffix
    fallback = fallback ?? base.fallback
  }

  /// Formats a number; nil if the style cannot represent it.
  func text(of value: Int32) -> [UInt8]? {
    if let ranges, !ranges.contains(where: { $0.contains(value) }) { return nil }
    let usesSign: Bool
    switch system {
    case .cyclic, .fixed: usesSign = false
    case .numeric, .alphabetic, .symbolic, .additive, .extends: usesSign = value < 0
    }
    let number = usesSign ? Int(value.magnitude) : Int(value)
    guard var text = unsignedText(of: number) else { return nil }
    let sign = usesSign ? negative ?? [Array("-".utf8)] : []
    if let pad, pad.number <= Self.maxSymbolLength {
      let length = ([text] + sign).reduce(0) { $0 + String(decoding: $1, as: UTF8.self).count }
      let padding = Array(repeating: pad.symbol, count: max(0, Int(pad.number) - length))
      text = padding.flatMap { $0 } + text
    }
    text = (sign.first ?? []) + text + (sign.dropFirst().first ?? [])
    return text.count <= Self.maxLength ? text : nil
  }

  /// Formats a number without its sign; nil if the system cannot represent it.
  private func unsignedText(of number: Int) -> [UInt8]? {
    switch system {
    case .cyclic:
      let index = (number - 1) % symbols.count
      return symbols[index < 0 ? index + symbols.count : index]
    case .fixed(let first):
      let index = number - Int(first)
      return symbols.indices.contains(index) ? symbols[index] : nil
    case .symbolic:
      guard number > 0 else { return nil }
      let symbol = symbols[(number - 1) % symbols.count]
      return Self.repeated(symbol, (number - 1) / symbols.count + 1)
    case .numeric: return number == 0 ? symbols[0] : positionalText(of: number, firstDigit: 0)
    case .alphabetic: return number > 0 ? positionalText(of: number, firstDigit: 1) : nil
    case .additive: return additiveText(of: number)
    case .extends(.predefined(let base)): return Array(base.text(of: Int32(clamping: number)).utf8)
    case .extends(.custom): return Array(String(number).utf8)
    }
  }

  /// Returns a symbol several times; nil if that is too long.
  private static func repeated(_ symbol: [UInt8], _ count: Int) -> [UInt8]? {
    guard count <= maxLength, count * symbol.count <= maxLength else { return nil }
    return Array(repeating: symbol, count: count).flatMap { $0 }
  }

  /// Formats a number greater than 0 with a symbol for each position; the first symbol
  /// represents `firstDigit`.
  private func positionalText(of number: Int, firstDigit: Int) -> [UInt8] {
    var digits: [[UInt8]] = []
    var rest = number
    while rest > 0 {
      rest -= firstDigit
      digits.append(symbols[rest % symbols.count])
      rest /= symbols.count
    }
    return digits.reversed().flatMap { $0 }
  }

  /// Formats a number as a sum of symbols; nil if no sum is equal to it.
  private func additiveText(of number: Int) -> [UInt8]? {
    if number == 0 { return additiveSymbols.first { $0.number == 0 }?.symbol }
    var (text, rest): ([UInt8], Int) = ([], number)
    for entry in additiveSymbols where entry.number > 0 && rest >= Int(entry.number) {
      let count = rest / Int(entry.number)
      guard text.count <= Self.maxLength, let part = Self.repeated(entry.symbol, count) else {
        return nil
      }
      text += part
      rest -= count * Int(entry.number)
    }
    return rest == 0 ? text : nil
  }
}

// Values of descriptors.
extension CounterStyle {
  private static func system(_ value: StyleBytes) -> System {
    let name = value.prefix { !$0.isWhiteSpace }
    let argument = value[name.endIndex...].trimmed
    if name.isWord("extends") { return .extends(CounterStyleName(argument)) }
    if name.isWord("fixed") {
      return .fixed(first: Int32(String(decoding: argument, as: UTF8.self)) ?? 1)
    }
    return systems.first { name.isWord($0.word) }?.system ?? .symbolic
  }

  private static let systems: [(word: StaticString, system: System)] = [
    ("cyclic", .cyclic), ("numeric", .numeric), ("alphabetic", .alphabetic),
    ("additive", .additive),
  ]

  /// Returns the symbols in a value up to the first one that is an image or invalid.
  private static func symbols(_ value: StyleBytes) -> [[UInt8]] {
    var symbols: [[UInt8]] = []
    var rest = value.trimmed
    while symbols.count < maxSymbols, let symbol = consumeSymbol(&rest) {
      symbols.append(symbol)
      rest = rest.trimmed
    }
    return symbols
  }

  /// Parses a number and a symbol in either order; nil if the text is anything else.
  private static func numberedSymbol(_ text: StyleBytes) -> NumberedSymbol? {
    var rest = text.trimmed
    var (number, symbol): (Int32?, [UInt8]?) = (nil, nil)
    while !rest.isEmpty {
      let word = rest.prefix { !$0.isWhiteSpace }
      if number == nil, let value = Int32(String(decoding: word, as: UTF8.self)) {
        number = value
        rest = rest[word.endIndex...].trimmed
      } else if symbol == nil, let value = consumeSymbol(&rest) {
        symbol = value
        rest = rest.trimmed
      } else {
        return nil
      }
    }
    guard let number, let symbol, number >= 0 else { return nil }
    return NumberedSymbol(number: number, symbol: symbol)
  }

  /// Consumes a string or an identifier; nil if the text begins with neither, or it is too long.
  private static func consumeSymbol(_ text: inout StyleBytes) -> [UInt8]? {
    var symbol: [UInt8] = []
    if let string = GeneratedContent.consumeString(&text) {
      symbol = string
    } else {
      let start = text.startIndex
      while let byte = text.first, byte.isNameByte || byte == UInt8(ascii: "\\") {
        if byte == UInt8(ascii: "\\") {
          symbol += text.consumeEscape()
        } else {
          symbol.append(byte)
          text = text.dropFirst()
        }
      }
      guard text.startIndex > start, text.first != UInt8(ascii: "(") else { return nil }
    }
    return symbol.count <= maxSymbolLength ? symbol : nil
  }

  /// Parses pairs of bounds; nil for all numbers (`auto`).
  private static func ranges(_ value: StyleBytes) -> [ClosedRange<Int32>]? {
    let ranges = value.parts(separator: UInt8(ascii: ",")).prefix(maxSymbols)
      .compactMap { part -> ClosedRange<Int32>? in
        let bounds = part.split(whereSeparator: \.isWhiteSpace)
        guard bounds.count == 2 else { return nil }
        let lower: Int32? = bounds[0].isWord("infinite") ? Int32.min : integer(bounds[0])
        let upper: Int32? = bounds[1].isWord("infinite") ? Int32.max : integer(bounds[1])
        guard let lower, let upper, lower <= upper else { return nil }
        return lower...upper
      }
    return ranges.isEmpty ? nil : ranges
  }

  private static func integer(_ text: StyleBytes) -> Int32? {
    Int32(String(decoding: text, as: UTF8.self))
  }
}
