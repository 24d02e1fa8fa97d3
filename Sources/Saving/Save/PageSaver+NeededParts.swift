import Crawl
import Document
import Library
import OfflineCache
import Reader

/// The parts without which a page cannot be read: its frames, and the page to which it goes on by itself. They
/// are saved with the page, and their links are followed as if they were its own.
extension PageSaver {
  /// What is known of the needed parts of a page that is not done.
  struct NeededParts {
    /// The loads of the page and its needed parts that are not over.
    var pending = 1
    /// The parts that were asked for, by cache key.
    var seen: Set<String> = []
    /// The links of the page and of its parts, which wait until all of these are there.
    var links: [String] = []
    /// The bytes of the page.
    var size: Int64 = 0
    /// Whether a part failed that may be there later.
    var mayComeLater = false
  }

  /// Adds loads of the parts that a page or a part of it needs, unless they were added before. A check looks them up
  /// in the archive. The level is the number of parts that lead to them, from 1.
  func addNeededParts(_ needs: PageNeeds, to number: Int, level: Int) {
    guard level <= PageNeeds.maxLevels, let visit = drafts[number]?.visit else { return }
    for url in needs.parts {
      guard let key = cache.key(of: url), key != cache.key(of: visit.url),
        drafts[number]?.needed.seen.count ?? .max < PageNeeds.maxParts,
        drafts[number]?.needed.seen.insert(key).inserted ?? false
      else { continue }
      frontier.noteSeen(url)
      drafts[number]?.outcome.neededKeys.append(key)
      if request.isCheck {
        let part = savedCopies.part(url)
        countNeededPart(of: number, isSaved: part.isSaved)
        if let links = part.links { follow(links, ofPartOf: number, level: level) }
      } else {
        drafts[number]?.pending += 1
        drafts[number]?.needed.pending += 1
        pace.add(
          .needed(url: url, page: number, level: level), host: WebURL(url)?.server ?? "")
      }
    }
  }

  /// Records what a load of a needed part brought.
  func takeNeededPart(_ result: Result, of number: Int, level: Int) {
    guard drafts[number] != nil else { return }
    if isWithoutRoom(result) { report.isDiskFull = true }
    for key in result.way.compactMap(cache.key(of:))
    where drafts[number]?.outcome.neededKeys.contains(key) == false {
      drafts[number]?.outcome.neededKeys.append(key)
    }
    if case .answered(let status, _, true) = result.ending, (200..<300).contains(status) {
      countNeededPart(of: number, isSaved: true)
      drafts[number]?.outcome.size += result.size
    } else {
      countNeededPart(of: number, isSaved: false)
      if LastingFailure(result.ending, through: result.way) == nil {
        drafts[number]?.needed.mayComeLater = true
      }
    }
    if let links = result.links { follow(links, ofPartOf: number, level: level) }
    endNeededPart(of: number)
  }

  private func countNeededPart(of number: Int, isSaved: Bool) {
    drafts[number]?.outcome.neededParts += isSaved ? 1 : 0
    drafts[number]?.outcome.missingNeededParts += isSaved ? 0 : 1
  }

  private func follow(_ links: PageLinks, ofPartOf number: Int, level: Int) {
    guard let needs = drafts[number]?.needs else { return }
    drafts[number]?.needed.links += links.pages
    if needs.refresh != nil, !links.title.isEmpty { drafts[number]?.outcome.title = links.title }
    addImages(links.images, to: number)
    addNeededParts(links.needs, to: number, level: level + 1)
  }

  /// Notes that a load of a page or of a part that it needs is over. The links need not wait for images.
  func endNeededPart(of number: Int) {
    guard var draft = drafts[number] else { return }
    draft.needed.pending -= 1
    if draft.needed.pending == 0 {
      frontier.finished(
        draft.visit, links: draft.needed.links, size: draft.needed.size, isPublic: draft.isPublic)
      draft.needed.links = []
    }
    drafts[number] = draft
    end(number)
  }

  /// Adds loads of the images of a page or of a part of it, unless they were added before. A check looks them up in the
  /// archive.
  func addImages(_ urls: [String], to number: Int) {
    guard request.includesImages else { return }
    var new: [(url: String, key: String)] = []
    for url in urls {
      guard let key = cache.key(of: url), images.insert(key) else { continue }
      new.append((url, key))
    }
    guard request.isCheck else {
      drafts[number]?.pending += new.count
      for image in new {
        pace.add(.image(url: image.url, page: number), host: WebURL(image.url)?.server ?? "")
      }
      return
    }
    let saved = new.isEmpty ? [] : cache.savedPages(among: new.map(\.key))
    for image in new {
      if saved.contains(image.key) {
        drafts[number]?.outcome.images += 1
      } else {
        drafts[number]?.outcome.countMissing(image: image.url, "not saved")
      }
    }
  }

  var savedCopies: SavedCopies { SavedCopies(cache, limit: request.options.renderLimit) }

  /// Decides whether a page that is there can be read, now that all of its parts are there that will come.
  func judgeReadiness(_ draft: inout Draft) {
    let (saved, url) = (savedCopies, draft.visit.url)
    guard draft.outcome.isReadable, feedRequest(for: url) == nil, var needs = draft.needs else {
      return
    }
    if needs.text == .none { needs.hasRendering = saved.hasRendering(of: url) }
    draft.outcome.needsRendering = needs.hasRendering
    draft.outcome.unready = needs.unreadiness(of: url, part: saved.needs)
    guard let reason = draft.outcome.unready else { return }
    draft.outcome.lacksParts = reason.kind == .missingPart && draft.needed.mayComeLater
    draft.outcome.wasUnready =
      request.excusesRepeatedFailures && draft.outcome.result == .unchanged
      && !draft.outcome.lacksParts
  }
}

extension SaveOutcome {
  /// Returns the changes that record the frames without which the page cannot be read. Those of a pinned page are
  /// exempt from the limits.
  func frameChanges(of key: String) -> [LibraryChange] {
    [LibraryChange(key, .frames, neededKeys.isEmpty ? nil : neededKeys.joined(separator: "\n"))]
  }
}

extension PageSaver.Result {
  /// Returns whether a page is skipped because offread crashed on it repeatedly.
  func isLeftOut(_ url: String) -> Bool {
    links == nil
      && (way.suffix(1) + [url]).contains { PageWatch.leftOut(CacheKey.make($0) ?? $0) != nil }
  }
}
