import ArgumentParser

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

extension NameSpecification {
  /// The name of an option: short if it is a single letter, otherwise long.
  static func named(_ option: some RawRepresentable<String>) -> NameSpecification {
    let name = option.rawValue
    return name.utf8.count == 1 ? .customShort(Character(name)) : .customLong(name)
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
