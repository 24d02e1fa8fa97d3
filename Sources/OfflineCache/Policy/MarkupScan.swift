/// A scanner that extracts visible text and some characteristic tags from markup.
struct MarkupScan {
  /// A form with a target.
  struct Form {
    /// The target, as written.
    let target: String
    /// The text of its buttons in lowercase.
    var buttonText: [UInt8] = []
  }

  private let bytes: [UInt8]
  private var index = 0

  /// The visible text in lowercase, with white space collapsed.
  private(set) var text: [UInt8] = []
  /// The title in lowercase.
  private(set) var title: [UInt8] = []
  /// The text of the title, buttons and fields in lowercase.
  private(set) var labelText: [UInt8] = []
  /// The text of the buttons in lowercase.
  private(set) var buttonText: [UInt8] = []
  /// The offset in `text` at which the open button's text begins; nil if no button is open.
  private var buttonStart: Int?
  /// The text of the `h1` headings in lowercase, at most `maxHeadingLength` bytes of each.
  private(set) var headingText: [UInt8] = []
  /// The offset in `text` at which the open heading's text begins; nil if no heading is open.
  private var headingStart: Int?
  /// The number of links.
  private(set) var linkCount = 0
  /// The number of bytes of visible text in links, without white space.
  private(set) var linkedLength = 0
  /// The offset in `text` at which the open link's text begins; nil if no link is open.
  private var linkStart: Int?
  private(set) var hasPasswordField = false
  private(set) var hasForm = false
  private(set) var hasMedia = false
  /// The first meta refresh.
  private(set) var refresh: RefreshDirective?
  /// The sources of frames, as written; at most `maxTargets`.
  private(set) var frameSources: [String] = []
  /// The forms with a target; at most `maxTargets`.
  private(set) var forms: [Form] = []
  /// Whether the last element of `forms` is still open.
  private var isInForm = false
  /// The URLs to which scripts forward, as written; at most `maxTargets`.
  private(set) var scriptTargets: [String] = []
  /// Whether a script submits a form.
  private(set) var hasSubmittingScript = false
  /// The URLs to which the page forwards or sends input, as written; at most `maxTargets`.
  private(set) var targets: [String] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Scans to the end of the bytes.
  mutating func run() {
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "<"): scanMarkup()
      case UInt8(ascii: "&"): scanReference()
      case let byte:
        add(byte)
        index += 1
      }
    }
    endButton()
    endHeading()
    endLink()
  }

  private mutating func add(_ byte: UInt8) {
    guard byte <= 0x20 else { return text.append(ByteCase.lower(byte)) }
    if let last = text.last, last != 0x20 { text.append(0x20) }
  }

  /// Scans a character reference, which counts as one character; a no-break space counts as white
  /// space.
  private mutating func scanReference() {
    let rest = bytes[(index + 1)...].prefix(10)
    guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else {
      add(bytes[index])
      index += 1
      return
    }
    let name = rest[..<end]
    let isSpace = ["nbsp", "#160", "#xa0", "#xA0", "zwnj"].contains { name.elementsEqual($0.utf8) }
    add(isSpace ? 0x20 : UInt8(ascii: "&"))
    index = end + 1
  }

  private mutating func scanMarkup() {
    let next = index + 1 < bytes.count ? bytes[index + 1] : 0x20
    if next == UInt8(ascii: "!") || next == UInt8(ascii: "?") {
      let isComment = bytes[(index + 2)...].prefix(2).elementsEqual("--".utf8)
      index = end(of: isComment ? "-->" : ">", from: index + 2)
    } else if next == UInt8(ascii: "/") || isLetter(next) {
      scanTag()
    } else {
      add(bytes[index])
      index += 1
    }
  }

  private mutating func scanTag() {
    let start = index + 1
    var quote: UInt8?
    var end = start
    while end < bytes.count {
      let byte = bytes[end]
      if let openQuote = quote {
        if byte == openQuote { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        // A quote begins a value only after an equals sign.
        if bytes[..<end].last(where: { $0 > 0x20 }) == UInt8(ascii: "=") { quote = byte }
      } else if byte == UInt8(ascii: ">") {
        break
      }
      end += 1
    }
    let content = bytes[start..<end]
    index = min(bytes.count, end + 1)
    add(0x20)
    if content.first == UInt8(ascii: "/") { endButton() }
    let isEnd = content.first == UInt8(ascii: "/")
    let name = content.dropFirst(isEnd ? 1 : 0)
      .prefix { isLetter($0) || (0x30...0x39).contains($0) }.map(ByteCase.lower)
    if isEnd {
      scan(endTag: String(decoding: name, as: UTF8.self))
    } else {
      scan(String(decoding: name, as: UTF8.self), content.dropFirst(name.count))
    }
  }

  private mutating func scan(endTag name: String) {
    switch name {
    case "a": endLink()
    case "form": isInForm = false
    case "h1": endHeading()
    default: break
    }
  }

  private mutating func endButton() {
    guard let start = buttonStart else { return }
    addButton(text[min(start, text.count)...])
    buttonStart = nil
  }

  private mutating func addButton(_ text: some Collection<UInt8>) {
    buttonText += text
    buttonText.append(0x20)
    guard isInForm else { return }
    forms[forms.count - 1].buttonText += text
    forms[forms.count - 1].buttonText.append(0x20)
  }

  private mutating func beginForm(_ attributes: [String: String]) {
    hasForm = true
    for key in ["action", "id", "class"] {
      labelText += (attributes[key] ?? "").lowercased().utf8 + [0x20]
    }
    let target = attributes["action"] ?? ""
    scan(target: target)
    isInForm = !target.isEmpty && forms.count < Self.maxTargets
    if isInForm { forms.append(Form(target: target)) }
  }

  private mutating func beginBody(_ attributes: ArraySlice<UInt8>) {
    recordSubmission(attributes)
    if let handler = position(of: "onload", in: attributes) {
      scanScript(handler..<attributes.endIndex)
    }
  }

  private mutating func beginLink(_ attributes: ArraySlice<UInt8>) {
    linkCount += 1
    endLink()
    if position(of: "href", in: attributes) != nil { linkStart = text.count }
  }

  private mutating func beginHeading() {
    endHeading()
    headingStart = text.count
  }

  private func position(of name: String, in attributes: ArraySlice<UInt8>) -> Int? {
    ByteCase.firstIndex(
      of: Array(name.utf8), in: bytes, from: attributes.startIndex, to: attributes.endIndex)
  }

  private mutating func endLink() {
    guard let start = linkStart else { return }
    linkedLength += text[min(start, text.count)...].count { $0 > 0x20 }
    linkStart = nil
  }

  private mutating func endHeading() {
    guard let start = headingStart else { return }
    headingText += text[min(start, text.count)...].prefix(Self.maxHeadingLength) + [0x20]
    headingStart = nil
  }

  /// The maximum number of bytes of a heading that are kept, because its end tag may be missing.
  private static let maxHeadingLength = 160

  private mutating func scan(_ name: String, _ rest: ArraySlice<UInt8>) {
    switch name {
    case "script":
      let end = end(of: "</script", from: index)
      recordSubmission(bytes[index..<end])
      scanScript(index..<end)
      index = end
    case "style", "noscript", "template":
      index = end(of: "</" + name, from: index)
    case "title":
      let end = end(of: "</" + name, from: index)
      if title.isEmpty { title = bytes[index..<end].map(ByteCase.lower) }
      labelText += bytes[index..<end].map(ByteCase.lower) + [0x20]
      index = end
    case "input", "button": scanControl(name, Self.attributes(rest))
    case "form": beginForm(Self.attributes(rest))
    case "meta":
      let attributes = Self.attributes(rest)
      guard attributes["http-equiv"]?.lowercased() == "refresh" else { return }
      refresh = refresh ?? attributes["content"].map(RefreshDirective.init)
      scan(target: refresh?.target)
    case "frame", "iframe":
      hasMedia = true
      let source = Self.attributes(rest)["src"]
      scan(target: source)
      if let source { Self.append(source, to: &frameSources) }
    case "body": beginBody(rest)
    case "a": beginLink(rest)
    case "h1": beginHeading()
    case "img", "svg", "canvas", "video", "audio", "object", "embed": hasMedia = true
    default: break
    }
  }

  private mutating func scanControl(_ name: String, _ attributes: [String: String]) {
    let kind = attributes["type"]?.lowercased()
    if name == "button" || kind == "submit" || kind == "button" { hasForm = true }
    if kind == "password" { hasPasswordField = true }
    if name == "button" {
      buttonStart = text.count
    } else if kind == "submit" || kind == "button" {
      addButton((attributes["value"] ?? "").lowercased().utf8)
    }
    for key in ["value", "placeholder", "aria-label", "name", "id"] where kind != "hidden" {
      labelText += (attributes[key] ?? "").lowercased().utf8 + [0x20]
    }
  }

  /// Records whether a script calls `submit` or `requestSubmit` on a form.
  private mutating func recordSubmission(_ script: ArraySlice<UInt8>) {
    guard !hasSubmittingScript else { return }
    let found = ByteCase.firstIndex(
      of: Array("submit(".utf8), in: bytes, from: script.startIndex, to: script.endIndex)
    hasSubmittingScript = found != nil
  }

  private static func append(_ target: String, to targets: inout [String]) {
    if !target.isEmpty, targets.count < maxTargets { targets.append(target) }
  }

  private mutating func scan(target: String?) {
    if let target, !target.isEmpty, targets.count < Self.maxTargets { targets.append(target) }
  }

  /// Extracts the targets of `location = "…"`, `location.href = "…"`, `location.replace("…")` and
  /// the like.
  private mutating func scanScript(_ script: Range<Int>) {
    let word = Array("location".utf8)
    var start = script.lowerBound
    while targets.count < Self.maxTargets,
      let found = ByteCase.firstIndex(of: word, in: bytes, from: start, to: script.upperBound)
    {
      start = found + word.count
      let rest = bytes[start..<script.upperBound]
      let value = rest.prefix(32).drop { isLetter($0) || ". =(".utf8.contains($0) }
      guard let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
      else { continue }
      let target = rest[(value.startIndex + 1)...].prefix { $0 != quote && $0 > 0x20 }
      scan(target: String(decoding: target, as: UTF8.self))
      Self.append(String(decoding: target, as: UTF8.self), to: &scriptTargets)
    }
  }

  /// The maximum number of targets of a kind that are recorded; the page of a captive portal has
  /// only one.
  private static let maxTargets = 16

  /// Searches for a lowercase text, ignoring case. If the text is the beginning of an end tag
  /// (`</…`), returns the index at which it begins, otherwise the index after it. If it does not
  /// occur, returns the end of the bytes.
  private func end(of text: String, from start: Int) -> Int {
    let wanted = Array(text.utf8)
    guard let found = ByteCase.firstIndex(of: wanted, in: bytes, from: start) else {
      return bytes.count
    }
    return text.hasPrefix("</") ? found : found + wanted.count
  }

  private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  /// Returns the attributes of a tag by lowercase name. If several attributes have the same name,
  /// the first one counts.
  private static func attributes(_ bytes: ArraySlice<UInt8>) -> [String: String] {
    var attributes: [String: String] = [:]
    var rest = bytes
    func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == UInt8(ascii: "/") }
    while true {
      rest = rest.drop(while: isSpace)
      let name = rest.prefix { !isSpace($0) && $0 != UInt8(ascii: "=") }
      guard !name.isEmpty || rest.first == UInt8(ascii: "=") else { return attributes }
      rest = rest[name.endIndex...].drop { $0 <= 0x20 }
      var value: ArraySlice<UInt8> = []
      if rest.first == UInt8(ascii: "=") {
        rest = rest.dropFirst().drop { $0 <= 0x20 }
        if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
          value = rest.dropFirst().prefix { $0 != quote }
          rest = rest[value.endIndex...].dropFirst()
        } else {
          value = rest.prefix { $0 > 0x20 }
          rest = rest[value.endIndex...]
        }
      }
      let key = String(decoding: name.map(ByteCase.lower), as: UTF8.self)
      if attributes[key] == nil { attributes[key] = String(decoding: value, as: UTF8.self) }
    }
  }
}
