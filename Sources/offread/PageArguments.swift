import ArgumentParser
import HTML
import Layout
import Reader

/// The options that say how a page is shown.
struct PageArguments: ParsableArguments {
  @Option(help: "Columns of the text, 20 to 500.")
  var width: Int?

  @Option(help: "The URL against which links of a file or of standard input are resolved.")
  var base: String?

  @Option(help: "When colours are used: auto, always or never.")
  var color: Settings.ColorChoice = .auto

  @Option(help: "How dump writes the page: text, ansi, markdown, html, json, links or outline.")
  var format: DumpFormat = .text

  @Option(help: "How dump shows links: none, numbers or inline.")
  var links: LayoutOptions.LinkNumbers = .none

  @Flag(help: "The main content only: title and text, without what stands around it.")
  var reader = false

  @Flag(help: "With --reader: author, date, site and reading time below the title.")
  var meta = false

  @Flag(help: "With --reader: tell on standard error how the content was chosen.")
  var explain = false

  @Flag(name: .customLong("fail-stale"), help: "Exit 3 when a saved copy was shown.")
  var failsOnStale = false

  /// How `dump` reads the page: text has neither images nor, unless they are wanted, metadata.
  var dumpView: ReadingView {
    guard reader else { return .page }
    let isText = format == .text || format == .ansi || format == .outline
    return .reader(
      ReaderOptions(
        keepsMedia: !isText, showsMetadata: meta || format == .markdown, explains: explain))
  }

  /// How the terminal shows the page at first.
  var screenView: ReadingView { reader ? .reader(ReaderOptions()) : .page }

  func validate() throws {
    if let width, !(20...500).contains(width) {
      throw ValidationError("--width takes 20 to 500 columns")
    }
    if meta || explain, !reader {
      throw ValidationError("--\(meta ? "meta" : "explain") is for reader mode: add --reader")
    }
  }
}

/// The forms in which `dump` writes a page.
enum DumpFormat: String, CaseIterable, ExpressibleByArgument {
  /// Plain text.
  case text
  /// Text with colours, attributes and OSC 8 links.
  case ansi
  /// CommonMark.
  case markdown
  /// HTML of the meaning alone.
  case html
  /// The document as a tree, with its text, headings and links.
  case json
  /// Every link, absolute, one a line.
  case links
  /// The headings, indented by level.
  case outline
}

extension Settings.ColorChoice: ExpressibleByArgument {}
extension LayoutOptions.LinkNumbers: ExpressibleByArgument {}
