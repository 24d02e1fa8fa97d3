// Names in the data of pages, in lower case. Longer ones than sixteen bytes are cut there.

/// What the name of a member says about its value.
enum DataKey: Sendable, Equatable {
  /// A piece of text, however short.
  case text
  /// Text, or something for programs.
  case content
  /// The text of an article, whole.
  case body
  /// A line of a list.
  case item
  /// What an article is about.
  case summary
  /// What something is called.
  case name
  /// What the object is.
  case type

  /// Members in the state of scripts, by the names that editors and content systems give them.
  static let inState = NameTable<DataKey>(lists: [
    (.text, "text children plain_text plaintext heading caption question answer"),
    (.content, "value content body html paragraph markup rendered bodyhtml contenthtml"),
    (.type, "type _type nodetype __typename blocktype tag tagname"),
  ])

  /// Members of schema.org.
  static let inLinkedData = NameTable<DataKey>(lists: [
    (.body, "articlebody"),
    (.text, "text reviewbody transcript"),
    (.item, "recipeingredient ingredients recipeinstructio supply tool step"),
    (.summary, "description abstract"), (.name, "name"), (.type, "@type"),
  ])

  /// How many bytes of a name are compared.
  static let longest = 16

  /// Members with these beginnings hold what stands around a text, on every page of a site.
  private static let chrome: StaticString = """
    seo meta opengraph twitter footer header cookie consent gdpr privacy legal nav menu breadcrumb \
    translation messages i18n locale dictionary related recommend teaser sidebar newsletter subscri \
    advert promo banner error config setting feature comment author
    """

  /// Whether a member holds what stands around a text.
  static func isChrome(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    let name = key.first == UInt8(ascii: "_") ? UnsafeBufferPointer(rebasing: key.dropFirst()) : key
    guard let first = name.first else { return false }
    var isChrome = false
    chrome.forEachPart(separator: 0x20) { word in
      guard !isChrome, word[0] == first.lowercased, word.count <= name.count else { return }
      isChrome = word.indices.allSatisfy { name[$0].lowercased == word[$0] }
    }
    return isChrome
  }
}

/// What an object of data is.
enum DataRole: Sendable, Equatable {
  /// A part of a line.
  case inline
  case heading
  /// An entry of a list.
  case item
  /// A text with a description that is not part of it.
  case article
  /// Something whose name stands above its text.
  case question
  /// Nothing that a reader came for.
  case chrome
  /// Anything else.
  case other

  /// Types in the state of scripts.
  static let inState = NameTable<DataRole>(lists: [
    (.inline, "text span link hyperlink textnode leaf mark a em i strong b code sup sub u small"),
    (.heading, "heading header h1 h2 h3 h4 h5 h6 subheading heading-2 heading-3 heading-4"),
    (.item, "li listitem list-item list_item"),
  ])

  /// Elements, where the state is that of a page.
  static let ofElements = NameTable<DataRole>(lists: [
    (.inline, "span a em i strong b code sup sub u small time mark cite abbr q kbd del ins"),
    (.heading, "h1 h2 h3 h4 h5 h6"), (.item, "li"),
    (
      .chrome,
      """
      meta title link script style svg head template noscript nav footer header form button input \
      iframe
      """
    ),
  ])

  /// Types of schema.org.
  static let inLinkedData = NameTable<DataRole>(lists: [
    (
      .chrome,
      """
      website organization newsmediaorganiz person imageobject breadcrumblist searchaction \
      corporation brand collegeoruniversi readaction sitenavigationel
      """
    ),
    (
      .article,
      """
      article newsarticle blogposting webpage reportagenewsart opinionnewsartic analysisnewsarti \
      techarticle scholarlyarticle liveblogposting report itempage collectionpage creativework blog
      """
    ),
    (.question, "question howtosection"),
    (.item, "howtostep howtosupply howtotool"),
  ])
}
