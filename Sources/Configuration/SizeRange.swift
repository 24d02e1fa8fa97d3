/// A range of sizes in settings: `"> 5 MB"`, or two such comparisons.
struct SizeRange: Sendable, Equatable {
  /// The minimum size in bytes; nil for none.
  var minimum: Int64?
  /// The maximum size in bytes; nil for none.
  var maximum: Int64?

  init(minimum: Int64?, maximum: Int64?) {
    (self.minimum, self.maximum) = (minimum, maximum)
  }

  /// Parses one comparison, or two for a lower and an upper bound; nil for other values.
  init?(_ value: SettingValue) {
    guard let texts = value.texts, (1...2).contains(texts.count) else { return nil }
    self.init(minimum: nil, maximum: nil)
    for text in texts {
      let comparison = text.prefix { "<>=".contains($0) }
      guard let size = Units.bytes(.text(String(text.dropFirst(comparison.count)))) else {
        return nil
      }
      switch comparison {
      case ">" where minimum == nil: minimum = size + 1
      case ">=" where minimum == nil: minimum = size
      case "<" where maximum == nil && size > 0: maximum = size - 1
      case "<=" where maximum == nil: maximum = size
      default: return nil
      }
    }
    if let minimum, let maximum, minimum > maximum { return nil }
  }

  /// The range in the syntax of the settings file.
  var text: String {
    let bounds = [(">= ", minimum), ("<= ", maximum)].compactMap { sign, size in
      size.map { sign + Units.text(bytes: $0).filter { $0 != "\"" } }
    }
    return bounds.count == 1 ? TOMLText.quoted(bounds[0]) : TOMLText.list(bounds)
  }
}
