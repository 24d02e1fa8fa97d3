import DOM

extension NumberStyle {
  /// The attribute of `ol` and `li` for the style.
  var htmlAttribute: (name: StaticString, value: String) {
    switch self {
    case .decimal: ("type", "1")
    case .lowerAlpha: ("type", "a")
    case .upperAlpha: ("type", "A")
    case .lowerRoman: ("type", "i")
    case .upperRoman: ("type", "I")
    default: ("style", "list-style: \(cssName)")
    }
  }
}

extension String {
  /// The text as the content of a CSS string in single quotation marks.
  var cssStringContent: String {
    reduce(into: "") { result, character in
      if character == "'" || character == "\\" { result.append("\\") }
      result.append(character)
    }
  }
}
