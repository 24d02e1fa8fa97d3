// The categories of elements used by tree construction (HTML standard §13.2).

extension ElementName {
  /// Whether the element is in the category "special".
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

  /// Whether the element is in the category "formatting".
  var isFormattingElement: Bool {
    switch self {
    case .a, .b, .code, .em, .i, .s, .small, .strike, .strong, .tt, .u:
      true
    default: false
    }
  }

  /// Whether the end tag of the element may be implied.
  var mayOmitEndTag: Bool {
    switch self {
    case .dd, .dt, .li, .optgroup, .option, .p, .rb, .rp, .rt, .rtc:
      true
    default: false
    }
  }

  /// Whether the element inserts a marker into the list of active formatting elements.
  var insertsFormattingMarker: Bool {
    switch self {
    case .td, .th, .caption, .object, .template: true
    default: false
    }
  }

  /// Whether the element ends a scope ("has an element in scope").
  var isScopeBoundary: Bool {
    switch self {
    case .table, .td, .th, .caption, .template, .object: true
    default: false
    }
  }

  /// Whether the start tag of the element closes an open `p` element.
  var closesParagraph: Bool {
    switch self {
    case .address, .article, .aside, .blockquote, .center, .details, .dialog, .dir, .div, .dl,
      .fieldset, .figcaption, .figure, .footer, .header, .hgroup, .hr, .main, .menu, .nav, .ol, .p,
      .search, .section, .summary, .ul, .h1, .h2, .h3, .h4, .h5, .h6, .pre, .listing, .form, .table,
      .plaintext, .xmp, .li, .dd, .dt, .frameset, .noframes:
      true
    default: false
    }
  }

  /// Whether the children of the element can only be parts of a table.
  package var allowsOnlyTableParts: Bool {
    switch self {
    case .table, .thead, .tbody, .tfoot, .tr, .colgroup: true
    default: false
    }
  }

  /// Whether the element may be a child of a table, a table section or a row.
  package var isAllowedInTable: Bool {
    switch self {
    case .caption, .colgroup, .col, .thead, .tbody, .tfoot, .tr, .td, .th, .form: true
    default: false
    }
  }

  /// Whether the element is invisible, so that it may remain where only table parts are allowed.
  var isAllowedAmongTableParts: Bool {
    switch self {
    case .template, .meta, .link, .base: true
    default: false
    }
  }

  /// Whether the start tag of the element ends SVG or MathML content.
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
  /// Whether the element is an integration point: an SVG or MathML element with HTML content.
  var isIntegrationPoint: Bool {
    switch name {
    case .desc, .title, .annotationXML, .foreignObject, .mi, .mo: true
    case .other: Self.integrationPointNameHashes.contains(hash)
    default: false
    }
  }

  private static let integrationPointNameHashes: [UInt32] = [
    "mn", "ms", "mtext",
  ].map { (name: StaticString) in
    TagName(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
      .unknownNameHash
  }
}
