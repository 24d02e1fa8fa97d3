import Foundation
import OfflineCache

/// Pages that are gone, from the archives of the web.
extension WebReading {
  /// Whether archives may be asked for the page when it cannot be had: nobody has asked for a certain version,
  /// or for what the server says and nothing else.
  var asksArchives: Bool {
    guard loader.hasRemotes, request.content == nil, options.allowsFallback,
      options.copy == .latest, requestedURL.isWeb
    else { return false }
    return ![.networkOnly, .cacheOnly].contains(cache.mode(for: requestedURL, options))
  }

  /// Asks the archives for the page.
  /// - Parameters:
  ///   - reason: why the page cannot be had.
  ///   - date: when it should be from.
  ///   - otherwise: called when they have not got it, with words of each.
  func askArchives(
    because reason: SavedReason, near date: Date = Date(),
    otherwise: @escaping @Sendable ([String]) -> Void
  ) {
    let page = requestedURL
    loader.askArchives(for: page, near: date, options: options, load) { [self] found, words in
      guard let found, let url = WebURL(found.url) else { return otherwise(words) }
      readSaved(url, .id(found.id)) { [self] event in
        load.report(event.shown(as: asked(requested, nil), because: reason))
      }
    }
  }

  /// Asks the archives for the page as it was about a date.
  func startInArchives(near date: Date) {
    askArchives(because: .requested, near: date) { [self] words in
      let error = ReaderError.notInArchives(url: requested, words)
      load.report(
        .failed(error, explanation: loader.explain(error, url: requested, for: request)))
    }
  }
}

extension LoadEvent {
  /// The event with its page as the one that was asked for.
  fileprivate func shown(as url: String, because reason: SavedReason) -> LoadEvent {
    changing { page in
      page.requestedURL = url
      if case .saved = page.provenance.source { page.provenance.source = .saved(reason) }
    }
  }

  /// The event with more to tell of its page.
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
