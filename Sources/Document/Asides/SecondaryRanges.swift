import Algorithms
import DOM

/// The ranges of a document's text that the page marks, by element, role, class or id, as secondary
/// to the main text: menus, bylines, share buttons, newsletter forms.
struct SecondaryRanges {
  /// Ranges of `Document.text`, ascending and not overlapping.
  private var ranges: [Range<UInt32>] = []
  /// The ranges in the order of their end tags: an element comes after its descendants.
  private var rangesInEndOrder: [Range<UInt32>] = []

  /// Elements that start at or after this offset of the text, in bytes, are ignored.
  private static let maxOffset = 128 << 10
  /// Maximum text length in bytes of an element that is recognized by its class or id; longer ones
  /// contain main text.
  private static let maxClassifiedLength = 3000

  /// Records an element that has ended if its name, role, class or id marks it as secondary.
  mutating func record(_ node: Int32, of tree: DOMTree, from start: Int, to end: Int) {
    guard start < end, start < Self.maxOffset,
      let limit = Self.maxSecondaryLength(of: node, in: tree),
      end - start <= limit
    else { return }
    rangesInEndOrder.append(UInt32(start)..<UInt32(end))
  }

  /// Returns the maximum text length in bytes with which an element counts as secondary: unlimited
  /// for navigation; nil if its markup does not mark it as secondary.
  private static func maxSecondaryLength(of node: Int32, in tree: DOMTree) -> Int? {
    let element = tree.nodes[Int(node)]
    if element.name == .nav { return .max }
    for index in Int(element.start)..<Int(element.end) {
      let attribute = tree.attributes[index]
      let value = Int(attribute.start)..<Int(attribute.end)
      switch attribute.name {
      case .role where tree.bytes.contains("navigation", in: value): return .max
      case .class, .id:
        let found = tree.bytes.withUnsafeBufferPointer { secondaryNames.match($0, in: value) }
        if found & 2 != 0 { return .max }
        if found & 1 != 0 { return maxClassifiedLength }
      default: break
      }
    }
    return nil
  }

  /// Substrings of class names and ids: 1 for bylines, sharing and the like, 2 for navigation. A
  /// space matches the start or the end of a name.
  private static let secondaryNames = WordMatcher([
    (1, "share,sharing,social,byline,author,contributor,postmeta,post-meta,entry-meta"),
    (1, "article-meta,meta-,newsletter,subscri,signup,sign-up,follow-,related,promo,advert"),
    (1, "sponsor,cookie,consent,disclos,disclaim,affiliate,taglist,tag-list,-tags, tags"),
    (1, "rating,audio-player,listen,printfriendly,login,donat,read-time,reading-time"),
    (1, "readtime,timestamp,published,pubdate,toolbar,breadcrumb,skip-link,credit"),
    (2, "navbar,nav-menu,navmenu,main-nav,site-nav,-nav , nav ,navigation, menu,-menu"),
    (2, "mainmenu,sitemap,toc , toc,table-of-contents,tableofcontents"),
  ])

  /// Returns the ranges except those that contain an offset: an element in which the main text
  /// begins is not secondary.
  func excluding(_ offset: UInt32) -> SecondaryRanges {
    var result = SecondaryRanges()
    for range in rangesInEndOrder.sorted(by: { $0.lowerBound < $1.lowerBound })
    where !range.contains(offset) {
      if let last = result.ranges.last, range.lowerBound <= last.upperBound {
        result.ranges[result.ranges.count - 1] =
          last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        result.ranges.append(range)
      }
    }
    return result
  }

  /// Returns whether an offset of the text is in one of the ranges.
  func contains(_ offset: UInt32) -> Bool {
    let first = ranges.partitioningIndex { $0.upperBound > offset }
    return first < ranges.count && ranges[first].contains(offset)
  }
}
