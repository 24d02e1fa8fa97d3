import Dispatch
import HTML
package import OfflineCache
import Synchronization

/// Loads pages: from the web through a URLSession with the cache in it, from files, from standard
/// input.
package final class PageLoader: Sendable {
  private let profile: Profile
  private let base: String?
  private let queue = DispatchQueue(label: "offread.pages", attributes: .concurrent)
  /// Makes a loader.
  /// - Parameters:
  ///   - profile: where the cache is.
  ///   - base: the URL against which links of files and of standard input are resolved.
  package init(profile: Profile, base: String? = nil) {
    self.profile = profile
    self.base = base
  }

  /// Starts to load.
  /// - Parameters:
  ///   - request: what is wanted, and who asks.
  ///   - event: called from any thread, one call at a time, in the order that `LoadEvent` names;
  ///     never again once `cancel()` has returned on the same thread.
  /// - Returns: the running load.
  package func load(
    _ request: LoadRequest, event: @escaping @Sendable (LoadEvent) -> Void
  ) -> PageLoad {
    let load = PageLoad(event)
    queue.async { [self] in
      do throws(ReaderError) {
        try begin(request, load)
      } catch {
        load.report(.failed(error, explanation: explain(error, url: request.target)))
      }
    }
    return load
  }

  /// Which of some absolute URLs give a saved page, redirects followed.
  package func savedLinks(_ targets: [String]) -> Set<String> {
    let cache = profile.cache
    let keys = targets.compactMap { target in cache.key(of: target).map { (target, $0) } }
    let saved = cache.savedPages(among: keys.map(\.1))
    return Set(keys.filter { saved.contains($0.1) }.map(\.0))
  }

  private func begin(_ request: LoadRequest, _ load: PageLoad) throws(ReaderError) {
    let address =
      switch request.origin {
      case .user: try Address(typed: request.target)
      case .link(let page): try Address(link: request.target, from: page)
      }
    switch address {
    case .file(let path):
      let page = try localPage(
        LocalFile.read(path), name: path, url: address.url, limit: request.options.renderLimit)
      load.report(.loaded(page))
    case .standardInput:
      let page = try localPage(
        LocalFile.readStandardInput(), name: "", url: address.url,
        limit: request.options.renderLimit)
      load.report(.loaded(page))
    case .web(let url), .builtIn(let url):
      let url = request.origin == .user ? withoutTypedCredentials(url) : url
      WebReading(
        url: url, options: request.options, loader: self, load: load, cache: profile.cache
      ).start()
    }
  }

  /// The URL without the user name and password that were typed with it; they are known from now on
  /// to every load of their origin. Pages carry their addresses without them.
  private func withoutTypedCredentials(_ url: String) -> String {
    guard let parsed = WebURL(url), let credentials = Credentials(of: parsed) else { return url }
    profile.cache.signIn(credentials, at: url, isEager: true)
    return parsed.withoutCredentials.description
  }

  /// Signs in for as long as the program runs.
  /// - Parameters:
  ///   - credentials: who signs in.
  ///   - question: what a page asked.
  package func signIn(_ credentials: Credentials, for question: SignIn) {
    profile.cache.signIn(credentials, at: question.url, realm: question.realm)
  }

  private func localPage(
    _ bytes: consuming [UInt8], name: String, url: String, limit: Int64
  ) throws(ReaderError) -> Page {
    let length = bytes.count
    let isHTML = [".html", ".htm", ".html.gz", ".htm.gz"].contains {
      name.lowercased().hasSuffix($0)
    }
    let content: PageContent
    do throws(PageContent.Problem) {
      content = try PageContent(bytes, type: MediaType(isHTML ? "text/html" : nil), limit: limit)
    } catch {
      let path = name.isEmpty ? "standard input" : name
      switch error {
      case .notText(let mediaType):
        throw .unreadableFile(
          path: path, "is not text (\(mediaType), \(ReaderError.size(length)))")
      case .tooLarge:
        throw .unreadableFile(
          path: path, "is larger than \(ReaderError.size(Int(limit))) when it is unpacked")
      }
    }
    let mediaType = content.mediaType
    return Page(
      requestedURL: url, url: base ?? url, document: content.document(url: base ?? url),
      provenance: Provenance(source: .file), mediaType: mediaType, length: length)
  }

  /// The page that explains an error, with what is saved of the same host.
  func explain(_ error: ReaderError, url: String) -> Page {
    var saved: [String] = []
    if error.isMissingPage, case .web(let web)? = try? Address(typed: url, exists: { _ in false }),
      let host = WebURL(web)?.host, let cache = profile.cacheIfOpened
    {
      let pages = try? cache.archive.keys(host: host, limit: 50)
      saved = (pages ?? []).filter { $0.response.status == 200 }.map(\.key)
    }
    return ExplanationPage(error: error, url: url, saved: saved).page
  }
}

/// A running load.
package final class PageLoad: Sendable {
  private struct State {
    var event: (@Sendable (LoadEvent) -> Void)?
    var session: SessionLoad?
  }

  private let state: Mutex<State>

  init(_ event: @escaping @Sendable (LoadEvent) -> Void) {
    state = Mutex(State(event: event))
  }

  /// Ends the load; no event follows.
  package func cancel() {
    let session = state.withLock { state in
      state.event = nil
      defer { state.session = nil }
      return state.session
    }
    session?.cancel()
  }

  /// Whether nobody wants the page any more.
  var isCancelled: Bool { state.withLock { $0.event == nil } }

  func attach(_ session: SessionLoad) {
    let isWanted = state.withLock { state in
      state.session = session
      return state.event != nil
    }
    if !isWanted { session.cancel() }
  }

  /// Ends what the session does; what it reports is not wanted.
  func stopSession() {
    state.withLock(\.session)?.cancel()
  }

  func report(_ event: LoadEvent) {
    state.withLock { $0.event }?(event)
  }
}
