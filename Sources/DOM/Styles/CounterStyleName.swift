/// The name of a counter style in a list or a counter.
enum CounterStyleName: Sendable, Hashable {
  case predefined(NumberStyle)
  /// A style that `@counter-style` defines, by the hash of its name.
  case custom(UInt64)

  init(_ name: StyleBytes) {
    if let style = NumberStyle(name) {
      self = .predefined(style)
    } else {
      self = .custom(CompoundSelector.hash(name))
    }
  }
}
