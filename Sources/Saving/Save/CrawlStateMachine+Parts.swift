import Crawl
import OfflineCache
import Pages

/// Adds and evaluates the loads of images and other parts of pages.
///
/// Needed parts are those without which a page cannot be read: its frames, and the target of its
/// `meta refresh`. Their links are followed like those of the page. A part that several pages need
/// is loaded once. A check only looks up all parts in the archive.
extension CrawlStateMachine {
  /// Adds the loads of the parts that a page or one of its parts needs, unless they were added
  /// before.
  /// - Parameters:
  ///   - needs: the requirements of the page or part.
  ///   - number: the number of the page's entry.
  ///   - level: the number of steps that lead from the page to these parts, from 1.
  /// - Returns: the actions that look up the parts that are not loaded.
  mutating func addNeededParts(_ needs: PageNeeds, to number: Int, level: Int) -> [Action] {
    guard level <= PageNeeds.maxLevels, var page = pages[number] else { return [] }
    var actions: [Action] = []
    for url in needs.parts {
      guard case let key = cacheKey(url), key != cacheKey(page.entry.parsedURL),
        page.parts.count < PageNeeds.maxParts, page.parts.insert(key).inserted
      else { continue }
      frontier.recordSeen(url.description)
      page.outcome.neededKeys.append(key)
      page.outcome.dependencies.insert(key)
      page.pendingLoadCount += 1
      page.pendingPartCount += 1
      if request.isOfflineCheck || loadedParts.contains(key) {
        actions.append(.findPart(url: url, page: number, level: level))
      } else {
        add(.needed(url: url, page: number, level: level), host: url.server)
      }
    }
    pages[number] = page
    return actions
  }

  /// Adds the loads of the images of a page or one of its parts, unless they were added before.
  /// - Parameters:
  ///   - urls: the URLs of the images.
  ///   - number: the number of the page's entry.
  ///   - onlyMissing: whether saved images are not requested again.
  /// - Returns: the actions; empty unless this is a check or `onlyMissing` is set.
  mutating func addImages(
    _ urls: [WebURL], to number: Int, onlyMissing: Bool = false
  ) -> [Action] {
    guard request.includesImages else { return [] }
    var new: [Image] = []
    for url in urls {
      let key = cacheKey(url)
      pages[number]?.outcome.dependencies.insert(key)
      guard images.insert(key) else { continue }
      new.append(Image(url: url, key: key))
    }
    if request.isOfflineCheck || onlyMissing {
      guard !new.isEmpty else { return [] }
      pages[number]?.pendingLoadCount += 1
      return [.findImages(new, page: number)]
    }
    for image in new { load(image, of: number) }
    return []
  }

  private mutating func load(_ image: Image, of number: Int) {
    pages[number]?.pendingLoadCount += 1
    add(.image(url: image.url, page: number), host: image.url.server)
  }

  /// Counts the images that are saved, and adds the loads of the others. A check counts the others
  /// as missing instead.
  mutating func count(
    _ images: [Image], saved: Set<String>, of number: Int
  ) -> [Action] {
    for image in images {
      if saved.contains(image.key) {
        pages[number]?.outcome.imageCount += 1
      } else if request.isOfflineCheck {
        pages[number]?.outcome.countMissing(image: image.url, "not saved")
      } else {
        load(image, of: number)
      }
    }
    return end(number)
  }

  /// Adds the loads of style sheets, scripts, fonts and images that a page or one of its style
  /// sheets names, unless they were added before.
  /// - Returns: the new parts.
  @discardableResult
  mutating func addParts(_ parts: [PagePart], to number: Int) -> [PagePart] {
    var added: [PagePart] = []
    for part in parts {
      guard let page = pages[number], page.partCount < PagePart.maxParts else { break }
      guard request.includesImages || part.kind != .image else { continue }
      let key = cacheKey(part.url)
      pages[number]?.outcome.dependencies.insert(key)
      guard images.insert(key) else { continue }
      pages[number]?.pendingLoadCount += 1
      pages[number]?.partCount += 1
      add(.part(part, page: number), host: part.url.server)
      added.append(part)
    }
    return added
  }

  /// Counts an image or another part of a page whose load has ended, and adds the parts that it
  /// names.
  mutating func collect(_ result: CrawlResult, for number: Int) -> [Action] {
    let keys = result.redirectChain.map(cacheKey)
    pages[number]?.outcome.dependencies.formUnion(keys)
    switch result.task.job {
    case .image(let url, _):
      if result.isPageForImage {
        pages[number]?.outcome.countMissing(image: url, "the server sent a page instead")
      } else if result.isStored {
        pages[number]?.outcome.imageCount += 1
        pages[number]?.outcome.size += result.size
      } else {
        pages[number]?.outcome.countMissing(image: url, result.ending.text)
        if result.isTemporaryFailure { pages[number]?.outcome.lacksImages = true }
      }
      return end(number)
    case .part:
      pages[number]?.outcome.countPart(result)
      addParts(result.parts, to: number)
      return end(number)
    case .needed(let url, _, let level):
      let failure = LastingFailure(result.ending, through: result.redirectChain)
      if result.isStored || failure != nil, keys.count <= 1 { loadedParts.insert(cacheKey(url)) }
      for key in keys
      where pages[number]?.outcome.neededKeys.contains(key) == false {
        pages[number]?.outcome.neededKeys.append(key)
      }
      if result.isStored {
        pages[number]?.outcome.size += result.size
      } else if failure == nil {
        pages[number]?.mayRecover = true
      }
      return finishNeededPart(
        of: number, level: level, isSaved: result.isStored, result.links)
    case .page, .robots: return []
    }
  }

  /// Counts a needed part, and adds its links, images and needed parts.
  mutating func finishNeededPart(
    of number: Int, level: Int, isSaved: Bool, _ links: PageLinks?
  ) -> [Action] {
    pages[number]?.outcome.neededPartCount += isSaved ? 1 : 0
    pages[number]?.outcome.missingNeededPartCount += isSaved ? 0 : 1
    var actions: [Action] = []
    if let links, let needs = pages[number]?.pageNeeds {
      pages[number]?.links += links.pages
      if needs.refresh != nil, !links.title.isEmpty { pages[number]?.outcome.title = links.title }
      actions += addImages(links.images, to: number)
      actions += addNeededParts(links.pageNeeds, to: number, level: level + 1)
    }
    return actions + endNeededPart(of: number)
  }

  /// Records the end of the load of a page or of one of its needed parts. After the last one, links
  /// are followed without waiting for images.
  mutating func endNeededPart(of number: Int) -> [Action] {
    pages[number]?.pendingPartCount -= 1
    if let page = pages[number], page.pendingPartCount == 0 {
      frontier.recordFinished(
        page.entry, links: page.links, nextPart: page.nextPart, size: page.size,
        isPublic: page.isPublic, finalHost: page.finalHost)
      pages[number]?.links = []
    }
    return end(number)
  }
}

extension SaveOutcome {
  /// Counts a style sheet, script, font or image of a page that is saved complete.
  fileprivate mutating func countPart(_ result: CrawlResult) {
    guard result.isStored else {
      missingPartCount += 1
      return
    }
    partCount += 1
    partsSize += result.size
    size += result.size
  }
}
