import Profiles
import Pages
import Configuration
import DOM
import Document
import Feeds
import Foundation
import Library
import OfflineCache
import ReaderMode

/// Shows the text that a feed contains for a page that cannot be read.
extension WebReading {
  /// Returns the text that a feed contains for a page. It replaces a page that is an error, only
  /// requests consent or is nearly empty, and every page if the settings prefer the feed.
  /// - Returns: the text as a page; nil if the page is to be shown, or no feed contains it.
  func feedText(insteadOf page: Page) -> Page? {
    guard page.sentForm == nil, page.view != .source, !options.isReload else { return nil }
    let url = page.requestedURL.text
    guard page.errorStatus == nil else {
      return feedText(of: url, reason: SavedReason(status: page.status).missingPageText)
    }
    switch choice(of: url) {
    case .feed: return feedText(of: url, reason: "chosen in the settings")
    case .page: return nil
    case .auto: break
    }
    if page.document.asksOnlyForConsent {
      return feedText(of: url, reason: "the page only asks for consent")
    }
    guard page.document.text.count < Self.minTextLength,
      let text = feedText(of: url, reason: "the page is nearly empty")
    else { return nil }
    let isPoor = page.document.textAmount == .none
    return isPoor || text.document.text.count > page.document.text.count * 4 ? text : nil
  }

  /// The length in bytes below which a page may be nearly empty.
  private static let minTextLength = 600

  private func choice(of url: String) -> FeedRule.TextChoice {
    let settings = loader.profile.settings
    // Without a rule, the library need not be opened to find the feed.
    guard settings.choosesTextsOfFeeds, let feed = feed(of: url) else { return .auto }
    return settings.text(ofFeed: feed)
  }

  /// Returns the key of the feed that a page is an item of; nil if it is not an item.
  private func feed(of url: String) -> String? {
    guard let key = cache.key(of: url), let page = try? loader.profile.library.page(key) else {
      return nil
    }
    return page.feed.isEmpty ? nil : page.feed
  }

  /// Returns the text of a page from the newest saved version of its feed that contains it.
  /// - Parameters:
  ///   - url: the URL of the page.
  ///   - reason: the reason why it is shown, for the banner.
  /// - Returns: the text as a page; nil if there is none, or if the settings forbid it.
  func feedText(of url: String, reason: String) -> Page? {
    let found = itemText(of: url)
    guard
      var page = found?.page(requestedURL: requested, url: url, reason: .feed(reason: reason))
    else { return nil }
    page.notices = loader.notices()
    return page
  }

  /// Returns the text that a feed contains for an item that links to a file instead of a page, with
  /// a link to the file. Nil if no feed contains the text, or if `error` is not `.notText`.
  func feedText(insteadOf error: ReaderError) -> Page? {
    guard case .notText(let url, let mediaType, let length, _) = error,
      var found = itemText(of: requested)
    else { return nil }
    found.item.addFirstEnclosure(url, mediaType: mediaType, length: length)
    var page = found.page(
      requestedURL: requested, url: requested, reason: .feed(reason: "the item links to a file"))
    page.notices = loader.notices()
    return page
  }

  /// Returns the text that a feed contains for a page; nil if there is none, if another version of
  /// the page was requested, or if the settings forbid it.
  func itemText(of url: String) -> FeedItemText? {
    guard request.content == nil, options.copy == .latest else { return nil }
    return FeedItemText.find(
      for: url, in: loader.profile, limit: options.maxRenderedSize,
      isStopped: { load.isCancelled })
  }
}

extension FeedItemText {
  /// Returns the text as a page.
  /// - Parameters:
  ///   - requested: the requested URL.
  ///   - url: the URL of the page of the item.
  ///   - reason: the reason why it is shown, for the banner.
  /// - Returns: the page.
  func page(requestedURL requested: String, url: String, reason: SavedReason) -> Page {
    var page = Page(
      requestedURL: DocumentAddress(requested).withoutCredentials,
      url: DocumentAddress(url).withoutCredentials,
      document: feed.document(of: item, url: url),
      provenance: Provenance(
        source: .saved(reason), contentDate: version.contentDate,
        importedFile: version.importedFile))
    page.length = item.content?.html.utf8.count ?? item.summary?.html.utf8.count ?? 0
    return page
  }
}

extension PageLoader {
  /// Returns the text of a feed item without a page of its own, and records that the item was read.
  func feedItemPage(_ url: String, for request: LoadRequest) throws(ReaderError) -> Page {
    guard let address = FeedItemAddress(url) else { throw .invalidURL(url) }
    guard
      let found = FeedItemText.find(
        for: address.key, in: profile, limit: request.options.maxRenderedSize)
    else {
      throw .unreadableFile(path: address.key, "no saved copy of a feed has this item")
    }
    var page = found.page(
      requestedURL: address.key, url: address.key, reason: .itemWithoutPage)
    page.notices = notices()
    recordRead(page)
    return page
  }
}

extension ReaderError {
  /// The reason why the text of a feed is shown instead of a page that could not be loaded; nil for
  /// errors that concern the request itself.
  var reasonForFeed: String? {
    switch self {
    case .notSaved: "the page is not saved"
    case .status(_, let status): SavedReason(status: status).missingPageText
    case .unreachable(_, let failure), .noResponse(_, let failure):
      SavedReason.failure(failure.kind).missingPageText
    case .invalidURL, .noFile, .unsupportedScheme, .forbiddenTarget, .noSuchVersion,
      .notInArchives, .notRendered, .needsNetwork, .archive, .noBuiltInPage, .notText, .tooLarge,
      .unreadableFile, .usage:
      nil
    }
  }
}
