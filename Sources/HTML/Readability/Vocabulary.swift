/// What the names that authors give to elements (`class` and `id`) say of their content.
///
/// All vocabulary of reader mode that is matched against names stands in this table, once.
package struct NameHints: OptionSet, Sendable, Hashable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Unlikely to be content: comments, menus, side bars.
  package static let unlikely = NameHints(rawValue: 1 << 0)
  /// May be content although its name also says otherwise.
  package static let candidate = NameHints(rawValue: 1 << 1)
  /// Speaks for content.
  package static let positive = NameHints(rawValue: 1 << 2)
  /// Speaks against content.
  package static let negative = NameHints(rawValue: 1 << 3)
  /// Names who wrote the page.
  package static let byline = NameHints(rawValue: 1 << 4)
  /// Offers to share the page.
  package static let share = NameHints(rawValue: 1 << 5)

  /// The hints in the `class` and `id` of an element.
  package static func hints(of node: Int32, in tree: DOMTree) -> NameHints {
    classHints(of: node, in: tree).union(idHints(of: node, in: tree))
  }

  static func classHints(of node: Int32, in tree: DOMTree) -> NameHints {
    hints(.class, of: node, in: tree)
  }

  static func idHints(of node: Int32, in tree: DOMTree) -> NameHints {
    hints(.id, of: node, in: tree)
  }

  private static func hints(
    _ attribute: AttributeName, of node: Int32, in tree: DOMTree
  ) -> NameHints {
    guard let range = tree.attribute(attribute, of: node), !range.isEmpty else { return [] }
    return tree.bytes.withUnsafeBufferPointer {
      NameHints(rawValue: matcher.match($0, in: range))
    }
  }

  private static let matcher = WordMatcher(table.map { ($0.rawValue, $1) })

  /// Words, or parts of words, separated by commas; a space is a boundary of a name.
  private static let table: [(NameHints, StaticString)] = [
    (
      .unlikely,
      """
      -ad-,ad-break,agegate,ai2html,banner,breadcrumbs,combx,comment,community,cover-wrap,disqus,\
      extra,footer,gdpr,header,legends,menu,pager,pagination,popup,related,remark,replies,rss,\
      shoutbox,sidebar,skyscraper,social,sponsor,supplemental,yom-remote
      """
    ),
    (.candidate, "and,article,body,column,content,main,mathjax,shadow"),
    (
      .positive,
      "article,blog,body,content,entry,h-entry,hentry,main,page,pagination,post,story,text"
    ),
    (
      .negative,
      """
      -ad-,hidden, hid ,banner,combx,comment,com-,contact,footer,gdpr,masthead,media,meta,outbrain,\
      promo,related,scroll,share,shoutbox,sidebar,skyscraper,sponsor,shopping,tags,widget
      """
    ),
    (.byline, "author,byline,dateline,p-author,writtenby"),
    // `share` and `sharedaddy` as words of their own; `_` and `-` separate too.
    (
      .share,
      """
       share , share_, share-,_share ,_share_,_share-,-share ,-share_,-share-, sharedaddy ,\
       sharedaddy_, sharedaddy-,_sharedaddy,-sharedaddy
      """
    ),
  ]
}
