import ReaderMode
import Document
import Formats
import Layout

/// The driver of libFuzzer, which brings no header.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ tryInput: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Bytes become a document, the document layouts and texts, and all of them have to keep their
/// promises. `scripts/fuzz` builds and runs it.
@main enum FuzzTarget {
  static func main() {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    _ = runDriver(&count, &arguments) { tryPage($0, $1) }
  }
}

/// Tries one input; the last byte chooses what is said of the page.
/// - Returns: 0, as libFuzzer wants it.
private func tryPage(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  let choice = Int(bytes.last ?? 0)
  let mediaType = mediaTypes[choice % mediaTypes.count]
  let charset = choice % 7 == 0 ? charsets[choice / 7 % charsets.count] : nil
  let document = Document(
    bytes: bytes, mediaType: mediaType, charset: charset, url: "https://a.example/b")
  require(document.problems.isEmpty, document.problems.first ?? "")
  var options = LayoutOptions(width: 20 + choice)
  if choice % 3 == 0 { options.imageRoom = ImageRoom(rows: 1 + choice % 20) }
  checkLayouts(document, options)
  checkTexts(document)
  return 0
}

private let mediaTypes = [
  "text/html", "application/xhtml+xml", "text/plain", nil, "text/html", "text/markdown", "text/csv",
  "text/tab-separated-values", "application/json", "application/xml",
]

private let charsets = [
  "utf-16", "iso-2022-jp", "shift_jis", "gb18030", "big5", "euc-kr", "euc-jp", "koi8-u",
  "windows-1252", "replacement", "x-user-defined", "windows-1258",
]

private func checkLayouts(_ document: Document, _ options: LayoutOptions) {
  let layout = PageLayout(document, options: options)
  let flaw = layout.flaw(in: document)
  require(flaw == nil, flaw ?? "")
  // Made in steps it is the same.
  var builder = PageLayout.Builder(document, options: options)
  var steps = 0
  while !builder.isComplete, steps < 10_000 {
    builder.layOut(lines: 7)
    steps += 1
  }
  require(builder.layout == layout, "a layout made in steps differs")
}

private func checkTexts(_ document: Document) {
  let targets = DocumentTargets(
    link: { document.links[$0].target }, image: { document.images[$0].source })
  for text in [
    document.markdown(targets), document.semanticHTML(targets), document.json(url: "", targets),
    document.plainText,
  ] {
    require(String(validating: text, as: UTF8.self) != nil, "a text is not UTF-8")
    let isClean = text.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x09 }
    require(isClean, "a text has control characters")
  }
}

/// Ends the process, which libFuzzer then reports with the input.
private func require(_ condition: Bool, _ problem: @autoclosure () -> String) {
  if !condition { fatalError(problem()) }
}
