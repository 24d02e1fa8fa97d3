import DOM
import Document
import Feeds
import Formats
import OfflineCache
import ReaderMode
import WebArchive

@testable import Containers
@testable import Exchange

/// Tests mail shown as a page, with its attachments and forwarded messages.
@Sendable func tryMailPage(_ bytes: [UInt8]) {
  var mailboxes = [try? Mailbox(mailbox: bytes)]
  mailboxes.append((try? MIMEMessage(bytes)).map { Mailbox($0) })
  for mailbox in mailboxes.compactMap(\.self) {
    let pages = MailPages(name: "a.eml", mailbox: mailbox) { "file:///a.eml/\($0)" }
    guard let page = try? pages.item(at: "") else {
      fatalError("mail has no page")
    }
    checkDocument(
      Document(bytes: page.bytes, mediaType: "text/html", url: "file:///a.eml"), width: 60)
    let count = mailbox.messages.reduce(0) { $0 + $1.parts.count }
    for part in 0..<min(count, 20) {
      require((try? pages.item(at: "\(part)")) != nil, "part \(part) cannot be opened")
      _ = try? pages.item(at: "\(part)/0")
    }
    require((try? pages.item(at: "\(count)")) == nil, "there is a part too many")
  }
  _ = MailPages.decoded(String(decoding: bytes, as: UTF8.self))
}

/// Tests the parsers of the output of `pdftotext`, with and without bounding boxes.
@Sendable func tryPDF(_ bytes: [UInt8]) {
  for page in [
    PDFMarkup.page(bboxOutput: bytes, title: "a"), PDFMarkup.page(layoutOutput: bytes, title: "a"),
  ] {
    guard let page else { continue }
    require(
      page.contains { $0 < 0x80 } && page.starts(with: "<!DOCTYPE html>".utf8), "this is no page")
    checkDocument(
      Document(bytes: page, mediaType: "text/html", url: "file:///a.pdf"), width: 72)
  }
}

/// Tests the parser of the responses of the helper that reads ZIM files.
@Sendable func tryZIM(_ bytes: [UInt8]) {
  guard let answer = try? ZIMResponse(bytes) else { return }
  for row in answer.rows {
    for match in row.matches {
      require(match.upperBound <= row.snippet.count, "a match ends after its passage")
    }
  }
  _ = ZIMResponse.encoded(answer.path)
}

/// Tests the parsers of the beginning of a page that a browser or SingleFile saved, and of a
/// sitemap.
@Sendable func trySavedPage(_ bytes: [UInt8]) {
  if let page = SavedPage(bytes) {
    require(page.url.isWeb, "a saved page has a URL that is not one of the web")
  }
  tryList(bytes)
}
