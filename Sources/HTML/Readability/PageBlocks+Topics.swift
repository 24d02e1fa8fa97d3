/// What an element is about, by its name or by the words of its class, id, role and `itemprop`.
enum BlockTopic: UInt8, CaseIterable {
  // Elements.
  case main, article, section, nav, header, footer, aside, form, table, list, item, quote, figure
  case button, details, noscript
  // Words.
  case menuWord, headerWord, footerWord, sidebarWord, tocWord, breadcrumbWord, relatedWord
  case shareWord, commentWord, adWord, promoWord, cookieWord, popupWord, newsletterWord, loginWord
  case searchWord, formWord, hiddenWord, bodyWord, mainWord, articleWord, postWord, authorWord
  case dateWord, tagWord, titleWord, descriptionWord, productWord, priceWord, cartWord, reviewWord
  case specificationWord, variantWord, galleryWord, cardWord, filterWord, paginationWord, heroWord
  case questionWord, tabWord, deliveryWord, widgetWord, signatureWord, codeWord, legalWord
  case countWord, actionWord, noticeWord

  static let count = allCases.count

  /// The topics of an element, a bit each.
  static func topics(of node: Int32, in tree: DOMTree) -> UInt64 {
    let element = tree.nodes[Int(node)]
    var topics = self.topic(of: element.name)?.bit ?? 0
    for index in Int(element.start)..<Int(element.end) {
      let attribute = tree.attributes[index]
      switch attribute.name {
      case .class, .id, .itemprop, .role:
        tree.bytes.withUnsafeBufferPointer { bytes in
          let range = Int(attribute.start)..<min(Int(attribute.end), Int(attribute.start) + 400)
          add(UnsafeBufferPointer(rebasing: bytes[range]), to: &topics)
        }
      default: break
      }
    }
    return topics
  }

  private var bit: UInt64 { 1 << UInt64(rawValue) }

  private static func topic(of name: ElementName) -> BlockTopic? {
    switch name {
    case .main: .main
    case .article: .article
    case .section: .section
    case .nav: .nav
    case .header: .header
    case .footer: .footer
    case .aside: .aside
    case .form: .form
    case .table: .table
    case .ul, .ol, .dl: .list
    case .li: .item
    case .blockquote: .quote
    case .figure, .figcaption: .figure
    case .button: .button
    case .details: .details
    case .noscript: .noscript
    case .time: .dateWord
    default: nil
    }
  }

  /// Adds the topics of the words in the value of an attribute. A word ends where letters end and
  /// before a capital letter that follows a small one.
  private static func add(_ value: UnsafeBufferPointer<UInt8>, to topics: inout UInt64) {
    var start = 0
    var index = 0
    while index <= value.count {
      let isEnd =
        index == value.count || !value[index].isLetter
        || index > start && value[index] < 0x5B && value[index - 1] > 0x60
      if isEnd {
        if index - start > 1 {
          topics |= topic(of: UnsafeBufferPointer(rebasing: value[start..<index]))
        }
        start = index < value.count && value[index].isLetter ? index : index + 1
      }
      index += 1
    }
  }

  private static func topic(of word: UnsafeBufferPointer<UInt8>) -> UInt64 {
    if let topic = words.find(word) { return topic.bit }
    guard word.count > 3, word[word.count - 1] | 0x20 == UInt8(ascii: "s") else { return 0 }
    return words.find(UnsafeBufferPointer(rebasing: word.dropLast()))?.bit ?? 0
  }

  /// The words of each topic, in the singular.
  private static let words = NameTable(lists: vocabulary)

  private static let vocabulary: [(BlockTopic, StaticString)] = [
    (
      .menuWord,
      "nav navbar navigation menu submenu subnav topnav megamenu navlink offcanvas drawer mainnav sitenav menubar menuitem hamburger"
    ),
    (.headerWord, "header masthead topbar banner head siteheader pageheader"),
    (.footerWord, "footer colophon foot bottombar sitefooter subfooter pagefooter contentinfo"),
    (.sidebarWord, "sidebar aside rail sidenav secondary complementary leftnav rightnav side"),
    (.tocWord, "toc tableofcontents outline onthispage jumplink anchors scrollspy"),
    (.breadcrumbWord, "breadcrumb crumb breadcrumblist"),
    (
      .relatedWord,
      "related recommend recommended recommendation similar suggested suggestion upsell crosssell cross recirc outbrain taboola trending popular recently recent more also upnext"
    ),
    (
      .shareWord,
      "share sharing social addthis sharethis facebook twitter whatsapp linkedin pinterest instagram"
    ),
    (.commentWord, "comment disqus reply replies respond discussion"),
    (
      .adWord,
      "ad ads advert advertisement advertising sponsor sponsored adsense dfp gpt promoted adslot"
    ),
    (.promoWord, "promo promotion promotional offer cta callout teaser upgrade deal usp"),
    (.cookieWord, "cookie consent gdpr onetrust privacy ccpa"),
    (
      .popupWord,
      "modal popup popover overlay lightbox dialog tooltip dropdown flyout toast snackbar alertdialog"
    ),
    (.newsletterWord, "newsletter subscribe subscription signup mailchimp klaviyo optin mailing"),
    (.loginWord, "login signin account register registration auth logout"),
    (.searchWord, "search searchbox searchbar autocomplete typeahead"),
    (.formWord, "form input field fieldset select checkbox radio label btn submit wpforms"),
    (
      .hiddenWord,
      "hidden visuallyhidden sr hide invisible offscreen screenreader collapsed collapse visually assistive skip"
    ),
    (
      .bodyWord,
      "content contents body richtext rte wysiwyg copy markdown prose text txt bodytext articlebody"
    ),
    (.mainWord, "main primary maincontent page"),
    (.articleWord, "article story entry blog news"),
    (.postWord, "post message msg thread topic cooked postbody topicpost commentbody answer"),
    (.authorWord, "author byline writer user username avatar profile member poster creator person"),
    (.dateWord, "date time datetime timestamp published updated posted timeago ago"),
    (.tagWord, "tag category categories chip badge keyword hashtag"),
    (.titleWord, "title headline heading subtitle name subheading hed caption"),
    (
      .descriptionWord,
      "description desc descr summary excerpt dek intro lead abstract overview about detail"
    ),
    (.productWord, "product pdp sku merchandise prod plp"),
    (.priceWord, "price pricing cost amount money currency discount savings"),
    (
      .cartWord,
      "cart basket checkout bag addtocart atc buy purchase buybox quantity qty wishlist minicart addtobasket payment shopping"
    ),
    (
      .reviewWord, "review rating star testimonial feedback yotpo bazaarvoice trustpilot reviewbody"
    ),
    (
      .specificationWord,
      "spec specification attribute feature technical benefit ingredient property properties nutrition"
    ),
    (.variantWord, "variant variation swatch swatches option size color colour selector"),
    (
      .galleryWord,
      "gallery carousel slider slide slideshow swiper slick thumb thumbnail image img media video photo picture glide splide"
    ),
    (
      .cardWord,
      "card tile item grid list listing result collection feed stream row itemlistelement gallery"
    ),
    (.filterWord, "filter facet refine refinement sort sorting sortby"),
    (.paginationWord, "pagination pager paginate paging pagenav next prev previous loadmore pages"),
    (.heroWord, "hero jumbotron splash"),
    (.questionWord, "faq accordion question expander"),
    (.tabWord, "tab tabpanel panel tablist pane"),
    (.deliveryWord, "shipping delivery return warranty stock availability pickup store"),
    (.widgetWord, "widget module block component"),
    (.signatureWord, "signature sig rank stats statistic reputation joined"),
    (.codeWord, "code highlight pre codehilite snippet sourcecode"),
    (.legalWord, "legal disclaimer copyright terms policy footnote"),
    (.countWord, "view like vote score count counter upvote points num number"),
    (.actionWord, "action toolbar tool control button link utility options edit print report"),
    (
      .noticeWord,
      "notice alert warning announcement notification message status error help support"
    ),
  ]
}
