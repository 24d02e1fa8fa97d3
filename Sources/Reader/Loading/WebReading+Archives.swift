import Pages
import Foundation
import OfflineCache

/// Loads unavailable pages from web archives.
extension WebReading {
  /// Whether web archives are queried if the page is not available. They are not queried for a
  /// submitted form, for a specific version, or if only the cache or only the server may respond.
  var queriesArchives: Bool {
    guard loader.hasRemotes, request.content == nil, options.allowsFallback,
      options.copy == .latest, requestedURL.isWeb
    else { return false }
    return ![.networkOnly, .cacheOnly].contains(cache.mode(for: requestedURL, options))
  }

  /// Requests the page from the web archives, and reports the capture that was found.
  /// - Parameters:
  ///   - reason: why the page is not available.
  ///   - date: the preferred capture date.
  ///   - otherwise: called with a message for each archive if none has the page.
  func queryArchives(
    reason: SavedReason, near date: Date = Date(),
    otherwise: @escaping @Sendable ([String]) -> Void
  ) {
    let page = requestedURL
    loader.queryArchives(for: page, near: date, options: options, load) { [self] found, text in
      guard let found else { return otherwise(text) }
      readSaved(found.url, .id(found.id)) { [self] event in
        load.report(
          event.replacingRequestedURL(with: requestableURL(requestedURL, nil), reason: reason))
      }
    }
  }

  /// Requests the page from the web archives as it was at about a date.
  func startInArchives(near date: Date) {
    queryArchives(reason: .requested, near: date) { [self] text in
      let error = ReaderError.notInArchives(url: requested, text)
      load.report(
        .failed(error, explanation: loader.explain(error, url: requested, for: request)))
    }
  }
}

extension LoadEvent {
  /// Returns the event with the given URL as the requested URL of its page, and the given reason if
  /// the page is a saved copy.
  fileprivate func replacingRequestedURL(with url: DocumentAddress, reason: SavedReason)
    -> LoadEvent
  {
    changing { page in
      page.requestedURL = url
      if case .saved = page.provenance.source { page.provenance.source = .saved(reason) }
    }
  }

  /// Returns the event with more notices for its page.
  func adding(notices: [String]) -> LoadEvent { changing { $0.notices += notices } }

  private func changing(_ change: (inout Page) -> Void) -> LoadEvent {
    func changed(_ page: Page) -> Page {
      var page = page
      change(&page)
      return page
    }
    switch self {
    case .began(let page): return .began(changed(page))
    case .loaded(let page): return .loaded(changed(page))
    case .failed(let error, let page): return .failed(error, explanation: changed(page))
    case .progressed, .asking, .offered, .newer, .checked: return self
    }
  }
}
