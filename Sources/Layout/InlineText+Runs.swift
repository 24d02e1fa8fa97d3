import DOM
import Document

extension InlineText {
  /// The styles that are shown by delimiters around the text.
  private static var delimitedStyles: InlineStyle { .deleted.union(.inserted).union(.keyboard) }
  private static var scriptStyles: InlineStyle { .subscript.union(.superscript) }
  /// The styles that are shown by changing the text itself.
  static var textChangingStyles: InlineStyle { delimitedStyles.union(scriptStyles) }

  /// Appends the runs of a leaf with their delimiters and markers.
  mutating func append(runs range: Range<Int32>, in context: InlineContext) {
    let runs = context.input.document.runs
    var open = InlineStyle()
    var index = Int(range.lowerBound)
    let end = Int(range.upperBound)
    while index < end {
      let run = runs[index]
      let style = context.style(of: run)
      let markers = run.style.intersection(Self.delimitedStyles)
      if markers != open {
        appendDelimiters(closing: open.subtracting(markers), in: context, source: run.start)
        appendDelimiters(opening: markers.subtracting(open), in: context, source: run.start)
        open = markers
      }
      if run.link != nil { beginLink(index, context) }
      if run.image != nil, index == 0 || runs[index - 1].image != run.image {
        if append(unbrokenName: run, style: style, in: context) {
          endLink(index, context)
          index += 1
          continue
        }
        append(
          context.input.glyphs.imageMarker.utf8, style: style, target: context.target(of: run),
          source: run.start, replacing: 0)
      }
      if run.style.isDisjoint(with: Self.scriptStyles) {
        let end = context.endOfLinkText(of: run)
        append(run, Int(run.start)..<end, style: style, in: context)
        endLink(index, context)
        if end < Int(run.end) { append(run, end..<Int(run.end), style: style, in: context) }
        index += 1
      } else {
        index = appendSubOrSuperscript(index, end, context)
      }
    }
    if !open.isEmpty {
      let source = end > 0 ? runs[end - 1].end : 0
      appendDelimiters(closing: open, in: context, source: source)
    }
  }

  /// Appends an image whose alternative text is a long word without spaces, such as a file name. A
  /// no-break space joins the text to the image glyph, and text that is wider than a line is
  /// truncated.
  /// - Returns: Whether the image was appended.
  private mutating func append(
    unbrokenName run: Document.Run, style: TextStyle, in context: InlineContext
  ) -> Bool {
    let (text, widths) = (context.input.document.text, context.input.options.widths)
    let name = Int(run.start)..<Int(run.end)
    guard name.count > 16, DisplayWidth.isASCII(text, in: name), !text[name].contains(0x20) else {
      return false
    }
    let target = context.target(of: run)
    let sign = context.input.glyphs.imageMarker.dropLast() + "\u{A0}"
    append(sign.utf8, style: style, target: target, source: run.start, replacing: 0)
    let width = context.width - widths.width(of: String(sign))
    guard LineBreaker.maxWordWidth(text, in: name) > width else {
      append(text, name, style: style, target: target)
      return true
    }
    let ellipsis = context.input.glyphs.ellipsis
    let end = name.lowerBound + min(name.count, max(1, width - widths.width(of: ellipsis)))
    append(text, name.lowerBound..<end, style: style, target: target)
    append(ellipsis.utf8, style: style, target: target, source: UInt32(end))
    return true
  }

  // MARK: Delimiters

  private mutating func appendDelimiters(
    opening styles: InlineStyle, in context: InlineContext, source: UInt32
  ) {
    let style = TextStyle(context.defaultRole, inlineStyle: context.addedStyle.union(styles))
    if styles.contains(.deleted) {
      append("~~".utf8, style: style, target: nil, source: source, replacing: 0)
    }
    if styles.contains(.inserted) {
      append("+".utf8, style: style, target: nil, source: source, replacing: 0)
    }
    if styles.contains(.keyboard) {
      append(
        context.input.glyphs.keyDelimiters.open.utf8, style: style, target: nil, source: source,
        replacing: 0)
    }
  }

  private mutating func appendDelimiters(
    closing styles: InlineStyle, in context: InlineContext, source: UInt32
  ) {
    let style = TextStyle(context.defaultRole, inlineStyle: context.addedStyle.union(styles))
    if styles.contains(.keyboard) {
      append(
        context.input.glyphs.keyDelimiters.close.utf8, style: style, target: nil, source: source,
        replacing: 0)
    }
    if styles.contains(.inserted) {
      append("+".utf8, style: style, target: nil, source: source, replacing: 0)
    }
    if styles.contains(.deleted) {
      append("~~".utf8, style: style, target: nil, source: source, replacing: 0)
    }
  }

  // MARK: Links

  /// Appends the status marker and the number before a link.
  mutating func beginLink(_ index: Int, _ context: InlineContext) {
    let runs = context.input.document.runs
    let run = runs[index]
    guard let link = run.link.value, index == 0 || runs[index - 1].link != run.link else { return }
    if link < context.input.options.linkStatuses.count {
      let marker = context.input.options.linkStatuses[link]
      // Saved links get a subdued marker, links that are not available a conspicuous one. The
      // marker is not part of the link.
      let style = TextStyle(marker == .saved ? .dim : .accent, inlineStyle: context.addedStyle)
      append(
        context.input.glyphs.statusMarker(marker).utf8, style: style, target: nil,
        source: run.start,
        replacing: 0)
    }
    if !context.linkNumbers.isEmpty {
      let plain = TextStyle(.link, inlineStyle: context.addedStyle)
      let number = "[\(context.linkNumbers[link])]"
      append(
        number.utf8, style: plain, target: .link(Int32(link)), source: run.start, replacing: 0)
    }
  }

  /// Appends the URL after the last run of a link.
  mutating func endLink(_ index: Int, _ context: InlineContext) {
    guard context.input.options.linkNumbers == .inline else { return }
    let document = context.input.document
    let run = document.runs[index]
    guard let link = run.link.value.map({ Int32($0) }),
      index + 1 == document.runs.count || document.runs[index + 1].link != run.link
    else { return }
    let target = context.input.options.url(of: link, in: document)
    let end = context.endOfLinkText(of: run)
    guard !Self.isURL(document.text[Int(run.start)..<end], of: target) else { return }
    let dim = TextStyle(.dim, inlineStyle: context.addedStyle)
    append(
      " <\(target)>".utf8, style: dim, target: .link(link), source: UInt32(end), replacing: 0)
  }

  /// Whether the text of a link is its URL, apart from a final slash, `mailto:` or `tel:`.
  private static func isURL(_ text: ArraySlice<UInt8>, of target: String) -> Bool {
    let scheme = ["mailto:", "tel:"].first(where: target.hasPrefix) ?? ""
    let url = target.dropFirst(scheme.count)
    return [target[...], url, url.last == "/" ? url.dropLast() : url].contains {
      text.elementsEqual($0.utf8)
    }
  }

  // MARK: Controls

  /// Appends a range of a run.
  /// - Parameters:
  ///   - run: The run.
  ///   - range: The byte range in the document's text.
  ///   - style: The style.
  ///   - context: The context.
  mutating func append(
    _ run: Document.Run, _ range: Range<Int>, style: TextStyle, in context: InlineContext
  ) {
    if run.style.contains(.control), !context.input.options.controlAppearances.isEmpty {
      appendControls(
        run, UInt32(range.lowerBound)..<UInt32(range.upperBound), style, context)
    } else {
      append(context.input.document.text, range, style: style, target: context.target(of: run))
    }
  }

  /// Appends a range of a run that contains controls, with the current values and link targets of
  /// the controls.
  private mutating func appendControls(
    _ run: Document.Run, _ range: Range<UInt32>, _ style: TextStyle, _ context: InlineContext
  ) {
    let document = context.input.document
    let fields = context.input.options.controlAppearances
    let spans = document.forms.controlSpans
    var position = range.lowerBound
    var index = document.forms.indexOfFirstSpan(endingAfter: range.lowerBound)
    while position < range.upperBound {
      guard index < spans.count, spans[index].start < range.upperBound,
        fields.indices.contains(Int(spans[index].control))
      else { break }
      let span = spans[index]
      index += 1
      if position < span.start {
        append(
          document.text, Int(position)..<Int(span.start), style: style,
          target: context.target(of: run))
      }
      let field = fields[Int(span.control)]
      let target = field.isTarget ? .control(span.control) : context.target(of: run)
      let appearance =
        field.isTarget
        ? TextStyle(
          field.isButton || field.isCheckable ? .button : .link, inlineStyle: style.inlineStyle)
        : style
      let start = max(position, span.start)
      position = min(span.end, range.upperBound)
      if let text = field.text {
        // The field was already shown with the first run that it covers.
        guard span.start >= range.lowerBound else { continue }
        alignField(
          ofWidth: context.input.options.widths.width(of: text), source: span.start, in: context)
        append(
          field: Array(text.utf8), placeholderRange: field.placeholderRange, style: appearance,
          target: target,
          source: span.start)
      } else if field.isButton, field.isTarget {
        append(
          button: document.text, Int(start)..<Int(position), of: span, style: appearance,
          target: target)
      } else {
        append(document.text, Int(start)..<Int(position), style: appearance, target: target)
      }
    }
    append(
      document.text, Int(position)..<Int(range.upperBound), style: style,
      target: context.target(of: run))
  }

  /// Appends a range of a button's text, with angle brackets to distinguish the button from a
  /// field.
  private mutating func append(
    button text: [UInt8], _ range: Range<Int>, of span: PageForms.ControlSpan, style: TextStyle,
    target: PageLayout.Target?
  ) {
    var range = range
    let opens = range.first == Int(span.start) && text[range].first == UInt8(ascii: "[")
    if opens {
      append("<\u{A0}".utf8, style: style, target: target, source: span.start)
      range = range.dropFirst()
    }
    let closes = range.last == Int(span.end) - 1 && text[range].last == UInt8(ascii: "]")
    if closes { range = range.dropLast() }
    append(text, range, style: style, target: target)
    if closes { append("\u{A0}>".utf8, style: style, target: target, source: span.end - 1) }
  }

  // MARK: Superscripts and subscripts

  /// Appends consecutive superscript or subscript runs. Reference markers in brackets, such as
  /// `[3]` in `10⁶[3]`, are represented separately from the other runs.
  /// - Returns: The index of the run after the appended runs.
  private mutating func appendSubOrSuperscript(
    _ start: Int, _ end: Int, _ context: InlineContext
  ) -> Int {
    let runs = context.input.document.runs
    let script = runs[start].style.intersection(Self.scriptStyles)
    var stop = start
    while stop < end, runs[stop].style.intersection(Self.scriptStyles) == script { stop += 1 }
    var index = start
    var followsNote = false
    while index < stop {
      if index > start, runs[index].link != nil { beginLink(index, context) }
      if let note = endOfNote(index, stop, context) {
        append(script: index..<note, before: end, isPlain: true, context)
        followsNote = true
        index = note
        continue
      }
      var next = index + 1
      while next < stop, endOfNote(next, stop, context) == nil { next += 1 }
      append(script: index..<next, before: end, isPlain: followsNote, context)
      index = next
    }
    return stop
  }

  /// Returns the index after the runs of a text in square brackets that begins at run `start`; nil
  /// if none begins there.
  private func endOfNote(_ start: Int, _ end: Int, _ context: InlineContext) -> Int? {
    let document = context.input.document
    guard document.text[Int(document.runs[start].start)] == UInt8(ascii: "[") else { return nil }
    return (start..<min(end, start + Self.maxRunsOfNote))
      .first { document.text[Int(document.runs[$0].end) - 1] == UInt8(ascii: "]") }.map { $0 + 1 }
  }

  private static let maxRunsOfNote = 8

  /// Appends superscript or subscript runs of a text that ends before run `end` in one
  /// representation. `isPlain` is whether they need neither a sign nor braces, for example because
  /// they follow a reference marker.
  private mutating func append(
    script runs: Range<Int>, before end: Int, isPlain: Bool, _ context: InlineContext
  ) {
    let document = context.input.document
    let (start, stop) = (runs.lowerBound, runs.upperBound)
    let (text, representation) = representation(
      ofScript: runs, before: end, isPlain: isPlain, context)
    let first = document.runs[start]
    let style = context.style(of: first)
    if case .unicodeCharacters(let mapped) = representation {
      append(
        mappedCharacters: mapped, for: text, at: first.start, style: style,
        target: context.target(of: first))
      for index in runs { endLink(index, context) }
      return
    }
    let isBraced = text.count > 1
    if case .prefixed(let marker) = representation {
      let opening = isBraced ? marker + "{" : marker
      append(
        opening.utf8, style: style, target: .init(linkIndex: first.link), source: first.start,
        replacing: 0)
    }
    for index in start..<stop {
      let run = document.runs[index]
      if index > start, run.link != nil { beginLink(index, context) }
      append(
        document.text, Int(run.start)..<Int(run.end), style: context.style(of: run),
        target: .init(linkIndex: run.link))
      endLink(index, context)
    }
    if case .prefixed = representation, isBraced {
      append(
        "}".utf8, style: style, target: .init(linkIndex: first.link),
        source: document.runs[stop - 1].end,
        replacing: 0)
    }
  }

  /// Returns the text of superscript or subscript runs, and the representation for it.
  private func representation(
    ofScript runs: Range<Int>, before end: Int, isPlain: Bool, _ context: InlineContext
  ) -> ([UInt8], SubAndSuperscripts.Representation) {
    let document = context.input.document
    var text: [UInt8] = []
    for run in document.runs[runs] where text.count <= 64 {
      text += document.text[Int(run.start)..<Int(run.end)]
    }
    let isList =
      runs.count > 1 && runs.count == text.count && text.allSatisfy { ($0 | 0x20) &- 0x61 < 26 }
    let next = runs.upperBound < end ? document.runs[runs.upperBound] : nil
    let following = next.map { document.text[Int($0.start)..<Int($0.end)] } ?? []
    let representation = SubAndSuperscripts.representation(
      of: text, isSuperscript: document.runs[runs.lowerBound].style.contains(.superscript),
      after: bytes, before: following, isASCII: context.input.options.usesASCIIGlyphs,
      isList: isList)
    if isPlain, case .prefixed = representation { return (text, .plain) }
    return (text, representation)
  }

  /// Appends superscript or subscript characters, each with the offset of the character that it
  /// replaces; the last one replaces the rest of the text.
  /// - Parameters:
  ///   - mappedCharacters: The characters.
  ///   - text: The characters of the document that they replace, in the same order.
  ///   - source: The offset of `text` in the document.
  ///   - style: The style.
  ///   - target: The target.
  private mutating func append(
    mappedCharacters: [UInt8], for text: [UInt8], at source: UInt32, style: TextStyle,
    target: PageLayout.Target?
  ) {
    var (position, original) = (0, 0)
    while position < mappedCharacters.count, original < text.count {
      let (start, first) = (position, original)
      _ = DisplayWidth.decodeScalar(
        in: mappedCharacters, at: &position, end: mappedCharacters.count)
      _ = DisplayWidth.decodeScalar(in: text, at: &original, end: text.count)
      if position == mappedCharacters.count { original = text.count }
      append(
        mappedCharacters[start..<position], style: style, target: target,
        source: source + UInt32(first),
        replacing: UInt32(original - first))
    }
  }
}

extension LayoutOptions {
  /// Returns the text that is shown as the URL of a link.
  func url(of link: Int32, in document: Document) -> String {
    Int(link) < linkTargets.count ? linkTargets[Int(link)] : document.links[Int(link)].target
  }
}
