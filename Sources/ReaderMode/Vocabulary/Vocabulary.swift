/// The vocabulary by which reader view recognizes parts of a page, in tables.
///
/// Words that are matched against element names, URLs and keys of data are lower-case ASCII. In
/// lists within one string, phrases and parts of names are separated by commas, and a space in them
/// is the boundary of a name; other words are separated by spaces.
enum Vocabulary {
  // MARK: Names of elements

  /// Names of elements outside the content.
  static let boilerplateNames: [(BoilerplateName, StaticString)] = [
    (.visibleAtSomeWidth, "not-sr-only,not-visually-hidden"),
    (
      .screenReaderOnly,
      "sr-only,visually-hidden,visuallyhidden,screen-reader,screenreader,screen-only,skip-link"
    ),
    (.consent, "cookie,consent,gdpr,onetrust"),
    (.newsletter, "newsletter,subscribe,mailchimp,klaviyo"),
    (.popover, "popover,tooltip"),
    (.errorMessage, "error,validation"),
    (.footer, "footer"),
    (.filter, "filter,facet,refine,sort-by,sortby"),
    (.sidebar, " sidebar ,widget-area"),
    (.signature, "signature, sig "),
    (
      .authorDetails,
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
    (.breadcrumbs, "breadcrumb"),
    (
      .appeal,
      """
      signup,sign-up,donation,donate,paywall,regwall,piano-,app-promo,app-banner,email-sub,optin-,\
      opt-in,subscription-widget,membership-
      """
    ),
    (.inlineControl, "editsection,secedit,hide-caption,toggle-caption"),
  ]

  /// Prefixes of classes that name the subject of an item.
  static let subjectClassPrefixes = [
    "category-", "tag-", "post_tag-", "product_cat-", "product_tag-",
  ]

  // MARK: Words of the text

  /// Labels of advertisements, in lower case.
  static let advertisementLabels = [
    "ad", "advertising", "advertisement", "pub", "publicité", "werb", "werbung", "广告", "реклама",
    "anuncio",
  ]

  /// Placeholders of content loaded by scripts, in lower case and without full stops.
  static let loadingPlaceholders = [
    "loading", "正在加载", "загрузка", "chargement", "cargando",
  ]

  /// Labels of controls that show the rest of a text, in lower case and without punctuation.
  static let expanderLabels: Set<String> = [
    "read more", "show more", "see more", "view more", "more", "continue reading",
    "read full story",
    "show full story", "read full article", "read the full story", "read the full article",
    "show full text", "expand", "weiterlesen", "mehr lesen", "mehr anzeigen", "alles lesen",
    "lire la suite", "voir plus", "afficher plus", "leer más", "ver más", "seguir leyendo",
    "leggi tutto", "mostra altro", "continua a leggere", "ler mais", "leia mais", "ver mais",
    "mostrar mais", "lees meer", "lees verder", "meer lezen", "toon meer", "czytaj więcej",
    "czytaj dalej", "pokaż więcej", "läs mer", "visa mer", "les mer", "vis mer", "læs mere",
    "vis mere", "lue lisää", "näytä lisää", "číst dál", "zobrazit více", "devamını oku",
    "devamını göster", "читать далее", "читать дальше", "читать полностью", "показать полностью",
    "показать ещё", "читати далі", "διαβάστε περισσότερα", "続きを読む", "もっと見る", "すべて表示",
    "阅读全文", "展开全文", "展开", "查看更多", "閱讀全文", "展開全文", "더 보기", "더보기",
    "اقرأ المزيد", "המשך קריאה", "קרא עוד", "और पढ़ें", "อ่านต่อ", "đọc tiếp", "baca selengkapnya",
    "ganzen text anzeigen", "lire plus", "en lire plus", "lire l article complet",
    "mostrar más", "ver todo", "ler matéria completa", "leia a íntegra", "mostra tutto",
    "toon alles", "rozwiń", "zobacz więcej", "läs hela artikeln", "les hele saken",
    "læs hele artiklen", "lue koko juttu", "zobrazit celý článek", "celý článok",
    "tovább", "citește mai mult", "pročitaj više", "preberi več", "развернуть", "ещё",
    "показать больше", "розгорнути", "περισσότερα", "daha fazla", "devamı", "全文表示", "もっと読む",
    "전체 보기", "펼치기", "xem thêm", "selengkapnya", "อ่านเพิ่มเติม", "ดูเพิ่มเติม", "المزيد",
    "عرض المزيد", "بیشتر", "הצג עוד", "और देखें", "আরও পড়ুন",
  ]

  /// Words for a spoiler, in lower case.
  static let spoilerWords = [
    "spoiler", "спойлер", "ネタバレ", "剧透", "劇透", "스포일러", "spojler", "σπόιλερ",
  ]

  /// Hosts of videos that are kept in articles.
  static let videoURLSubstrings: [StaticString] = [
    "dailymotion.com", "youtube.com", "youtube-nocookie.com", "player.vimeo.com", "v.qq.com",
    "bilibili.com", "live.bilibili.com", "player.twitch.tv", "archive.org/embed",
    "upload.wikimedia.org", "twitch.tv",
  ]

  // MARK: Declarations and URLs

  /// The kinds of page by types of schema.org and Open Graph.
  static let kindsByType: [String: DeclaredKind] = [
    "article": .article, "newsarticle": .article, "blogposting": .article, "report": .article,
    "recipe": .article, "socialmediaposting": .article,
    "product": .product, "product.item": .product, "productgroup": .product, "og:product": .product,
    "individualproduct": .product, "videogame": .product,
    "discussionforumposting": .forum, "qapage": .forum, "question": .questions,
    "faqpage": .questions,
    "collectionpage": .productList, "product.group": .productList, "offercatalog": .productList,
    "searchresultspage": .productList,
    "itemlist": .itemList, "techarticle": .documentation, "apireference": .documentation,
    "softwaresourcecode": .documentation,
    "service": .service, "localbusiness": .service, "professionalservice": .service,
    "softwareapplication": .service, "webapplication": .service,
    "educationaloccupationalprogram": .service, "course": .service,
    "webpage": .webPage, "website": .webPage, "breadcrumblist": .breadcrumb,
    "organization": .organization, "corporation": .organization,
  ]

  /// The kinds of page by generator.
  static let kindsByGenerator: [(StaticString, DeclaredKind)] = [
    ("discourse", .forum), ("phpbb", .forum), ("vbulletin", .forum), ("xenforo", .forum),
    ("invision", .forum), ("flarum", .forum), ("nodebb", .forum), ("mybb", .forum),
    ("sphinx", .documentation), ("docusaurus", .documentation), ("mkdocs", .documentation),
    ("gitbook", .documentation), ("mdbook", .documentation), ("hugo", []),
    ("doxygen", .documentation), ("mediawiki", .documentation),
  ]

  /// Words of hosts and paths.
  static let pathTerms: [(PathWord, StaticString)] = [
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
      .productList,
      "collection collections category categories c cat browse women men clearance sale plp l"
    ),
    (
      .linkList,
      "list directory jobs news events archive tags tag topic section sections search results courses recipes catalog resources subject blog"
    ),
    (
      .service,
      "services service solutions features platform pricing programs program departments insurance consulting work portfolio department"
    ),
    (.article, "blog article articles story stories news magazine"),
  ]

  // MARK: Structured data

  /// Keys in the state of scripts, as used by editors and content management systems, cut to
  /// sixteen bytes.
  static let stateKeys: [(DataKey, StaticString)] = [
    (.text, "text children plain_text plaintext heading caption question answer"),
    (.content, "value content body html paragraph markup rendered bodyhtml contenthtml"),
    (.type, "type _type nodetype __typename blocktype tag tagname"),
  ]

  /// Properties of schema.org, cut to sixteen bytes.
  static let linkedDataKeys: [(DataKey, StaticString)] = [
    (.body, "articlebody"),
    (.text, "text reviewbody transcript"),
    (.item, "recipeingredient ingredients recipeinstructio supply tool step"),
    (.summary, "description abstract"), (.name, "name"), (.type, "@type"),
  ]

  /// Prefixes of keys for site-wide parts and metadata.
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

  /// Element names, for state that describes a page.
  static let elementRoles: [(DataRole, StaticString)] = [
    (.inline, "span a em i strong b code sup sub u small time mark cite abbr q kbd del ins"),
    (.heading, "h1 h2 h3 h4 h5 h6"), (.item, "li"),
    (
      .siteWide,
      """
      meta title link script style svg head template noscript nav footer header form button input \
      iframe
      """
    ),
  ]

  /// Types of schema.org, cut to sixteen bytes.
  static let linkedDataRoles: [(DataRole, StaticString)] = [
    (
      .siteWide,
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

  /// Prefixes of variables that state is assigned to.
  static let globalVariablePrefixes: [StaticString] = [
    "window.", "window[", "self.", "globalThis.", "__",
  ]
}
