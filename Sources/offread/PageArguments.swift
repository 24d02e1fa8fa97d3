import Reader
import Configuration
import ArgumentParser
import ReaderMode
import Layout
import OfflineCache
import Pages

/// The names of the options for the presentation of a page.
enum PageOption: String, CaseIterable {
  case width, base, color, format, links, images, reader, full, meta, explain, linear
  case comments = "with-comments"
  case failStale = "fail-stale"
}

/// The options for the presentation of a page.
struct PageArguments: ParsableArguments {
  @Option(
    name: .named(PageOption.width), parsing: .unconditional,
    help: ArgumentHelp("Width of the text, 20 to 500 columns.", valueName: "n"))
  var width: Int?

  @Option(
    name: .named(PageOption.base),
    help: ArgumentHelp("Base URL for the links of a file or of standard input.", valueName: "url"))
  var base: String?

  @Option(
    name: .named(PageOption.color),
    help: ArgumentHelp("Use of colours: auto, always or never.", valueName: "when"))
  var color: Settings.ColorChoice?

  @Option(
    name: .named(PageOption.format),
    help:
      "Output format of dump, or without a terminal: text, ansi, markdown, html, json, links or outline."
  )
  var format: DumpFormat = .text

  @Option(
    name: .named(PageOption.links), help: "Links in the output of dump: none, numbers or inline.")
  var links: LayoutOptions.LinkNumbers = .none

  @Option(name: .named(PageOption.images), help: "How to draw images: off, symbols or auto.")
  var images: Settings.ImageChoice?

  @Flag(name: .named(PageOption.reader), help: "Show only the main content (reader view).")
  var reader = false

  @Flag(
    name: .named(PageOption.full),
    help: "Show the whole page, even if the settings choose reader view.")
  var full = false

  @Flag(
    name: .named(PageOption.meta),
    help: "Like --reader, with author, date, site and reading time below the title.")
  var meta = false

  @Flag(
    name: .named(PageOption.explain),
    help: "Like --reader, and print to standard error how the content was chosen.")
  var explain = false

  @Flag(
    name: .named(PageOption.comments),
    help: "Like --reader, with the comments of readers below the text.")
  var keepsComments = false

  @Flag(
    name: .named(PageOption.linear), help: "Format pages for braille displays and screen readers.")
  var linear = false

  @Flag(
    name: .named(PageOption.failStale),
    help: "Exit with 3 if a saved copy was shown that is not fresh.")
  var failsOnStale = false

  func validate() throws { try choices.validate() }

  /// The values of the options.
  var choices: PageChoices {
    PageChoices(
      width: width, base: base, color: color, format: format, links: links, images: images,
      reader: reader, full: full, meta: meta, explain: explain, keepsComments: keepsComments,
      linear: linear, failsOnStale: failsOnStale)
  }
}

/// The values of the options for the presentation of a page.
struct PageChoices {
  var width: Int?
  var base: String?
  var color: Settings.ColorChoice?
  var format = DumpFormat.text
  var links = LayoutOptions.LinkNumbers.none
  var images: Settings.ImageChoice?
  var reader = false
  var full = false
  var meta = false
  var explain = false
  var keepsComments = false
  var linear = false
  var failsOnStale = false

  /// The name of the option that selects reader view.
  private var readerOption: String {
    reader ? "reader" : meta ? "meta" : explain ? "explain" : "with-comments"
  }

  private var usesReaderView: Bool { reader || meta || explain || keepsComments }

  /// Whether only the text is printed, without metadata.
  var printsTextOnly: Bool { format == .text || format == .ansi || format == .outline }

  /// Whether `dump` draws images.
  var drawsImages: Bool { images ?? .off != .off }

  /// Returns the load request for `dump`.
  func dumpRequest(_ target: String, options: LoadOptions) -> LoadRequest {
    // Text formats contain images and metadata only on request.
    let isText = printsTextOnly
    return request(
      target, options: options,
      reader: ReaderOptions(
        // For text formats, the title is written separately.
        keepsMedia: !isText || drawsImages, showsTitle: !isText || format == .outline,
        showsMetadata: meta || format == .markdown, offersNextPage: !isText,
        keepsComments: keepsComments, explains: explain, gathersFacts: meta || !isText,
        foldsNavigation: false))
  }

  /// Returns the load request for the reader.
  func request(
    _ target: String, options: LoadOptions, reader: ReaderOptions = ReaderOptions()
  ) -> LoadRequest {
    var request = LoadRequest(target, options: options)
    request.isArgument = true
    request.view = usesReaderView ? .reader(reader) : full ? .page : nil
    request.reader = reader
    return request
  }

  /// Checks the values and their combination.
  func validate() throws {
    if let width, !(20...500).contains(width) {
      throw ValidationError("--width takes 20 to 500 columns")
    }
    if drawsImages, format != .text, format != .ansi {
      throw ValidationError("--images requires --format text or ansi, not \(format.rawValue)")
    }
    if full, usesReaderView {
      throw ValidationError(
        "--full and --\(readerOption) cannot be used together")
    }
  }
}

extension PageChoices: PlainChoices {
  mutating func read(_ name: String, _ value: inout PlainValue) -> Bool {
    switch PageOption(rawValue: name) {
    case nil: false
    case .width: value.read(&width)
    case .base: value.read(&base)
    case .color: value.read(&color)
    case .format: value.read(&format)
    case .links: value.read(&links)
    case .images: value.read(&images)
    case .reader: value.set(&reader)
    case .full: value.set(&full)
    case .meta: value.set(&meta)
    case .explain: value.set(&explain)
    case .linear: value.set(&linear)
    case .comments: value.set(&keepsComments)
    case .failStale: value.set(&failsOnStale)
    }
  }
}

extension PageChoices {
  /// Rejects options that have no effect on the output of `dump`.
  /// - Parameter target: the page: a URL, a file or `-`.
  /// - Throws: `ValidationError`.
  func validate(forDumpOf target: String) throws {
    try rejectBase(of: target)
    if color == .always, format != .ansi {
      throw ValidationError("--color requires --format ansi, not \(format.rawValue)")
    }
    guard format != .text, format != .ansi else { return }
    for (name, isGiven) in [
      ("width", width != nil), ("linear", linear), ("links", links != .none),
    ] where isGiven {
      throw ValidationError("--\(name) requires --format text or ansi, not \(format.rawValue)")
    }
  }

  /// Rejects options that have no effect on the reader.
  /// - Parameter target: the page: a URL, a file or `-`; nil for the library.
  /// - Throws: `ValidationError`.
  func validate(forReaderOf target: String?) throws {
    try rejectBase(of: target)
    for (name, isGiven) in [
      ("format", format != .text), ("links", links != .none), ("fail-stale", failsOnStale),
    ] where isGiven {
      throw ValidationError("--\(name) has no effect in a terminal; use offread dump")
    }
  }

  /// Rejects a base URL for a page that has a URL.
  private func rejectBase(of target: String?) throws {
    guard base != nil else { return }
    guard let target else { throw ValidationError("--base requires a file or standard input") }
    switch try? Address(typed: target) {
    // A name that is neither a file nor a URL is reported later.
    case .file, .standardInput, nil: return
    case .web, .builtIn, .book, .feedItem:
      throw ValidationError("--base requires a file or standard input")
    }
  }
}

/// The output formats of `dump`.
enum DumpFormat: String, CaseIterable, ExpressibleByArgument {
  /// Plain text.
  case text
  /// Text with colours, attributes and OSC 8 links.
  case ansi
  /// CommonMark.
  case markdown
  /// Semantic HTML without presentation.
  case html
  /// The document as a tree, with its text, headings and links.
  case json
  /// The absolute URLs of all links, one a line.
  case links
  /// The headings, indented by level.
  case outline

  /// Whether several pages can be written one after the other.
  var allowsSeveralPages: Bool { self != .html && self != .json }
}

extension Settings.ColorChoice: ExpressibleByArgument {}
extension Settings.ImageChoice: ExpressibleByArgument {}
extension LayoutOptions.LinkNumbers: ExpressibleByArgument {}
