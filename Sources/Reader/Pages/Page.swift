package import Foundation
package import Document
package import ReaderMode

/// A page ready to be laid out, with what is known of where it came from.
package struct Page: Sendable, Equatable {
  /// The URL that was asked for, with its fragment, credentials removed.
  package var requestedURL: String
  /// The URL that answered, after redirects, with the fragment, credentials removed.
  package var url: String
  /// The content.
  package var document: Document
  /// Where the content is from and how old it is.
  package var provenance: Provenance
  /// The media type without parameters, lower case ("text/html").
  package var mediaType: String
  /// Length of the content in bytes.
  package var length: Int
  /// The status code of the answer; 200 for files.
  package var status: Int
  /// What the server asks before it gives the page, or nil.
  package var signIn: SignIn?
  /// The site that set a cookie in response to the submitted form, if the user has not decided about its cookies.
  package var cookieSite: String?
  /// For a page that is not available: the URL of a saved page that differs only in http and https, or in the
  /// trailing slash.
  package var savedVariant: String?
  /// How the content is read.
  package var view: ReadingView
  /// What it was made of, as long as it has other views (reader, source), or nil.
  package var content: PageContent?
  /// What was sent with POST to have it; nil for a page that its address gives.
  package var sent: FormContent?
  /// What another program shows, when the page only says what it is; else nil.
  package var attachment: Attachment?
  /// What is to be told once, such as that nothing can be saved, or that the index was built again.
  package var notices: [String]
  /// How it came.
  package var arrival: LoadTrace
  /// The reading of which it is a part, or the contents; nil for a page by itself.
  package var parts: PartList?
  /// Whether its text is in its data for scripts, so that only reader mode has it.
  package var hidesText = false

  package init(
    requestedURL: String, url: String, document: Document, provenance: Provenance,
    mediaType: String = "text/html", length: Int = 0, status: Int = 200, signIn: SignIn? = nil,
    view: ReadingView = .page, content: PageContent? = nil, notices: [String] = [],
    arrival: LoadTrace = LoadTrace()
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
    self.arrival = arrival
  }

  /// Whether it has a main content that can be shown alone.
  package var hasReaderView: Bool { content?.hasReaderView ?? false }

  /// A page with more text than this, in bytes, shows what it has.
  private static let littleText = 1 << 13

  /// Finds out whether the text of the page is in its data for scripts, as it may be where there is little
  /// of it.
  mutating func lookForHiddenText() {
    guard view == .page, hasReaderView, document.text.count < Self.littleText,
      length < PageContent.longLength
    else { return }
    switch read(as: .reader(ReaderOptions(showsMetadata: false))).document.reader?.source {
    case .embedded(.linkedData), .embedded(.state): hidesText = true
    case .page, .hidden, .noScript, .wholePage, .nothing, .tooLarge, .embedded(.description), nil:
      break
    }
  }

  /// Whether there is nothing to read on the page, since scripts make its text.
  package var needsScripts: Bool {
    view != .source && document.hasScripts && errorStatus == nil && document.isWithoutText
  }

  /// What is said of a page that `needsScripts`: a short text may be all of it.
  package var scriptWords: String {
    document.runs.contains { $0.image < 0 }
      ? "this page has hardly any text; scripts, which are not run, may make more"
      : "the text of this page is made by scripts, which are not run"
  }

  /// The page in another view; the same when that is not known of it.
  package func read(as view: ReadingView) -> Page {
    guard let content else { return self }
    var page = self
    page.document = content.document(url: url, view: view)
    page.view = view
    return page
  }

  /// Whether the answer is no page: an error, or a part or "unchanged" that nobody had asked for (RFC 9110 §15.3.7,
  /// §15.4.5).
  package var isError: Bool { status >= 400 || status == 206 || status == 304 }

  /// The error status that came with the content on screen, such as "404 Not Found"; nil when the
  /// answer was none, or when a copy stands in its place.
  package var errorStatus: String? {
    switch provenance.source {
    case .network, .fresh: isError ? ReaderError.words(forStatus: status) : nil
    case .saved, .substituted, .builtIn, .file, .explanation: nil
    }
  }
}

/// Where a page came from: the facts behind the banner.
package struct Provenance: Sendable, Equatable {
  /// The source of the bytes on screen.
  package var source: Source
  /// When the content was fetched; nil for files and built-in pages.
  package var contentDate: Date?
  /// When the server was last asked about it, and with what result; nil when never since.
  package var lastCheck: Check?
  /// Saved versions older than this one.
  package var olderVersions: Int
  /// Whether a saved copy is what the server would have to be asked for only later, by its own rules.
  package var isFresh: Bool
  /// The file of the archive that a copy is from which another machine or program wrote, or nil.
  package var foreignFile: String?
  /// The host of the archive of the web that has given the copy, as its record says, or nil.
  package var archiveHost: String?
  /// Why what is on screen is not trusted to be the page, where there is no copy in its place; or nil.
  package var doubt: SavedReason?
  /// The request fields by which the copy is the answer to another request, in lower case.
  package var differingFields: [String] = []

  package init(
    source: Source, contentDate: Date? = nil, lastCheck: Check? = nil, olderVersions: Int = 0,
    isFresh: Bool = false, foreignFile: String? = nil, archiveHost: String? = nil
  ) {
    self.foreignFile = foreignFile
    self.archiveHost = archiveHost
    self.isFresh = isFresh
    self.source = source
    self.contentDate = contentDate
    self.lastCheck = lastCheck
    self.olderVersions = olderVersions
  }

  /// Whether an archive of the web has given the copy.
  package var isFromRemote: Bool { archiveHost != nil }

  /// `for another x-api-key`, of a copy that answered another request; or nil.
  package var variantWords: String? {
    guard let first = differingFields.first else { return nil }
    // The server has made up the names.
    let isShort = differingFields.count == 1 && first.utf8.count <= 24
    return "for another \(isShort ? SafeText.line(first) : "request")"
  }

  /// `from import-0a1b.warc.gz`, for a copy that another machine or program wrote, `from the archive of HOST`
  /// for one that an archive of the web has given; or nil.
  package var foreignWords: String? {
    let source = archiveHost.map { "the archive of \($0)" } ?? foreignFile
    return source.map { "from \(SafeText.line($0))" }
  }

  /// The source of the bytes on screen.
  package enum Source: Sendable, Equatable {
    /// The network, just now (a new answer, or a saved one that the server confirmed).
    case network
    /// A stored response that is fresh by its own rules, shown without asking.
    case fresh
    /// A saved copy, shown because of the reason.
    case saved(SavedReason)
    /// A local file in the place of the page, by a substitution of the settings.
    case substituted
    /// A page that ships with the program.
    case builtIn
    /// A local file or standard input.
    case file
    /// A page by the program that explains why there is none.
    case explanation
  }

  /// A check of the copy with the server.
  package struct Check: Sendable, Equatable {
    /// When it ended.
    package var date: Date
    /// Nil when it succeeded, else why it failed.
    package var failure: SavedReason?

    package init(date: Date, failure: SavedReason? = nil) {
      self.date = date
      self.failure = failure
    }
  }
}

/// What a load reports, in this order: any number of `progressed`, `asking` and `began`; then
/// `loaded` or `failed`; after a page that shows a saved copy while the refresh still runs, one of `newer` and `checked`.
package enum LoadEvent: Sendable {
  /// Bytes received so far and, if the server said so, in total.
  case progressed(received: Int, expected: Int?)
  /// The page cannot be had, and an archive of the web is asked for it: its host.
  case asking(host: String)
  /// The first screens of a long page that is all here, and follows; or what the server says of a page for which
  /// an archive is asked now.
  case began(Page)
  /// The response whose head has been received is a file to save. The load goes on, and ends with `failed`, whose
  /// explanation has the file as its attachment.
  case offered(FileOffer)
  /// A page to show.
  case loaded(Page)
  /// The refresh behind a shown copy brought a newer version, already saved.
  case newer(Page)
  /// The refresh behind a shown copy ended without a newer version.
  case checked(Provenance)
  /// There is nothing to show but the explanation.
  case failed(ReaderError, explanation: Page)
}
