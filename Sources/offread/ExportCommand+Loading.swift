import Profiles
import Pages
import DOM
import Document
import Feeds
import Formats
import Foundation
import Library
import OfflineCache
import Reader
import ReaderMode
import Saving

/// Loading of saved pages and their images for exports.
extension ExportCommand {
  /// Loads a page from the archive, joins it with the next parts of its text, and passes the result
  /// to `write`, guarded by `PageWatch`.
  /// - Parameters:
  ///   - url: The URL of the page.
  ///   - exportedKeys: The cache keys of all exported pages, which are not parts of others.
  ///   - profile: The profile with the archive.
  ///   - write: Receives the page.
  /// - Returns: whether the page exists and `PageWatch` does not skip it.
  /// - Throws: the error that `write` throws.
  func withPage(
    _ url: String, of exportedKeys: Set<String>, in profile: Profile,
    _ write: (Page) throws -> Void
  ) throws -> Bool {
    try PageWatch.process(profile.cache.key(of: url) ?? url) {
      var loader = WholePageLoader(profile: profile, keepsComments: keepsComments)
      guard let page = loader.load(url) else { return false }
      let nextParts = Self.nextParts(
        of: page, except: exportedKeys, in: profile, keepsComments: keepsComments)
      try write(nextParts.isEmpty ? page : page.joined([page] + nextParts, in: profile))
      return true
    } ?? false
  }

  /// The maximum number of next parts of a text; `save` follows no more.
  private static let maxNextParts = 20

  /// Returns the saved pages on which the text of a page in reader view continues, in order, except
  /// those that are exported themselves. Reports an error if there are more than `maxNextParts`.
  static func nextParts(
    of page: Page, except exportedKeys: Set<String>, in profile: Profile,
    keepsComments: Bool = false
  ) -> [Page] {
    var parts: [Page] = []
    var knownKeys: Set<String> = [page.url.key]
    while let url = nextPartURL(of: parts.last ?? page, in: profile),
      case let key = profile.cache.key(of: url), !exportedKeys.contains(key),
      knownKeys.insert(key).inserted, profile.cache.page(of: key) != nil
    {
      guard parts.count < maxNextParts else {
        let shown = page.url.withoutCredentials
        StandardOutput.printError(
          "\(shown): only the first \(maxNextParts + 1) pages of the text are exported")
        break
      }
      guard let part = savedPage(url.description, in: profile, keepsComments: keepsComments)
      else { break }
      let target = part.url.key
      guard target == key || knownKeys.insert(target).inserted else { break }
      parts.append(part)
    }
    return parts
  }

  /// Returns the URL of the next part of the text of a page; nil for the last part. The next page
  /// of a list is not a part of it, and neither is the next chapter, which reader view offers as
  /// well.
  private static func nextPartURL(of page: Page, in profile: Profile) -> WebURL? {
    let kind = page.document.readerFacts?.kind
    guard kind != .linkList, kind != .productList, page.document.nextPageURL != nil,
      let saved = profile.cache.page(of: page.url.key)
    else { return nil }
    return SavedParts.nextPartURL(of: saved, in: profile.cache)
  }

  /// Returns the cache keys of pages.
  static func keys(of urls: [String], in profile: Profile) -> Set<String> {
    Set(urls.compactMap { profile.cache.key(of: $0) })
  }

  /// Returns the saved page in reader view; nil, after an error message, if it is not saved.
  /// If `keepsComments` is true, the comments of readers are kept.
  static func savedPage(_ url: String, in profile: Profile, keepsComments: Bool = false) -> Page? {
    load(url, view: .reader(readerOptions(keepsComments: keepsComments)), in: profile)
  }

  private static func readerOptions(keepsComments: Bool) -> ReaderOptions {
    ReaderOptions(showsMetadata: false, keepsComments: keepsComments, foldsNavigation: false)
  }

  fileprivate static func load(_ url: String, view: PageViewMode, in profile: Profile) -> Page? {
    var request = LoadRequest(url, view: view)
    request.options.mode = .cacheOnly
    let waiter = BlockingQueue<Page?>()
    let loader = PageLoader(profile: profile)
    let load = loader.load(request) { event in
      switch event {
      case .loaded(let page): waiter.post(page)
      case .failed(let error, _):
        StandardOutput.printError(error.text(in: profile))
        waiter.post(nil)
      case .progressed, .asking, .offered, .began, .newer, .checked: break
      }
    }
    defer { withExtendedLifetime(load) {} }
    return waiter.waitForNext()
  }

  /// Returns the saved images of a page, by the URLs in the page.
  static func images(of document: Document, in profile: Profile) -> [String: [UInt8]] {
    let archive = profile.cache.archive
    var images: [String: [UInt8]] = [:]
    for image in document.images.indices {
      guard let url = document.url(ofImage: image), images[url] == nil else { continue }
      let bytes = document.urls(ofImage: image).lazy.compactMap { candidate -> [UInt8]? in
        guard let key = profile.cache.key(of: candidate), let saved = profile.cache.page(of: key),
          saved.length <= maxImageSize
        else { return nil }
        return try? archive.body(of: saved).rest()
      }
      images[url] = bytes.first
    }
    return images
  }

  /// Maximum size of an exported image, in bytes; larger ones are omitted.
  private static let maxImageSize: Int64 = 20 << 20
}

/// Loads a saved page with the text of its frames.
private struct WholePageLoader {
  let profile: Profile
  /// Whether the comments of readers are kept.
  let keepsComments: Bool
  /// The keys of the loaded page and its parts. Each part is loaded once, because framesets may
  /// contain each other.
  private var loadedKeys: Set<String> = []
  /// The number of loads, of the page and of its parts.
  private var partCount = 0

  init(profile: Profile, keepsComments: Bool) {
    (self.profile, self.keepsComments) = (profile, keepsComments)
  }

  /// Returns the saved page in reader view. If the text of a page is in its frames, the returned
  /// page has the text of the frames; a page that only refreshes to another page is replaced by the
  /// other page.
  /// - Parameters:
  ///   - url: The URL of the page.
  ///   - nestingLevel: The nesting depth of the frame; 0 for the page.
  /// - Returns: The page; nil, after an error message, if it or the text of its frames is not
  ///   saved. Nil also for a part that was loaded before, and beyond the maximum depth or number of
  ///   parts.
  mutating func load(_ url: String, nestingLevel: Int = 0) -> Page? {
    let key = CacheKey.make(url) ?? url
    guard nestingLevel <= PageNeeds.maxLevels, partCount <= PageNeeds.maxParts,
      loadedKeys.insert(key).inserted
    else { return nil }
    partCount += 1
    guard let page = ExportCommand.savedPage(url, in: profile, keepsComments: keepsComments) else {
      return nil
    }
    let target = page.url.key
    guard target == key || loadedKeys.insert(target).inserted else { return nil }
    // Reader view shows neither frames nor refreshes.
    guard page.document.textAmount != .enough,
      let pageView = ExportCommand.load(url, view: .page, in: profile)
    else { return page }
    guard let pageURL = pageView.url.parsedURL, CacheKey.make(pageURL) == page.url.key
    else {
      return load(pageView.url.text, nestingLevel: nestingLevel + 1)
    }
    let needs = PageNeeds(pageView.document, url: pageURL)
    if needs.textAmount == .none, needs.refresh != nil {
      reportProblem(about: url, "it redirects to a page that is not saved")
      return nil
    }
    guard needs.isFrameset || needs.textAmount == .none && !needs.frames.isEmpty else {
      return page
    }
    return withFrames(pageView, needs, nestingLevel: nestingLevel)
  }

  /// Returns a page with the text of its frames instead of its own.
  /// - Parameters:
  ///   - page: The page with its links to the frames.
  ///   - needs: Its frames.
  ///   - nestingLevel: The nesting depth of the page.
  /// - Returns: The page; nil, after an error message, if it is empty.
  private mutating func withFrames(_ page: Page, _ needs: PageNeeds, nestingLevel: Int) -> Page? {
    let isNew = needs.frames.contains { !loadedKeys.contains(CacheKey.make($0.url)) }
    var frames: [Page] = []
    for frame in needs.frames {
      guard let page = load(frame.url.description, nestingLevel: nestingLevel + 1),
        !page.document.text.isEmpty
      else { continue }
      frames.append(page)
    }
    guard !frames.isEmpty else {
      if isNew || nestingLevel == 0 {
        reportProblem(about: page.url.text, "no frame of it is saved with text")
      }
      return nil
    }
    return page.joined(frames, in: profile)
  }

  private func reportProblem(about url: String, _ problem: String) {
    StandardOutput.printError("\(SafeText.line(SafeText.withoutCredentials(url))): \(problem)")
  }
}

extension DocumentAddress {
  /// The cache key of the page; the address itself if it has none.
  fileprivate var key: String { CacheKey.make(text) ?? text }
}

extension Page {
  /// Returns the page with the contents of its frames, or of the parts of its text, one below the
  /// other. The IDs in the parts after the first one begin with the number of the part.
  fileprivate func joined(_ parts: [Page], in profile: Profile) -> Page {
    var body: [UInt8] = []
    for (index, part) in parts.enumerated() {
      let document = part.document
      let ids = FragmentIDs(document, prefix: index == 0 ? "" : "part\(index + 1)-")
      var targets = document.htmlTargets(url: part.url, ids: ids)
      targets.imageURL = { image in
        document.embeddedURL(ofImage: image)
          ?? document.urls(ofImage: image).first { candidate in
            profile.cache.key(of: candidate).flatMap { profile.cache.page(of: $0) } != nil
          }
          ?? document.url(ofImage: image)
      }
      body += document.semanticXHTML(targets)
    }
    var whole = self
    whole.document = Document(
      bytes: body, mediaType: "text/html", charset: "utf-8", url: url.text)
    whole.document.title = document.title
    whole.document.language = parts.lazy.map(\.document.language).first { !$0.isEmpty } ?? ""
    whole.document.direction = parts.first?.document.direction
    whole.document.readerFacts = document.readerFacts
    return whole
  }
}
