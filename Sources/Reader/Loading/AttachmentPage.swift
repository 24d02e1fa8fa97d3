import Pages
import DOM
import ReaderMode
import Foundation
import Document
import Feeds

/// The page that is shown for content that is not text. It describes the content, and names the
/// commands that open or save it.
struct AttachmentPage {
  let attachment: Attachment
  /// The reason why no text was extracted, as the end of a sentence; empty unless it is a PDF file.
  /// See `PDFText.extractionProblem(in:)`.
  var extractionProblem = ""
  /// The feed item that links to the file, with its text, which is shown below the description; nil
  /// if there is none.
  var itemText: FeedItemText?
  /// The keys that the description names.
  var keyNames = KeyNames()

  /// Returns the page, ready for layout.
  /// - Parameters:
  ///   - url: the requested URL.
  ///   - provenance: the source of the content.
  /// - Returns: the page.
  func page(requestedURL url: DocumentAddress, provenance: Provenance) -> Page {
    let shown = DocumentAddress(attachment.url).withoutCredentials
    let document =
      itemText.map { $0.feed.document(of: $0.item, url: shown.text, preface: facts) }
      ?? Document(
        bytes: Array(markup.utf8), mediaType: "text/html", charset: "utf-8", url: shown.text)
    var page = Page(
      requestedURL: url.withoutCredentials, url: shown, document: document,
      provenance: provenance, mediaType: attachment.mediaType, length: attachment.length)
    page.attachment = attachment
    return page
  }

  /// The page of a file that no item of a feed links to.
  private var markup: String {
    let title = Markup.escaped(attachment.title)
    return "<!DOCTYPE html><title>\(title)</title><main><h1>\(title)</h1>\(facts)</main>"
  }

  /// The description of the file.
  private var facts: String {
    var facts = [
      ("Type", attachment.mediaType), ("Size", CountFormatter.byteCountText(attachment.length)),
    ]
    if let date = attachment.date {
      let day = date.formatted(.iso8601.year().month().day())
      let isLocal = attachment.path != nil && attachment.storedPath == nil
      facts.append((isLocal ? "Changed" : "Saved", day))
    }
    facts.append(("URL", SafeText.withoutCredentials(attachment.url)))
    var html = "<p>Not a text file. Another program can show it.</p><dl>"
    for (name, value) in facts {
      html += "<dt>\(name)<dd><code>\(Markup.escapedLine(value))</code>"
    }
    html += "</dl>"
    if attachment.content != nil, attachment.url.isWebURL {
      html += "<p>The file is not saved and is lost when the session ends.</p>"
    }
    html += "<p><kbd>Enter</kbd> opens the file"
    html += attachment.path == nil ? ", <kbd>D</kbd> downloads it.</p>" : ".</p>"
    if attachment.mediaType == PDFText.mediaType, !PDFText.isPossible {
      html +=
        "<p>Install the package poppler-utils (<code>pdftotext</code>) to show its text here.</p>"
    } else if !extractionProblem.isEmpty {
      html += "<p>Its text cannot be shown: \(Markup.escaped(extractionProblem)).</p>"
    }
    return keyNames.applied(to: html)
  }
}
