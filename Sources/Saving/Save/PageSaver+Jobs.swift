import Reader
import Crawl
import Foundation
import OfflineCache

/// What a saver asks for, and what it gets.
extension PageSaver {
  /// A load: of a page, of an image of a page, of a site's robots.txt.
  enum Job: Sendable {
    /// The page of a visit, by its number: those that wait are many.
    case page(Int)
    case image(url: String, page: Int)
    /// What a page needs in a browser; `depth` tells how many style sheets named each other before it.
    case part(PagePart, page: Int)
    /// A frame of a page, or the target of its `meta refresh`; `level` is the number of such parts that led to it.
    case needed(url: String, page: Int, level: Int)
    case robots(origin: String)
  }

  /// A load that was started.
  struct Task: Sendable {
    var number: Int
    var job: Job
    /// What is asked for.
    var url: String
    /// The host whose pace it follows; nil when it asks none.
    var host: String?
    var began: Date
    /// Whether it is a page that was asked for, and nothing is saved of it.
    var isFirst = false
    /// Whether it is a page that was asked for, of which a version is saved.
    var isRevisit = false
    /// Whether a feed names it as a page of its own.
    var isItem = false
    /// Whether its saved copy may have come from a captive portal.
    var isUnconfirmed = false
    /// Whether it belongs to a page that is kept with all of its parts.
    var isComplete = false
    /// Whether it has to stay in the public network.
    var isPublicOnly = false
    /// Whether a page or a feed has named it, and not the user.
    var isPageNamed = false
  }

  /// What a load brought.
  struct Result: Sendable {
    var task: Task
    var ending: Ending
    /// How the load ended as far as its host's pace is concerned.
    var pace: SitePace<Job>.Ending
    /// What the page has, or nil.
    var links: PageLinks?
    /// Whether it has not changed and is too long to be looked at again.
    var isPassedOver = false
    /// What it needs in a browser: of a page that is kept complete, and of a style sheet.
    var parts: [PagePart] = []
    /// What tells it from an answer of the network in between, for a page that was not saved before.
    var first: FirstAnswer?
    /// Whether unencrypted redirects led from the public network into a private one, as captive portals do.
    var leavesPublicNetwork = false
    /// The URLs of the redirects that led to it, and its own unless it could not be had.
    var way: [String] = []
    /// Where the first redirects lead as far as they are permanent (301, 308), or nil.
    var permanentTarget: String?
    /// The content of a robots.txt.
    var body: [UInt8] = []
    var size: Int64 = 0
    /// When the content is from.
    var date: Date?
    /// Before when its server does not want to be asked again.
    var askAgain: Date?
    /// Why the answer is not trusted as the page.
    var suspicion: Suspicion?
    /// Whether the answer does not want to be stored.
    var forbidsStoring = false
    /// Whether what came is a good version in the archive, or a seed, under the URL that was asked for.
    var isGoodCopy = false

    /// Whether a response came that is not trusted as the page.
    var isRefused: Bool {
      if case .answered(_, .saved(.suspect), _) = ending { return true }
      return suspicion != nil && !isGoodCopy
    }

    /// Whether it is an image that its server does not provide (a 4xx response other than 429).
    var isMissingImage: Bool {
      guard case .image = task.job, case .answered(let status, _, _) = ending else { return false }
      return status == 404 || status == 410
    }

    enum Ending: Sendable {
      case answered(status: Int, source: Answer.Source, isStored: Bool)
      case failed(LoadError)
      /// It was not asked for, for this reason.
      case abandoned(String)

      /// The text of the outcome for messages.
      var words: String {
        switch self {
        case .answered(let status, _, let isStored):
          (200..<300).contains(status) && !isStored ? "not stored" : "the server answered \(status)"
        case .failed(let error): error.text.line
        case .abandoned(let reason): reason
        }
      }

      /// Why there is no response, or nil.
      var failure: TransportFailure? {
        switch self {
        case .failed(.transport(let failure)), .answered(_, .saved(.failure(let failure)), _):
          failure
        case .failed, .answered, .abandoned: nil
        }
      }
    }
  }

  /// Whether a load has to stay in the public network, as only a page of that has named what it asks for.
  func isPublicOnly(_ job: Job, _ visit: LinkFrontier.Visit?) -> Bool {
    switch job {
    case .page: visit?.isPublicOnly ?? true
    case .image(_, let page), .part(_, let page), .needed(_, let page, _):
      drafts[page]?.isPublic ?? true
    case .robots(let origin):
      (waiting[origin] ?? []).allSatisfy { frontier.visit($0)?.isPublicOnly ?? true }
    }
  }

  /// Whether no user has named what a load asks for.
  func isPageNamed(_ job: Job, _ visit: LinkFrontier.Visit?) -> Bool {
    switch job {
    case .page: visit?.depth != 0 || visit?.isPublicOnly ?? true
    case .image, .part, .needed: true
    case .robots(let origin):
      !(waiting[origin] ?? []).contains { frontier.visit($0)?.depth == 0 }
    }
  }

  /// What a load asks for.
  func url(of job: Job) -> String {
    switch job {
    case .page(let number): frontier.visit(number)?.url ?? ""
    case .image(let url, _), .needed(let url, _, _): url
    case .part(let part, _): part.url
    case .robots(let origin):
      WebURL(origin).flatMap(RobotsRules.address(for:)) ?? origin + "/robots.txt"
    }
  }
}
