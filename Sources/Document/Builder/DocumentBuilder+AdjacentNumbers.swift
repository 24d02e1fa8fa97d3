import DOM

// Numbers and words that only a style sheet of the site sets apart from the text beside them:
// numbers of notes, the cents of prices, numbers before a word, and values after their labels.

extension DocumentBuilder {
  /// Begins a `sup` element. If it directly follows another one and one of them is a link, it is
  /// the number of another note, and is separated by a space. The last letter of an abbreviation
  /// such as `Dr` is not raised.
  mutating func beginSuperscript(_ node: Int32) {
    guard !tree.isLetterOfAbbreviation(node) else { return }
    if followsSuperscriptNumber,
      leaf.runs.last?.link.value != nil || inherited.linkIndex != nil
        || tree.beginsWithLink(node),
      tree.cleanedText(below: node, maxLength: 4).first?.isNumber == true
    {
      leaf.addSpace()
    }
    beginSubOrSuperscript(.superscript, marker: "^")
  }

  /// Whether the text so far ends with a number that is a superscript, and the element that begins
  /// is not a part of this superscript.
  private var followsSuperscriptNumber: Bool {
    guard !inherited.style.contains(.superscript), !inherited.keepsWhiteSpace,
      let run = leaf.runs.last, run.style.contains(.superscript),
      Int(run.end) == leaf.textEnd
    else { return false }
    return leaf.lastCharacter?.isNumber == true
  }

  /// Makes a link to a note that directly follows a word or a number a superscript, if it is only a
  /// number and has the class or role of such links.
  mutating func raiseNoteReference(_ node: Int32) {
    guard !inherited.style.contains(.superscript), let last = leaf.lastCharacter,
      // Brackets set the number apart.
      !"([{".contains(last), tree.isNoteReference(node), !tree.contains(.sup, node)
    else { return }
    let number = tree.cleanedText(below: node, maxLength: 8).utf8
    guard (1...3).contains(number.count), number.allSatisfy(\.isDigit) else { return }
    if followsSuperscriptNumber { leaf.addSpace() }
    inherited.style.insert(.superscript)
  }

  /// Separates the link to a page from the number of the current page before it, which is not a
  /// link.
  mutating func separatePageNumber(_ node: Int32) {
    guard leaf.isOpen, !inherited.keepsWhiteSpace, leaf.lastCharacter?.isNumber == true,
      tree.isPageNumber(node), !tree.isNoteReference(node)
    else { return }
    leaf.addSpace()
  }

  /// Raises the cents of a price above the digits before them, and separates a word from the number
  /// in the element before it, and a value from its label.
  mutating func adaptToElementBefore(_ node: Int32) {
    guard leaf.isOpen, !leaf.hasPendingSpace, !inherited.keepsWhiteSpace,
      !inherited.style.contains(.code), let last = leaf.lastCharacter
    else { return }
    if last.isNumber, tree.isFractionOfPrice(node) {
      inherited.style.insert(.superscript)
    } else if isApart(node, from: last), !followsURL {
      leaf.addSpace()
    }
  }

  /// Whether the text so far ends with a URL or the beginning of one. Pages of social networks
  /// divide URLs anywhere, to shorten those that they show.
  private var followsURL: Bool {
    let reversedWord = leaf.openText.suffix(Self.maxURLLength).reversed().prefix {
      !$0.isWhiteSpace
    }
    return reversedWord.last?.isLetter == true && reversedWord.contains(UInt8(ascii: "/"))
      && reversedWord.contains(UInt8(ascii: "."))
  }

  private static let maxURLLength = 128

  /// Returns whether an element directly after another one begins a word or number of its own,
  /// although no white space is between them.
  /// - Parameters:
  ///   - node: The element.
  ///   - last: The last character of the text before it.
  /// - Returns: Whether it is apart.
  private func isApart(_ node: Int32, from last: Character) -> Bool {
    if last.isNumber { return isApartFromNumber(node) }
    let end = leaf.openText.suffix(3)
    if last == ".", end.dropLast().last?.isDigit == true {
      return tree.followsHeadingNumber(node)
        && tree.cleanedText(below: node, maxLength: 16).beginsWithCapitalizedWord
    }
    if last == ":" {
      return end.dropLast().last?.isLetter == true && tree.followsElement(node)
        && tree.cleanedText(below: node, maxLength: 16).first?.isPartOfWordOrPrice == true
    }
    guard last.isLowercase, end.count == 3, end.allSatisfy({ $0.isLetter || $0 >= 0x80 }),
      tree.followsElement(node) || isSubtitle(node)
    else { return false }
    let next = tree.cleanedText(below: node, maxLength: 16)
    // Two parts of a word rarely have different styles.
    let hasOtherStyle = tree.followsElementOfOtherStyle(node)
    if next.beginsWithCapitalizedWord || next.first?.isNumber == true {
      return (hasOtherStyle || isSubtitle(node) || tree.isInRow(node))
        && !isJoinedInTitle(next)
    }
    guard next.prefix(3).count == 3, next.first?.isLetter == true,
      case let length = tree.rowLength(of: node), length > 0
    else { return false }
    if next.prefix(3).allSatisfy(\.isLetter), length > 2 { return !isJoinedInTitle(next) }
    return tree.nodes[Int(tree.nodes[Int(node)].parent ?? 0)].name != .div
      && !next.beginsWithPluralEnding
      && (next.contains(" ") || hasOtherStyle && !isJoinedInTitle(next))
  }

  /// Returns whether an element directly after one that ends with a number is apart from it.
  private func isApartFromNumber(_ node: Int32) -> Bool {
    guard tree.followsElement(node) else { return false }
    let next = tree.cleanedText(below: node, maxLength: 16)
    // The name of a unit or the end of an ordinal number is shorter.
    return next.beginsWithCapitalizedWord || next.beginsWithPrice || tree.isPageNumber(node)
      || next.count >= 4 && next.prefix(4).allSatisfy(\.isLowercase)
        && tree.followsElementOfOtherStyle(node)
      || next.beginsWithUnit && tree.rowLength(of: node) > 0 && !isJoinedInTitle(next)
      || next.beginsWithCount
        && (tree.followsElementOfOtherStyle(node)
          || tree.isInRow(node) && !tree.followsDigit(node))
  }

  /// Returns whether the last word so far and the first one of a text are one word, such as a name,
  /// in the title of the page.
  private func isJoinedInTitle(_ text: String) -> Bool {
    let end = leaf.openText.suffix(Self.maxWordLength).split {
      !$0.isLetter && !$0.isDigit && $0 < 0x80
    }.last
    let word = Array(end ?? []) + Array(text.prefix { $0.isLetter || $0.isNumber }.utf8)
    return Array(head.title.utf8.prefix(Self.maxTitleLength)).firstRange(of: word) != nil
  }

  private static let maxWordLength = 32
  /// The number of bytes of the title that are searched for a word.
  private static let maxTitleLength = 512

  /// Returns whether an element is the smaller second part of a heading.
  private func isSubtitle(_ node: Int32) -> Bool {
    guard case .heading = inherited.leafKind else { return false }
    return tree.nodes[Int(node)].name == .small
      || tree.value(.class, of: node, contains: "subtitle")
      || tree.value(.class, of: node, contains: "sub-title")
      || tree.value(.class, of: node, contains: "subhead")
  }
}

extension String {
  /// Whether the text begins with a capital letter and a small letter.
  fileprivate var beginsWithCapitalizedWord: Bool {
    let letters = prefix(2)
    return letters.count == 2 && letters.first?.isUppercase == true
      && letters.last?.isLowercase == true
  }

  /// Whether the text begins with a word in lower case of at least two letters that is neither the
  /// end of an ordinal number nor, like the letters of a hexadecimal number, followed by a digit.
  fileprivate var beginsWithUnit: Bool {
    let word = prefix(while: \.isLetter)
    return word.count > 1 && word.allSatisfy(\.isLowercase)
      && !["st", "nd", "rd", "th", "er", "re", "ère", "ème", "nde", "ste"].contains(word)
      && !(word.endIndex < endIndex && self[word.endIndex].isNumber)
  }

  /// Whether the text begins with a number that is followed by a space and a word, as in "5 min".
  fileprivate var beginsWithCount: Bool {
    let rest = drop(while: \.isNumber)
    return rest.startIndex > startIndex && rest.first == " "
      && rest.dropFirst().first?.isLetter == true
  }

  /// Whether the text begins with the ending that makes the word before it a plural.
  fileprivate var beginsWithPluralEnding: Bool {
    ["s", "es"].contains(prefix(while: \.isLetter))
  }

  /// Whether the text begins with a currency sign and a digit.
  fileprivate var beginsWithPrice: Bool {
    first?.isCurrencySymbol == true && dropFirst().first?.isNumber == true
  }
}

extension DOMTree {
  /// Returns whether an element begins with a link.
  fileprivate func beginsWithLink(_ node: Int32) -> Bool {
    nodes[Int(node)].firstChild.map { nodes[Int($0)].name } == .a
  }

  /// Returns whether an element is the last of the two letters of an abbreviation such as `Dr`, and
  /// not one of those that are raised in text, as in `fº`.
  fileprivate func isLetterOfAbbreviation(_ node: Int32) -> Bool {
    guard let parent = nodes[Int(node)].parent, nodes[Int(parent)].name == .abbr,
      let letter = cleanedText(below: node, maxLength: 4).first
    else { return false }
    let word = cleanedText(below: parent, maxLength: 8)
    return word.count == 2 && word.last == letter && word.allSatisfy(\.isLetter)
      && letter != "a" && letter != "o"
  }

  fileprivate func isNoteReference(_ node: Int32) -> Bool {
    guard let target = attribute(.href, of: node),
      bytes[target].contains(UInt8(ascii: "#"))
    else { return false }
    return value(.class, of: node, contains: "footnote")
      || value(.class, of: node, contains: "noteref")
      || value(.role, of: node, contains: "doc-noteref")
      || value(.epubType, of: node, contains: "noteref")
  }

  /// Returns whether an element with a name is among the first eight nodes of an element.
  fileprivate func contains(_ name: ElementName, _ root: Int32) -> Bool {
    var next = nodeAfter(root, in: root)
    for _ in 0..<8 {
      guard let node = next else { break }
      if nodes[Int(node)].name == name { return true }
      next = nodeAfter(node, in: root)
    }
    return false
  }

  /// Returns whether an element and the one directly before it are numbers, exactly one of them a
  /// link, as the number of the current page is not.
  fileprivate func isPageNumber(_ node: Int32) -> Bool {
    guard followsElement(node), let before = nodes[Int(node)].previousSibling,
      hasAttribute(.href, node) != hasAttribute(.href, before)
    else { return false }
    return [before, node].allSatisfy {
      let text = cleanedText(below: $0, maxLength: 8).utf8
      return (1...4).contains(text.count) && text.allSatisfy(\.isDigit)
    }
  }

  /// Returns the number of children of an element's parent if the parent is an item, a cell, a link
  /// or a box that contains only inline elements without text between them, such as a label and its
  /// value, and if the element directly follows another one; otherwise 0.
  fileprivate func rowLength(of node: Int32) -> Int {
    guard followsElement(node), let parent = nodes[Int(node)].parent,
      [.li, .dt, .dd, .td, .th, .a, .button, .div].contains(nodes[Int(parent)].name)
    else { return 0 }
    var (length, next) = (0, nodes[Int(parent)].firstChild)
    for _ in 0..<Self.maxNodesOfRow {
      guard let child = next else { return length }
      switch nodes[Int(child)].name {
      case .characters where isBlank(child): break
      case .span, .a, .b, .strong, .i, .em, .small, .label, .time, .svg, .img: length += 1
      default: return 0
      }
      next = nodes[Int(child)].nextSibling
    }
    return 0
  }

  /// Returns whether an element is one of several that fill an item, a box or a paragraph. The
  /// parts of a sentence that fill a paragraph differ from them by the white space at their ends.
  fileprivate func isInRow(_ node: Int32) -> Bool {
    if rowLength(of: node) > 0 { return true }
    guard let parent = nodes[Int(node)].parent, nodes[Int(parent)].name == .p else { return false }
    var (length, next) = (0, nodes[Int(parent)].firstChild)
    for _ in 0..<Self.maxNodesOfRow {
      guard let child = next else { break }
      let domNode = nodes[Int(child)]
      switch domNode.name {
      case .characters where isBlank(child): break
      case .span, .a, .b, .strong, .i, .em, .small, .time:
        guard !beginsOrEndsWithSpace(domNode) else { return false }
        length += 1
      default: return false
      }
      next = domNode.nextSibling
    }
    return next == nil && length > 2
  }

  /// Returns whether the element directly before another one is the number of a heading or an item,
  /// such as "1.2.".
  fileprivate func followsHeadingNumber(_ node: Int32) -> Bool {
    guard followsElement(node), let before = nodes[Int(node)].previousSibling else { return false }
    return cleanedText(below: before, maxLength: 16).allSatisfy { $0.isNumber || $0 == "." }
  }

  /// Returns whether the element directly before another one is a single character, as the digits
  /// of a number are.
  fileprivate func followsDigit(_ node: Int32) -> Bool {
    nodes[Int(node)].previousSibling.map { cleanedText(below: $0, maxLength: 16).count } == 1
  }

  fileprivate func beginsOrEndsWithSpace(_ element: DOMTree.Node) -> Bool {
    [(element.firstChild, true), (element.lastChild, false)].contains { child, isFirst in
      guard let child, nodes[Int(child)].name == .characters else { return false }
      let text = bytes[Int(nodes[Int(child)].start)..<Int(nodes[Int(child)].end)]
      return (isFirst ? text.first : text.last)?.isWhiteSpace == true
    }
  }

  fileprivate static let maxNodesOfRow = 16

  fileprivate func isFractionOfPrice(_ node: Int32) -> Bool {
    guard
      value(.class, of: node, contains: "cents")
        || value(.class, of: node, contains: "fraction")
        || value(.class, of: node, contains: "decimal")
    else { return false }
    let digits = cleanedText(below: node, maxLength: 8).utf8
    return digits.count == 2 && digits.allSatisfy(\.isDigit)
  }

  /// Returns whether the node directly before an element is a part of the line with a style.
  func followsElement(_ node: Int32) -> Bool {
    guard let before = nodes[Int(node)].previousSibling else { return false }
    return [.span, .a, .b, .strong, .i, .em, .label].contains(nodes[Int(before)].name)
  }

  /// Returns whether an element and the one directly before it have different names or classes.
  fileprivate func followsElementOfOtherStyle(_ node: Int32) -> Bool {
    guard followsElement(node), let before = nodes[Int(node)].previousSibling else { return false }
    return nodes[Int(node)].name != nodes[Int(before)].name
      || string(.class, of: node) != string(.class, of: before)
  }
}
