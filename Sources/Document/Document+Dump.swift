import DOM

extension Document {
  /// Returns the document as an indented tree, the format of the golden files.
  ///
  /// A leaf with a single unstyled run has its text on the same line; other runs are on lines below
  /// it with their style and link.
  package func dump() -> String {
    var lines: [String] = []
    if !title.isEmpty { lines.append("title \(title.quoted)") }
    if !language.isEmpty { lines.append("language \(language)") }
    if !baseURL.isEmpty { lines.append("base \(baseURL)") }
    if let direction { lines.append("direction \(direction.rawValue)") }
    if encodingName != "UTF-8" { lines.append("encoding \(encodingName)") }
    if mainContentBlock != 0 { lines.append("main \(mainContentBlock)") }
    lines += blockFolds.map { "\($0.kind) \($0.blocks.lowerBound)..<\($0.blocks.upperBound)" }
    var openBlockEnds: [Int32] = []
    for (index, block) in blocks.enumerated() {
      while let end = openBlockEnds.last, end <= index { openBlockEnds.removeLast() }
      let indent = String(repeating: "  ", count: openBlockEnds.count)
      lines.append(indent + description(block))
      if !isSingleUnstyledRun(block) {
        let runs = runs[Int(block.runs.lowerBound)..<Int(block.runs.upperBound)]
        lines += runs.map { "\(indent)  \(description($0))" }
      }
      openBlockEnds.append(block.end)
    }
    for fold in textFolds {
      let name = String(
        decoding: text[Int(fold.markerOffset) + 2..<Int(fold.content.lowerBound)], as: UTF8.self)
      lines.append(
        "fold \(fold.isInitiallyOpen ? "open" : "closed") \(name.quoted) \(fold.summary)")
    }
    for locale in locales {
      let direction = locale.direction?.rawValue ?? "auto"
      let following = String(decoding: text[Int(locale.start)...].prefix(12), as: UTF8.self)
      lines.append(
        "locale \(locale.language.quoted) \(direction) \(following.filter { $0 != "\u{FFFD}" }.quoted)"
      )
    }
    for anchor in anchors {
      let following = text[Int(anchor.offset)...].prefix(12).prefix { $0 != 0x0A }
      let shownText = String(decoding: following, as: UTF8.self).filter { $0 != "\u{FFFD}" }
      lines.append("anchor \(anchor.name) \(shownText.quoted)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns whether the block has exactly one run without style, link and image.
  private func isSingleUnstyledRun(_ block: Block) -> Bool {
    guard block.runs.count == 1 else { return false }
    let run = runs[Int(block.runs.lowerBound)]
    return run.style.isEmpty && run.link == nil && run.image == nil
  }

  private func description(_ block: Block) -> String {
    let name = description(block.kind)
    return isSingleUnstyledRun(block) ? "\(name) \(text(of: block).quoted)" : name
  }

  private func description(_ kind: Block.Kind) -> String {
    switch kind {
    case .paragraph: "paragraph"
    case .heading(let level): "heading \(level)"
    case .preformatted(let language):
      language == nil ? "preformatted" : "preformatted \(codeLanguage(language))"
    case .rule: "rule"
    case .image(let index): "image \(description(images[Int(index)]))"
    case .list(let isTight): isTight ? "list tight" : "list loose"
    case .item(.bullet): "item •"
    case .item(.none): "item"
    case .item(.text(let index)): "item \"\(markerTexts[Int(index)])\""
    case .item(.number(let value, let style)):
      "item \(value)" + (style == .decimal ? "" : " \(style)")
    case .definitionList: "definitions"
    case .term: "term"
    case .definition: "definition"
    case .quote: "quote"
    case .figure: "figure"
    case .caption: "caption"
    case .table: "table"
    case .row(let isHeader): isHeader ? "row header" : "row"
    case .cell(let isHeader, let columns, let rows, let alignment):
      "cell" + (isHeader ? " header" : "") + (columns == 1 ? "" : " columns \(columns)")
        + (rows == 1 ? "" : " rows \(rows)") + (alignment == .unset ? "" : " \(alignment)")
    case .details(let isOpen): isOpen ? "details open" : "details"
    }
  }

  private func description(_ image: Image) -> String {
    image.source + (image.width > 0 || image.height > 0 ? " \(image.width)×\(image.height)" : "")
  }

  private func description(_ run: Run) -> String {
    var line = text(of: run).quoted
    if !run.style.isEmpty { line += " " + run.style.names.joined(separator: " ") }
    if let image = run.image.value { line += " <\(description(images[image]))>" }
    if let index = run.link.value {
      let link = links[index]
      line += " -> \(link.target)"
      if link.kind != .anchor { line += " (\(link.kind))" }
      if !link.title.isEmpty { line += " \(link.title.quoted)" }
    }
    return line
  }
}

extension InlineStyle {
  private static let stylesWithNames: [(InlineStyle, String)] = [
    (.strong, "strong"), (.emphasis, "emphasis"), (.code, "code"), (.keyboard, "keyboard"),
    (.deleted, "deleted"), (.inserted, "inserted"), (.subscript, "subscript"),
    (.superscript, "superscript"), (.marked, "marked"), (.underlined, "underlined"),
    (.small, "small"), (.image, "image"), (.control, "control"),
  ]

  /// The names of the styles in the set.
  package var names: [String] { Self.stylesWithNames.filter { contains($0.0) }.map(\.1) }
}

extension String {
  /// The string in double quotes, on one line, with invisible characters escaped.
  fileprivate var quoted: String {
    var result = "\""
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0x0A: result += "\\n"
      case 0x09: result += "\\t"
      case 0x22: result += "\\\""
      case 0x5C: result += "\\\\"
      case 0xA0, 0xAD, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF:
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
