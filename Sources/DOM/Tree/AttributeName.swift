/// The vocabulary of attributes used by offread. The parser drops all others, except those that
/// occur in the page's own style sheets: these are `other`, and their range contains the name, `=`
/// and the value.
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

  /// Returns the attribute with a name, regardless of case; nil if it is not in the vocabulary.
  static func named(_ bytes: UnsafeBufferPointer<UInt8>) -> AttributeName? {
    attributesByName.find(bytes)
  }

  /// `required` of a control. Shares its value with `reversed` of a list.
  package static let required = reversed
  /// `novalidate` of a form or `formnovalidate` of its button. Shares its value with `open` of
  /// `details`.
  package static let noValidate = open
  /// `shadowrootmode` of a template. Shares its value with `reversed` of a list.
  static let shadowRootMode = reversed
  /// `slot` of a child of an element with a shadow tree. Shares its value with `scope` of a header
  /// cell.
  static let slot = scope

  /// `dirname` of a text field. Shares its value with `colspan` of a cell.
  package static let directionName = colspan
  /// `list` of a text field: the ID of its `datalist`. Shares its value with `rowspan` of a cell.
  package static let suggestions = rowspan
  /// `download` of a link: the suggested name of the file. Shares its value with `action` of a
  /// form.
  package static let downloadName = action

  /// `pattern` of a field. Shares its value with `cite` of a quotation.
  package static let pattern = cite
  /// `minlength` of a field. Shares its value with `datetime` of `time`.
  package static let minLength = datetime

  /// `for` of a label. Shares its value with `cite` of a quotation.
  package static let labelTarget = cite

  /// `aria-controls` of a button. Shares its value with `srcdoc` of a frame.
  package static let ariaControls = srcdoc

  /// `aria-expanded` of a button: whether the element that it opens is shown. Shares its value with
  /// `media` of a link or style sheet.
  package static let ariaExpanded = media

  /// `data-target` of a control, which selects the element that it opens, or its `onclick` script,
  /// which may name that element. Shares its value with `controls` of a video.
  package static let panelReference = controls

  /// `aria-modal` of a dialog: whether the rest of the page is inert. Shares its value with
  /// `multiple` of a control.
  package static let ariaModal = multiple

  /// `data-cfemail` of a link or a `span`: an obfuscated email address. Shares its value with
  /// `enctype` of a form.
  package static let obfuscatedEmail = enctype

  /// `popover` of an element that a button shows (HTML §6.12). Shares its value with `formenctype`
  /// of a button.
  static let popover = formEnctype

  /// `xml:base` of an XML element: the base URL for the references in it. Shares its value with
  /// `http-equiv` of `meta`.
  package static let base = httpEquiv
  /// `close` of `mfenced`: the closing fence. Shares its value with `checked` of a control.
  package static let closingFence = checked
  /// `separators` of `mfenced`. Shares its value with `media` of a link or style sheet.
  package static let separators = media

  /// `linethickness` of `mfrac`. Shares its value with `border` of a table.
  package static let lineThickness = border
  /// `mathvariant` of `mi`. Shares its value with `size` of a control.
  package static let mathVariant = size

  /// `videoid` of an element for a video of a known host. Shares its value with `data` of `object`.
  package static let videoID = data

  /// `data-depth` of a comment, or another attribute with the level of the reply. Shares its value
  /// with `charset` of `meta`.
  package static let replyDepth = charset

  /// `selection` of `maction`: the number of the visible expression. Shares its value with `start`
  /// of a list.
  package static let selection = start

  /// `step` of a range control. Shares its value with `start` of a list.
  package static let step = start

  /// `epub:type` of an element. Shares its value with `accept-charset` of a form.
  package static let epubType = acceptCharset

  /// `face` of `font`, and the texts of custom elements. Share their value with `label` of an
  /// option.
  package static let fontFace = label

  /// `data-attrs` of an element of Substack: JSON for the script that fills the element. Shares its
  /// value with `maxlength` of a field.
  static let scriptSettings = maxlength

  /// `display` of an SVG element or a formula. Shares its value with `form` of a control.
  package static let svgDisplay = form
  /// `visibility` of an SVG element. Shares its value with `readonly` of a control.
  package static let svgVisibility = readonly
  /// `x` of a text in an SVG image: a position of its own. Shares its value with `start` of a list.
  package static let svgX = start
  /// `systemLanguage` of an SVG element. Shares its value with `formaction` of a button.
  package static let systemLanguage = formAction

  /// The bit of the attribute in a set of 64.
  var bitMask: UInt64 { 1 << UInt64(unsafeBitCast(self, to: UInt8.self)) }

  private static let attributesByName = NameTable(
    allCases.filter { $0 != .other }.map { ($0.rawValue, $0) }
      + [
        ("xml:lang", .lang), ("data-language", .dataLang), ("encoding", .type),
        ("xlink:href", .href),
        ("data-lazy-src", .dataSource),
        ("data-lazy-srcset", .dataSourceSet),
        // The width of the file of an image that is loaded lazily.
        ("data-w", .width),
        // All 64 bits are in use: an attribute of few elements shares that of one they never have.
        ("required", .required), ("novalidate", .noValidate), ("formnovalidate", .noValidate),
        ("shadowrootmode", .shadowRootMode), ("shadowroot", .shadowRootMode), ("slot", .slot),
        // Written by Chromium into MHTML files.
        ("shadowmode", .shadowRootMode),
        ("dirname", .directionName), ("list", .suggestions), ("download", .downloadName),
        ("pattern", .pattern), ("minlength", .minLength),
        ("for", .labelTarget), ("aria-controls", .ariaControls), ("data-cfemail", .obfuscatedEmail),
        ("data-target", .panelReference), ("data-bs-target", .panelReference),
        ("onclick", .panelReference),
        ("aria-expanded", .ariaExpanded), ("aria-modal", .ariaModal), ("popover", .popover),
        ("xml:base", .base), ("close", .closingFence), ("separators", .separators),
        ("videoid", .videoID), ("data-videoid", .videoID), ("playlabel", .label),
        ("videotitle", .title), ("epub:type", .epubType), ("data-depth", .replyDepth),
        ("summary", .label), ("heading", .label), ("header", .label), ("text", .label),
        ("depth", .replyDepth), ("data-level", .replyDepth), ("data-indent", .replyDepth),
        ("data-reply-depth", .replyDepth), ("data-reply-level", .replyDepth),
        ("data-nest-level", .replyDepth),
        ("linethickness", .lineThickness), ("mathvariant", .mathVariant),
        ("selection", .selection), ("step", .step), ("face", .fontFace),
        ("display", .svgDisplay), ("visibility", .svgVisibility), ("x", .svgX),
        ("systemlanguage", .systemLanguage), ("data-attrs", .scriptSettings),
      ]
      // Names of at most sixteen bytes, in which lazy-loading scripts may store the URL of an
      // image.
      + [
        "data-url", "data-actualsrc", "data-hi-res-src", "data-full-src", "data-image", "data-lazy",
        "data-lazyload", "data-img-src", "data-img-url", "data-image-src", "data-hires",
        "data-echo", "data-defer-src", "data-pin-media", "data-large-src", "data-image-url",
        "data-full-image", "data-li-src", "data-ezsrc",
      ].map { ($0, .dataOriginal) })
}
