import ArgumentParser
import Pages

/// The values of options that can be parsed without ArgumentParser, whose reflection over all
/// commands takes longer than loading the page of a short dump.
///
/// Only unambiguous arguments are accepted: known options, each once, with valid values. Everything
/// else (errors, help, `--`) is left to ArgumentParser, which has the messages for it.
///
/// The names of the options are the cases of an enum. The declarations for ArgumentParser refer to
/// the same cases, and both parse texts with `ExpressibleByArgument`.
protocol PlainChoices {
  /// Reads an option.
  /// - Parameters:
  ///   - name: its name without hyphens.
  ///   - value: the text of its value, if any.
  /// - Returns: whether there is such an option with a plain, valid value.
  mutating func read(_ name: String, _ value: inout PlainValue) -> Bool
}

extension PlainChoices {
  /// Parses the arguments after a command.
  /// - Returns: the positional arguments; nil if the arguments are not all plain.
  mutating func parse(_ arguments: ArraySlice<String>) -> [String]? {
    var operands: [String] = []
    var names: [String] = []
    var value = PlainValue(arguments)
    while let argument = value.consumeNext() {
      guard argument != "-", argument.hasPrefix("-") else {
        operands.append(argument)
        continue
      }
      guard let name = value.begin(argument), !names.contains(name), read(name, &value) else {
        return nil
      }
      names.append(name)
    }
    return operands
  }

  /// Returns whether an argument is an option that takes its value from the next argument.
  func takesNextArgument(after argument: String) -> Bool {
    var choices = self
    var value = PlainValue(["0"])
    if let name = value.begin(argument) { _ = choices.read(name, &value) }
    return value.consumeNext() == nil
  }
}

/// The arguments after the name of an option.
struct PlainValue {
  private var rest: ArraySlice<String>
  /// The text after `=` in the argument with the name; nil if there is none.
  private var attached: String?

  fileprivate init(_ arguments: ArraySlice<String>) { rest = arguments }

  fileprivate mutating func consumeNext() -> String? { rest.popFirst() }

  /// Begins an option.
  /// - Parameter argument: the argument with the name.
  /// - Returns: the name without hyphens; nil if it is not spelled as the name of an option.
  fileprivate mutating func begin(_ argument: String) -> String? {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    attached = parts.count == 2 ? String(parts[1]) : nil
    let isLong = argument.hasPrefix("--")
    let name = parts[0].dropFirst(isLong ? 2 : 1)
    return isLong == (name.utf8.count > 1) && (isLong || attached == nil) ? String(name) : nil
  }

  private mutating func consumeText() -> String? {
    if let attached { return attached }
    return rest.first.flatMap { $0.hasPrefix("-") ? nil : rest.popFirst() }
  }

  /// Reads a value; returns whether it is valid.
  mutating func read<Value: ExpressibleByArgument>(_ target: inout Value) -> Bool {
    guard let value = consumeText().flatMap(Value.init(argument:)) else { return false }
    target = value
    return true
  }

  /// Reads a value; returns whether it is valid.
  mutating func read<Value: ExpressibleByArgument>(_ target: inout Value?) -> Bool {
    target = consumeText().flatMap(Value.init(argument:))
    return target != nil
  }

  /// Reads the only value of a list; returns whether it is valid.
  mutating func read<Value: ExpressibleByArgument>(_ target: inout [Value]) -> Bool {
    guard let value = consumeText().flatMap(Value.init(argument:)) else { return false }
    target = [value]
    return true
  }

  /// Sets a flag; returns whether it has no value.
  func set(_ flag: inout Bool) -> Bool {
    flag = attached == nil
    return flag
  }
}

extension NameSpecification {
  /// The name of an option: short if it is a single letter, otherwise long.
  static func named(_ option: some RawRepresentable<String>) -> NameSpecification {
    let name = option.rawValue
    return name.utf8.count == 1 ? .customShort(Character(name)) : .customLong(name)
  }
}

/// A command with plain arguments.
enum PlainCommand {
  case read(ReaderStart)
  case dump(Dump)
  case fetch(FetchChoices)

  /// Whether the command may load a page or an image through a URLSession. The dump of a local file
  /// without images loads nothing.
  var usesSession: Bool {
    guard case .dump(let dump) = self, !dump.presentation.drawsImages,
      let address = try? Address(typed: dump.target)
    else { return true }
    switch address {
    case .file, .standardInput: return false
    case .web, .builtIn, .book, .feedItem: return true
    }
  }

  /// Runs the command.
  func run() throws {
    switch self {
    case .read(let reading): try reading.run()
    case .dump(let dump): try dump.runAfterCheckingTarget()
    case .fetch(let fetch): try fetch.run()
    }
  }
}

extension Dump {
  /// Creates the dump that plain arguments request; nil if they are not valid.
  init?(plain arguments: ArraySlice<String>) {
    guard let start = ReaderStart(plain: arguments), let target = start.target else { return nil }
    self.init(
      target: target, presentation: start.presentation, load: start.load,
      isPrivate: start.isPrivate)
  }
}

extension ReaderStart: PlainChoices {
  /// Creates a start of the reader from plain arguments; nil if they are not valid.
  init?(plain arguments: ArraySlice<String>) {
    self.init()
    guard let operands = parse(arguments), operands.count <= 1, isValid else { return nil }
    target = operands.first
  }

  mutating func read(_ name: String, _ value: inout PlainValue) -> Bool {
    presentation.read(name, &value) || load.read(name, &value)
      || PrivateArguments.read(name, &value, &isPrivate)
  }

  /// Whether the values are valid, alone and together.
  private var isValid: Bool {
    (try? presentation.validate()) != nil && (try? load.validate()) != nil
      && (try? PrivateArguments.validate(isPrivate: isPrivate, with: load)) != nil
  }
}

extension FetchChoices {
  /// Creates the request that plain arguments describe; nil if they are not valid.
  init?(plain arguments: ArraySlice<String>) {
    self.init(url: "")
    guard let operands = parse(arguments), operands.count == 1 else { return nil }
    url = operands[0]
    guard (try? validate()) != nil, (try? load.validate()) != nil else { return nil }
  }
}
