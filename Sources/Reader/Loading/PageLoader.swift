import LocalDocuments
package import Pages
package import Profiles
import Rendering
import DOM
import Configuration
import Exchange
import Library
import Dispatch
package import Foundation
import Document
import Formats
package import ReaderMode
package import OfflineCache
import Synchronization

/// Loads pages from the web through the cache, from local files, from imported books and from
/// standard input.
package final class PageLoader: Sendable {
  let profile: Profile
  private let baseURL: DocumentAddress?
  /// Whether pages keep their content, so that another view can be shown later.
  let keepsContent: Bool
  private let queuesMissingPages: Bool
  /// The keys that explanations and descriptions of files name.
  let keyNames: KeyNames
  private let queue = DispatchQueue(label: "offread.pages", attributes: .concurrent)
  private let recordQueue = DispatchQueue(label: "offread.pages.notes")
  /// First-visit responses to URLs the user entered, with their redirect chains (for captive-portal
  /// detection).
  private let firstVisits = Mutex<[(response: FirstVisitResponse, redirectChain: [WebURL])]>([])
  private let began = Date()
  /// Maximum number of first-visit responses that are remembered.
  private static let maxFirstVisits = 64

  /// Creates a loader.
  /// - Parameters:
  ///   - profile: the profile with the cache.
  ///   - base: the base URL for links in local files and standard input.
  ///   - keepsContent: whether pages keep their content for other views, which takes memory.
  ///   - queuesMissingPages: whether a page that is neither saved nor reachable is queued for the
  ///     next sync, and an unread page is marked as read when it is shown.
  ///   - keyNames: the keys that explanations and descriptions of files name.
  package init(
    profile: Profile, base: String? = nil, keepsContent: Bool = false,
    queuesMissingPages: Bool = false, keyNames: KeyNames = KeyNames()
  ) {
    self.keyNames = keyNames
    self.queuesMissingPages = queuesMissingPages
    self.profile = profile
    baseURL = base.map { DocumentAddress($0) }
    self.keepsContent = keepsContent
  }

  /// Starts to load a page.
  /// - Parameters:
  ///   - request: the target, the options and the origin of the load.
  ///   - event: called from any thread, one call at a time, in the order that `LoadEvent`
  ///     describes; never after `cancel()` has returned on the same thread.
  /// - Returns: the running load.
  package func load(
    _ request: LoadRequest, event: @escaping @Sendable (LoadEvent) -> Void
  ) -> PageLoad {
    let load = PageLoad(event)
    queue.async { [self] in
      do throws(ReaderError) {
        try begin(request, load)
      } catch {
        let url = request.displayedTarget
        load.report(.failed(error, explanation: explain(error, url: url, for: request)))
      }
    }
    return load
  }

  /// Returns the date of the saved page to which each of the given absolute URLs leads, following
  /// saved redirects. The result has no entry for a URL that leads to no saved page.
  package func savedLinks(_ targets: [String]) -> [String: Date] {
    let cache = profile.cache
    let keys = targets.compactMap { target in cache.key(of: target).map { (target, $0) } }
    let saved = cache.savedDates(among: keys.map(\.1))
    return Dictionary(
      keys.compactMap { target, key in saved[key].map { (target, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  private func begin(_ request: LoadRequest, _ load: PageLoad) throws(ReaderError) {
    let address = try address(of: request)
    switch address {
    case .file(let path):
      if let (file, inner) = try profile.documents.file(of: address.url) {
        return load.report(.loaded(try page(at: inner, of: file, for: request)))
      }
      if let text = LocalFile.refusal(of: path, isArgument: request.isArgument) {
        throw .unreadableFile(path: path, text)
      }
      if DirectoryPage.isDirectory(path) {
        return load.report(.loaded(try DirectoryPage(reading: path).page))
      }
      let content = try LocalFile.read(path)
      if let file = try profile.documents.file(reading: content, from: path) {
        return load.report(.loaded(try page(at: "", of: file, for: request)))
      }
      let fragment =
        request.origin == .user
        ? Address.fragment(ofTyped: request.target, path: path)
        : String(request.target.drop { $0 != "#" })
      let page = try localPage(
        content, name: path, url: address.url, fragment: fragment, for: request, load)
      load.report(.loaded(page))
    case .standardInput:
      let content = try LocalFile.readStandardInput()
      if let file = try profile.documents.file(reading: content, from: "/dev/stdin") {
        return load.report(.loaded(try page(at: "", of: file, for: request)))
      }
      let page = try localPage(content, name: "", url: address.url, for: request, load)
      load.report(.loaded(page))
    case .book(let url): load.report(.loaded(try bookPage(url, for: request)))
    case .feedItem(let url): load.report(.loaded(try feedItemPage(url, for: request)))
    case .web(let url), .builtIn(let url): startReading(url, for: request, load)
    }
  }

  private func startReading(_ url: WebURL, for request: LoadRequest, _ load: PageLoad) {
    var request = request
    request.options.isSchemeAssumed =
      request.origin == .user && request.content == nil
      && Address.assumesScheme(request.target, isOffline: request.options.mode == .cacheOnly)
    let url = request.origin == .user ? withoutTypedCredentials(url) : url
    if let event = storedEnclosure(at: url, for: request) { return load.report(event) }
    let reading = WebReading(request, url: url, loader: self, load: load, cache: profile.cache)
    if request.isRendered {
      reading.startRendered()
    } else if let date = request.mementoDate {
      reading.startInArchives(near: date)
    } else {
      reading.start()
    }
  }

  /// Returns the target of a request. Links of a file that contains pages are resolved within the
  /// file; they cannot lead to other local files, except to the directory that contains the file.
  private func address(of request: LoadRequest) throws(ReaderError) -> Address {
    guard case .link(let page) = request.origin else { return try Address(typed: request.target) }
    guard let (file, _) = try profile.documents.file(of: page) else {
      return try Address(link: request.target, from: page)
    }
    let target = String(request.target.prefix { $0 != "#" })
    if let inner = file.inner(for: target) { return try Address(typed: inner.text) }
    let address = try Address(link: request.target, from: page)
    guard case .file = address, !file.isRelatedURL(address.url) else { return address }
    throw .forbiddenTarget(address.url.text)
  }

  /// Returns a page of an imported book, and records that it was read.
  private func bookPage(_ url: String, for request: LoadRequest) throws(ReaderError) -> Page {
    guard let address = BookAddress(url) else { throw .invalidURL(url) }
    let book = try profile.book(address.key)
    let provenance = Provenance(
      source: .saved(.imported), contentDate: book.stored.contentDate,
      importedFile: book.stored.importedFile)
    let page = try page(at: address.path, of: book.file, for: request, provenance)
    recordRead(page)
    return page
  }

  /// Returns a page of a file that contains pages. A ZIM file is recorded, so that searches include
  /// it.
  private func page(
    at inner: String, of file: DocumentFile, for request: LoadRequest,
    _ provenance: Provenance = Provenance(source: .file)
  ) throws(ReaderError) -> Page {
    if case .zim = file.form { profile.recordOpened(zim: file) }
    return try page(
      showing: try file.item(at: inner), at: inner, of: file, for: request, provenance)
  }

  /// Returns the page that shows an item at a path in a file that contains pages.
  func page(
    showing item: DocumentFile.Item, at inner: String, of file: DocumentFile,
    for request: LoadRequest, _ provenance: Provenance = Provenance(source: .file)
  ) throws(ReaderError) -> Page {
    let requestedURL = inner.isEmpty ? file.url : file.url(of: inner)
    let url = item.url ?? requestedURL
    let fragment = String(request.target.drop { $0 != "#" })
    var content: PageContent
    do throws(PageContent.Problem) {
      content = try PageContent(
        document: item.bytes, type: item.type, limit: request.options.maxRenderedSize,
        title: item.title ?? FileName(reference: url.text)?.text ?? "")
    } catch {
      guard case .notText(let mediaType) = error else {
        throw .unreadableFile(
          path: file.path, "has \(inner), which is larger than the limit for a page")
      }
      var attachment = Attachment(url: url.text, mediaType: mediaType, length: item.bytes.count)
      attachment.content = item.bytes
      let problem = PDFText.extractionProblem(in: item.bytes)
      return AttachmentPage(
        attachment: attachment, extractionProblem: problem, keyNames: keyNames
      ).page(requestedURL: requestedURL, provenance: provenance)
    }
    content.base = item.base
    content.frame = keepsContent ? item.frame : nil
    content.styleSheet = item.styleSheet
    let view = view(of: url, for: request)
    var page = Page(
      requestedURL: requestedURL.appending(fragment: fragment),
      url: url.appending(fragment: fragment), document: Document(),
      provenance: provenance, mediaType: content.mediaType,
      length: item.bytes.count, view: view, content: contentToKeep(content, url: url),
      notices: item.notices + content.notices)
    page.document = item.titled(content.document(url: url.text, view: view))
    page.parts = item.parts
    return page
  }

  /// Returns the URL without a typed user name and password. The cache uses these credentials for
  /// the origin from now on; the URLs of pages never contain them.
  private func withoutTypedCredentials(_ url: WebURL) -> WebURL {
    guard let credentials = Credentials(of: url) else { return url }
    profile.cache.signIn(credentials, at: url, isPreemptive: true)
    return url.withoutCredentials
  }

  /// Signs in to a site until the program ends.
  /// - Parameters:
  ///   - credentials: the user name and the password.
  ///   - question: the authentication challenge of the page.
  package func signIn(_ credentials: Credentials, for question: SignIn) {
    profile.cache.signIn(credentials, at: question.url, realm: question.realm)
  }

  private func localPage(
    _ bytes: [UInt8], name: String, url: DocumentAddress, fragment: String = "",
    for request: LoadRequest, _ load: PageLoad
  ) throws(ReaderError) -> Page {
    let bytes = SavedPage.unpacked(bytes)
    if bytes.isEmpty, let type = FileMediaType.byName(name).map({ MediaType($0) }),
      !type.isText, !type.isHTML
    {
      throw .unreadableFile(path: name, "is empty")
    }
    let content = try Self.content(
      bytes, name: name, url: url.text, limit: request.options.maxRenderedSize)
    let retainedContent = contentToKeep(content, url: baseURL ?? url)
    let view = view(of: baseURL ?? url, for: request)
    var page = Page(
      requestedURL: url.appending(fragment: fragment),
      url: baseURL ?? url.appending(fragment: fragment), document: Document(),
      provenance: Provenance(source: .file), mediaType: content.mediaType, length: bytes.count,
      view: view, content: retainedContent,
      notices: content.notices + Self.fileNotices(of: content))
    if let beginning = firstScreens(of: content, for: page) { load.report(.began(beginning)) }
    page.document = content.document(url: page.url.text, view: view)
    page.findHiddenText()
    return page
  }

  private static func content(
    _ bytes: [UInt8], name: String, url: String, limit: Int64
  ) throws(ReaderError) -> PageContent {
    do throws(PageContent.Problem) {
      return try PageContent(
        document: bytes, type: MediaType(forFileName: name), limit: limit,
        title: FileName(reference: url)?.text ?? "")
    } catch {
      let path = name.isEmpty ? "standard input" : name
      let problem = PDFText.extractionProblem(in: bytes)
      switch error {
      case .notText(let mediaType) where !name.isEmpty:
        throw .notText(url: url, mediaType: mediaType, length: bytes.count, reason: problem)
      case .notText(let mediaType):
        let size = CountFormatter.byteCountText(bytes.count)
        let suffix = problem.isEmpty ? "" : ": \(problem)"
        throw .unreadableFile(path: path, "is not text (\(mediaType), \(size))" + suffix)
      case .tooLarge:
        throw .unreadableFile(
          path: path, "is larger than \(CountFormatter.byteCountText(limit)) when it is unpacked")
      }
    }
  }

  /// The notice for a web archive, whose records are shown as text.
  private static let archiveNotice =
    "the file is a web archive: 'offread import FILE' makes its pages readable"

  /// Returns the notices for the content of a file that needs them.
  private static func fileNotices(of content: PageContent) -> [String] {
    if isWARC(content) { return [archiveNotice] }
    return content.isCutOff && !content.isTruncated ? [PageContent.cutOffNotice] : []
  }

  /// Whether a content is a WARC file, which begins with a record.
  private static func isWARC(_ content: PageContent) -> Bool {
    content.bytes.starts(with: "WARC/1.".utf8)
  }

  /// Returns the content if it may be needed for another view, otherwise nil.
  func contentToKeep(_ content: PageContent, url: DocumentAddress) -> PageContent? {
    keepsContent && content.hasOtherSource(url: url.text) ? content : nil
  }

  /// Returns the first screens of a long page that a user reads in the page view, otherwise nil.
  func firstScreens(of content: PageContent, for page: Page) -> Page? {
    guard keepsContent, page.view == .page, let document = content.firstScreens(url: page.url.text)
    else {
      return nil
    }
    var page = page
    page.document = document
    page.content = nil
    page.notices = []
    return page
  }

  /// Returns the view for a requested page. The preferences that the user chose by key apply to the
  /// interactive reader only.
  func view(of url: DocumentAddress, for request: LoadRequest) -> PageViewMode {
    ReadingPreference.view(
      wanted: request.view, reader: request.reader, of: url.text,
      (keepsContent ? profile.choices.readingPreferences : []) + profile.settings.readingPreferences
    )
  }

  /// Creates another view of a loaded page.
  /// - Parameters:
  ///   - page: the page, with its content.
  ///   - view: the new view.
  ///   - event: called once with `.loaded`, from any thread, unless the load is cancelled.
  /// - Returns: the running load.
  package func read(
    _ page: Page, as view: PageViewMode, event: @escaping @Sendable (LoadEvent) -> Void
  ) -> PageLoad {
    let load = PageLoad(event)
    queue.async { [self] in
      let view = ReadingPreference.view(
        wanted: view, reader: ReaderOptions(), of: page.url.text,
        profile.settings.readingPreferences)
      load.report(.loaded(page.read(as: view)))
    }
    return load
  }

  /// Queues a page for the next sync.
  /// - Returns: whether the page is queued.
  private func enqueue(_ request: LoadRequest, at url: String) -> Bool {
    guard let key = profile.cache.key(of: url) else { return false }
    let from =
      switch request.origin {
      case .user: ""
      case .link(let page): page.withoutCredentials.text
      }
    do throws(ArchiveError) {
      // Offline, more spellings count as assumed than may be tried over the network.
      let isAssumed = request.options.isSchemeAssumed && Address.assumesScheme(request.target)
      let assumed = isAssumed ? [LibraryChange(key, .schemeAssumed, "1")] : []
      try profile.library.record(
        [LibraryChange(key, .queued, from)] + assumed + LibraryChange.address(url, of: key))
      return true
    } catch {
      Self.report(error, for: "the page is not queued", in: profile)
      return false
    }
  }

  /// Records the notice that the library could not be changed, which a private session never does.
  private static func report(_ error: ArchiveError, for action: String, in profile: Profile) {
    if !profile.isPrivate { profile.report(error.message(for: action)) }
  }

  /// Records that a page of the library was read, and its title if it is pinned or queued and not
  /// an item of a feed. Does nothing if the loader does not queue missing pages, or for an error
  /// status.
  func recordRead(_ page: Page) {
    guard queuesMissingPages, ResponseHead.pageStatuses.contains(page.status) else { return }
    let title = page.provenance.source == .explanation ? "" : SafeText.line(page.document.title)
    recordQueue.async { [profile] in
      let keys = Set(
        [page.requestedURL.text, page.url.text].compactMap(profile.cache.key)
          .map(BookAddress.key(of:)))
      do throws(ArchiveError) {
        let pages = try profile.library.pages(keys.sorted())
        let changes = profile.changes(markingRead: pages.filter(\.isUnread))
        // Feed items have titles from their feed; the title of a part is not the title of its book.
        let titled = pages.filter { known in
          (known.pinnedDate != nil || known.queuedDate != nil) && known.feed.isEmpty
            && BookAddress(known.key) == nil && !title.isEmpty && known.title != title
        }
        try profile.library.record(
          changes + titled.map { LibraryChange($0.key, .title, title) })
      } catch {
        Self.report(error, for: "the page is not marked as read", in: profile)
      }
    }
  }

  /// Waits until all pages that were read are recorded.
  package func finishRecording() { recordQueue.sync {} }

  /// Returns the page that explains an error and lists saved pages of the same origin. First queues
  /// the page if only the network is missing and the loader queues missing pages. For a local file
  /// that is not text, returns the page that describes the file.
  func explain(_ error: ReaderError, url: String, for request: LoadRequest) -> Page {
    if case .notText(let file, let mediaType, let length, let problem) = error,
      file.hasScheme("file")
    {
      let attachment = Attachment(url: file, mediaType: mediaType, length: length)
      return AttachmentPage(
        attachment: attachment, extractionProblem: problem, keyNames: keyNames
      ).page(requestedURL: DocumentAddress(file), provenance: Provenance(source: .file))
    }
    let isQueued =
      queuesMissingPages && request.content == nil && error.isNetworkFailure(for: request)
      && enqueue(request, at: url)
    let saved = error.isMissingPage ? savedPages(besides: url) : []
    var explanation = ExplanationPage(error: error, url: url, savedPages: saved, isQueued: isQueued)
    explanation.isRestricted = profile.settings.isSavedOnly
    explanation.keyNames = keyNames
    if error.isMissingPage, let wanted = WebURL(url) {
      explanation.variant = profile.cacheIfOpened?.savedVariant(of: wanted)?.description
    }
    var page = explanation.page
    page.savedVariant = explanation.variant
    page.notices = profile.drainNotices()
    return page
  }

  /// Returns at most 50 saved pages of the same scheme, host and port, newest first.
  private func savedPages(besides url: String) -> [SavedAddresses.Match] {
    guard case .web(let wanted)? = try? Address(typed: url, exists: { _ in false }),
      let host = wanted.host, let cache = profile.cacheIfOpened
    else { return [] }
    let pages = ((try? cache.archive.keys(host: host, limit: 500)) ?? []).filter { page in
      guard page.response.status == 200, let url = WebURL(page.key) else { return false }
      return url.scheme == wanted.scheme && url.port == wanted.port
    }
    let keys = pages.prefix(50).map(\.key)
    let titles = keys.isEmpty ? [:] : (try? profile.search.titles(of: keys)) ?? [:]
    return keys.map { SavedAddresses.Match(url: $0, title: titles[$0] ?? "") }
  }

  /// Records a first-visit response. If a comparison shows that recorded responses come from a
  /// captive portal, marks the versions saved from them as untrusted.
  func record(_ response: FirstVisitResponse, redirectChain: [WebURL]) {
    let urls = firstVisits.withLock { firsts in
      firsts.append((response, redirectChain))
      if firsts.count > Self.maxFirstVisits { firsts.removeFirst() }
      return FirstVisitResponse.signInPages(among: firsts.map(\.response), hasPortalEvidence: false)
        .flatMap { firsts[$0].redirectChain }
    }
    if !urls.isEmpty { profile.cache.distrust(urls, since: began) }
  }

  /// Whether web archives are configured for pages that are not available.
  var hasRemotes: Bool { !profile.settings.remotes.isEmpty }

  /// Requests a page from the configured web archives, one after the other.
  /// - Parameters:
  ///   - page: the URL of the page.
  ///   - date: the preferred capture date.
  ///   - options: limits of time and size.
  ///   - load: the load that reports which archive is queried; its cancellation ends the search.
  ///   - then: called once, from another thread, with the capture that was found, or with a message
  ///     for each archive that has none.
  func queryArchives(
    for page: WebURL, near date: Date, options: LoadOptions, _ load: PageLoad,
    then: @escaping @Sendable (RemoteSearch.Found?, [String]) -> Void
  ) {
    queue.async { [self] in
      let search = RemoteSearch(
        profile: profile, options: options, onRequest: { load.attach($0) },
        isCancelled: { load.isCancelled })
      var tokens: [String] = []
      for archive in profile.settings.remotes where !load.isCancelled {
        do throws(RemoteFailure) {
          _ = try search.permission(toAsk: archive, for: page, keeps: true)
          load.report(.asking(host: archive.host))
          return then(try search.find(page, near: date, in: archive), tokens)
        } catch {
          tokens.append("the archive of \(archive.host) \(error.description)")
        }
      }
      then(nil, tokens)
    }
  }

  /// Renders a page in a browser. Blocks until the rendering is complete.
  func render(_ url: WebURL, options: LoadOptions, _ load: PageLoad) throws(RenderFailure)
    -> Renderer.Rendered
  {
    try Renderer(profile: profile, options: options) { load.isCancelled }.render(url)
  }

  /// Removes and returns the warnings and notices to show with a page.
  func notices() -> [String] { profile.drainWarnings() }
}
