import Foundation

/// The pages that were answered lately, by their content: a network's gateway gives the same page for
/// whatever is asked.
///
/// The same content says nothing where it may be the same page: on one site, under the same path of
/// another host (a mirror), or where it was there before.
struct AnswerMemory: Sendable {
  /// The most answers that are remembered.
  static let limit = 128
  private var pages: [PageAnswer] = []

  /// How many answers are remembered.
  var count: Int { pages.count }

  /// Remembers an answer.
  mutating func note(_ page: PageAnswer) {
    pages.removeAll { $0.url == page.url || !Self.isRecent($0, now: page.date) }
    pages.append(page)
    if pages.count > Self.limit { pages.removeFirst(pages.count - Self.limit) }
  }

  /// Whether unrelated pages of other sites had the same content lately: one where both have a saved
  /// page to compare with, else two.
  /// - Parameters:
  ///   - page: the answer.
  ///   - saved: answers that other processes got.
  /// - Returns: whether it is so.
  func isRepeated(_ page: PageAnswer, besides saved: [PageAnswer] = []) -> Bool {
    let known = Set(pages.map(\.url.description))
    let others = (pages + saved.filter { !known.contains($0.url.description) }).filter {
      $0.digest == page.digest && Self.isRecent($0, now: page.date) && isUnrelated($0, page)
    }
    return others.count >= (page.savedDigest == nil ? 2 : 1)
  }

  private func isUnrelated(_ other: PageAnswer, _ page: PageAnswer) -> Bool {
    // No captive portal stands before a private network.
    guard !Site.isSame(other.url.host, page.url.host), other.savedDigest != other.digest,
      !Site.isPrivate(other.url.host), !Site.isPrivate(page.url.host)
    else { return false }
    if let mine = page.savedDigest, let theirs = other.savedDigest { return mine != theirs }
    return (other.url.path, other.url.query ?? "") != (page.url.path, page.url.query ?? "")
  }

  private static func isRecent(_ page: PageAnswer, now: Date) -> Bool {
    (0..<PageAnswer.duration).contains(now.timeIntervalSince(page.date))
  }
}
