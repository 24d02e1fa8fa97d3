import Commands
import DOM
import Foundation
import Document
import Layout
import OfflineCache
import Reader
import Terminal

/// Output to files, shell commands, the editor and other programs; and display options of the page.
extension Browser {
  /// Executes a command that changes how images or code are displayed.
  mutating func changeLook(_ command: Command, by steps: Int) {
    switch command {
    case .images: changeImages()
    case .wrapCode:
      look.toggleWrapping()
      let keys = "\(key(of: .panLeft)) \(key(of: .panRight))"
      notice = Notice(text: look.wrapsCode ? "code is wrapped" : "code is cut; \(keys) pan")
    default:
      guard !look.wrapsCode else {
        notice = Notice(text: "nothing is cut; \(key(of: .wrapCode)) cuts long lines of code")
        return
      }
      let step = max(1, size.columns / 4) * steps
      look.pan(by: command == .panRight ? step : -step)
      return
    }
    relayout()
  }

  /// Passes the page, or the focused link, to a file, a shell command or the editor.
  mutating func handOver(by command: Command, _ argument: String?) -> [Effect] {
    guard let page = view?.page else {
      notice = Notice(text: "there is no page yet")
      return []
    }
    switch command {
    case .pipe:
      if let argument { return run(argument, isPipe: true) }
      openPrompt(.shell(isPipe: true))
    case .editor:
      let editor = ShellCommand.editor
      if page.provenance.source == .file, let path = URL(string: page.url)?.path,
        page.url.hasScheme("file")
      {
        return [.run(ShellCommand(line: editor, input: .named(path), url: page.url))] + reload()
      }
      return [.run(ShellCommand(line: editor, input: .file(text), url: page.url))]
    default:
      if case .image(let image)? = view?.focus, let attachment = view?.embeddedImage(at: image) {
        if let argument { return download(attachment.url, attachment, to: argument) }
        openPrompt(.download(attachment.url, attachment), text: attachment.fileName)
        return []
      }
      let url = focusedURL ?? page.url
      let attachment = focusedURL == nil ? page.attachment : nil
      guard focusedURL != nil || page.sent == nil || attachment?.content != nil else {
        notice = Notice(text: "the answer to a form is not had by its address", isError: true)
        return []
      }
      guard url.isWebURL else {
        notice = Notice(text: "only what comes from the web is written to a file", isError: true)
        return []
      }
      if let argument { return download(url, attachment, to: argument) }
      openPrompt(
        .download(url, attachment),
        text: DownloadName.make(
          suggested: attachment?.suggestedName ?? "", url: url,
          mediaType: focusedURL == nil ? page.mediaType : ""))
    }
    return []
  }

  /// Opens the focused link, or else the page, in another program.
  mutating func openOutside() -> [Effect] {
    guard let url = focusedURL ?? view?.page.url else {
      notice = Notice(text: "there is no page yet")
      return []
    }
    guard focusedURL != nil || view?.page.sent == nil else {
      notice = Notice(text: "the answer to a form is not had by its address", isError: true)
      return []
    }
    return openOutside(url)
  }

  /// URL schemes that other programs cannot use, or that a page must not pass to one.
  private static let ownSchemes: Set = [
    "javascript", "vbscript", "data", "blob", "about", "stdin", "file", "book", "cid", "mid",
  ]

  /// Opens a URL in the program that is set for it.
  mutating func openOutside(_ url: String) -> [Effect] {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    // Rejects scripts, URLs that only this program resolves, and local files named by pages from
    // elsewhere.
    let isOwnFile = scheme == "file" && view?.page.provenance.source == .file
    guard
      !Self.ownSchemes.contains(scheme) || isOwnFile,
      !url.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      notice = Notice(
        text: "\(shown(scheme)): addresses are not opened; \(key(of: .copyLink)) copies one",
        isError: true)
      return []
    }
    return [.openOutside(url)]
  }

  /// Runs a shell command in the terminal.
  mutating func run(_ line: String, isPipe: Bool) -> [Effect] {
    if isPipe, !line.contains(where: { $0 != " " }) { return [] }
    let input: ShellCommand.Input = isPipe ? .text(text) : .terminal
    return [.run(ShellCommand(line: line, input: input, url: view?.page.url ?? ""))]
  }

  /// The text of the page as it is laid out.
  private var text: [UInt8] {
    mutating get {
      view?.complete()
      guard let layout = view?.layout else { return [] }
      return layout.lines.flatMap { layout.text[Int($0.start)..<Int($0.end)] + [10] }
    }
  }

  /// The title of the terminal window.
  package var windowTitle: String {
    let title =
      (loading.load?.beginning ?? view).map { SafeText.line($0.page.document.title) } ?? ""
    return title.isEmpty
      ? "offread" : "\(widths.truncated(title, to: 60, ellipsis: glyphs.ellipsis)) - offread"
  }
}
