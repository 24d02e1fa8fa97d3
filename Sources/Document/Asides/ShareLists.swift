package import DOM

// A share list contains only links and buttons for sharing the page: "Share on Facebook · Tweet ·
// Pin it · Email". It is recognised by the URLs of services and by a vocabulary, not by its class
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
  private var levels: [Level] = []

  /// The numbers of controls and labels in a part of the page.
  private struct Tally {
    var controls = 0
    /// Controls that are certainly there for sharing.
    var certain = 0
    /// Pieces of text outside controls that belong to a share list.
    var labels = 0
    /// Whether there is anything that does not belong to a share list.
    var hasOther = false

    var isEmpty: Bool { controls + labels == 0 && !hasOther }
    var isShareList: Bool { !hasOther && certain > 0 && controls + labels >= 2 }

    mutating func add(_ other: Tally) {
      controls += other.controls
      certain += other.certain
      labels += other.labels
      hasOther = hasOther || other.hasOther
    }
  }

  /// An element whose children are being read.
  private struct Level {
    var node: Int32
    var tally = Tally()
    /// The run of children that may be a share list, its counts, and whether all of its children
    /// are blocks; nil if there is no run.
    var run: (nodes: Run, tally: Tally, isOfBlocks: Bool)?
    /// Whether the last child with content is inline and not in the run.
    var endsInLine = false
    /// The number of lists found before the element.
    var found: Int
  }

  /// Finds the share lists of a page.
  package init(of tree: DOMTree) {
    self.tree = tree
    guard let root = tree.nodes.first else { return }
    levels = [Level(node: 0, found: 0)]
    find(from: root.firstChild)
    finish()
    levels = []
  }

  private mutating func find(from first: Int32) {
    var node = first
    while node >= 0 {
      let element = tree.nodes[Int(node)]
      var descends = false
      if element.name == .characters {
        add(tally(ofText: node), of: node)
      } else if isControl(node) {
        add(tally(ofControl: node), of: node)
      } else if element.name.isContent {
        add(Tally(hasOther: true), of: node)
      } else if element.firstChild >= 0, !element.name.isNeverShown {
        levels.append(Level(node: node, found: runs.count))
        descends = true
      }
      if descends {
        node = element.firstChild
        continue
      }
      while tree.nodes[Int(node)].nextSibling < 0 {
        node = tree.nodes[Int(node)].parent
        guard node > 0 else { return }
        endLevel()
      }
      node = tree.nodes[Int(node)].nextSibling
    }
  }

  // MARK: Levels

  private mutating func add(_ tally: Tally, of node: Int32) {
    guard !tally.isEmpty, let top = levels.indices.last else { return }
    levels[top].tally.add(tally)
    let name = tree.nodes[Int(node)].name
    let isBlock = name.isBlock
    if tally.hasOther {
      endRun(beforeBlock: isBlock)
    } else if let run = levels[top].run {
      levels[top].run?.nodes.last = node
      levels[top].run?.tally.add(tally)
      levels[top].run?.isOfBlocks = run.isOfBlocks && isBlock
    } else if isBlock || name != .characters && !levels[top].endsInLine {
      levels[top].run = (Run(first: node, last: node), tally, isBlock)
    }
    levels[top].endsInLine = !isBlock && (tally.hasOther || levels[top].run == nil)
  }

  /// Ends the run of the innermost element, and records it if it is a share list.
  private mutating func endRun(beforeBlock: Bool) {
    guard let top = levels.indices.last, let run = levels[top].run else { return }
    levels[top].run = nil
    guard run.tally.isShareList, beforeBlock || run.isOfBlocks else { return }
    switch tree.nodes[Int(run.nodes.first)].name {
    // A list or table must not lose some of its items or cells.
    case .li, .dt, .dd, .td, .th, .tr, .tbody, .thead, .tfoot: return
    default: runs.append(run.nodes)
    }
  }

  private mutating func endLevel() {
    let node = levels[levels.count - 1].node
    var tally = levels[levels.count - 1].tally
    if !tally.hasOther {
      // The whole element may be a part of a share list around it.
      runs.removeSubrange(levels[levels.count - 1].found...)
      if tally.certain == 0, tally.controls + tally.labels > 1, isNamedSharing(node) {
        tally.certain = 1
      }
    } else {
      endRun(beforeBlock: true)
    }
    levels.removeLast()
    add(tally, of: node)
  }

  private mutating func finish() {
    while levels.count > 1 { endLevel() }
    endRun(beforeBlock: true)
    // If the page has no other content, its share lists are shown.
    if !levels[0].tally.hasOther { runs = [] }
  }

  // MARK: Parts

  private func isControl(_ node: Int32) -> Bool {
    switch tree.nodes[Int(node)].name {
    case .a, .button, .area: true
    case .input:
      ["button", "submit", "image"].contains((tree.string(.type, of: node) ?? "").lowercased())
    default: tree.has(.role, node) && tree.value(.role, of: node, contains: "button")
    }
  }

  private func tally(ofText node: Int32) -> Tally {
    let own = tree.nodes[Int(node)]
    let text = tree.bytes[Int(own.start)..<Int(own.end)]
    switch ShareLabel(text) {
    case .none: return Tally()
    case .possible, .sharing, .named: return Tally(labels: 1)
    case .other: return Tally(hasOther: true)
    }
  }

  private func tally(ofControl node: Int32) -> Tally {
    var text = text(below: node)
    guard text.count <= Self.maxBytes else { return Tally(hasOther: true) }
    if ShareLabel(text[...]) == .none {
      for name in [AttributeName.ariaLabel, .title, .value, .alt] {
        guard let value = tree.attribute(name, of: node) else { continue }
        text = Array(tree.bytes[value])
        break
      }
    }
    let content = ShareLabel(text[...])
    let target = target(of: node)
    if content == .other { return Tally(hasOther: true) }
    switch target {
    case .ofPage: return Tally(hasOther: true)
    case .service: return Tally(controls: 1, certain: 1)
    case .script, .elsewhere:
      let isCertain = content == .named || content == .sharing && target == .script
      // A link or button without a name shows nothing.
      if content == .none { return target == .script ? Tally() : Tally(hasOther: true) }
      return Tally(controls: 1, certain: isCertain ? 1 : 0)
    }
  }

  /// The target of a control.
  private enum Target {
    /// A service through which the page is shared.
    case service
    /// No target unless a script runs.
    case script
    /// A part of the page.
    case ofPage
    case elsewhere
  }

  private func target(of node: Int32) -> Target {
    guard let range = tree.attribute(.href, of: node) else { return .script }
    let start = range.lowerBound + tree.bytes[range].prefix(while: \.isWhiteSpace).count
    let reference = tree.bytes[start..<max(start, range.upperBound)]
    if reference.isEmpty || reference.elementsEqual("#".utf8) { return .script }
    if reference.first == UInt8(ascii: "#") {
      return reference.count > 1 && !reference.elementsEqual("#!".utf8)
        && !isShareName(reference) ? .ofPage : .script
    }
    let prefix = reference.startIndex..<min(reference.endIndex, reference.startIndex + 400)
    if tree.bytes.withUnsafeBufferPointer({ Self.services.match($0, in: prefix) }) != 0 {
      return .service
    }
    return tree.bytes.contains("javascript:", in: prefix) ? .script : .elsewhere
  }

  private func isShareName(_ name: ArraySlice<UInt8>) -> Bool {
    tree.bytes.withUnsafeBufferPointer { Self.names.match($0, in: name.indices) } != 0
  }

  /// Whether the class or id of an element is typical of share lists.
  private func isNamedSharing(_ node: Int32) -> Bool {
    [AttributeName.class, .id].contains { name in
      tree.attribute(name, of: node).map { isShareName(tree.bytes[$0]) } ?? false
    }
  }

  private func text(below node: Int32) -> [UInt8] {
    var text: [UInt8] = []
    var next = tree.next(node, in: node)
    while next >= 0, text.count <= Self.maxBytes {
      let own = tree.nodes[Int(next)]
      if own.name == .characters {
        text += tree.bytes[Int(own.start)..<Int(own.end)].prefix(Self.maxBytes + 1)
      } else if own.name == .img, let alternative = tree.attribute(.alt, of: next) {
        text.append(0x20)
        text += tree.bytes[alternative].prefix(Self.maxBytes + 1)
      } else {
        text.append(0x20)
      }
      next = own.name == .svg ? tree.following(next, in: node) : tree.next(next, in: node)
    }
    return text
  }

  /// Maximum length in bytes of the text of a control; a control with more is not for sharing.
  private static let maxBytes = 120

  /// Parts of the URLs at which services receive a shared page, and of `mailto:` and `sms:` URLs
  /// without a recipient.
  private static let services = WordMatcher([
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
  private static let names = WordMatcher([
    (1, "share,sharing,addtoany,a2a_,addthis,social-links,social-buttons,social-icons,shariff")
  ])
}

extension DOMTree {
  /// Removes the share lists of a page.
  package mutating func removeShareLists() {
    for run in ShareLists(of: self).runs {
      var node = run.first
      while node >= 0 {
        let next = node == run.last ? -1 : nodes[Int(node)].nextSibling
        detach(node)
        node = next
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
