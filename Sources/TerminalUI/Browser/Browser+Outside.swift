import Pages
import Commands
import DOM
import Foundation
import Document
import Layout
import OfflineCache
import Terminal

/// Output to files, shell commands, the editor and other programs; and display options of the page.
extension Browser {
  /// Wraps long lines of code, or cuts them.
  mutating func toggleWrapping() {
    appearance.toggleWrapping()
    let keys = "\(keyName(of: .panLeft)) and \(keyName(of: .panRight))"
    notify(
      appearance.wrapsCode
        ? "long lines of code are wrapped" : "long lines of code are cut off; \(keys) scroll them")
    relayout()
  }

  /// Scrolls cut lines of code by quarters of the screen, to the left if negative.
  mutating func scrollHorizontally(by steps: Int) {
    guard !appearance.wrapsCode else {
      notify("long lines of code are wrapped; \(keyName(of: .wrapCode)) cuts them off")
      return
    }
    appearance.scrollHorizontally(by: max(1, size.columns / 4) * steps)
  }

  /// Scrolls cut lines of code as little as necessary to show bytes of a line.
  mutating func scrollHorizontallyToShow(_ bytes: Range<Int>, line: Int) {
    guard !appearance.wrapsCode, let view, isTruncated(line: line, of: view) else { return }
    var shown: Range<Int>?
    view.layout.forEachCluster(ofLine: line, displayWidth) { cluster, _ in
      guard cluster.textRange.overlaps(bytes) else { return }
      let end = cluster.column + cluster.width
      shown =
        min(
          cluster.column, shown?.lowerBound ?? cluster.column)..<max(end, shown?.upperBound ?? end)
    }
    guard let shown else { return }
    // The marks at the ends of the line cover a column each.
    let columns = max(1, size.columns - view.gutterWidth - 1)
    let first = appearance.horizontalOffset > 0 ? appearance.horizontalOffset + 1 : 0
    guard shown.lowerBound < first || shown.upperBound > appearance.horizontalOffset + columns
    else { return }
    let pan = shown.upperBound <= columns ? 0 : max(0, shown.lowerBound - columns / 4)
    appearance.scrollHorizontally(by: pan - appearance.horizontalOffset)
  }

  /// Whether a line is wider than the screen and is cut off.
  func isTruncated(line: Int, of view: PageView) -> Bool {
    !appearance.wrapsCode
      && view.layout.width(ofLine: line, displayWidth) + view.gutterWidth > size.columns
  }

  /// The page on the screen; nil, with a notice, if there is none.
  private var openPageOrNotice: Page? {
    mutating get {
      if view == nil { notify("no page is open") }
      return view?.page
    }
  }

  /// Passes the text of the page to a shell command, or opens the prompt for one.
  mutating func pipePage(to line: String?) -> [Effect] {
    guard openPageOrNotice != nil else { return [] }
    if let line { return runShellCommand(line, isPipe: true) }
    openPrompt(.shell(isPipe: true))
    return []
  }

  /// Opens the text of the page in the editor. For a page from a local file, opens the file
  /// instead, and reloads the page.
  mutating func openPageInEditor() -> [Effect] {
    guard let page = openPageOrNotice else { return [] }
    let editor = ShellCommand.editorCommandLine
    if page.provenance.source == .file, let path = URL(string: page.url.text)?.path,
      page.url.hasScheme("file")
    {
      return [
        .runShellCommand(ShellCommand(line: editor, input: .fileName(path), url: page.url.text))
      ]
        + reload()
    }
    return [
      .runShellCommand(ShellCommand(line: editor, input: .file(pageText), url: page.url.text))
    ]
  }

  /// Writes the focused link or image, or the page, to a file, or opens the prompt for its name.
  mutating func download(to name: String?) -> [Effect] {
    guard let page = openPageOrNotice else { return [] }
    if case .image(let image)? = view?.focus, let attachment = view?.embeddedImage(at: image) {
      if let name { return download(attachment.url, attachment, to: name) }
      openPrompt(.download(attachment.url, attachment), text: attachment.fileName)
      return []
    }
    let url = focusedURL ?? page.url.text
    let attachment = focusedURL == nil ? page.attachment : nil
    guard focusedURL != nil || page.sentForm == nil || attachment?.content != nil else {
      reportError(Self.formResponseMessage)
      return []
    }
    guard url.isWebURL else {
      reportError("only http and https URLs can be downloaded")
      return []
    }
    if let name { return download(url, attachment, to: name) }
    openPrompt(
      .download(url, attachment),
      text: DownloadName.defaultName(
        suggested: attachment?.suggestedName ?? "", url: url,
        mediaType: focusedURL == nil ? page.mediaType : ""))
    return []
  }

  /// Opens the focused link, or else the page, in another program.
  mutating func openInOtherProgram() -> [Effect] {
    guard let url = focusedURL ?? view?.page.url.text else {
      notify("no page is open")
      return []
    }
    guard focusedURL != nil || view?.page.sentForm == nil else {
      reportError(Self.formResponseMessage)
      return []
    }
    guard focusedURL != nil || !isStandardInput else {
      notify(Self.noURLMessage)
      return []
    }
    return openInOtherProgram(url)
  }

  /// URL schemes that other programs cannot use, or that a page must not pass to one.
  private static let internalSchemes: Set = [
    "javascript", "vbscript", "data", "blob", "about", "stdin", "file", "book", "cid", "mid",
  ]

  /// Opens a URL in the program that is set for it.
  mutating func openInOtherProgram(_ url: String) -> [Effect] {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    // Rejects scripts, URLs that only this program resolves, and local files named by pages from
    // elsewhere.
    let isLocalFileLink = scheme == "file" && view?.page.provenance.source == .file
    guard
      !Self.internalSchemes.contains(scheme) || isLocalFileLink,
      !url.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      let key = keyName(of: url == view?.page.url.text ? .copyURL : .copyLink)
      reportError("\(displayURL(scheme)): URLs are not opened; \(key) copies the URL")
      return []
    }
    return [.openInOtherProgram(url)]
  }

  /// Runs a shell command in the terminal, with the text of the page as its input if `isPipe` is
  /// true. An empty command starts an interactive shell.
  mutating func runShellCommand(_ line: String, isPipe: Bool) -> [Effect] {
    if isPipe, !line.contains(where: { $0 != " " }) { return [] }
    let input: ShellCommand.Input = isPipe ? .text(pageText) : .terminal
    return [
      .runShellCommand(ShellCommand(line: line, input: input, url: view?.page.url.text ?? ""))
    ]
  }

  /// The text of the page as it is shown, in which the lines that the layout wrapped are joined.
  private var pageText: [UInt8] {
    mutating get {
      view?.layOutRest()
      guard let layout = view?.layout, !layout.lines.isEmpty else { return [] }
      let lines = 0...layout.lines.count - 1
      return Array(layout.text(ofLines: lines, keepsSubstitutes: true).utf8) + [10]
    }
  }

  /// The title of the terminal window.
  package var windowTitle: String {
    let title =
      (loading.load?.firstScreens ?? view).map { SafeText.line($0.page.document.title) } ?? ""
    return title.isEmpty
      ? "offread" : "\(displayWidth.truncated(title, to: 60, ellipsis: glyphs.ellipsis)) - offread"
  }
}
