import DOM
package import Document
package import Layout
import Library
package import Reader
package import ReaderMode

/// What may still come for a page that was shown.
enum Refresh: Sendable, Equatable {
  case none
  /// This load may bring a newer version.
  case awaited(LoadID)
  /// A newer version, already saved.
  case arrived(Page)

  /// The newer version that has come, or nil.
  var page: Page? { if case .arrived(let page) = self { page } else { nil } }
}

/// How a page came to the screen, and what may still come for it.
struct Opening: Sendable, Equatable {
  /// Which of the pages it is that came to the screen, from 1.
  var number = 0
  /// Who asked for the page; asking again must not allow more.
  var origin = LoadRequest.Origin.user
  /// What may still come.
  var refresh = Refresh.none
  /// The list from which it was opened.
  var list: ListScreen?
}

/// A page in the history: the page, where the reader was, and what is still to come for it.
package struct Visit: Sendable, Equatable {
  /// The page; nil when it was dropped to save memory and is to be loaded again.
  package var page: Page?
  /// The address by which it can be loaded again.
  package var url: String
  /// How it is read.
  package var view: ReadingView
  /// How it came to the screen.
  var opening: Opening
  /// Where the reader was.
  package var position = ReadingPosition()
  /// What is filled into its forms.
  package var filled = FormValues.Kept()
  /// The text at the top, where the page may be another version by the time it is loaded again.
  var anchor: TextAnchor?
  /// The title of a page that was dropped.
  var title = ""
  /// Whether it never came, so that nobody knows whether it may be written down.
  var isPending = false

  init(page: Page, _ opening: Opening) {
    self.page = page
    self.opening = opening
    url = page.requestedURL
    view = page.view
    title = page.document.title
  }

  /// A page that is still to come.
  init(_ url: String, origin: LoadRequest.Origin) {
    self.url = url
    view = .page
    opening = Opening(origin: origin)
    isPending = true
  }

  /// A page of an earlier session, to be loaded when it is wanted.
  init(_ step: SavedTabs.Step) {
    url = step.url
    title = step.title
    view = step.isReader ? .reader(ReaderOptions()) : .page
    anchor = step.anchor
    opening = Opening()
    position.source = UInt32(clamping: step.anchor?.offset ?? 0)
    position.line = -1
  }
}

/// A place on a page that outlives another width.
package struct ReadingPosition: Sendable, Equatable {
  /// Offset in `Document.text` of the top line's text.
  package var source: UInt32 = 0
  /// The top line, which is exact as long as the layout is the same.
  package var line = 0
  /// What has the focus, or nil.
  package var focus: PageLayout.Target?
  /// The folds that the user has opened or closed.
  package var toggledDetails: Set<Int32> = []

  package init() {}
}

/// Where the reader was before and can go forward to again.
package struct History: Sendable, Equatable {
  /// Earlier pages, the latest last.
  package private(set) var past: [Visit] = []
  /// Pages that were left by going back, the nearest last.
  package private(set) var future: [Visit] = []

  /// Bytes of pages kept in memory; what is beyond is loaded again when it is wanted.
  static let memoryLimit = 24 << 20

  /// Goes on to a new page from `visit`.
  mutating func leave(_ visit: Visit) {
    past.append(visit)
    future = []
    if past.count > 500 { past.removeFirst() }
    dropPages()
  }

  /// The visit a number of steps back (negative) or forward; beyond the end, the last one there.
  func visit(after steps: Int) -> Visit? {
    if steps < 0 { return past.isEmpty ? nil : past[max(0, past.count + steps)] }
    return future.isEmpty || steps == 0 ? nil : future[max(0, future.count - steps)]
  }

  /// Goes to `visit(after: steps)` from the page on screen.
  mutating func move(by steps: Int, from visit: Visit) {
    var visit = visit
    for _ in 0..<abs(steps) {
      guard let next = steps < 0 ? past.popLast() : future.popLast() else { break }
      if steps < 0 { future.append(visit) } else { past.append(visit) }
      visit = next
    }
    dropPages()
  }

  /// Changes the visits that wait for a load; they wait no longer.
  mutating func update(waitingFor id: LoadID, _ change: (inout Visit) -> Void) {
    func update(_ visits: inout [Visit]) {
      for index in visits.indices where visits[index].opening.refresh == .awaited(id) {
        visits[index].opening.refresh = .none
        change(&visits[index])
      }
    }
    update(&past)
    update(&future)
  }

  private mutating func dropPages() { drop(beyond: Self.memoryLimit) }

  /// Begins with earlier pages, the latest last.
  init(past: [Visit] = []) { self.past = past }

  /// Whether a page of it waits for the reports of a load.
  func awaits(_ id: LoadID) -> Bool {
    (past + future).contains { $0.opening.refresh == .awaited(id) }
  }

  /// How much of its pages is in memory, in bytes.
  var size: Int { (past + future).reduce(0) { $0 + ($1.page?.size ?? 0) } }

  /// Drops the pages that are farthest away, so that no more than some bytes stay in memory.
  mutating func drop(beyond limit: Int) {
    var total = 0
    for index in past.indices.reversed() { Self.drop(&past[index], &total, limit) }
    for index in future.indices.reversed() { Self.drop(&future[index], &total, limit) }
  }

  /// Pages that cannot be loaded again by their address (standard input, answers to forms) stay.
  private static func drop(_ visit: inout Visit, _ total: inout Int, _ limit: Int) {
    guard let page = visit.page else { return }
    total += page.size
    if total > limit, !page.isIrreplaceable { visit.page = nil }
  }
}

extension Page {
  /// How much memory it takes, about, in bytes.
  var size: Int {
    document.text.count + (content?.bytes.count ?? 0) + (attachment?.content?.count ?? 0)
  }

  /// Whether its address does not give it again.
  var isIrreplaceable: Bool { requestedURL.hasScheme("stdin") || sent != nil }
}
