import Foundation
import DOM
package import Document
package import OfflineCache
package import ReaderMode

/// A page ready for layout, with its provenance.
package struct Page: Sendable, Equatable {
  /// The requested URL with its fragment, without credentials.
  package var requestedURL: DocumentAddress
  /// The URL of the response, after redirects, with the fragment, without credentials.
  package var url: DocumentAddress
  /// The parsed content.
  package var document: Document
  /// The source and the age of the content.
  package var provenance: Provenance
  /// The media type without parameters, in lower case ("text/html").
  package var mediaType: String
  /// Length of the content in bytes.
  package var length: Int
  /// The status code of the response; 200 for files.
  package var status: Int
  /// The authentication challenge of the server; nil for none.
  @Indirect package var signIn: SignIn?
  /// The site that set a cookie in response to the submitted form (or to an earlier form, if the
  /// page asks for a password), unless the user has already decided about the cookies of this site;
  /// nil if there is no such site.
  package var cookieSite: String?
  /// The cookies that the responses leading to the page set, which its forms may need; nil for none
  /// and for a page without forms. They are kept with the page only.
  package var formCookies: ChainCookies?
  /// For a page that is not available, the URL of a saved page that is probably the requested page
  /// (see `HTTPCache.savedVariant(of:)`); nil for none.
  package var savedVariant: String?
  /// The view of the content.
  package var view: PageViewMode
  /// The content, kept to show other views (reader, source); nil if there are none, or if the
  /// loader keeps no content.
  @Indirect package var content: PageContent?
  /// The form content that was sent with POST; nil for a page loaded with GET.
  @Indirect package var sentForm: FormContent?
  /// The content that another program shows, if the page only describes it; nil otherwise.
  @Indirect package var attachment: Attachment?
  /// Messages to show once, such as that nothing can be saved, or that the index was rebuilt.
  package var notices: [String]
  /// Details of how the page was loaded.
  package var loadTrace: LoadTrace
  /// The parts of the book or document that the page belongs to; nil for a single page.
  @Indirect package var parts: PartList?
  /// Whether only reader view shows the text of the page: the text is in its data for scripts, or
  /// its description is all that it has.
  package var hidesText = false
  /// Whether the page is the received part of a response whose rest is still expected.
  package var isArriving = false

  package init(
    requestedURL: DocumentAddress, url: DocumentAddress, document: Document,
    provenance: Provenance,
    mediaType: String = "text/html", length: Int = 0, status: Int = 200, signIn: SignIn? = nil,
    view: PageViewMode = .page, content: PageContent? = nil, notices: [String] = [],
    loadTrace: LoadTrace = LoadTrace()
  ) {
    self.requestedURL = requestedURL
    self.url = url
    self.document = document
    self.provenance = provenance
    self.mediaType = mediaType
    self.length = length
    self.status = status
    self.signIn = signIn
    self.view = view
    self.content = content
    self.notices = notices + (document.notice.isEmpty ? [] : [document.notice])
    self.loadTrace = loadTrace
  }

  /// The fragment of the position at which the page opens: that of the final URL if a redirect has
  /// one, otherwise that of the requested URL (RFC 9110 §10.2.2); nil for none.
  package var fragment: Substring? { url.fragment ?? requestedURL.fragment }

  /// Whether reader view can be chosen: the page is HTML, and its content was kept.
  package var hasReaderView: Bool { content?.hasReaderView ?? false }

  /// Maximum length in bytes of the text of a page that is examined for hidden text.
  private static let maxExaminedTextLength = 1 << 13

  /// Determines whether the text of the page is in its data for scripts. Only pages with little
  /// text are examined.
  package mutating func findHiddenText() {
    guard view == .page, hasReaderView, document.text.count < Self.maxExaminedTextLength,
      length < PageContent.longLength
    else { return }
    switch read(as: .reader(ReaderOptions(showsMetadata: false))).document.readerFacts?
      .contentSource
    {
    case .structuredData(.linkedData), .structuredData(.articleBody), .structuredData(.scriptState):
      hidesText = true
    // A description is worth a hint only if the page has nothing else.
    case .structuredData(.description): hidesText = needsScripts || document.text.isEmpty
    case .visiblePage, .hiddenText, .noScript, .wholePage, .emptyPage, .tooLargePage, nil: break
    }
  }

  /// Whether there is nothing to read on the page because scripts create its text.
  package var needsScripts: Bool {
    view != .source && document.hasScripts && errorStatus == nil && document.isWithoutText
  }

  /// The message for a page with `needsScripts`. A short text may be the complete text of the page.
  package var scriptMessage: String {
    document.runs.contains { $0.image == nil }
      ? "this page has hardly any text; it may need JavaScript"
      : "this page needs JavaScript"
  }

  /// Returns the page in another view; unchanged if its content is not available.
  package func read(as view: PageViewMode) -> Page {
    guard let content else { return self }
    var page = self
    page.document = content.document(url: url.text, view: view)
    page.view = view
    return page
  }

  /// Whether the page is the received part of an incomplete response, which is not saved as the
  /// page.
  package var isPartial: Bool { provenance.rejection == .failure(.incomplete) }

  /// Whether the server handled the request, but has no page to show instead of the one on the
  /// screen (RFC 9110 §15.3.5, §15.3.6).
  package var isWithoutContent: Bool { status == 204 || status == 205 }

  /// Whether the response is not a page: an error, a 206 or 304 that was not requested (RFC 9110
  /// §15.3.7, §15.4.5), or a redirect with neither a target nor text.
  package var isError: Bool {
    status >= 400 || status == 206 || status == 304
      || (300..<400).contains(status) && document.isWithoutText
  }

  /// The message for a page from the network that has nothing to show; nil for other pages, and if
  /// another message explains it.
  package var emptinessText: String? {
    guard provenance.source == .network, !isError, !needsScripts, document.readerFacts == nil,
      document.text.isEmpty, document.images.isEmpty
    else { return nil }
    return isWithoutContent ? noContentText : "the page is empty"
  }

  /// The message for a response for which `isWithoutContent` is true.
  package var noContentText: String {
    "the server sent no page (\(ReaderError.statusText(forStatus: status)))"
  }

  /// The error status of the content on screen, such as "404 Not Found"; nil if the response was
  /// successful or a saved copy is shown.
  package var errorStatus: String? {
    switch provenance.source {
    case .network, .fresh: isError ? ReaderError.failureText(forStatus: status) : nil
    case .saved, .substituted, .builtIn, .file, .explanation: nil
    }
  }
}

extension Page {
  /// Whether the page is a file with parts, a part of one, or a file itself, so that its reading
  /// position is found by the content of the file. The items of other files, such as archives and
  /// mailboxes, are pages of their own.
  package var isOfBook: Bool {
    if parts != nil { return true }
    if let book = BookAddress(url.text) { return book.path.isEmpty }
    return url.filePath.map { LocalFile.split($0) == nil } ?? false
  }
}
