import ArgumentParser
import Pages

/// The arguments after the name of an option.
struct PlainValue {
  private var rest: ArraySlice<String>
  /// The text after `=` in the argument with the name; nil if there is none.
  private var attached: String?

  init(_ arguments: ArraySlice<String>) { rest = arguments }

  mutating func consumeNext() -> String? { rest.popFirst() }

  /// Begins an option.
  /// - Parameter argument: the argument with the name.
  /// - Returns: the name without hyphens; nil if it is not spelled as the name of an option.
  mutating func begin(_ argument: String) -> String? {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    attached = parts.count == 2 ? String(parts[1]) : nil
    let isLong = argument.hasPrefix("--")
    let name = parts[0].dropFirst(isLong ? 2 : 1)
    return isLong == (name.utf8.count > 1) && (isLong || attached == nil) ? String(name) : nil
  }

  /// Returns the text of the value; nil if it is missing or empty. ArgumentParser reports empty
  /// values, which most options reject.
  private mutating func consumeText() -> String? {
    guard let attached else {
      return rest.first.flatMap { $0.isEmpty || $0.hasPrefix("-") ? nil : rest.popFirst() }
    }
    return attached.isEmpty ? nil : attached
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
