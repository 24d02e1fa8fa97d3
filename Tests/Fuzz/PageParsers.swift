import DOM
import Document
import Exchange
import Feeds
import Formats
import Layout
import ReaderMode

@testable import Crawl
@testable import Library

/// Tests bytes as a page of any kind; the last byte selects the media type and the encoding.
@Sendable func tryPage(_ bytes: [UInt8]) {
  let choice = Int(bytes.last ?? 0)
  let mediaType = mediaTypes[choice % mediaTypes.count]
  let charset = choice % 7 == 0 ? charsets[choice / 7 % charsets.count] : nil
  let document = Document(
    bytes: bytes, mediaType: mediaType, charset: charset, url: "https://a.example/b")
  require(document.problems.isEmpty, document.problems.first ?? "")
  var options = LayoutOptions(width: 20 + choice)
  if choice % 3 == 0 { options.imageSpace = ImageSpace(maxImageRows: 1 + choice % 20) }
  checkSteps(checkLayout(document, options), document, options)
  checkTexts(document)
}

/// Tests a page, and its reader view with all metadata.
@Sendable func tryReaderView(_ bytes: [UInt8]) {
  let url = "https://www.town.example/2026/11/21/the-river?page=2"
  var options = ReaderOptions()
  options.explains = bytes.count % 5 == 0
  for view in [PageViewMode.page, .reader(options)] {
    let document = Document(bytes: bytes, mediaType: "text/html", url: url, view: view)
    checkDocument(document, width: 30 + bytes.count % 60)
    _ = FrontMatter(document, url: url).text
    _ = document.feedLinks
    _ = document.linksToOtherPages(from: [url])
  }
}

/// Tests a text of a media type as a document.
@Sendable func tryDocument(_ bytes: [UInt8], _ mediaType: String) {
  checkDocument(
    Document(bytes: bytes, mediaType: mediaType, url: "https://a.example/b"),
    width: 20 + bytes.count % 100)
}

@Sendable func tryForms(_ bytes: [UInt8]) {
  let document = Document(bytes: bytes, mediaType: "text/html", url: "https://a.example/b")
  checkDocument(document, width: 60)
  let values = FormValues()
  for control in document.forms.controls.indices {
    _ = values.text(of: Int32(control), in: document.forms)
  }
}

@Sendable func trySVG(_ bytes: [UInt8]) {
  if SVGSanitizer.isSVG(bytes), let cleaned = SVGSanitizer.sanitized(bytes) {
    require(SVGSanitizer.sanitized(cleaned) != nil, "a cleaned drawing cannot be cleaned")
  }
  tryDocument(bytes, "image/svg+xml")
}

/// Tests a style sheet alone, and as the style sheet of a page.
@Sendable func tryStyles(_ bytes: [UInt8]) {
  _ = PageParts(sheet: bytes)
  let page =
    Array("<style>".utf8) + bytes + Array("</style><p class=a id=b style='".utf8) + bytes
    + Array("'>a <b class='c d'>b</b></p><div class=c><p>c</div>".utf8)
  _ = PageParts(page: page, charset: nil)
  tryDocument(page, "text/html")
}

@Sendable func tryTable(_ bytes: [UInt8]) {
  tryDocument(bytes, "text/csv")
  tryDocument(bytes, "text/tab-separated-values")
  tryList(bytes)
}

/// Tests syntax highlighting; the first byte selects the language.
@Sendable func tryCode(_ bytes: [UInt8]) {
  let names = [
    "swift", "c", "python", "js", "rust", "html", "css", "json", "sh", "sql", "go", "ruby", "diff",
    "yaml", "toml", "haskell", "lisp", "tex", "perl", "php",
  ]
  let name = names[Int(bytes.first ?? 0) % names.count]
  let text = bytes.flatMap { byte -> [UInt8] in
    byte == UInt8(ascii: "<")
      ? Array("&lt;".utf8) : byte == UInt8(ascii: "&") ? Array("&amp;".utf8) : [byte]
  }
  let page = Array("<pre><code class='language-\(name)'>".utf8) + text + Array("</code></pre>".utf8)
  tryDocument(page, "text/html")
}

/// Tests a highlight on a page, and in another version of the page.
@Sendable func tryHighlight(_ bytes: [UInt8]) {
  let pages = bytes.split(separator: 0x1E, maxSplits: 1, omittingEmptySubsequences: false)
  let documents = [pages[0], pages[pages.count - 1]].map {
    Document(bytes: Array($0), mediaType: "text/html", url: "https://a.example/b")
  }
  let length = UInt32(documents[0].text.count)
  for range in [0..<length, length / 3..<length / 2, length / 2..<min(length, length / 2 + 40)] {
    guard let highlight = Highlight(range, of: documents[0], date: now) else { continue }
    require(
      Highlight(id: highlight.id, value: highlight.value) == highlight,
      "a passage is not read as it was written")
    for document in documents {
      if let found = PassageText(document).range(of: highlight) {
        require(found.upperBound <= document.text.count, "a passage ends behind its page")
      }
    }
  }
  for offset in [0, length / 2, length] {
    let anchor = TextAnchor(at: offset, in: documents[0], blocks: 3)
    for document in documents {
      require(anchor.offset(in: document) <= document.text.count, "a position is behind its page")
    }
  }
  if let fragment = TextFragment(":~:text=" + String(decoding: bytes.prefix(40), as: UTF8.self)) {
    _ = fragment.offset(in: documents[1])
  }
  _ = PageChanges(from: documents[0], to: documents[1])
  let difference = PageDifference(from: documents[0], to: documents[1])
  difference.writeMarkdown { _ in }
}

// MARK: Checks

/// Checks the invariants of a document, of its layout and of the texts generated from it.
func checkDocument(_ document: Document, width: Int) {
  require(document.problems.isEmpty, document.problems.first ?? "")
  _ = checkLayout(document, LayoutOptions(width: width))
  checkTexts(document)
}

private func checkLayout(_ document: Document, _ options: LayoutOptions) -> PageLayout {
  let layout = PageLayout(document, options: options)
  let flaw = layout.flaw(in: document)
  require(flaw == nil, flaw ?? "")
  return layout
}

/// Checks that a layout built in steps equals the one built at once.
private func checkSteps(_ layout: PageLayout, _ document: Document, _ options: LayoutOptions) {
  var builder = PageLayout.Builder(document, options: options)
  var steps = 0
  while !builder.isComplete, steps < 10_000 {
    builder.layOut(minLines: 7)
    steps += 1
  }
  require(builder.layout == layout, "a layout made in steps differs")
}

private func checkTexts(_ document: Document) {
  let targets = ExportTargets(
    linkURL: { document.links[$0].target }, imageURL: { document.images[$0].source })
  let texts = [
    ("Markdown", document.markdown(targets)), ("HTML", document.semanticHTML(targets)),
    ("XHTML", document.semanticXHTML(targets)), ("JSON", document.json(url: "", targets)),
    ("plain text", document.plainText),
  ]
  for (name, text) in texts {
    require(String(validating: text, as: UTF8.self) != nil, "\(name) is not UTF-8")
    let isClean = text.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x09 }
    require(isClean, "\(name) has control characters")
  }
}

private let mediaTypes = [
  "text/html", "application/xhtml+xml", "text/plain", nil, "text/html", "text/markdown", "text/csv",
  "text/tab-separated-values", "application/json", "application/xml",
]

private let charsets = [
  "utf-16", "iso-2022-jp", "shift_jis", "gb18030", "big5", "euc-kr", "euc-jp", "koi8-u",
  "windows-1252", "replacement", "x-user-defined", "windows-1258",
]
