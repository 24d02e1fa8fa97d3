import OfflineCache

/// A compact queue of pages in the order of their numbers, which needs only a few bytes per page in
/// addition to its URL. Pages at the front are removed when they are no longer needed.
struct CrawlQueue: Sendable {
  /// The data of a page, except its URL and the host of its start page.
  private struct Head: Sendable {
    /// The offset in `Piece.text` at which the text of this page ends.
    var end: UInt32
    var depth: UInt32
    /// The number of bytes at the end of the page's text that contain the host of the start page; 0
    /// if that is the host of the page's URL.
    var hostLength: UInt16
    /// The number of this page among the pages of its text, from 1.
    var partNumber: UInt8
    var isRequested: Bool
    var isPublicOnly: Bool
  }

  /// A run of `pieceSize` pages.
  private struct Piece: Sendable {
    var heads: [Head] = []
    /// The texts of the pages: the URL of each, and the host of its start page if it differs.
    var text: [UInt8] = []
  }

  /// The number of pages of a piece.
  private static let pieceSize = 256

  private var pieces: [Piece] = []
  /// The number of pieces that were removed.
  private var removedPieceCount = 0
  /// The number of pages that were added.
  private(set) var count = 0

  /// Adds a page, whose number must be `count`.
  mutating func append(_ entry: LinkFrontier.Entry) {
    if count % Self.pieceSize == 0 { pieces.append(Piece()) }
    let last = pieces.count - 1
    pieces[last].text.append(contentsOf: entry.url.utf8)
    let suffix = entry.parsedURL.host == entry.seedHost ? "" : entry.seedHost
    pieces[last].text.append(contentsOf: suffix.utf8)
    pieces[last].heads.append(
      Head(
        end: UInt32(pieces[last].text.count), depth: UInt32(clamping: entry.depth),
        hostLength: UInt16(clamping: suffix.utf8.count),
        partNumber: UInt8(clamping: entry.partNumber),
        isRequested: entry.isRequested, isPublicOnly: entry.isPublicOnly))
    count += 1
  }

  /// Returns the page with a number; nil if the page was removed or has not been added yet.
  subscript(number: Int) -> LinkFrontier.Entry? {
    let position = number / Self.pieceSize - removedPieceCount
    guard (0..<count).contains(number), pieces.indices.contains(position) else { return nil }
    let (piece, index) = (pieces[position], number % Self.pieceSize)
    let head = piece.heads[index]
    let start = index == 0 ? 0 : Int(piece.heads[index - 1].end)
    let middle = Int(head.end) - Int(head.hostLength)
    let url = String(decoding: piece.text[start..<middle], as: UTF8.self)
    // Always succeeds, because the text was a valid URL when it was added.
    guard let parsedURL = WebURL(url) else { return nil }
    let host =
      head.hostLength == 0
      ? parsedURL.host ?? ""
      : String(decoding: piece.text[middle..<Int(head.end)], as: UTF8.self)
    return LinkFrontier.Entry(
      number: number, parsedURL: parsedURL, url: url, depth: Int(head.depth), seedHost: host,
      partNumber: Int(head.partNumber), isRequested: head.isRequested,
      isPublicOnly: head.isPublicOnly)
  }

  /// Removes the pages before a number. Only whole pieces are removed, so some of these pages may
  /// remain.
  mutating func drop(before number: Int) {
    let whole = min(number / Self.pieceSize - removedPieceCount, pieces.count)
    guard whole > 0 else { return }
    pieces.removeFirst(whole)
    removedPieceCount += whole
  }
}
