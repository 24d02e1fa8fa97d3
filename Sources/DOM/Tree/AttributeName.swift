/// The vocabulary of attributes: those the project reads. All others are dropped while parsing, but
/// for those that a rule of the page's own style sheets names: they are `other`, and their range has the
/// name, `=` and the value.
package enum AttributeName: String, CaseIterable, Sendable {
  case id, `class`, style, hidden, role, lang, title, name, dir, itemprop, rel
  case href, src, srcset, dataSource = "data-src", dataOriginal = "data-original"
  case dataSourceSet = "data-srcset", alt, width, height
  case type, value, checked, selected, open, start, reversed, multiple, placeholder, label
  case colspan, rowspan, align, scope, cite, datetime, controls, min, max
  case dataLang = "data-lang"
  case content, media, charset, httpEquiv = "http-equiv", property, data
  case border, srcdoc
  case action, method, enctype, acceptCharset = "accept-charset", form
  case formAction = "formaction", formMethod = "formmethod", formEnctype = "formenctype"
  case disabled, readonly, maxlength, size
  case ariaLabel = "aria-label", ariaHidden = "aria-hidden", ariaLevel = "aria-level"
  case other = ""

  /// Finds the attribute with a name given in ASCII bytes of either case.
  static func named(_ bytes: UnsafeBufferPointer<UInt8>) -> AttributeName? {
    names.find(bytes)
  }

  /// Of a control that it must be filled in (`required`); of a list its `reversed`.
  package static let required = reversed
  /// Of a form or its button that nothing is looked at before it is sent (`novalidate`, `formnovalidate`); of
  /// `details` its `open`.
  package static let unchecked = open
  /// Of a template that it is the shadow tree of its parent (`shadowrootmode`); of a list its `reversed`.
  static let shadowRootMode = reversed
  /// The slot that a child of an element with a shadow tree belongs to (`slot`); of a header cell its `scope`.
  static let slot = scope

  /// Of a label the control that it belongs to (`for`); of a quotation its `cite`.
  package static let labelled = cite

  /// Of a button the element that it opens (`aria-controls`); of a frame its `srcdoc`.
  package static let opened = srcdoc

  /// Of a link or a `span` the address of mail that it hides (`data-cfemail`); of a form its `enctype`.
  package static let protectedAddress = enctype

  /// `xml:base` of an XML element: the base URL for the references in it. Shares its value with `http-equiv` of
  /// `meta`.
  package static let base = httpEquiv
  /// `close` of `mfenced`: the closing fence. Shares its value with `checked` of a control.
  package static let closingFence = checked
  /// `separators` of `mfenced`. Shares its value with `media` of a link or style sheet.
  package static let separators = media

  /// A bit for each attribute.
  var bit: UInt64 { 1 << UInt64(unsafeBitCast(self, to: UInt8.self)) }

  private static let names = NameTable(
    allCases.filter { $0 != .other }.map { ($0.rawValue, $0) }
      + [
        ("xml:lang", .lang), ("data-language", .dataLang), ("encoding", .type),
        ("xlink:href", .href),
        ("data-lazy-src", .dataSource),
        ("data-lazy-srcset", .dataSourceSet),
        // The bits are used up: what few elements have shares that of what they never have.
        ("required", .required), ("novalidate", .unchecked), ("formnovalidate", .unchecked),
        ("shadowrootmode", .shadowRootMode), ("shadowroot", .shadowRootMode), ("slot", .slot),
        ("for", .labelled), ("aria-controls", .opened), ("data-cfemail", .protectedAddress),
        ("xml:base", .base), ("close", .closingFence), ("separators", .separators),
      ]
      // Names of sixteen bytes at most under which scripts have the real address of an image, or
      // something else.
      + [
        "data-url", "data-actualsrc", "data-hi-res-src", "data-full-src", "data-image", "data-lazy",
        "data-lazyload", "data-img-src", "data-img-url", "data-image-src", "data-hires",
        "data-echo", "data-defer-src", "data-pin-media", "data-large-src", "data-image-url",
        "data-full-image", "data-li-src", "data-ezsrc",
      ].map { ($0, .dataOriginal) })
}
