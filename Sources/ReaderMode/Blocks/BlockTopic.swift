import DOM

/// The topic of an element, by its name or by the words of its class, id, role and `itemprop`.
enum BlockTopic: UInt8, CaseIterable {
  // Elements.
  case main, article, section, nav, header, footer, aside, form, table, list, item, quote, figure
  case button, details, noscript
  // Words.
  case menuWord, headerWord, footerWord, sidebarWord, tocWord, breadcrumbWord, relatedWord
  case shareWord, commentWord, adWord, promoWord, cookieWord, popupWord, newsletterWord, loginWord
  case searchWord, formWord, hiddenWord, bodyWord, mainWord, articleWord, postWord, authorWord
  case dateWord, tagWord, titleWord, descriptionWord, productWord, priceWord, cartWord, reviewWord
  case specificationWord, variantWord, galleryWord, cardWord, filterWord, paginationWord, heroWord
  case questionWord, tabWord, deliveryWord, widgetWord, signatureWord, codeWord, legalWord
  case countWord, actionWord, noticeWord

  static let count = allCases.count

  /// Returns the topics of an element as a bit set.
  static func topics(of node: Int32, in tree: DOMTree) -> UInt64 {
    var memo: AttributeValueCache?
    return topics(of: node, in: tree, &memo)
  }

  /// Returns the topics of an element as a bit set; `memo` caches those of attribute values.
  static func topics(of node: Int32, in tree: DOMTree, _ memo: inout AttributeValueCache?) -> UInt64
  {
    let element = tree.nodes[Int(node)]
    var topics = self.topic(of: element.name)?.bit ?? 0
    for index in Int(element.start)..<Int(element.end) {
      let attribute = tree.attributes[index]
      switch attribute.name {
      case .class, .id, .itemprop, .role:
        tree.bytes.withUnsafeBufferPointer { bytes in
          let range = Int(attribute.start)..<min(Int(attribute.end), Int(attribute.start) + 400)
          topics |=
            memo?.result(of: range, in: bytes, compute: self.topics(in:))
            ?? self.topics(in: UnsafeBufferPointer(rebasing: bytes[range]))
        }
      default: break
      }
    }
    return topics
  }

  var bit: UInt64 { 1 << UInt64(rawValue) }

  /// Returns topics as a bit set.
  static func bits(_ topics: [BlockTopic]) -> UInt64 { topics.reduce(0) { $0 | $1.bit } }

  private static func topic(of name: ElementName) -> BlockTopic? {
    switch name {
    case .main: .main
    case .article: .article
    case .section: .section
    case .nav: .nav
    case .header: .header
    case .footer: .footer
    case .aside: .aside
    case .form: .form
    case .table: .table
    case .ul, .ol, .dl: .list
    case .li: .item
    case .blockquote: .quote
    case .figure, .figcaption: .figure
    case .button: .button
    case .details: .details
    case .noscript: .noscript
    case .time: .dateWord
    default: nil
    }
  }

  /// Returns the topics of the words in an attribute value. Words are separated by bytes that are
  /// not letters, and end before a capital that follows a lower-case letter.
  private static func topics(in value: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var topics: UInt64 = 0
    var start = 0
    var index = 0
    while index <= value.count {
      let isEnd =
        index == value.count || !value[index].isLetter
        || index > start && value[index] < 0x5B && value[index - 1] > 0x60
      if isEnd {
        if index - start > 1 {
          topics |= topic(of: UnsafeBufferPointer(rebasing: value[start..<index]))
        }
        start = index < value.count && value[index].isLetter ? index : index + 1
      }
      index += 1
    }
    return topics
  }

  private static func topic(of word: UnsafeBufferPointer<UInt8>) -> UInt64 {
    if let topic = names.find(word) { return topic.bit }
    guard word.count > 3, word[word.count - 1] | 0x20 == UInt8(ascii: "s") else { return 0 }
    return names.find(UnsafeBufferPointer(rebasing: word.dropLast()))?.bit ?? 0
  }

  /// The words of each topic, in the singular.
  private static let names = NameTable(valuesWithNames: Vocabulary.topics)
}
