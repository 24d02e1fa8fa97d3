/// What the names that authors give to elements (`class` and `id`) say of their content.
///
/// All vocabulary by which reader mode tells content from what is around it and that is matched against
/// names stands in this table, once.
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

  /// A role of elements around the content.
  static let role = NameHints(rawValue: 1 << 6)

  /// Looks like the name of a byline and is none: another word begins with "author".
  static let noByline = NameHints(rawValue: 1 << 7)

  /// The hints in the value of a `class` or `id`.
  static func hints(_ value: Range<Int>, in bytes: [UInt8]) -> NameHints {
    guard !value.isEmpty else { return [] }
    return bytes.withUnsafeBufferPointer {
      NameHints(rawValue: matcher.match($0, in: value))
    }
  }

  /// Whether a `role` is one of elements around the content.
  static func isUnlikelyRole(_ role: ArraySlice<UInt8>) -> Bool {
    role.withUnsafeBufferPointer { unlikelyRoles.find($0) } ?? false
  }

  private static let unlikelyRoles = NameTable(
    lists: [(true, "menu menubar complementary navigation alert alertdialog dialog")])

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
    (.noByline, "authori"),
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
