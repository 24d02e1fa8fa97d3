import Configuration
import ArgumentParser
import ReaderMode
import Layout
import OfflineCache
import Pages

/// The values of the options for the presentation of a page.
struct PageChoices {
  var width: Int?
  var base: String?
  var color: Settings.ColorChoice?
  /// The format that `--format` names; nil if the option is missing.
  var chosenFormat: DumpFormat?
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

  /// The output format of `dump`: without `--format`, text, with colours if they are demanded.
  var format: DumpFormat { chosenFormat ?? (color == .always ? .ansi : .text) }

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
    case .format: value.read(&chosenFormat)
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
      ("format", chosenFormat ?? .text != .text), ("links", links != .none),
      ("fail-stale", failsOnStale),
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
