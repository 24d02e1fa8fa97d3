import DOM
import Document

extension Document {
  /// Descriptions of all violations of the invariants of `Document`.
  var problems: [String] {
    var problems: [String] = []
    if String(validating: text, as: UTF8.self) == nil { problems.append("text is not UTF-8") }
    problems += blockProblems
    var end: UInt32 = 0
    for (index, run) in runs.enumerated() {
      if run.start < end || run.end <= run.start { problems.append("run \(index) overlaps") }
      if let link = run.link.value, link >= links.count {
        problems.append("run \(index) refers to no link")
      }
      if let image = run.image.value, image >= images.count {
        problems.append("run \(index) refers to no image")
      }
      end = run.end
    }
    if end > text.count { problems.append("runs go past the text") }
    if mainContentBlock != 0, mainContentBlock >= blocks.count { problems.append("main content") }
    var last: Int32 = 0
    for part in blockFolds.map(\.blocks) {
      if part.lowerBound < last || part.isEmpty || part.upperBound > Int32(blocks.count)
        || blocks[..<Int(part.lowerBound)].contains(where: {
          $0.end > part.lowerBound && $0.end < part.upperBound
        })
        || blocks[Int(part.lowerBound)..<Int(part.upperBound)].contains(where: {
          $0.end > part.upperBound
        })
      {
        problems.append("part \(part)")
      }
      last = part.upperBound
    }
    for anchor in anchors where anchor.offset > text.count { problems.append("anchor") }
    problems += foldProblems
    if hasControlCharacter { problems.append("control character") }
    return problems
  }

  private var foldProblems: [String] {
    var problems: [String] = []
    var open: [Range<UInt32>] = []
    for (index, fold) in textFolds.enumerated() {
      while let last = open.last, last.upperBound <= fold.markerOffset { open.removeLast() }
      let isWithin = open.last.map {
        $0.lowerBound <= fold.markerOffset && fold.content.upperBound <= $0.upperBound
      }
      if isWithin == false || fold.markerOffset + 2 > fold.content.lowerBound
        || Int(fold.content.upperBound) > text.count
        || text[Int(fold.markerOffset)..<Int(fold.markerOffset) + 2] != [0x20, 0x20]
      {
        problems.append("fold \(index)")
      }
      open.append(fold.content)
    }
    return problems
  }

  private var blockProblems: [String] {
    var problems: [String] = []
    var nextRun: Int32 = 0
    var open: [Int32] = []
    for (index, block) in blocks.enumerated() {
      while let last = open.last, last <= Int32(index) { open.removeLast() }
      if block.end <= Int32(index) || block.end > open.last ?? Int32(blocks.count) {
        problems.append("block \(index) ends at \(block.end)")
      }
      if !block.runs.isEmpty {
        if block.runs.lowerBound != nextRun { problems.append("runs of block \(index)") }
        nextRun = block.runs.upperBound
        if block.end != Int32(index) + 1 { problems.append("leaf \(index) has children") }
      }
      open.append(block.end)
    }
    if nextRun != Int32(runs.count) { problems.append("runs outside blocks") }
    return problems
  }

  /// Whether any text that can reach a terminal contains a control character or a bidi override.
  var hasControlCharacter: Bool {
    for block in blocks {
      var allowedControls: Set<UInt32> = [0x0A]
      if case .preformatted(let language) = block.kind {
        allowedControls.insert(0x09)
        if codeLanguage(language).isUnsafe() { return true }
      }
      if text(of: block).isUnsafe(allowedControls) { return true }
    }
    var strings = [title, baseURL, language]
    strings += links.flatMap { [$0.target, $0.title] }
    strings += images.flatMap { [$0.source, $0.alternativeText ?? ""] }
    strings += anchors.map(\.name)
    return strings.contains { $0.isUnsafe() }
  }
}

extension String {
  fileprivate func isUnsafe(_ allowedControls: Set<UInt32> = []) -> Bool {
    unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF:
        !allowedControls.contains(scalar.value)
      default: false
      }
    }
  }
}

extension Document {
  /// The plain text without its final line feed.
  var content: String {
    String(decoding: plainText.dropLast(), as: UTF8.self)
  }
}
