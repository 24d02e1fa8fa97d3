import Pages
import Crawl
import Feeds
import OfflineCache

/// Evaluates the results of loading pages.
extension CrawlStateMachine {
  /// The maximum number of parts of a multi-part article. Lists are not limited.
  private static let maxTextParts = 20

  mutating func continueAfterExamination(
    _ result: CrawlResult, of entry: Entry, _ facts: CrawlFacts, _ stage: Stage
  ) -> [Action] {
    switch stage {
    case .received: withhold(result, entry, facts) ?? record(result, of: entry, facts)
    case .resolved(.page): record(result, of: entry, facts)
    case .resolved(.unconfirmed):
      record(result, of: entry, facts, isConfirmed: result.task.isUnconfirmed)
    case .resolved(.refused(let rejectionReason)): reject(result, entry, reason: rejectionReason)
    }
  }

  private mutating func record(
    _ result: CrawlResult, of entry: Entry, _ facts: CrawlFacts, isConfirmed: Bool = true
  ) -> [Action] {
    var result = result
    var page = PendingPage(entry, result, facts)
    guard !isMissingVariant(page.outcome, entry) else {
      skip(entry)
      return []
    }
    // On a full disk, the page counts as not loaded; the report states the reason.
    guard !recordDiskSpace(result, facts) else { return [] }
    recordRelations(of: &page, result)
    page.outcome.isUnconfirmed = !isConfirmed && facts.isQueued
    // An unconfirmed response does not determine whether http or https is used.
    if page.outcome.isUnconfirmed { page.outcome.url = entry.url }
    if isConfirmed { recordRedirectTarget(result, page) }
    var actions = distrustRedirects(result, page.outcome)
    if let feed = facts.feed {
      guard !feed.isOptional || page.outcome.result != .saved || !lacksFeed(result, facts) else {
        drop(entry)
        let isNewPage = !result.task.wasSaved
        return isNewPage ? [.distrust(result.redirectChain, since: began, .otherKind)] : []
      }
      actions += follow(feed, &page, &result, facts)
    } else {
      if let links = result.links {
        read(links, of: &page, isSkippedUnchanged: result.isSkippedUnchanged)
        if page.outcome.result == .saved || request.isOfflineCheck {
          page.outcome.standIn = StandInPage(links, through: result.redirectChain)
        }
      }
      if facts.isExcluded { page.pageNeeds = .excluded }
      if result.isDamaged { page.pageNeeds = .damaged }
    }
    pages[entry.number] = page
    if page.outcome.isReadable { actions += addParts(of: page, result) }
    // The items of a feed must be added before the end of the feed's page allows later pages to
    // follow.
    return facts.feed == nil ? actions + endNeededPart(of: entry.number) : actions
  }

  /// Records the first part of a page's text if it is pinned, and the pages on which the page
  /// depends.
  private func recordRelations(of page: inout PendingPage, _ result: CrawlResult) {
    page.outcome.firstPinnedPart = continuation(page.entry).flatMap {
      $0.isPinned ? $0.firstPart : nil
    }
    page.outcome.dependencies = Set(result.redirectChain.map(cacheKey))
    // If the response was not saved, its links do not show all dependencies of the saved copy.
    page.outcome.hasAllDependencies =
      page.outcome.isCurrent && result.links != nil && !result.isSkippedUnchanged
      && request.includesImages
  }

  private mutating func addParts(of page: PendingPage, _ result: CrawlResult) -> [Action] {
    let entry = page.entry
    var actions: [Action] = []
    let parts = result.isFailedForImages ? [] : addParts(result.parts, to: entry.number)
    if !parts.isEmpty { actions.append(.announce(parts, url: entry.url)) }
    if !result.isSkippedUnchanged, !result.isFailedForImages {
      actions += addImages(
        result.links?.images ?? [], to: entry.number, onlyMissing: result.isConfirmedForImages)
    }
    if let needs = page.pageNeeds { actions += addNeededParts(needs, to: entry.number, level: 1) }
    return actions
  }

  /// Returns the actions that pass a response to the follower of its feed, and records it as
  /// rejected if it would replace the feed.
  private func follow(
    _ feed: FeedRequest, _ page: inout PendingPage, _ result: inout CrawlResult,
    _ facts: CrawlFacts
  ) -> [Action] {
    var actions: [Action] = []
    if replacesFeed(result, feed, facts, page.outcome) {
      actions.append(.distrust(result.redirectChain, since: began, .otherKind))
      page.outcome.result = .kept(FeedFollower.notAFeedMessage)
      page.outcome.size = 0
      page.outcome.hasAllDependencies = false
      result.rejectedRefreshTarget = result.links?.pageNeeds.refresh
      (result.links, result.parts) = (nil, [])
    }
    if result.isInPlaceOfNoContent, result.task.wasSaved {
      // Some servers respond without content if a feed has no new items.
      page.outcome.result = .unchanged
      (page.outcome.isRejected, page.outcome.lastingFailure) = (false, nil)
    }
    if feed.newestPage == nil { page.outcome.title = result.links?.feed?.title ?? "" }
    let response = FeedResponse(
      request: feed, links: result.links, outcome: page.outcome,
      permanentTarget: result.permanentTarget, refreshTarget: result.rejectedRefreshTarget,
      isPublic: page.isPublic)
    actions.append(.followFeed(response, page: page.entry.number))
    return actions
  }

  /// Returns whether a response that is not a feed was saved as the new version of a followed feed.
  private func replacesFeed(
    _ result: CrawlResult, _ feed: FeedRequest, _ facts: CrawlFacts, _ outcome: SaveOutcome
  ) -> Bool {
    guard outcome.result == .saved, result.task.wasSaved, !feed.isNew, feed.newestPage == nil,
      request.options.trust != .accepted
    else { return false }
    return lacksFeed(result, facts)
  }

  /// Returns whether a response is certainly not a feed. A feed that is too long, or on which
  /// offread crashed, is not parsed.
  private func lacksFeed(_ result: CrawlResult, _ facts: CrawlFacts) -> Bool {
    result.links?.feed == nil && !facts.isExcluded
      && result.size <= request.options.maxRenderedSize
  }

  /// Finishes an entry that has no place in the report: a page at the new URL of a feed.
  private mutating func drop(_ entry: Entry) {
    frontier.recordDropped(entry)
    unfinishedCount -= 1
  }

  /// Adds the links and requirements of a page, and the next part of its article. If the page was
  /// skipped because it is unchanged, adds only the requirements and the next document.
  private mutating func read(
    _ links: PageLinks, of page: inout PendingPage, isSkippedUnchanged: Bool
  ) {
    let entry = page.entry
    page.pageNeeds = links.pageNeeds
    page.outcome.nextURL = links.next
    recordVariant(links, entry)
    guard !isSkippedUnchanged else { return }
    page.outcome.title = links.title
    let isDuplicate = recordAndCheckDuplicate(links, entry)
    page.links = isDuplicate ? [] : links.pages
    guard page.outcome.isReadable, entry.partNumber < Self.maxTextParts, let next = links.nextPart,
      !repeatsPreviousPart(links, entry)
    else { return }
    recordContinuation(of: page, links, at: next)
    if !entry.isRequested || request.requestsCollectionMembers {
      // A list that a link leads to is not saved to its end.
      guard links.isArticle, !isDuplicate else { return }
      page.nextPart = next
      page.outcome.nextURL = page.outcome.nextURL ?? next
    } else {
      frontier.add(
        next, isNamed: entry.depth == 0, partNumber: entry.partNumber + 1,
        isPublicOnly: page.isPublic)
    }
  }

  /// Returns whether a part of a text has the same content as the part before, as if the site
  /// ignored the number of the part.
  private func repeatsPreviousPart(_ links: PageLinks, _ entry: Entry) -> Bool {
    guard let digest = links.contentDigest else { return false }
    return continuation(entry)?.previousContent == digest
  }

  /// Returns the record of a page as a further part of a text; nil if the page is not one.
  private func continuation(_ entry: Entry) -> Continuation? {
    entry.partNumber > 1 ? continuations[cacheKey(entry.parsedURL)] : nil
  }

  /// Records that the text of a page continues at a URL. The further part is kept like the first
  /// one if it has the same origin.
  private mutating func recordContinuation(of page: PendingPage, _ links: PageLinks, at url: WebURL)
  {
    let pageKey = cacheKey(page.entry.parsedURL)
    let isPinned = request.pinsPages || page.isPinned || page.outcome.continuesPinnedPage
    continuations[cacheKey(url)] = Continuation(
      previousContent: links.contentDigest, firstPart: page.outcome.firstPinnedPart ?? pageKey,
      isPinned: isPinned && page.entry.depth == 0 && url.origin == page.origin)
  }

  /// Records the end of one load of a page, and finishes the page if no other load of it is
  /// pending.
  mutating func end(_ number: Int) -> [Action] {
    pages[number]?.pendingLoadCount -= 1
    guard let page = pages[number], page.pendingLoadCount <= 0 else { return [] }
    pages[number] = nil
    return finish(
      page.outcome, page.entry, pageNeeds: page.outcome.isReadable ? page.pageNeeds : nil,
      mayRecover: page.mayRecover)
  }
}
