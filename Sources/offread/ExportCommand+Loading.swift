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

/// Loading of saved pages and their images for exports.
extension ExportCommand {
  /// Loads a page from the archive and passes it to `write`, guarded by `PageWatch`.
  /// - Returns: whether the page exists and `PageWatch` does not skip it.
  func watching(
    _ url: String, in profile: Profile, _ write: (Page) throws -> Void
  ) throws -> Bool {
    try PageWatch.process(profile.cache.key(of: url) ?? url) {
      guard let page = Self.wholePage(url, in: profile, keepsComments: keepsComments) else {
        return false
      }
      try write(page)
      return true
    } ?? false
  }

  /// Returns the saved page in reader view; nil, after an error message, if it is not saved.
  static func page(_ url: String, in profile: Profile, keepsComments: Bool = false) -> Page? {
    load(url, view: .reader(readerOptions(keepsComments: keepsComments)), in: profile)
  }

  private static func readerOptions(keepsComments: Bool) -> ReaderOptions {
    ReaderOptions(showsMetadata: false, keepsComments: keepsComments, foldsNavigation: false)
  }

  private static func load(_ url: String, view: ReadingView, in profile: Profile) -> Page? {
    var request = LoadRequest(url, view: view)
    request.options.mode = .cacheOnly
    let waiter = Waiter<Page?>()
    let loader = PageLoader(profile: profile)
    let load = loader.load(request) { event in
      switch event {
      case .loaded(let page): waiter.post(page)
      case .failed(let error, _):
        StandardOutput.complain(error.description)
        waiter.post(nil)
      case .progressed, .asking, .offered, .began, .newer, .checked: break
      }
    }
    defer { withExtendedLifetime(load) {} }
    return waiter.next()
  }

  /// Returns the saved page in reader view. A frameset has the text of its frames, and a page that
  /// only refreshes to another one is replaced by that one.
  /// - Parameters:
  ///   - url: The URL of the page.
  ///   - profile: The profile with the saved pages.
  ///   - keepsComments: Whether the comments of readers are kept.
  ///   - level: The nesting depth of the frame; 0 for a page.
  /// - Returns: The page; nil, after an error message, if it or the text of its frames is not
  ///   saved.
  private static func wholePage(
    _ url: String, in profile: Profile, keepsComments: Bool, level: Int = 0
  ) -> Page? {
    let saved = Self.page(url, in: profile, keepsComments: keepsComments)
    // Reader view shows neither frames nor refreshes.
    guard let page = saved, page.document.textAmount != .enough, level < PageNeeds.maxLevels,
      let shown = load(url, view: .page, in: profile)
    else { return saved }
    guard CacheKey.make(shown.url) == CacheKey.make(page.url) else {
      return wholePage(
        shown.url, in: profile, keepsComments: keepsComments, level: level + 1)
    }
    let needs = PageNeeds(shown.document, url: shown.url)
    if needs.text == .none, needs.refresh != nil {
      complain(about: url, "it redirects to a page that is not saved")
      return nil
    }
    guard needs.isFrameset else { return page }
    let frames = needs.frames.compactMap { frame in
      wholePage(frame.url, in: profile, keepsComments: keepsComments, level: level + 1)?.document
    }.filter { !$0.text.isEmpty }
    guard !frames.isEmpty else {
      complain(about: url, "no frame of it is saved with text")
      return nil
    }
    var whole = shown
    whole.document = joined(frames, title: shown.document.title, url: shown.url)
    return whole
  }

  private static func complain(about url: String, _ problem: String) {
    StandardOutput.complain("\(SafeText.line(SafeText.withoutCredentials(url))): \(problem)")
  }

  /// Returns a document with the contents of frames, one below the other.
  private static func joined(_ frames: [Document], title: String, url: String) -> Document {
    var body: [UInt8] = []
    for frame in frames {
      var targets = frame.cleanTargets
      targets.image = { frame.embeddedURL(ofImage: $0) ?? frame.url(ofImage: $0) }
      body += frame.semanticXHTML(targets)
    }
    var document = Document(bytes: body, mediaType: "text/html", charset: "utf-8", url: url)
    document.title = title
    document.language = frames.first { !$0.language.isEmpty }?.language ?? ""
    return document
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
