/// The counter styles that style sheets define, by the hash of their names.
struct CounterStyles: Sendable {
  private var styles: [UInt64: CounterStyle] = [:]

  private static let maxStyles = 256
  /// The maximum number of styles that are examined for one number: a style may extend another one
  /// or fall back to it.
  private static let maxSteps = 8

  /// Adds the style of a rule, which replaces an earlier one with the same name.
  mutating func add(_ name: StyleBytes, _ descriptors: StyleBytes) {
    let hash = CompoundSelector.hash(name)
    guard styles.count < Self.maxStyles || styles[hash] != nil,
      let style = CounterStyle(descriptors)
    else { return }
    styles[hash] = style
  }

  /// Adds the styles of another sheet whose names are new.
  mutating func merge(_ others: Self) {
    guard !others.styles.isEmpty else { return }
    styles.merge(others.styles) { own, _ in own }
  }

  /// Formats a number, as a decimal number if the style does not exist or cannot represent it.
  func text(of value: Int32, in name: CounterStyleName) -> [UInt8] {
    var name = name
    for _ in 0..<Self.maxSteps {
      switch name {
      case .predefined(let style): return Array(style.text(of: value).utf8)
      case .custom(let hash):
        guard let style = resolved(hash) else { return Array(String(value).utf8) }
        if let text = style.text(of: value) { return text }
        name = style.fallback ?? .predefined(.decimal)
      }
    }
    return Array(String(value).utf8)
  }

  /// Returns the marker of a list item; nil if there is no style with the name.
  func markerText(of value: Int32, in name: UInt64) -> [UInt8]? {
    guard let style = resolved(name) else { return nil }
    var suffix = ". "
    if case .extends(.predefined(let base)) = style.system { suffix = base.suffix }
    return (style.prefix ?? []) + text(of: value, in: .custom(name))
      + (style.suffix ?? Array(suffix.utf8))
  }

  /// Returns a style with everything that it inherits from the styles that it extends.
  private func resolved(_ name: UInt64) -> CounterStyle? {
    guard var style = styles[name] else { return nil }
    for _ in 0..<Self.maxSteps {
      guard case .extends(.custom(let baseName)) = style.system, let base = styles[baseName] else {
        break
      }
      style.inherit(from: base)
    }
    return style
  }
}
