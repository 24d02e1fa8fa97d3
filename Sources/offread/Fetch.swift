import Reader
import Document
import Foundation
import OfflineCache
import OfflineCacheURLSession
import Pages
import Profiles
import TerminalUI

/// Sends one request through the cache and writes the response.
struct Fetch {
  /// The request.
  var request: WebRequest
  /// The options for the cache.
  var options: LoadOptions
  /// Maximum number of redirects to follow.
  var maxRedirects: Int
  /// Whether to write the status line and the header fields before the content.
  var showsHead: Bool
  /// The file for the content; nil for standard output.
  var output: String?
  /// Whether to log the request and the responses on standard error.
  var isVerbose: Bool

  /// Loads the URL and writes the response.
  /// - Parameter profile: the profile, which is closed at the end.
  /// - Returns: the exit code.
  func run(in profile: Profile) -> Int32 {
    let inbox = NavigationInbox()
    let cache = profile.cache
    defer { StandardOutput.closeAndPrintNotices(closing: profile) }
    if isVerbose { printError("> \(request.method) \(request.url)") }
    var options = options
    options.isUserEntered = true
    let load = cache.startInSession(
      request, options: options, maxRedirects: maxRedirects, into: inbox)
    defer { load.cancel() }
    do {
      var target = try ContentOutput(path: output)
      let code = try receiveResponse(from: inbox, cache, to: &target)
      if code == 0 { try target.finish() }
      profile.drainWarnings().forEach(StandardOutput.printError)
      profile.finishBackgroundWork()
      if isVerbose { printError("* \(cache.counters)") }
      return code
    } catch let error as StandardOutput.WriteError {
      StandardOutput.printError("\(ContentOutput.displayName(of: output)): \(error.message)")
    } catch {
      StandardOutput.printError(ErrorMessage.text(error))
    }
    return 1
  }

  private func receiveResponse(
    from inbox: NavigationInbox, _ cache: HTTPCache, to target: inout ContentOutput
  ) throws -> Int32 {
    var url = request.url.description
    var isNew = false
    while true {
      switch inbox.next() {
      case .redirected(let from, let to, let response):
        if isVerbose { logRedirect(from: from, to: to, response) }
        url = to.description
      case .response(let response, let answering):
        url = answering.description
        isNew = response.source == .network
        logResponse(response, url: url)
        if isNew, [404, 410].contains(response.response.status) {
          StandardOutput.printVariant(of: url, in: cache, command: "offread fetch --offline")
        }
        if showsHead { try target.write(head: head(response.response)) }
      case .data(let bytes): try target.write(bytes)
      case .finished(let stored):
        if isNew, let reason = stored?.rejectionReason {
          var provenance = Provenance(source: .network)
          provenance.rejection = SavedReason(reason)
          StaleNotice.text(provenance, now: Date()).map(StandardOutput.printError)
        }
        return 0
      case .failed(let error):
        let error = ReaderError(error, url: url, options: options, method: request.method)
        StandardOutput.printError(error.description)
        if error.isMissingPage {
          let command = "offread fetch" + (options.mode == .cacheOnly ? " --offline" : "")
          StandardOutput.printVariant(of: url, in: cache, command: command)
        }
        return error.exitCode
      case .refreshed, .checked: continue
      }
    }
  }

  private func logRedirect(from: WebURL, to: WebURL, _ response: LoadedResponse) {
    let target = SafeText.withoutCredentials(to.description)
    let source = SafeText.withoutCredentials(from.description)
    printError("< \(response.response.status) \(source) -> \(target)")
  }

  private func logResponse(_ response: LoadedResponse, url: String) {
    if isVerbose {
      printError("< \(response.response.status) \(url)")
      for line in response.response.fields.lines { printError("< \(line.name): \(line.value)") }
    }
    if response.source == .substituted { StandardOutput.printError(Banner.substitutedPageText) }
    if let notice = response.otherScheme?.notice(for: url) { StandardOutput.printError(notice) }
    let provenance = Provenance(response, now: Date())
    StaleNotice.text(provenance, now: Date()).map(StandardOutput.printError)
  }

  private func head(_ response: ResponseHead) -> [UInt8] {
    var text = "HTTP/1.1 \(response.status) \(response.reason)\r\n"
    for line in response.fields.lines { text += "\(line.name): \(line.value)\r\n" }
    return Array((text + "\r\n").utf8)
  }

  private func printError(_ text: String) {
    let line = SafeText.line(SafeText.withoutCredentials(inText: text))
    try? StandardOutput.write(Array((line + "\n").utf8), to: 2)
  }
}
