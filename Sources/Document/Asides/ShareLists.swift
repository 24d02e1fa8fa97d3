package import DOM

// A share list contains only links and buttons for sharing the page: "Share on Facebook · Tweet ·
// Pin it · Email". It is recognized by the URLs of services and by a vocabulary, not by its class
// alone, and only if it has no other text.

/// The share lists of a page, each a range of sibling elements.
package struct ShareLists {
  /// A run of siblings that belong together.
  package struct Run: Equatable {
    package var first: Int32
    package var last: Int32
  }

  /// The lists, in document order, none within another.
  package private(set) var runs: [Run] = []

  private let tree: DOMTree
  private var openElements: [OpenElement] = []

  /// The numbers of controls and labels in a part of the page.
  private struct ContentCounts {
    var controlCount = 0
    /// The number of controls that only serve to share the page.
    var certainControlCount = 0
    /// The number of pieces of text outside controls that are typical of share lists, such as
    /// "Share:".
    var labelCount = 0
    /// Whether the part contains anything that does not belong to a share list.
    var hasOtherContent = false

    var isEmpty: Bool { controlCount + labelCount == 0 && !hasOtherContent }
    var isShareList: Bool {
      !hasOtherContent && certainControlCount > 0 && controlCount + labelCount >= 2
    }

    mutating func add(_ counts: ContentCounts) {
      controlCount += counts.controlCount
      certainControlCount += counts.certainControlCount
      labelCount += counts.labelCount
      hasOtherContent = hasOtherContent || counts.hasOtherContent
    }
  }

  /// An element whose children are being read.
  private struct OpenElement {
    var node: Int32
    var counts = ContentCounts()
    /// The run of children that may be a share list, its counts, and whether all of its children
    /// are blocks; nil if there is no run.
    var run: (nodes: Run, counts: ContentCounts, isOfBlocks: Bool)?
    /// Whether the last child with content is inline and not in the run.
    var endsWithInlineContent = false
    /// The number of lists found before the element.
    var precedingListCount: Int
  }

  /// Finds the share lists of a page.
  package init(of tree: DOMTree) {
    self.tree = tree
    guard let root = tree.nodes.first else { return }
    openElements = [OpenElement(node: 0, precedingListCount: 0)]
    findLists(from: root.firstChild)
    finish()
    openElements = []
  }

  private mutating func findLists(from first: Int32?) {
    guard var node = first else { return }
    while true {
      let element = tree.nodes[Int(node)]
      if element.name == .characters {
        addContent(counts(ofText: node), of: node)
      } else if isControl(node) {
        addContent(counts(ofControl: node), of: node)
      } else if element.name.isContent {
        addContent(ContentCounts(hasOtherContent: true), of: node)
      } else if let child = element.firstChild, !element.name.isNeverShown {
        openElements.append(OpenElement(node: node, precedingListCount: runs.count))
        node = child
        continue
      }
      var sibling = element.nextSibling
      while sibling == nil {
        node = tree.nodes[Int(node)].parent ?? 0
        guard node > 0 else { return }
        endElement()
        sibling = tree.nodes[Int(node)].nextSibling
      }
      guard let sibling else { return }
      node = sibling
    }
  }

  // MARK: Levels

  /// Adds the content of a child to the innermost open element, and extends or ends its current
  /// run.
  private mutating func addContent(_ counts: ContentCounts, of node: Int32) {
    guard !counts.isEmpty, let top = openElements.indices.last else { return }
    openElements[top].counts.add(counts)
    let name = tree.nodes[Int(node)].name
    let isBlock = name.isBlock
    if counts.hasOtherContent {
      endRun(beforeBlock: isBlock)
    } else if let run = openElements[top].run {
      openElements[top].run?.nodes.last = node
      openElements[top].run?.counts.add(counts)
      openElements[top].run?.isOfBlocks = run.isOfBlocks && isBlock
    } else if isBlock || name != .characters && !openElements[top].endsWithInlineContent {
      openElements[top].run = (Run(first: node, last: node), counts, isBlock)
    }
    openElements[top].endsWithInlineContent =
      !isBlock && (counts.hasOtherContent || openElements[top].run == nil)
  }

  /// Ends the run of the innermost element, and records it if it is a share list. A run that inline
  /// content ends (`beforeBlock` is false) must consist of blocks.
  private mutating func endRun(beforeBlock: Bool) {
    guard let top = openElements.indices.last, let run = openElements[top].run else { return }
    openElements[top].run = nil
    guard run.counts.isShareList, beforeBlock || run.isOfBlocks else { return }
    switch tree.nodes[Int(run.nodes.first)].name {
    // A list or table must not lose some of its items or cells.
    case .li, .dt, .dd, .td, .th, .tr, .tbody, .thead, .tfoot: return
    default: runs.append(run.nodes)
    }
  }

  /// Ends the innermost open element, and adds its content to the element around it.
  private mutating func endElement() {
    let node = openElements[openElements.count - 1].node
    var counts = openElements[openElements.count - 1].counts
    if !counts.hasOtherContent {
      // The whole element may be a part of a share list around it.
      runs.removeSubrange(openElements[openElements.count - 1].precedingListCount...)
      if counts.certainControlCount == 0, counts.controlCount + counts.labelCount > 1,
        hasShareListName(node)
      {
        counts.certainControlCount = 1
      }
    } else {
      endRun(beforeBlock: true)
    }
    openElements.removeLast()
    addContent(counts, of: node)
  }

  private mutating func finish() {
    while openElements.count > 1 { endElement() }
    endRun(beforeBlock: true)
    // If the page has no other content, its share lists are shown.
    if !openElements[0].counts.hasOtherContent { runs = [] }
  }

  // MARK: Parts

  private func isControl(_ node: Int32) -> Bool {
    switch tree.nodes[Int(node)].name {
    case .a, .button, .area: true
    case .input:
      ["button", "submit", "image"].contains((tree.string(.type, of: node) ?? "").lowercased())
    default: tree.hasAttribute(.role, node) && tree.value(.role, of: node, contains: "button")
    }
  }

  private func counts(ofText node: Int32) -> ContentCounts {
    let domNode = tree.nodes[Int(node)]
    let text = tree.bytes[Int(domNode.start)..<Int(domNode.end)]
    switch ShareLabel(text) {
    case .noWords: return ContentCounts()
    case .shareListWords, .shareVerb, .shareVerbWithService: return ContentCounts(labelCount: 1)
    case .unrelated: return ContentCounts(hasOtherContent: true)
    }
  }

  private func counts(ofControl node: Int32) -> ContentCounts {
    let text = text(below: node)
    guard text.count <= Self.maxLabelLength else { return ContentCounts(hasOtherContent: true) }
    var content = ShareLabel(text[...])
    if content == .noWords {
      for name in [AttributeName.ariaLabel, .title, .value, .alt] {
        guard let value = tree.attribute(name, of: node) else { continue }
        content = ShareLabel(tree.bytes[value])
        break
      }
    }
    guard content != .unrelated else { return ContentCounts(hasOtherContent: true) }
    let target = target(of: node)
    switch target {
    case .samePage: return ContentCounts(hasOtherContent: true)
    case .service: return ContentCounts(controlCount: 1, certainControlCount: 1)
    case .script, .otherPage:
      let isCertain = content == .shareVerbWithService || content == .shareVerb && target == .script
      // A link or button without a name shows nothing.
      if content == .noWords {
        return target == .script ? ContentCounts() : ContentCounts(hasOtherContent: true)
      }
      return ContentCounts(controlCount: 1, certainControlCount: isCertain ? 1 : 0)
    }
  }

  /// The target of a control.
  private enum ControlTarget {
    /// A service through which the page is shared.
    case service
    /// No target unless a script runs.
    case script
    /// A part of the page.
    case samePage
    case otherPage
  }

  private func target(of node: Int32) -> ControlTarget {
    guard let range = tree.attribute(.href, of: node) else { return .script }
    let start = range.lowerBound + tree.bytes[range].prefix(while: \.isWhiteSpace).count
    let reference = tree.bytes[start..<max(start, range.upperBound)]
    if reference.isEmpty || reference.elementsEqual("#".utf8) { return .script }
    if reference.first == UInt8(ascii: "#") {
      return reference.count > 1 && !reference.elementsEqual("#!".utf8)
        && !isShareName(reference) ? .samePage : .script
    }
    let prefix = reference.startIndex..<min(reference.endIndex, reference.startIndex + 400)
    if tree.bytes.withUnsafeBufferPointer({ Self.shareURLs.match($0, in: prefix) }) != 0 {
      return .service
    }
    return tree.bytes.contains("javascript:", in: prefix) ? .script : .otherPage
  }

  private func isShareName(_ name: ArraySlice<UInt8>) -> Bool {
    tree.bytes.withUnsafeBufferPointer { Self.shareListNames.match($0, in: name.indices) } != 0
  }

  /// Whether the class or id of an element is typical of share lists.
  private func hasShareListName(_ node: Int32) -> Bool {
    [AttributeName.class, .id].contains { name in
      tree.attribute(name, of: node).map { isShareName(tree.bytes[$0]) } ?? false
    }
  }

  private func text(below node: Int32) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(Self.maxLabelLength + 1)
    var next = tree.nodeAfter(node, in: node)
    while let current = next, text.count <= Self.maxLabelLength {
      let domNode = tree.nodes[Int(current)]
      if domNode.name == .characters {
        text += tree.bytes[Int(domNode.start)..<Int(domNode.end)].prefix(Self.maxLabelLength + 1)
      } else if domNode.name == .img, let alternative = tree.attribute(.alt, of: current) {
        text.append(0x20)
        text += tree.bytes[alternative].prefix(Self.maxLabelLength + 1)
      } else {
        text.append(0x20)
      }
      next =
        domNode.name == .svg
        ? tree.nodeAfterSubtree(current, in: node) : tree.nodeAfter(current, in: node)
    }
    return text
  }

  /// Maximum length in bytes of the text of a control; a control with more is not for sharing.
  private static let maxLabelLength = 120

  /// Parts of the URLs at which services receive a shared page, and of `mailto:` and `sms:` URLs
  /// without a recipient.
  private static let shareURLs = WordMatcher([
    (1, "facebook.com/shar,facebook.com/dialog/,twitter.com/intent,twitter.com/share"),
    (1, "twitter.com/home?status,x.com/intent,x.com/share,linkedin.com/sh,linkedin.com/cws/share"),
    (1, "/pin/create,reddit.com/submit,wa.me/?,api.whatsapp.com/send,whatsapp://send,t.me/share"),
    (1, "telegram.me/share,tg://msg,bsky.app/intent,flipboard.com/bookmarklet,share.flipboard.com"),
    (1, "getpocket.com/save,getpocket.com/edit,tumblr.com/share,tumblr.com/widgets/share"),
    (1, "vk.com/share,ycombinator.com/submitlink,plus.google.com/share,threads.net/intent"),
    (1, "/sharer,?share=,&share=,addtoany.com,addthis.com/bookmark,sharethis.com,spi/shares"),
    (
      1,
      "social-plugins.line.me,line.me/r/msg,instapaper.com/hello,instapaper.com/edit,digg.com/subm"
    ),
    (1, "stumbleupon.com/submit,buffer.com/add,bufferapp.com/add,fb-messenger://share,mix.com/add"),
    (1, "mastodonshare.com,b.hatena.ne.jp/entry,weibo.com/share,connect.ok.ru/offer,mailto:?"),
    (1, "sms:?,sms:&,nextdoor.com/sharekit,lineit/share,classroom.google.com/share"),
  ])
  /// Parts of classes and ids of share lists.
  private static let shareListNames = WordMatcher([
    (1, "share,sharing,addtoany,a2a_,addthis,social-links,social-buttons,social-icons,shariff")
  ])
}

extension DOMTree {
  /// Removes the share lists of a page.
  package mutating func removeShareLists() {
    for run in ShareLists(of: self).runs {
      var next: Int32? = run.first
      while let node = next {
        next = node == run.last ? nil : nodes[Int(node)].nextSibling
        detach(node)
      }
    }
  }
}

extension ElementName {
  /// Whether an element is content that does not occur in share lists.
  fileprivate var isContent: Bool {
    switch self {
    case .img, .video, .audio, .object, .embed, .canvas, .pre, .select, .textarea, .math,
      .hr, .iframe:
      true
    default: false
    }
  }

  /// Whether nothing in an element is shown.
  fileprivate var isNeverShown: Bool {
    switch self {
    case .script, .style, .template, .datalist, .head, .title, .svg, .noscript: true
    default: false
    }
  }
}
