// The categories of elements that tree construction speaks of (HTML standard, section 13.2).

extension ElementName {
  /// Elements that end what misnested formatting goes on in ("special").
  var isSpecial: Bool {
    switch self {
    case .address, .area, .article, .aside, .base, .blockquote, .br, .button, .caption, .center,
      .col,
      .colgroup, .dd, .details, .dir, .div, .dl, .dt, .embed, .fieldset, .figcaption, .figure,
      .footer, .form, .frame, .frameset, .h1, .h2, .h3, .h4, .h5, .h6, .header, .hgroup, .hr,
      .iframe, .img, .input, .li, .link, .listing, .main, .menu, .meta, .nav, .noembed, .noframes,
      .noscript, .object, .ol, .p, .param, .plaintext, .pre, .search, .section, .select, .source,
      .summary, .table, .tbody, .td, .template, .textarea, .tfoot, .th, .thead, .title, .tr, .track,
      .ul, .wbr, .xmp:
      true
    default: false
    }
  }

  /// Elements that go on after a block that ends inside them ("formatting").
  var isFormatting: Bool {
    switch self {
    case .a, .b, .code, .em, .i, .s, .small, .strike, .strong, .tt, .u:
      true
    default: false
    }
  }

  /// Elements whose end tags may be left out.
  var hasImpliedEnd: Bool {
    switch self {
    case .dd, .dt, .li, .optgroup, .option, .p, .rb, .rp, .rt, .rtc:
      true
    default: false
    }
  }

  /// Elements in which the list of active formatting elements begins anew.
  var isMarker: Bool {
    switch self {
    case .td, .th, .caption, .object, .template: true
    default: false
    }
  }

  /// Where the search for an element to end stops.
  var boundsScope: Bool {
    switch self {
    case .table, .td, .th, .caption, .template, .object: true
    default: false
    }
  }

  /// Elements whose start ends a paragraph.
  var endsParagraph: Bool {
    switch self {
    case .address, .article, .aside, .blockquote, .center, .details, .dialog, .dir, .div, .dl,
      .fieldset, .figcaption, .figure, .footer, .header, .hgroup, .hr, .main, .menu, .nav, .ol, .p,
      .search, .section, .summary, .ul, .h1, .h2, .h3, .h4, .h5, .h6, .pre, .listing, .form, .table,
      .plaintext, .xmp, .li, .dd, .dt, .frameset, .noframes:
      true
    default: false
    }
  }

  /// Elements whose children can only be parts of a table.
  package var holdsTableParts: Bool {
    switch self {
    case .table, .thead, .tbody, .tfoot, .tr, .colgroup: true
    default: false
    }
  }

  /// Elements that may stand directly in a table, its sections or rows.
  package var isTablePart: Bool {
    switch self {
    case .caption, .colgroup, .col, .thead, .tbody, .tfoot, .tr, .td, .th, .form: true
    default: false
    }
  }

  /// Elements that show nothing and so can stay where they are.
  var isInvisible: Bool {
    switch self {
    case .template, .meta, .link, .base: true
    default: false
    }
  }

  /// Elements of HTML that end SVG and MathML.
  var breaksOutOfForeignContent: Bool {
    switch self {
    case .b, .blockquote, .br, .center, .code, .dd, .div, .dl, .dt, .em, .embed, .h1, .h2, .h3, .h4,
      .h5, .h6, .hr, .i, .img, .li, .listing, .menu, .meta, .ol, .p, .pre, .ruby, .s, .small, .span,
      .strong, .strike, .subscript, .sup, .table, .tt, .u, .ul, .var:
      true
    default: false
    }
  }

}

extension TreeBuilder.OpenElement {
  /// An element of SVG or MathML that holds HTML.
  var isIntegrationPoint: Bool {
    switch name {
    case .desc, .title, .annotationXML, .foreignObject: true
    case .other: Self.integrationPoints.contains(hash)
    default: false
    }
  }

  private static let integrationPoints: [UInt32] = [
    "mi", "mo", "mn", "ms", "mtext",
  ].map { (name: StaticString) in
    TagName(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)).hash
  }
}
