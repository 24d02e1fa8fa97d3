package import DOM

/// Recognizes elements that contain comments of readers, by their names.
package enum CommentArea {
  /// Bit 1 for names of comments, bit 2 for names of something related to comments, such as a link
  /// to the comments or the state of the page.
  private static let nameMatcher = WordMatcher([
    (
      1,
      """
       comment,-comment,_comment,comments,commentlist,usercomment,readercomment,postcomment,\
      articlecomment,disqus,livefyre,dsq-
      """
    ),
    (
      2,
      """
      comments-open,comments-closed,comments-off,comments-enabled,comments-disabled,\
      comments-allowed,comments-link,comment-link,comment-count,\
      comments-count,commentcount,commentscount,comment-number,comments-number,comment-status,\
      has-comment,no-comment,with-comment,comment-icon,comment-button,comment-toggle,\
      comment-policy,comments-policy,commentary,\
      commenting,live-
      """
    ),
  ])

  /// Whether the class or id of an element, or its `itemprop` if microdata count, too, names it as
  /// comments. The posts of some forums have `itemprop=comment`.
  package static func hasCommentName(
    _ node: Int32, in tree: DOMTree, includesMicrodata: Bool = false
  ) -> Bool {
    let element = tree.nodes[Int(node)]
    switch element.name {
    case .characters, .html, .body, .main: return false
    default: break
    }
    for index in Int(element.start)..<Int(element.end) {
      let attribute = tree.attributes[index]
      switch attribute.name {
      case .itemprop where !includesMicrodata: continue
      case .class, .id, .itemprop:
        let value = Int(attribute.start)..<Int(attribute.end)
        if attribute.name == .id, isSentence(tree.bytes[value]) { continue }
        let found = tree.bytes.withUnsafeBufferPointer { nameMatcher.match($0, in: value) }
        if found == 1 { return true }
      default: break
      }
    }
    return false
  }

  /// Whether an id consists of many words, as ids that are derived from headings do.
  private static func isSentence(_ id: ArraySlice<UInt8>) -> Bool {
    id.count { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") } > 2
  }

  /// Whether a node is in an element that is named as comments.
  package static func contains(_ node: Int32, in tree: DOMTree) -> Bool {
    var ancestor = node
    for _ in 0..<64 where ancestor > 0 {
      if hasCommentName(ancestor, in: tree, includesMicrodata: true) { return true }
      ancestor = tree.nodes[Int(ancestor)].parent ?? 0
    }
    return false
  }
}
