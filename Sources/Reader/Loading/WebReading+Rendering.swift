import LocalDocuments
import Pages
import Rendering
import Document
import Formats
import Foundation
import OfflineCache

/// Pages whose text is created by scripts.
extension WebReading {
  /// Renders the page in a browser. In the mode `cacheOnly`, an existing rendering is shown instead
  /// if there is one.
  func startRendered() {
    if options.mode == .cacheOnly, let page = savedRendering(requested) {
      return load.report(.loaded(page))
    }
    do throws(RenderFailure) {
      let rendered = try loader.render(requestedURL, options: options, load)
      guard let page = page(of: rendered.page, date: rendered.page.date, id: rendered.stored?.id)
      else { return fail(.ended) }
      loader.recordRead(page)
      load.report(.loaded(page))
    } catch {
      fail(error)
    }
  }

  /// Returns an earlier rendering to show instead of a page without text; nil if there is none.
  func renderedBefore(insteadOf page: Page) -> Page? {
    guard page.sentForm == nil, options.copy == .latest else { return nil }
    return savedRendering(page.url.text)
  }

  private func fail(_ failure: RenderFailure) {
    let error = ReaderError.notRendered(url: requested, failure.description)
    load.report(.failed(error, explanation: loader.explain(error, url: requested, for: request)))
  }

  /// Returns the latest saved rendering of a page; nil if there is none that can be read.
  private func savedRendering(_ url: String) -> Page? {
    guard let key = cache.key(of: url),
      let stored = try? cache.archive.indexedVersions(of: RenderedPage.key(of: key)).first,
      let content = try? cache.archive.body(of: stored).rest()
    else { return nil }
    let rendered = RenderedPage(
      key: key, url: stored.renderedURL ?? url, browser: stored.browser ?? "", source: nil,
      date: stored.contentDate, content: content)
    return page(of: rendered, date: stored.contentDate, id: stored.id, file: stored.importedFile)
  }

  private func page(
    of rendered: RenderedPage, date: Date, id: String?, file: String? = nil
  ) -> Page? {
    let type = MediaType("text/html; charset=utf-8")
    guard
      let content = try? PageContent(
        document: rendered.content, type: type, limit: options.maxRenderedSize, title: "")
    else { return nil }
    let url = DocumentAddress(rendered.url).withoutCredentials
    var page = Page(
      requestedURL: DocumentAddress(requestedURL).withoutCredentials, url: url,
      document: Document(),
      provenance: Provenance(
        source: .saved(.rendered(by: rendered.browserDescription)), contentDate: date,
        importedFile: file),
      mediaType: content.mediaType, length: rendered.content.count,
      view: loader.view(of: url, for: request))
    page.notices = loader.notices() + content.notices
    page.content = loader.contentToKeep(content, url: url)
    page.document = content.document(url: url.text, view: page.view)
    page.loadTrace.version = id
    return page
  }
}
