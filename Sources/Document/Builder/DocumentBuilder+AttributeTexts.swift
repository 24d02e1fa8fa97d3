import DOM

// Texts that elements have only in their attributes, from which a script would make their content:
// dates, and the labels and headings of custom elements.

extension DocumentBuilder {
  /// Begins a `time` element, which is separated from words beside it.
  mutating func beginTime(_ node: Int32) {
    leaf.separateWords()
    addMachineReadableDate(node)
  }

  /// Begins a custom or unknown element. It is separated from one directly before it, as the
  /// scripts of custom elements usually do.
  mutating func beginUnknownElement(_ node: Int32) {
    if leaf.followsUnknownElement, !tree.hasAncestor(.math, node) { leaf.separateWords() }
    guard tree.nodes[Int(node)].start < tree.nodes[Int(node)].end else { return }
    addMachineReadableDate(node)
    addElementLabel(node)
  }

  // MARK: Dates

  /// Adds the `datetime` of an element without content, unless the text beside it has the year.
  private mutating func addMachineReadableDate(_ node: Int32) {
    guard let value = tree.cleanedText(.datetime, of: node), tree.hasNoContent(node),
      let date = Self.readableDate(value)
    else { return }
    let textBefore = leaf.openText.suffix(Self.maxTextBesideDate)
    let textAfter = text(after: node)?.prefix(Self.maxTextBesideDate) ?? []
    let year = date.prefix(4)
    guard !String(decoding: textBefore, as: UTF8.self).contains(year),
      !String(decoding: textAfter, as: UTF8.self).contains(year)
    else { return }
    addSeparatedText(date)
  }

  /// Number of bytes of the text before and after an element that are searched for its date.
  private static let maxTextBesideDate = 64

  /// Returns a date (HTML standard §2.3.5) as it is shown; nil for times, durations and invalid
  /// values. Seconds, a time of midnight, and text after the time zone are left out.
  private static func readableDate(_ value: String) -> String? {
    guard value.utf8.count <= maxDateLength else { return nil }
    let parts = value.split(maxSplits: 1) { $0 == "T" || $0 == " " }
    guard let date = parts.first, hasDigits(date, separator: "-", counts: [4, 2, 2]) else {
      return nil
    }
    guard parts.count == 2, case let clock = parts[1].prefix(5),
      hasDigits(clock, separator: ":", counts: [2, 2]), clock != "00:00"
    else { return String(date) }
    let zone = parts[1].drop { $0 != "Z" && $0 != "+" && $0 != "-" }.prefix {
      "Z+-:0123456789".contains($0)
    }
    guard zone == "Z" || zone.count > 2 else { return "\(date) \(clock)" }
    return "\(date) \(clock) \(zone == "Z" ? "UTC" : zone)"
  }

  private static let maxDateLength = 40

  /// Returns whether a text consists of groups with the given numbers of digits; the last ones may
  /// be missing.
  private static func hasDigits(_ text: Substring, separator: Character, counts: [Int]) -> Bool {
    let groups = text.split(separator: separator, omittingEmptySubsequences: false)
    return groups.count <= counts.count
      && zip(groups, counts).allSatisfy { group, count in
        group.utf8.count == count && group.utf8.allSatisfy(\.isDigit)
      }
  }

  // MARK: Labels

  /// Adds the label or heading of a custom element: as its content if it has none, and as a line
  /// above it if it consists of blocks.
  private mutating func addElementLabel(_ node: Int32) {
    guard let label = tree.cleanedText(.label, of: node), Self.isReadable(label) else { return }
    let contents = tree.nodes[Int(node)].contents
    if tree.hasNoContent(node) {
      if inherited.linkIndex == nil, let range = tree.attribute(.href, of: node),
        case let target = Self.cleanedTarget(tree.bytes[range]), !target.hasScriptScheme
      {
        inherited.linkIndex = OptionalIndex(addLink(target, title: "", kind: .anchor))
      }
      addSeparatedText(label)
    } else if contents.contains(.block), contents.contains(.text),
      !tree.isLabelRepeated(label, in: node)
    {
      closeLeaf()
      addLine(inBold: label)
    }
  }

  /// Returns whether the value of an attribute is a text for the user, not an option, a colour,
  /// data, a template or the key of a translation.
  private static func isReadable(_ label: String) -> Bool {
    guard label.contains(where: \.isLetter), let first = label.first, first != "#", first != "[",
      !label.contains("{"), !label.contains("<"), !optionValues.contains(label)
    else { return false }
    return label.contains(" ") || !label.contains("_") && !label.dropLast().contains(".")
  }

  private static let optionValues: Set = [
    "true", "false", "yes", "no", "on", "off", "none", "auto", "null", "undefined", "left", "right",
    "top", "bottom", "center", "start", "end",
  ]

  /// Adds a line of bold text, such as the name of a tab, with an empty line below it. No leaf may
  /// be open.
  mutating func addLine(inBold text: String) {
    let outerStyle = inherited.style
    inherited.style.insert(.strong)
    addSafeText(text)
    inherited.style = outerStyle
    closeLeaf()
    paragraphs.addEmptyLine()
  }
}

extension DOMTree {
  /// Returns whether an element contains neither text nor images.
  fileprivate func hasNoContent(_ node: Int32) -> Bool {
    nodes[Int(node)].contents.isDisjoint(with: [.text, .image])
  }

  /// Returns whether the first nodes of an element repeat its label. A much longer text may only
  /// mention it.
  fileprivate func isLabelRepeated(_ label: String, in node: Int32) -> Bool {
    var next = nodeAfter(node, in: node)
    for _ in 0..<Self.maxNodesWithLabel {
      guard let descendant = next else { break }
      let current = nodes[Int(descendant)]
      if current.name == .characters, current.end - current.start <= Self.maxLabelLength,
        case let text = cleanedText(of: descendant), text.utf8.count <= 2 * label.utf8.count,
        text.contains(label)
      {
        return true
      }
      next = nodeAfter(descendant, in: node)
    }
    return false
  }

  fileprivate static let maxNodesWithLabel = 64

  fileprivate static let maxLabelLength: UInt32 = 1024
}
