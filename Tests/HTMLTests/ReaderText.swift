import Document
import ReaderMode

/// The text that reader view shows of a page, without media and metadata.
func readerText(ofBody body: String, title: String, head: String = "") -> String {
  let html = "<!DOCTYPE html><html lang=en><title>\(title)</title>\(head)<body>\(body)"
  let document = Document(
    bytes: Array(html.utf8), mediaType: "text/html", url: "https://example.org/a/page.html",
    view: .reader(ReaderOptions(keepsMedia: false, showsMetadata: false, foldsNavigation: false)))
  return String(decoding: document.plainText, as: UTF8.self)
}
