import Sandbox
import DOM
import Platform
import Configuration
import Saving
import Feeds
import ArgumentParser
import Foundation
import OfflineCache
import Document
import Formats
import Layout
import Pages
import Profiles
import Reader
import TerminalUI
import Terminal

/// Writes a page to standard output and reports its origin on standard error.
struct Dump {
  /// A URL, a file or `-`.
  var target: String
  /// The options for presentation.
  var presentation: PageChoices
  /// The options for loading.
  var load: LoadChoices
  /// Whether to write nothing to the disk.
  var isPrivate = false

  /// Loads and writes the page.
  /// - Throws: an exit code other than 0.
  func run() throws {
    try presentation.validate(forDumpOf: target)
    try load.rejectTimeLimitsOffline()
    try load.checkLog()
    let profile = try load.profile(for: target, isReading: true, isPrivate: isPrivate)
    confine(profile)
    var options = load.options(over: profile.settings)
    options.pauseFallbackDelay = options.fallbackDelay
    let waiter = BlockingQueue<LoadEvent>()
    let loader = PageLoader(profile: profile, base: presentation.base)
    let request = presentation.dumpRequest(target, options: options)
    let running = loader.load(request) { waiter.post($0) }
    defer { StandardOutput.closeAndPrintNotices(closing: profile) }
    let (shown, failure) = try waitForPage(from: waiter, profile)
    try writePage(shown, profile)
    if let failure { StandardOutput.printError(failure.description) }
    if let parts = shown.parts, parts.index == nil, presentation.format.allowsSeveralPages {
      try writeChapters(parts, as: request, from: loader, profile)
    }
    let code = failure?.exitCode ?? report(on: shown)
    // The background revalidation may continue, so that the next request gets the newer version.
    profile.finishBackgroundWork()
    running.cancel()
    guard code == 0 else { throw ExitCode(code) }
  }

  /// Confines the process to what the target needs: for a local file only that file, without write
  /// access. If its images are drawn, the directory of the file can be read too, and the archive
  /// can be written.
  private func confine(_ profile: Profile) {
    switch try? Address(typed: target) {
    case .file(let path):
      // Images outside the file are loaded and saved like those of other pages.
      load.confine(profile, writes: presentation.drawsImages ? .archive : .nothing) { confinement in
        confinement.allowReading(named: path)
        // Images may be in the same directory.
        guard presentation.drawsImages else { return }
        confinement.readablePaths.insert(
          URL(fileURLWithPath: path).deletingLastPathComponent().path)
      }
    case .standardInput, nil:
      load.confine(profile, writes: presentation.drawsImages ? .archive : .nothing)
    case .web, .builtIn, .book, .feedItem: load.confine(profile)
    }
  }

  /// Writes the chapters of a book after its table of contents. A chapter that cannot be read is
  /// skipped.
  private func writeChapters(
    _ parts: PartList, as request: LoadRequest, from loader: PageLoader, _ profile: Profile
  ) throws {
    for part in parts.parts {
      var request = request
      request.target = part.url.text
      let waiter = BlockingQueue<LoadEvent>()
      let running = loader.load(request) { waiter.post($0) }
      defer { running.cancel() }
      if presentation.printsTextOnly || presentation.format == .markdown {
        try StandardOutput.write([0x0A])
      }
      let code = Result { try writePage(waitForPage(from: waiter, profile).page, profile) }
      if case .failure(let error) = code, !(error is ExitCode) { throw error }
    }
  }

  /// Waits for the page.
  /// - Returns: the page. If the load failed after a part of the response had been received, the
  ///   page contains that part, and the failure is returned as well.
  /// - Throws: an exit code, after the failure was reported.
  private func waitForPage(
    from waiter: BlockingQueue<LoadEvent>, _ profile: Profile
  ) throws -> (page: Page, failure: ReaderError?) {
    while true {
      switch waiter.waitForNext() {
      case .progressed, .offered, .began: continue
      case .asking(let host):
        StandardOutput.printError("asking the archive of \(SafeText.line(host))")
      case .loaded(let page), .newer(let page): return (page, nil)
      case .failed(let error, let explanation) where explanation.isPartial:
        explanation.notices.forEach(StandardOutput.printError)
        return (explanation, error)
      case .checked: continue
      case .failed(let error, let explanation):
        explanation.notices.forEach(StandardOutput.printError)
        StandardOutput.printError(message(for: error, profile))
        if let variant = explanation.savedVariant {
          let command = "offread dump" + (load.offline ? " --offline" : "")
          StandardOutput.printError(ReaderError.suggestion(forSaved: variant, command: command))
        }
        throw ExitCode(error.exitCode)
      }
    }
  }

  /// Returns the message for a page that could not be loaded. It does not advise using the network
  /// if an error in the settings prevents that.
  private func message(for error: ReaderError, _ profile: Profile) -> String {
    guard profile.settings.isSavedOnly, case .notSaved(let url, _) = error else {
      return error.text(in: profile)
    }
    let name = SafeText.line(SafeText.withoutCredentials(url))
    return "\(name) is not saved, and was not requested because of an error in the settings file"
  }

  /// Prints notices on standard error and returns the exit code for a page that was written.
  private func report(on page: Page) -> Int32 {
    page.document.readerFacts?.trace.forEach { StandardOutput.printError(SafeText.line($0)) }
    if let notice = page.document.readerFacts?.notice {
      StandardOutput.printError(notice)
    } else if page.needsScripts {
      let advice =
        page.url.isWebURL
        ? "to render it in a browser, use offread save --render" : "open it in a browser"
      StandardOutput.printError("\(page.scriptMessage); \(advice)")
    }
    if self.presentation.printsTextOnly, let nextPageURL = page.document.nextPageURL {
      StandardOutput.printError(
        "next page: " + SafeText.line(SafeText.withoutCredentials(nextPageURL)))
    }
    page.notices.forEach(StandardOutput.printError)
    page.emptinessText.map(StandardOutput.printError)
    if let variant = page.savedVariant {
      StandardOutput.printError(
        ReaderError.suggestion(forSaved: variant, command: "offread dump --offline"))
    }
    StaleNotice.text(page.provenance, now: Date()).map(StandardOutput.printError)
    switch page.provenance.source {
    case .saved(.imported): break
    case .saved: return self.presentation.failsOnStale && !page.provenance.isFresh ? 3 : 0
    case .substituted: StandardOutput.printError(Banner.substitutedPageText)
    case .network, .fresh, .builtIn, .file, .explanation: break
    }
    guard page.isError else { return 0 }
    let wait = page.waitText(now: Date()).map { "; " + $0 } ?? ""
    StandardOutput.printError(
      ReaderError.status(url: page.url.text, page.status).description + wait)
    return 5
  }

  private func writePage(_ page: Page, _ profile: Profile) throws {
    let document = page.document
    switch presentation.format {
    case .text:
      let drawing = imageDrawing(profile, of: page, depth: .none) { _ in [] }
      try writeLines(of: document, profile.settings, drawing) { $0.plainText() }
    case .ansi:
      let settings = profile.settings
      let theme = Theme.themeForPrinting(
        profile.themes.themes,
        chosen: [profile.choices.theme(insteadOf: settings.theme), settings.theme]
          .compactMap(\.self),
        isDark: TerminalBackground.isDark(SystemProcesses.environment))
      let depth = colorDepth(settings)
      let drawing = imageDrawing(profile, of: page, depth: depth) {
        Self.sgrSequence($0, theme: theme, depth: depth)
      }
      try writeLines(of: document, profile.settings, drawing) {
        ansiLines($0, of: document, theme: theme, depth: depth)
      }
    case .links:
      let lines = document.links.indices.compactMap { document.url(ofLink: $0) }
      let text = lines.map { SafeText.line(SafeText.withoutCredentials($0)) + "\n" }.joined()
      try StandardOutput.write(Array(text.utf8))
    case .outline: try StandardOutput.write(outlineText(of: document))
    case .markdown: try StandardOutput.write(document.markdown(document.exportTargets))
    case .html:
      let targets = document.htmlTargets(url: page.url, ids: FragmentIDs(document))
      try StandardOutput.write(document.semanticHTML(targets))
    case .json:
      let url = page.url.withoutCredentials
      try StandardOutput.write(document.json(url: url.text, document.exportTargets))
    }
  }

  private func layoutOptions(
    of document: Document, _ settings: Settings, drawsImages: Bool
  ) -> LayoutOptions {
    // A narrow terminal would break the lines within words.
    let terminalWidth = max(20, StandardOutput.terminalColumns() ?? Self.maxDefaultWidth)
    let width = presentation.width ?? min(Self.maxDefaultWidth, terminalWidth)
    var options = LayoutOptions(width: width, linkNumbers: presentation.links)
    options.widths = DisplayWidth(ambiguousWidth: settings.ambiguousWidth)
    options.highlightsCode = settings.highlightsCode && presentation.format == .ansi
    options.isLinear = presentation.linear || settings.isLinear
    options.isASCII = StandardOutput.isNonUTF8Terminal
    options.substitution = options.isASCII ? TerminalCharset.current.substitution : nil
    if drawsImages, !options.isLinear {
      options.imageSpace = ImageSpace(maxImageRows: Self.maxImageRows)
    }
    if presentation.links != .none {
      // Link numbers and inline URLs show where a link leads, not the text of its `href` attribute.
      options.linkTargets = document.links.indices.map { index in
        let url = document.url(ofLink: index) ?? document.links[index].target
        return SafeText.line(SafeText.withoutCredentials(url))
      }
    }
    return options
  }

  /// Lays out and writes 1000 lines at a time, so that memory does not grow with the length of the
  /// page.
  private func writeLines(
    of document: Document, _ settings: Settings, _ drawing: ImageDrawing?,
    _ text: (PageLayout) -> [UInt8]
  ) throws {
    let options = layoutOptions(of: document, settings, drawsImages: drawing != nil)
    if let reader = document.readerFacts {
      let title = reader.metadata.title
      // The first empty line separates the title from the text, also without a title.
      if !title.isEmpty {
        try StandardOutput.write(
          text(PageLayout(Document(line: SafeText.line(title)), options: options)))
      }
      if !title.isEmpty || !document.text.isEmpty {
        try StandardOutput.write(Array((title.isEmpty ? "\n\n" : "\n").utf8))
      }
    }
    var builder = PageLayout.Builder(document, options: options)
    var firstLine = 0
    while !builder.isComplete {
      builder.layOut(minLines: Self.lineBatchSize)
      let layout = builder.layout
      let bytes = text(layout)
      try StandardOutput.write(
        drawing.map { linesWithImages(of: layout, from: firstLine, bytes, document, $0) } ?? bytes)
      firstLine += layout.lines.count
      builder.drain()
    }
  }

  /// The width of the text unless an option or a narrower terminal determines it.
  private static let maxDefaultWidth = 80

  /// Maximum number of rows of an image.
  private static let maxImageRows = 24

  private static let lineBatchSize = 1000

  private func outlineText(of document: Document) -> [UInt8] {
    var output: [UInt8] = []
    for block in document.blocks {
      guard case .heading(let level) = block.kind else { continue }
      output += [UInt8](repeating: 0x20, count: 2 * (Int(level) - 1))
      output += document.outlineText(of: block).utf8
      output.append(0x0A)
    }
    return output
  }
}
