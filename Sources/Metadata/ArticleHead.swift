import DOM
import Dates

/// Author and dates found in the head of an article: the elements around its heading.
///
/// Only elements near the heading are considered, plus marked-up elements in the rest of the
/// article element, so that the authors and dates of other articles and of comments are not used.
struct ArticleHead {
  /// The author; nil if none was found.
  private(set) var byline: String?
  /// The publication date; nil if none was found.
  var date: WrittenDate? {
    publicationDate ?? dateOfUnknownKind ?? lineDate ?? lineDateAboveHeading
  }
  /// The date of the last change; nil if none was found.
  private(set) var changeDate: WrittenDate?
  /// Whether an `article` element delimits the article.
  let isDelimitedByArticle: Bool

  private let tree: DOMTree
  /// The node of the heading; nil without one.
  private let headingNode: Int32?
  /// The order of day and month in dates such as `5/6/2026`.
  private let order: WrittenDate.DayMonthOrder
  /// The publication date, from an element marked up as such; nil if none was found.
  private var publicationDate: WrittenDate?
  /// A date whose kind the markup does not state; nil if none was found.
  private var dateOfUnknownKind: WrittenDate?
  /// A date in a line without markup below the heading, and one above it; nil if none was found.
  private var lineDate: WrittenDate?, lineDateAboveHeading: WrittenDate?

  /// The head ends after this many bytes of text or this many elements.
  private static let maxTextLength = 600, maxElements = 400
  /// The maximum length of a line with an author, in bytes.
  private static let maxBylineLength = 200

  /// Reads the head of an article.
  init(of tree: DOMTree, headingNode: Int32?, order: WrittenDate.DayMonthOrder) {
    (self.tree, self.order) = (tree, order)
    let root = Self.root(of: headingNode, in: tree)
    self.headingNode = headingNode
    isDelimitedByArticle = root > 0 && tree.nodes[Int(root)].name == .article
    guard headingNode != nil || isDelimitedByArticle else { return }
    let end = readHead(from: start(in: root), in: root)
    if isDelimitedByArticle { readRest(from: end, in: root) }
  }

  /// Returns the element that holds the article: the nearest `article` ancestor of the heading,
  /// else the nearest `main` ancestor. Without a heading, returns the only `article` of the page,
  /// apart from those within it. Returns 0 if no such element exists.
  private static func root(of headingNode: Int32?, in tree: DOMTree) -> Int32 {
    guard let headingNode else {
      let articles = tree.nodes.indices.lazy.filter {
        tree.nodes[$0].name == .article && tree.nodes[$0].parent != nil
          && !tree.hasAncestor(.article, Int32($0))
      }.prefix(2)
      return articles.count == 1 ? articles.first.map(Int32.init) ?? 0 : 0
    }
    return tree.ancestor(of: headingNode) { $0 == .article || $0 == .main } ?? 0
  }

  /// Returns the node at which the head begins: the article itself if its heading is near its
  /// start, else an element around the heading.
  private func start(in root: Int32) -> Int32 {
    guard let headingNode else { return root }
    var start = headingNode
    for _ in 0..<4 {
      let ancestor = tree.nodes[Int(start)].parent ?? 0
      guard ancestor > 0, ancestor != root || isDelimitedByArticle else { break }
      let name = tree.nodes[Int(ancestor)].name
      guard name == .header || name == .hgroup || name == .div || name == .article,
        textLength(from: ancestor, to: headingNode) <= Self.maxTextLength / 2
      else { break }
      start = ancestor
      if ancestor == root { break }
    }
    return start
  }

  /// Returns the number of bytes of text between the start of `first` and `last`, a node within
  /// `first`; all of `first` if `last` is nil. Counting stops once `maxTextLength` is exceeded.
  private func textLength(from first: Int32, to last: Int32?) -> Int {
    var length = 0
    for node in tree.descendants(of: first) {
      guard node != last, length <= Self.maxTextLength else { break }
      let own = tree.nodes[Int(node)]
      if own.name == .characters, !tree.isBlank(node) { length += Int(own.end - own.start) }
    }
    return length
  }

  /// Reads the elements near the heading.
  /// - Returns: The node at which the rest of the article begins.
  private mutating func readHead(from start: Int32, in root: Int32) -> Int32? {
    var (text, elements) = (0, 0)
    var isPastHeading = headingNode == nil
    var next: Int32? = start
    while let node = next, text < Self.maxTextLength, elements < Self.maxElements {
      let own = tree.nodes[Int(node)]
      if own.name == .characters {
        if isPastHeading, !tree.isBlank(node) { text += Int(own.end - own.start) }
        next = tree.nodeAfter(node, in: root)
        continue
      }
      elements += 1
      if node == headingNode {
        isPastHeading = true
        next = tree.nodeAfterSubtree(node, in: root)
      } else if own.name.neverBelongsToHead && !isAnnotation(node)
        || own.name == .article && node != root
        || isPastHeading && CommentArea.hasCommentName(node, in: tree, includesMicrodata: true)
      {
        next = tree.nodeAfterSubtree(node, in: root)
      } else {
        let isRead = read(node, isPastHeading ? .head : .aboveHeading)
        next = isRead ? tree.nodeAfterSubtree(node, in: root) : tree.nodeAfter(node, in: root)
      }
    }
    return next
  }

  /// Whether the node is an `aside` short enough to hold only information about the article.
  private func isAnnotation(_ node: Int32) -> Bool {
    tree.nodes[Int(node)].name == .aside
      && textLength(from: node, to: nil) <= Self.maxTextLength / 2
  }

  /// Reads elements in the rest of the article that are marked up as its author or date.
  private mutating func readRest(from start: Int32?, in root: Int32) {
    var next = start
    while let node = next, byline == nil || publicationDate == nil {
      let name = tree.nodes[Int(node)].name
      if name == .characters {
        next = tree.nodeAfter(node, in: root)
      } else if name.neverBelongsToHead || name == .article || name == .li || name == .section
        || name == .blockquote
        || CommentArea.hasCommentName(node, in: tree, includesMicrodata: true)
      {
        next = tree.nodeAfterSubtree(node, in: root)
      } else {
        let isRead = read(node, .rest)
        next = isRead ? tree.nodeAfterSubtree(node, in: root) : tree.nodeAfter(node, in: root)
      }
    }
  }

  /// The author that all elements of the page name that are declared as its author; nil if there is
  /// none, or if they name several. Articles, whose authors are read with them, and elements beside
  /// the text, in lists, in quotations and in comments do not count.
  var unanimousByline: String? {
    var only: String?
    var next = tree.nodeAfter(0, in: 0)
    while let node = next {
      let name = tree.nodes[Int(node)].name
      if name == .characters {
        next = tree.nodeAfter(node, in: 0)
      } else if name.neverBelongsToHead || name == .article || name == .footer || name == .li
        || CommentArea.hasCommentName(node, in: tree, includesMicrodata: true)
      {
        next = tree.nodeAfterSubtree(node, in: 0)
      } else if tree.declaresAuthor(node), !isInTeaserCard(node), !tree.isAuthorOfPart(node),
        !tree.isInSentenceOfText(node)
      {
        if let names = names(below: node) {
          if let only, only != names { return nil }
          only = names
        }
        next = tree.nodeAfterSubtree(node, in: 0)
      } else {
        next = tree.nodeAfter(node, in: 0)
      }
    }
    return only
  }

  // MARK: Elements

  /// The position of an element in the article.
  private enum Position {
    case aboveHeading, head, rest
  }

  /// Reads an element. In the head, text without markup is considered too.
  /// - Returns: Whether the whole subtree has been read.
  private mutating func read(_ node: Int32, _ position: Position) -> Bool {
    let own = tree.nodes[Int(node)]
    let hints = tree.dateHints(of: node)
    let isTime = tree.isTimeElement(node)
    let isLine = own.name.isBlock || isLineBesideBlocks(node)
    let isOtherDate =
      (isTime || hints != 0 || isLine && position != .rest)
      && tree.hasOtherDate(node, hints: hints, title: headingNode)
    if isTime || hints != 0, !isOtherDate {
      readDate(node, hints, isInHead: position != .rest)
    }
    if isTime { return true }
    if byline == nil, own.end > own.start, tree.namesAuthor(node), !isInTeaserCard(node),
      !(position == .rest ? tree.isAuthorOfPart(node) : tree.isInReviews(node)),
      !tree.isInSentenceOfText(node)
    {
      byline =
        position == .rest || own.name.isBlock ? names(below: node) : namesOfSiblings(from: node)
      let isRead = byline != nil && hints == 0 && !tree.containsTimeElement(below: node)
      if isRead, position != .rest { readDates(in: tree.lineText(below: node), position) }
      return isRead
    }
    if byline == nil, position != .rest {
      if own.name == .dd, followsAuthorLabel(node) { byline = names(below: node) }
      if own.name == .a { byline = nameBetweenHeading(andMailLink: node) }
    }
    guard position != .rest, isLine, !own.contents.contains(.block) else { return false }
    let line = tree.lineText(below: node)
    if byline == nil, line.utf8.count <= Self.maxBylineLength {
      byline = names(inLine: line, below: node)
    }
    let hasDates = !isOtherDate && readDates(in: line, position)
    if byline == nil || !hasDates, !endsSentence(line) || line.utf8.count <= Self.maxBylineLength {
      let mayHaveDates =
        !hasDates && !isOtherDate && DateLine.Kind(line) != nil
        && !DateLine.isPeriod(line, order: order)
      readParts(of: node, position, includingDates: mayHaveDates)
    }
    return false
  }

  private func names(inLine line: String, below node: Int32) -> String? {
    let lines = tree.bylineLines(below: node, without: [.time])
    let isByline = lines.dropFirst().allSatisfy { BylineText.mayFollowByline($0.text) }
    let names =
      (isByline ? lines.first : nil).flatMap { BylineText.names(ifBylineIs: $0.text) }
      ?? linkedName(below: node, line)
    if names == nil, DateLine(line, order: order, isMarkedUpAsDate: false) != nil {
      return BylineText.names(afterDateIn: line)
    }
    return names
  }

  /// Whether a `dd` element directly follows a `dt` with the label of an author. The start of
  /// a journey, which prepositions such as the German "Von" may introduce, is not an author.
  private func followsAuthorLabel(_ node: Int32) -> Bool {
    guard let before = tree.siblingBefore(node), tree.nodes[Int(before)].name == .dt else {
      return false
    }
    var label = tree.lineText(below: before).lowercased()
    while let last = label.last, last == ":" || last.isWhitespace { label.removeLast() }
    if MetadataVocabulary.authorLabels.contains(label) { return true }
    let isUnambiguous = label == "by" || label.contains(" ")
    return MetadataVocabulary.namePrefixes.contains(isUnambiguous ? label : label + ":")
  }

  /// Returns the name between the heading and a link to an e-mail address with a date after it, as
  /// in archives of mailing lists; nil if there is none.
  private func nameBetweenHeading(andMailLink link: Int32) -> String? {
    guard headingNode != nil, tree.string(.href, of: link)?.hasPrefix("mailto:") == true,
      let nameNode = tree.siblingBefore(link),
      tree.nodes[Int(nameNode)].name != .characters, !tree.nodes[Int(nameNode)].name.isBlock,
      tree.siblingBefore(nameNode) == headingNode
    else { return nil }
    var next = tree.siblingAfter(link)
    if let node = next, tree.nodes[Int(node)].name == .br { next = tree.siblingAfter(node) }
    guard let next, tree.nodes[Int(next)].name != .characters,
      case let line = tree.collapsedText(below: next),
      DateLine(line, order: order, isMarkedUpAsDate: false) != nil,
      case let name = tree.collapsedText(below: nameNode), name.contains(" ")
    else { return nil }
    return BylineText.name(name, linkedIn: name)
  }

  /// Whether a line ends like a sentence. An abbreviation, as in "3 min.", may end it, too.
  private func endsSentence(_ line: String) -> Bool { line.last.map(".!?。".contains) ?? false }

  /// Reads the parts of a line, such as a section, a date and an author, each as a line of its own.
  private mutating func readParts(of block: Int32, _ position: Position, includingDates: Bool) {
    // Line breaks also separate the lines of verses, which may begin like bylines.
    let lines = tree.bylineLines(below: block, without: []).map(\.text)
    let parts = lines.count > 1 ? lines : inlineParts(of: block)
    guard parts.count > 1,
      !endsSentence(parts[parts.count - 1])
        || lines.count > 1 && lines.dropFirst().allSatisfy({ BylineText.mayFollowByline($0) })
    else { return }
    var label = ""
    for part in parts where part.utf8.count <= Self.maxBylineLength {
      if byline == nil, lines.count < 2 {
        // In a row of links, "By Title" names an order.
        byline = BylineText.names(ifBylineIs: part).flatMap {
          $0.contains(" ") || $0.contains { !$0.isASCII } ? $0 : nil
        }
      }
      if includingDates { readDates(in: label + part, position) }
      // An element such as "Updated:" is the label of the date in the next one.
      let isLabel =
        !part.contains(where: \.isDigit) && DateLine.Kind(part) ?? .unstated != .unstated
      label = isLabel ? part + " " : ""
    }
  }

  /// Returns the inline elements of a line if there is no text between them, else what bars and
  /// dots separate.
  private func inlineParts(of block: Int32) -> [String] {
    let elements = texts(ofElementsIn: block)
    if elements.count > 1 { return elements }
    let parts = tree.collapsedText(below: block).split { "|｜•·".contains($0) }.map {
      String($0).oneLine
    }
    return parts.count > 1 ? parts : texts(ofElementsIn: block, allowsTextAfterLinks: true)
  }

  /// Returns the texts of the children of a line; empty if there is text between them. With
  /// `allowsTextAfterLinks`, one text may follow links, as in `<a>Ports</a> May 4, 2026`.
  private func texts(ofElementsIn block: Int32, allowsTextAfterLinks: Bool = false) -> [String] {
    var parts: [String] = []
    var areLinks = allowsTextAfterLinks
    var next = tree.nodes[Int(block)].firstChild
    while let child = next, parts.count < Self.maxParts {
      let own = tree.nodes[Int(child)]
      if own.name == .characters {
        let text = String(decoding: tree.bytes[Int(own.start)..<Int(own.end)], as: UTF8.self)
        if text.contains(where: { $0.isLetter || $0.isNumber }) {
          guard areLinks, !parts.isEmpty, own.nextSibling == nil else { return [] }
          parts.append(text.oneLine)
        }
      } else if !own.name.neverBelongsToHead {
        areLinks = areLinks && own.name == .a
        parts.append(tree.collapsedText(below: child))
      }
      next = own.nextSibling
    }
    return parts
  }

  /// The maximum number of elements of a line that are read as lines of their own.
  private static let maxParts = 24

  /// Whether an inline element beside blocks is a line of its own: line breaks, blocks or dates, or
  /// the ends of the element around it, are next to it.
  private func isLineBesideBlocks(_ node: Int32) -> Bool {
    let own = tree.nodes[Int(node)]
    guard Self.lineElements.contains(own.name), let parent = own.parent,
      tree.nodes[Int(parent)].contents.contains(.block)
    else { return false }
    func isSpace(_ sibling: Int32) -> Bool {
      tree.nodes[Int(sibling)].name == .characters && tree.isBlank(sibling)
    }
    var (previous, next) = (own.previousSibling, own.nextSibling)
    while let node = previous, isSpace(node) { previous = tree.nodes[Int(node)].previousSibling }
    while let node = next, isSpace(node) { next = tree.nodes[Int(node)].nextSibling }
    return [previous, next].allSatisfy { neighbour in
      guard let neighbour else { return true }
      let name = tree.nodes[Int(neighbour)].name
      return name == .br || name.isBlock || tree.isTimeElement(neighbour)
    }
  }

  /// Inline elements that may be lines of their own.
  private static let lineElements: ElementSet = [
    .span, .i, .em, .small, .b, .strong, .font, .other,
  ]

  /// Returns the text of one of the first elements in a line if the line is a byline and that text
  /// its only name, in upper or lower case: "Submitted by *jdoe* on May 4, 2016"; or the text of
  /// the first link if it leads to the page of an author. Nil otherwise.
  private func linkedName(below root: Int32, _ line: String) -> String? {
    let elements = tree.descendants(of: root).prefix(32).filter {
      Self.nameElements.contains(tree.nodes[Int($0)].name)
    }
    for element in elements.prefix(Self.maxNameElements) {
      let name = tree.collapsedText(below: element)
      if BylineText.isByline(line, of: name) { return name }
    }
    guard let link = elements.first(where: { tree.nodes[Int($0)].name == .a }),
      linksToAuthor(link), !isInTeaserCard(root)
    else { return nil }
    return BylineText.name(tree.collapsedText(below: link), linkedIn: line)
  }

  /// Inline elements that may contain a name and nothing else.
  private static let nameElements: ElementSet = [.a, .span, .b, .strong, .em, .i]
  private static let maxNameElements = 4

  /// Whether the path of a link has a part such as `/author/` and another one after it. Without the
  /// latter, it is that of the list of all authors.
  private func linksToAuthor(_ link: Int32) -> Bool {
    guard let target = tree.string(.href, of: link)?.lowercased() else { return false }
    return MetadataVocabulary.authorPaths.contains { part in
      guard let end = target.firstRange(of: part)?.upperBound, let next = target[end...].first
      else { return false }
      return !"/?#".contains(next)
    }
  }

  /// Reads the dates in a line that has no markup for them.
  /// - Returns: Whether it has any.
  @discardableResult
  private mutating func readDates(in line: String, _ position: Position) -> Bool {
    guard let dates = DateLine(line, order: order, isMarkedUpAsDate: false) else { return false }
    if position == .aboveHeading {
      if lineDateAboveHeading == nil { lineDateAboveHeading = dates.publicationDate }
    } else if lineDate == nil {
      lineDate = dates.publicationDate
    }
    if changeDate == nil { changeDate = dates.changeDate }
    return true
  }

  /// Whether the element follows the title of another article (as in a teaser card).
  private func isInTeaserCard(_ node: Int32) -> Bool {
    guard let sibling = tree.siblingBefore(node), sibling != headingNode else { return false }
    switch tree.nodes[Int(sibling)].name {
    case .h2, .h3, .h4, .h5, .h6: return tree.nodes[Int(sibling)].name != headingName
    case .a: return !tree.namesAuthor(sibling) && tree.collapsedText(below: sibling).count > 15
    default: return false
    }
  }

  private var headingName: ElementName? {
    headingNode.map { tree.nodes[Int($0)].name }
  }

  /// Reads the date of a `time` element or of an element whose attributes indicate a date.
  private mutating func readDate(_ node: Int32, _ hints: UInt32, isInHead: Bool) {
    let label = hints == 0 ? tree.labeledDateKind(of: node) : .unstated
    if hints == 0, label == .unstated, tree.isInSentence(node) { return }
    let isPublished = hints & 1 != 0 || label == .publication
    guard let dates = tree.dates(of: node, order: order) else { return }
    if hints & 2 != 0 || label == .change, !isPublished {
      if changeDate == nil { changeDate = dates.publicationDate ?? dates.changeDate }
      return
    }
    if changeDate == nil { changeDate = dates.changeDate }
    guard let date = dates.publicationDate else { return }
    if isPublished {
      if publicationDate == nil { publicationDate = date }
    } else if isInHead, dateOfUnknownKind == nil {
      dateOfUnknownKind = date
    }
  }

  /// Returns the names of authors below an element: the descendants marked up as names, else the
  /// whole text; nil if there are none.
  private func names(below root: Int32) -> String? {
    var marked: [String] = []
    var next = tree.nodeAfter(root, in: root)
    while let node = next, marked.count < 20 {
      let isMarked = tree.namesAuthor(node, nameOnly: true)
      if isMarked,
        let names = BylineText.names(
          in: tree.collapsedText(below: node, without: Self.nonNameElements))
          ?? tree.string(.content, of: node).flatMap({ BylineText.names(in: $0.oneLine) })
      {
        marked.append(names)
      }
      next = isMarked ? tree.nodeAfterSubtree(node, in: root) : tree.nodeAfter(node, in: root)
    }
    return BylineText.joined(marked) ?? namesOfLines(below: root)
  }

  /// Returns the names in the first line below an element that has any, with those of further lines
  /// that have the same markup or begin with a word such as "and". Other lines are the profession
  /// and the biography.
  private func namesOfLines(below root: Int32) -> String? {
    var found: [String] = []
    var first: Int32?
    let lines = tree.bylineLines(
      below: root, without: Self.nonNameElements, separatesTasks: true)
    for line in lines {
      if found.isEmpty {
        guard
          let names = BylineText.names(inBylineOrBiography: line.text)
            ?? BylineText.names(afterDateIn: line.text)
        else { continue }
        (found, first) = ([names], line.element)
      } else if let first,
        let name = BylineText.furtherName(
          in: line.text,
          isMarkedUpAlike: isMarkedUp(line.element) && hasMarkup(of: first, line.element))
      {
        found.append(name)
      }
    }
    return BylineText.joined(found)
  }

  /// Whether an element is a link, an item of a list, or has a class.
  private func isMarkedUp(_ node: Int32) -> Bool {
    let name = tree.nodes[Int(node)].name
    return name == .a || name == .li || tree.hasAttribute(.class, node)
  }

  /// Elements in a byline that are not names: dates, and buttons such as "Follow".
  private static let nonNameElements: ElementSet = [.button, .time]

  /// Returns the names of the authors in an inline element and the following siblings with the same
  /// markup: a line may link to several authors. Nil if there are none.
  private func namesOfSiblings(from first: Int32) -> String? {
    var found: [String] = []
    var next: Int32? = first
    for _ in 0..<Self.maxExaminedSiblings {
      guard let node = next, found.count < 20 else { break }
      if hasMarkup(of: first, node), tree.namesAuthor(node), let names = names(below: node) {
        found.append(names)
      }
      next = tree.nodes[Int(node)].nextSibling
    }
    return BylineText.joined(found)
  }

  /// The maximum number of siblings of an author that are examined for further authors.
  private static let maxExaminedSiblings = 100

  /// Whether two elements have the same name, `class` and `rel`.
  private func hasMarkup(of first: Int32, _ node: Int32) -> Bool {
    tree.nodes[Int(node)].name == tree.nodes[Int(first)].name
      && [AttributeName.class, .rel].allSatisfy {
        tree.string($0, of: node) == tree.string($0, of: first)
      }
  }
}

extension DOMTree {
  /// Whether the attributes of an element mark it up as an author; if `nameOnly` is true, as the
  /// author's name alone.
  fileprivate func namesAuthor(_ node: Int32, nameOnly: Bool = false) -> Bool {
    let element = nodes[Int(node)]
    guard element.name != .characters else { return false }
    for index in Int(element.start)..<Int(element.end) {
      let attribute = attributes[index]
      let value = Int(attribute.start)..<Int(attribute.end)
      switch attribute.name {
      case .rel where value.count == 6 && bytes.contains("author", in: value): return true
      case .itemprop where nameOnly:
        if value.count == 4, bytes.contains("name", in: value) { return true }
      case .itemprop where bytes.contains("author", in: value): return true
      case .property where isProperty(value, nameOnly ? "name" : "author"): return true
      case .class where nameOnly:
        if self.value(.class, of: node, hasWordAmong: Self.nameClasses) { return true }
      case .class, .id:
        let hints = NameHints.hints(value, in: bytes)
        if hints.contains(.byline), !hints.contains(.notByline) { return true }
      default: break
      }
    }
    return false
  }

  private static let nameClasses: [StaticString] = ["fn", "author-name"]

  /// Whether an element is declared as the author of the page: by `rel=author`, `itemprop=author`
  /// or the classes of hAtom.
  fileprivate func declaresAuthor(_ node: Int32) -> Bool {
    let element = nodes[Int(node)]
    return (Int(element.start)..<Int(element.end)).contains { index in
      let value = Int(attributes[index].start)..<Int(attributes[index].end)
      switch attributes[index].name {
      case .rel, .itemprop: return value.count == 6 && bytes.contains("author", in: value)
      case .class: return bytes.contains("vcard", in: value) && bytes.contains("author", in: value)
      default: return false
      }
    }
  }

  /// Whether the value of a `property` attribute (RDFa) is a term, with or without a prefix.
  private func isProperty(_ value: Range<Int>, _ term: String) -> Bool {
    guard bytes[value].suffix(term.utf8.count).elementsEqual(term.utf8) else { return false }
    return bytes[value].dropLast(term.utf8.count).last.map { $0 == UInt8(ascii: ":") } ?? true
  }

  /// Returns the nearest ancestor, at most 64 levels up, that satisfies the predicate; nil if there
  /// is none.
  fileprivate func ancestor(of node: Int32, where isFound: (ElementName) -> Bool) -> Int32? {
    var ancestor = nodes[Int(node)].parent ?? 0
    for _ in 0..<64 where ancestor > 0 {
      if isFound(nodes[Int(ancestor)].name) { return ancestor }
      ancestor = nodes[Int(ancestor)].parent ?? 0
    }
    return nil
  }
}

extension ElementName {
  /// Whether elements with this name do not belong to the head of an article; a short `aside` is an
  /// exception.
  fileprivate var neverBelongsToHead: Bool {
    switch self {
    case .nav, .aside, .script, .style, .template, .form, .figure, .svg, .noscript, .table, .select:
      true
    default: false
    }
  }
}
