import Commands
import DOM
import Document
import OfflineCache
import Pages
import Terminal

/// Reading in sequence: the next and the previous page of a book, a collection, a feed or a list.
extension Browser {
  /// The sequence of the page on the screen: the one that it was opened from, otherwise the parts
  /// of its document, otherwise the collection or feed that was found; nil if there is none.
  var sequence: ReadingSequence? {
    guard let page = view?.page else { return nil }
    return opening.sequence ?? page.parts.flatMap { ReadingSequence($0) } ?? opening.foundSequence
  }

  /// Opens another page of the sequence. Without a sequence, opens the next document that the page
  /// declares, goes back to the page that declares this one as its next document, or scrolls to
  /// another page of a paginated document, such as a PDF file.
  /// - Parameter steps: The number of pages to move by; negative to go back.
  /// - Returns: The resulting effects.
  mutating func moveInSequence(_ steps: Int) -> [Effect] {
    guard let view else {
      notify("no page is open")
      return []
    }
    guard let sequence else {
      if steps > 0, let next = view.page.nextDocument {
        let origin = LoadRequest.Origin.link(from: view.page.url)
        return load(LoadRequest(next, origin: origin, options: loading.options), purpose: .newEntry)
      }
      let isNext = isNextDocumentOfPrevious(view.page)
      if steps < 0, isNext { return moveInHistory(by: -1) }
      if isNext, view.page.document.pageStarts.isEmpty {
        notify("this is the last part")
      } else {
        movePages(steps)
      }
      return []
    }
    guard let target = sequence.moved(by: steps) ?? sequence.moved(toEnd: steps) else {
      let end = steps > 0 ? "last" : "first"
      notify(
        sequence.source == .chapters
          ? "this is the \(end) part"
          : "this is the \(end) page of \(SafeText.line(sequence.name))")
      return []
    }
    return openCurrentItem(target, from: view.page)
  }

  /// Returns whether the previous page in the history declares a page as its next document.
  private func isNextDocumentOfPrevious(_ page: Page) -> Bool {
    guard let next = history.entry(after: -1)?.page?.nextDocument else { return false }
    return next.isSamePage(as: page.url) || next.isSamePage(as: page.requestedURL)
  }

  /// Opens the current item of a sequence.
  private mutating func openCurrentItem(_ target: ReadingSequence, from page: Page) -> [Effect] {
    let isPart = target.source == .chapters
    let origin = isPart ? LoadRequest.Origin.link(from: page.url) : .user
    let effects = load(
      LoadRequest(target.currentItem.url, origin: origin, options: loading.options),
      purpose: .newEntry)
    if !isPart { loading.record(sequence: target) }
    return effects
  }

  /// Scrolls by screens. At the end of a page of a sequence, announces the next page first, and
  /// opens it the second time.
  mutating func pageDown(_ times: Int) -> [Effect] {
    guard let view, view.isComplete, view.topLine >= view.maxTopLine(height: bodyHeight),
      let next = nextTitle
    else {
      scroll(byScreens: times)
      return []
    }
    guard opening.isNextAnnounced else {
      opening.isNextAnnounced = true
      notify("\(keyName(of: .nextPart)) next: \(next)")
      return []
    }
    opening.isNextAnnounced = false
    return moveInSequence(1)
  }

  /// The title of the next page; nil if there is none.
  private var nextTitle: String? {
    if let sequence {
      return sequence.moved(by: 1).map {
        SafeText.line(
          $0.currentItem.title.isEmpty ? displayURL($0.currentItem.url) : $0.currentItem.title)
      }
    }
    return view?.page.nextDocument.map { displayURL($0) }
  }

  /// Returns the sequence of the pages that a list shows, at the selected one; nil for a list whose
  /// pages are not read one after another.
  func listSequence(of list: ListScreen?, at url: String) -> ReadingSequence? {
    guard let list, let (source, name) = sequenceSource(of: list.kind) else { return nil }
    let items = list.shownIndices.compactMap { index -> ReadingSequence.Item? in
      let entry = list.entries[index]
      return entry.pageURL.map { .init(url: DocumentAddress($0), title: entry.title) }
    }
    let index = list.shownIndices.prefix(list.selectedIndex).count {
      list.entries[$0].pageURL != nil
    }
    return ReadingSequence(source, name: name, items: items, index: index)
  }

  private func sequenceSource(
    of kind: ListScreen.Kind
  ) -> (ReadingSequence.Source, name: String)? {
    switch kind {
    case .search(let text): (.search, "the results for \(text)")
    case .collection(let id):
      listData.collection(id).map { _ in (.collection(id), collectionName(id)) }
    case .feed(let feed): (.feed(feed), feedName(feed))
    case .unread: (.unread, "the unread items")
    default: nil
    }
  }

  /// Looks up which collection the page on the screen is in, and of which feed it is an item.
  mutating func findSequence() {
    guard let page = view?.page, page.parts == nil, page.url.isWebURL,
      page.provenance.source != .explanation
    else { return }
    let urls = page.requestedURL == page.url ? [page.url] : [page.url, page.requestedURL]
    additionalEffects.append(
      .findSequence(
        SequenceQuery(
          pageNumber: opening.pageNumber, urls: urls, isSequenceKnown: opening.sequence != nil)))
  }
}

extension Page {
  /// The absolute URL of the next document that the page declares (`rel=next`); nil if it declares
  /// none, the page itself, or a document that is not on the web.
  var nextDocument: DocumentAddress? {
    guard !document.nextURL.isEmpty,
      let next = WebURL(document.nextURL, against: document.baseURL), next.isWeb
    else { return nil }
    let url = DocumentAddress(next)
    return url.isSamePage(as: self.url) ? nil : url
  }
}
