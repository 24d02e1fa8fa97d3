extension ElementName {
  /// Elements whose tags never reach libxml2. `html` is written by the parser itself.
  var isDropped: Bool {
    switch self {
    case .head, .body, .script, .style: true
    default: false
    }
  }

  /// Elements that are closed at once, since libxml2 does not know that they are void.
  var needsEndTag: Bool {
    switch self {
    case .wbr, .source, .track, .embed: true
    default: false
    }
  }

  /// What happens to the contents of an element that holds no markup; nil for all others.
  var treatment: MarkupMender.Treatment? {
    switch self {
    case .script, .iframe, .noembed: .drop
    case .style: .styleSheet
    case .title, .textarea: .textWithReferences
    case .xmp, .plaintext: .text
    default: nil
    }
  }

  /// The name under which libxml2 sees an element. Some HTML 4 elements would be closed by
  /// libxml2 where HTML5 keeps them open; for those a name with the same meaning stands. Unknown
  /// elements get a known name, which saves an error message for each.
  func travelName(isForeign: Bool) -> String {
    switch self {
    case .other: "bdo"
    case .b: "strong"
    case .i: "em"
    case .tt: "code"
    case .s, .strike: "del"
    case .h1: "x-h1"
    case .h2: "x-h2"
    case .h3: "x-h3"
    case .h4: "x-h4"
    case .h5: "x-h5"
    case .h6: "x-h6"
    case .title where isForeign: "desc"
    default: rawValue
    }
  }
}
