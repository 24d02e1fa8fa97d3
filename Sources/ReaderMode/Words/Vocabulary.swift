/// The words by which reader mode tells what a part of a page is: every table of them.
///
/// What is matched against the names of elements, addresses and members of data is ASCII, in lower case.
/// Lists in one string are separated by commas where they hold phrases or parts of names, in which a space
/// is the boundary of a name, and by spaces else.
enum Vocabulary {
  // MARK: Names of elements

  /// What elements beside the content are named.
  static let besideNames: [(BoilerplateName, StaticString)] = [
    (.seen, "not-sr-only,not-visually-hidden"),
    (
      .unseen,
      "sr-only,visually-hidden,visuallyhidden,screen-reader,screenreader,screen-only,skip-link"
    ),
    (.consent, "cookie,consent,gdpr,onetrust"),
    (.invitation, "newsletter,subscribe,mailchimp,klaviyo"),
    (.popover, "popover,tooltip"),
    (.failure, "error,validation"),
    (.footer, "footer"),
    (.filter, "filter,facet,refine,sort-by,sortby"),
    (.sidebar, " sidebar ,widget-area"),
    (.signature, "signature, sig "),
    (
      .member,
      """
      profile-rank,profile-posts,profile-joined,profile-contact,profile-custom,profile-warnings,\
      author_statistics,userextras,userstats,user-stats,userinfo_extra,postbit-extra,\
      user-reputation,badge
      """
    ),
    (
      .controls,
      """
      post-buttons,post_buttons,postbit_buttons,post_controls,post-controls,postcontrols,actionbar,\
      post-menu,flat-list, navs ,add_to_cart,add-to-cart,addtocart,star-rating,wc-gzd
      """
    ),
    (.announcement, "announcement"),
    (.path, "breadcrumb"),
  ]

  /// Beginnings of classes that say what an item is about.
  static let subjects = ["category-", "tag-", "post_tag-", "product_cat-", "product_tag-"]

  // MARK: Words of the text

  /// Texts that mark an advertisement, in lower case.
  static let advertisements = [
    "ad", "advertising", "advertisement", "pub", "publicité", "werb", "werbung", "广告", "реклама",
    "anuncio",
  ]

  /// Texts that stand where a script would load something, in lower case without full stops.
  static let loading = [
    "loading", "正在加载", "загрузка", "chargement", "cargando",
  ]

  /// Hosts of videos that belong to the article they stand in.
  static let videoHosts: [StaticString] = [
    "dailymotion.com", "youtube.com", "youtube-nocookie.com", "player.vimeo.com", "v.qq.com",
    "bilibili.com", "live.bilibili.com", "player.twitch.tv", "archive.org/embed",
    "upload.wikimedia.org", "twitch.tv",
  ]

  // MARK: Declarations and addresses

  /// What types of schema.org and OpenGraph say of a page.
  static let types: [String: Declared] = [
    "article": .article, "newsarticle": .article, "blogposting": .article, "report": .article,
    "recipe": .article, "socialmediaposting": .article,
    "product": .product, "product.item": .product, "productgroup": .product, "og:product": .product,
    "individualproduct": .product, "videogame": .product,
    "discussionforumposting": .forum, "qapage": .forum, "question": .questions,
    "faqpage": .questions,
    "collectionpage": .collection, "product.group": .collection, "offercatalog": .collection,
    "searchresultspage": .collection,
    "itemlist": .itemList, "techarticle": .documentation, "apireference": .documentation,
    "softwaresourcecode": .documentation,
    "service": .service, "localbusiness": .service, "professionalservice": .service,
    "softwareapplication": .service, "webapplication": .service,
    "educationaloccupationalprogram": .service, "course": .service,
    "webpage": .webPage, "website": .webPage, "breadcrumblist": .breadcrumb,
    "organization": .organization, "corporation": .organization,
  ]

  /// What programs that make pages say of them.
  static let generators: [(StaticString, Declared)] = [
    ("discourse", .forum), ("phpbb", .forum), ("vbulletin", .forum), ("xenforo", .forum),
    ("invision", .forum), ("flarum", .forum), ("nodebb", .forum), ("mybb", .forum),
    ("sphinx", .documentation), ("docusaurus", .documentation), ("mkdocs", .documentation),
    ("gitbook", .documentation), ("mdbook", .documentation), ("hugo", []),
    ("doxygen", .documentation), ("mediawiki", .documentation),
  ]

  /// Words of hosts and paths.
  static let pathWords: [(PathWord, StaticString)] = [
    (
      .forum,
      "forum forums community thread threads topic topics discuss discussion discussions viewtopic showthread t questions answers comments board d post viewthread"
    ),
    (
      .documentation,
      "docs doc documentation guide guides tutorial tutorials reference manual api handbook wiki learn userguide developer readthedocs"
    ),
    (.product, "product products p item itm dp ip pd sku listing app shop store"),
    (
      .collection,
      "collection collections category categories c cat browse women men clearance sale plp l"
    ),
    (
      .listing,
      "list directory jobs news events archive tags tag topic section sections search results courses recipes catalog resources subject blog"
    ),
    (
      .service,
      "services service solutions features platform pricing programs program departments insurance consulting work portfolio department"
    ),
    (.article, "blog article articles story stories news magazine"),
  ]

  // MARK: Data for programs

  /// Members in the state of scripts, by the names that editors and content systems give them. Longer
  /// ones than sixteen bytes are cut there.
  static let stateKeys: [(DataKey, StaticString)] = [
    (.text, "text children plain_text plaintext heading caption question answer"),
    (.content, "value content body html paragraph markup rendered bodyhtml contenthtml"),
    (.type, "type _type nodetype __typename blocktype tag tagname"),
  ]

  /// Members of schema.org, cut like these.
  static let linkedDataKeys: [(DataKey, StaticString)] = [
    (.body, "articlebody"),
    (.text, "text reviewbody transcript"),
    (.item, "recipeingredient ingredients recipeinstructio supply tool step"),
    (.summary, "description abstract"), (.name, "name"), (.type, "@type"),
  ]

  /// Members with these beginnings hold what stands around a text, on every page of a site.
  static let chromeKeys: StaticString = """
    seo meta opengraph twitter footer header cookie consent gdpr privacy legal nav menu breadcrumb \
    translation messages i18n locale dictionary related recommend teaser sidebar newsletter subscri \
    advert promo banner error config setting feature comment author
    """

  /// Types in the state of scripts.
  static let stateRoles: [(DataRole, StaticString)] = [
    (.inline, "text span link hyperlink textnode leaf mark a em i strong b code sup sub u small"),
    (.heading, "heading header h1 h2 h3 h4 h5 h6 subheading heading-2 heading-3 heading-4"),
    (.item, "li listitem list-item list_item"),
  ]

  /// Elements, where the state is that of a page.
  static let elementRoles: [(DataRole, StaticString)] = [
    (.inline, "span a em i strong b code sup sub u small time mark cite abbr q kbd del ins"),
    (.heading, "h1 h2 h3 h4 h5 h6"), (.item, "li"),
    (
      .chrome,
      """
      meta title link script style svg head template noscript nav footer header form button input \
      iframe
      """
    ),
  ]

  /// Types of schema.org.
  static let linkedDataRoles: [(DataRole, StaticString)] = [
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
  ]

  /// How assignments of state begin.
  static let globals: [StaticString] = ["window.", "window[", "self.", "globalThis.", "__"]
}
