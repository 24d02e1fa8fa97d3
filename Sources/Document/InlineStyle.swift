/// The semantics of a run of text, named after the HTML elements that they come from.
package struct InlineStyle: OptionSet, Sendable, Hashable {
  package let rawValue: UInt16

  @inlinable
  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// `strong`, `b`
  @inlinable package static var strong: InlineStyle { InlineStyle(rawValue: 1 << 0) }
  /// `em`, `i`, `cite`, `var`, `dfn`
  @inlinable package static var emphasis: InlineStyle { InlineStyle(rawValue: 1 << 1) }
  /// `code`, `samp`, `tt`
  @inlinable package static var code: InlineStyle { InlineStyle(rawValue: 1 << 2) }
  /// `kbd`
  @inlinable package static var keyboard: InlineStyle { InlineStyle(rawValue: 1 << 3) }
  /// `del`, `s`, `strike`
  @inlinable package static var deleted: InlineStyle { InlineStyle(rawValue: 1 << 4) }
  /// `ins`
  @inlinable package static var inserted: InlineStyle { InlineStyle(rawValue: 1 << 5) }
  /// `sub`
  @inlinable package static var `subscript`: InlineStyle { InlineStyle(rawValue: 1 << 6) }
  /// `sup`
  @inlinable package static var superscript: InlineStyle { InlineStyle(rawValue: 1 << 7) }
  /// `mark`
  @inlinable package static var marked: InlineStyle { InlineStyle(rawValue: 1 << 8) }
  /// `u`
  @inlinable package static var underlined: InlineStyle { InlineStyle(rawValue: 1 << 9) }
  /// `small`, and text added by offread such as the size of an image
  @inlinable package static var small: InlineStyle { InlineStyle(rawValue: 1 << 10) }
  /// The alternative text of an inline image
  @inlinable package static var image: InlineStyle { InlineStyle(rawValue: 1 << 11) }
  /// A form control shown as text
  @inlinable package static var control: InlineStyle { InlineStyle(rawValue: 1 << 12) }
}

// Without these, other modules call the generic `OptionSet` implementation through witness tables
// for every run of every page.
extension InlineStyle {
  @inlinable package init() { self.init(rawValue: 0) }

  @inlinable package var isEmpty: Bool { rawValue == 0 }

  @inlinable package func contains(_ member: InlineStyle) -> Bool {
    rawValue & member.rawValue == member.rawValue
  }

  @inlinable package func isDisjoint(with other: InlineStyle) -> Bool {
    rawValue & other.rawValue == 0
  }

  @inlinable package func union(_ other: InlineStyle) -> InlineStyle {
    InlineStyle(rawValue: rawValue | other.rawValue)
  }

  @inlinable package func intersection(_ other: InlineStyle) -> InlineStyle {
    InlineStyle(rawValue: rawValue & other.rawValue)
  }

  @inlinable package func subtracting(_ other: InlineStyle) -> InlineStyle {
    InlineStyle(rawValue: rawValue & ~other.rawValue)
  }

  @inlinable package static func == (left: InlineStyle, right: InlineStyle) -> Bool {
    left.rawValue == right.rawValue
  }
}
