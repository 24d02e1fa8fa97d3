/// A regular expression in the `pattern` of a field (HTML standard, section 4.10.5.3.6), which must
/// match the whole text. Its syntax is that of ECMAScript with the flag `v`; browsers ignore other
/// expressions.
///
/// All alternatives are followed at the same time, so the cost is linear in the length of the text,
/// whatever the expression is. Look-around, back references and properties of characters are not
/// supported: the server validates such texts.
struct InputPattern {
  private enum Step {
    /// One of the characters, or one that is not among them.
    case character(ranges: [ClosedRange<UInt32>], isNegated: Bool)
    /// Both indices are followed.
    case split(Int, Int)
    case jump(Int)
  }

  /// The program; an index after its end means that the expression has matched.
  private var steps: [Step] = []
  private var source: ArraySlice<Unicode.Scalar> = []
  private var depth = 0
  /// The number of the steps and of their ranges, which bounds the cost of a character.
  private var size = 0

  /// The maximum number of steps, which also bounds repetitions of repetitions.
  private static let maxSteps = 2000
  private static let maxDepth = 32
  /// The maximum product of `size` and the length of a text in bytes; longer ones are not checked.
  private static let maxCost = 10_000_000

  /// The pattern cannot be used.
  private struct Unsupported: Error {}

  /// Parses an expression; returns nil if it is invalid or not supported.
  init?(_ pattern: String) {
    let scalars = Array(pattern.unicodeScalars)
    source = scalars[...]
    guard scalars.count <= Self.maxSteps, (try? readAlternatives()) != nil, source.isEmpty else {
      return nil
    }
    size = steps.count
    for case .character(let ranges, _) in steps { size += ranges.count }
  }

  /// Returns whether the expression matches a whole text. Very long texts are accepted.
  func matches(_ text: String) -> Bool {
    guard text.utf8.count <= Self.maxCost / max(1, size) else { return true }
    var current = ReachedSteps(count: steps.count + 1)
    var next = current
    follow(0, into: &current)
    for scalar in text.unicodeScalars {
      next.removeAll()
      for index in current.indices where index < steps.count {
        if case .character(let ranges, let isNegated) = steps[index],
          ranges.contains(where: { $0.contains(scalar.value) }) != isNegated
        {
          follow(index + 1, into: &next)
        }
      }
      if next.indices.isEmpty { return false }
      swap(&current, &next)
    }
    return current.contains(steps.count)
  }

  /// The steps that are reached after some characters of a text, each once.
  private struct ReachedSteps {
    private(set) var indices: [Int] = []
    private var isReached: [Bool]

    init(count: Int) { isReached = Array(repeating: false, count: count) }

    func contains(_ index: Int) -> Bool { isReached[index] }

    mutating func insert(_ index: Int) {
      guard !isReached[index] else { return }
      isReached[index] = true
      indices.append(index)
    }

    mutating func removeAll() {
      for index in indices { isReached[index] = false }
      indices.removeAll(keepingCapacity: true)
    }
  }

  /// Adds a step, and the steps that it leads to without a character.
  private func follow(_ start: Int, into found: inout ReachedSteps) {
    var position = found.indices.count
    found.insert(start)
    while position < found.indices.count {
      let index = found.indices[position]
      position += 1
      guard index < steps.count else { continue }
      switch steps[index] {
      case .character: break
      case .split(let one, let other):
        found.insert(one)
        found.insert(other)
      case .jump(let target): found.insert(target)
      }
    }
  }

  // MARK: Parsing

  private mutating func append(_ step: Step) throws(Unsupported) {
    guard steps.count < Self.maxSteps else { throw Unsupported() }
    steps.append(step)
  }

  private mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
    guard source.first == scalar else { return false }
    source.removeFirst()
    return true
  }

  private mutating func readAlternatives() throws(Unsupported) {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maxDepth else { throw Unsupported() }
    var jumps: [Int] = []
    while true {
      let start = steps.count
      while let next = source.first, next != "|", next != ")" { try readTerm() }
      guard consume("|") else { break }
      try insertSplit(at: start, endOffset: 1)
      jumps.append(steps.count)
      try append(.jump(0))
    }
    for index in jumps { steps[index] = .jump(steps.count) }
  }

  /// Inserts a split before the steps from an index on, which leads to them and past their end.
  private mutating func insertSplit(at start: Int, endOffset: Int = 0) throws(Unsupported) {
    let part = Array(steps[start...])
    steps.removeSubrange(start...)
    try append(.split(start + 1, start + 1 + part.count + endOffset))
    for step in part { try append(Self.moved(step, by: 1)) }
  }

  private static func moved(_ step: Step, by distance: Int) -> Step {
    switch step {
    case .character: step
    case .split(let one, let other): .split(one + distance, other + distance)
    case .jump(let target): .jump(target + distance)
    }
  }

  /// Reads a character, a class or a group, with its repetition.
  private mutating func readTerm() throws(Unsupported) {
    let start = steps.count
    switch source.removeFirst() {
    // The whole text must match anyway.
    case "^" where start == 0: return
    case "$" where source.isEmpty: return
    case "(":
      if consume("?"), !consume(":") { throw Unsupported() }
      try readAlternatives()
      guard consume(")") else { throw Unsupported() }
    case "[": try readClass()
    case ".": try append(.character(ranges: [0x0A...0x0A, 0x0D...0x0D], isNegated: true))
    case "\\":
      let (ranges, isNegated) = try readEscape(of: Self.syntaxCharacters)
      try append(.character(ranges: ranges, isNegated: isNegated))
    case "*", "+", "?", "{", "}", "]", "^", "$": throw Unsupported()
    case let scalar:
      try append(.character(ranges: [scalar.value...scalar.value], isNegated: false))
    }
    try readRepetition(from: start)
  }

  private mutating func readRepetition(from start: Int) throws(Unsupported) {
    let bounds: (min: Int, max: Int?)
    if consume("*") {
      bounds = (0, nil)
    } else if consume("+") {
      bounds = (1, nil)
    } else if consume("?") {
      bounds = (0, 1)
    } else if consume("{") {
      bounds = try readBounds()
    } else {
      return
    }
    // A reluctant repetition matches the same texts.
    _ = consume("?")
    let part = steps[start...].map { Self.moved($0, by: -start) }
    steps.removeSubrange(start...)
    for _ in 0..<bounds.min { try appendCopy(of: part) }
    guard let maximum = bounds.max else {
      let loop = steps.count
      try append(.split(loop + 1, loop + part.count + 2))
      try appendCopy(of: part)
      return try append(.jump(loop))
    }
    for _ in bounds.min..<max(bounds.min, maximum) {
      let optional = steps.count
      try append(.split(optional + 1, optional + part.count + 1))
      try appendCopy(of: part)
    }
  }

  private mutating func appendCopy(of part: [Step]) throws(Unsupported) {
    let start = steps.count
    for step in part { try append(Self.moved(step, by: start)) }
  }

  /// Reads `3}`, `3,}` or `3,5}`. A maximum above `maxSteps` is ignored.
  private mutating func readBounds() throws(Unsupported) -> (min: Int, max: Int?) {
    guard let minimum = readNumber() else { throw Unsupported() }
    var maximum: Int? = minimum
    if consume(",") { maximum = readNumber() }
    guard consume("}"), maximum.map({ $0 >= minimum }) ?? true else { throw Unsupported() }
    return (minimum, maximum)
  }

  private mutating func readNumber() -> Int? {
    let digits = source.prefix { ("0"..."9").contains($0) }
    source = source.dropFirst(digits.count)
    return Int(String(String.UnicodeScalarView(digits))).flatMap { $0 <= Self.maxSteps ? $0 : nil }
  }

  /// Reads a class after its bracket.
  private mutating func readClass() throws(Unsupported) {
    let isNegated = consume("^")
    var ranges: [ClosedRange<UInt32>] = []
    while !consume("]") {
      let first = try readClassMember()
      let isRange = source.first == "-" && source.dropFirst().first != "]"
      guard isRange, first.count == 1, let start = first.first, start.count == 1 else {
        ranges += first
        continue
      }
      source.removeFirst()
      guard let end = try readClassMember().first, end.count == 1,
        start.lowerBound <= end.lowerBound
      else { throw Unsupported() }
      ranges.append(start.lowerBound...end.lowerBound)
    }
    try append(.character(ranges: ranges, isNegated: isNegated))
  }

  private mutating func readClassMember() throws(Unsupported) -> [ClosedRange<UInt32>] {
    guard let scalar = source.popFirst() else { throw Unsupported() }
    guard scalar == "\\" else {
      // Such a character must be escaped, and a doubled one is an operator.
      let isOperator = source.first == scalar && Self.doubledPunctuators.contains(scalar)
      guard !isOperator, !"()[]{}/-|".unicodeScalars.contains(scalar) else { throw Unsupported() }
      return [scalar.value...scalar.value]
    }
    let (ranges, isNegated) = try readEscape(of: Self.escapableInClass)
    return isNegated ? Self.complement(of: ranges) : ranges
  }

  private static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
  private static let wordCharacters: [ClosedRange<UInt32>] = [
    0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A,
  ]
  private static let spaces: [ClosedRange<UInt32>] = [
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
    0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ]

  /// The characters that may be escaped outside a class.
  private static let syntaxCharacters = "^$\\.*+?()[]{}|/".unicodeScalars
  /// The characters that may be escaped in a class.
  private static let escapableInClass = "^$\\.*+?()[]{}|/-&!#%,:;<=>@`~".unicodeScalars
  /// The characters of which two in a class are an operator, now or in a future version.
  private static let doubledPunctuators = "&!#$%*+,.:;<=>?@^`~".unicodeScalars

  /// Reads the rest of an escape sequence; `escapable` are the characters that a backslash turns
  /// into plain characters.
  private mutating func readEscape(
    of escapable: String.UnicodeScalarView
  ) throws(Unsupported) -> ([ClosedRange<UInt32>], Bool) {
    guard let scalar = source.popFirst() else { throw Unsupported() }
    switch scalar {
    case "d": return (Self.digits, false)
    case "D": return (Self.digits, true)
    case "w": return (Self.wordCharacters, false)
    case "W": return (Self.wordCharacters, true)
    case "s": return (Self.spaces, false)
    case "S": return (Self.spaces, true)
    case "t": return ([0x09...0x09], false)
    case "n": return ([0x0A...0x0A], false)
    case "r": return ([0x0D...0x0D], false)
    case "x", "u":
      let count = scalar == "x" ? 2 : 4
      let text = String(String.UnicodeScalarView(source.prefix(count)))
      // A half of a surrogate pair matches no character.
      guard text.utf8.count == count, text.allSatisfy(\.isHexDigit),
        let value = UInt32(text, radix: 16), Unicode.Scalar(value) != nil
      else { throw Unsupported() }
      source = source.dropFirst(count)
      return ([value...value], false)
    default:
      guard escapable.contains(scalar) else { throw Unsupported() }
      return ([scalar.value...scalar.value], false)
    }
  }

  /// Returns the characters that are in none of the ranges, which are in order.
  private static func complement(of ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var result: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { result.append(next...(range.lowerBound - 1)) }
      next = range.upperBound + 1
    }
    return result + [next...0x10FFFF]
  }
}
