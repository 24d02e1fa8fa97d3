import Feeds
@testable import Crawl
import ReaderMode
import Document
import OfflineCache
import TestSupport
import Testing

@testable import Pages

@Suite struct LinkFrontierTests {
  private func bounds(_ change: (inout CrawlBounds) -> Void) -> CrawlBounds {
    var bounds = CrawlBounds()
    change(&bounds)
    return bounds
  }

  /// Returns all entries that are available now.
  private func all(_ frontier: inout LinkFrontier) -> [LinkFrontier.Entry] {
    var visits: [LinkFrontier.Entry] = []
    while let entry = frontier.next() { visits.append(entry) }
    return visits
  }

  @Test func `links are followed to the given depth, each URL once`() throws {
    var frontier = LinkFrontier(bounds { $0.depth = 1 })
    let added = [
      "https://a.test/", "https://b.test/#top", "https://A.test:443/#x", "mailto:x@a.test",
      "no url",
    ].map { frontier.add($0) }
    #expect(added == [true, true, false, false, false])
    let seeds = all(&frontier)
    #expect(seeds.map(\.url) == ["https://a.test/", "https://b.test/"])
    #expect(!frontier.isDone)
    frontier.recordFinished(
      seeds[0],
      links: [
        "https://a.test/1", "https://b.test/", "https://a.test/1#x", "javascript:x",
        "ftp://a.test/",
      ])
    frontier.recordFinished(seeds[1], links: ["https://a.test/1", "https://b.test/2"])
    let next = all(&frontier)
    #expect(next.map(\.url) == ["https://a.test/1", "https://b.test/2"])
    #expect(next.map(\.depth) == [1, 1] && next.map(\.seedHost) == ["a.test", "b.test"])
    for entry in next { frontier.recordFinished(entry, links: ["https://a.test/deep"]) }
    #expect(all(&frontier) == [])
    #expect(frontier.isDone && frontier.count == 4)
  }

  @Test func `the order does not depend on the order of fetches, and the shortest path counts`() {
    var frontier = LinkFrontier(bounds { $0.depth = 2 })
    frontier.add("https://a.test/")
    let seed = all(&frontier)[0]
    frontier.recordFinished(seed, links: ["https://a.test/slow", "https://a.test/fast"])
    let level = all(&frontier)
    frontier.recordFinished(level[1], links: ["https://a.test/x", "https://a.test/y"])
    #expect(all(&frontier) == [])
    #expect(!frontier.isDone)
    frontier.recordFinished(level[0], links: ["https://a.test/y", "https://a.test/z"])
    #expect(
      all(&frontier).map(\.url) == ["https://a.test/y", "https://a.test/z", "https://a.test/x"])
  }

  @Test func `a page that finishes twice counts once`() {
    var frontier = LinkFrontier(bounds { $0.depth = 1 })
    frontier.add("https://a.test/")
    let seed = all(&frontier)[0]
    frontier.recordFinished(seed, links: ["https://a.test/1"])
    frontier.recordFinished(seed, links: ["https://a.test/2"])
    #expect(all(&frontier).map(\.url) == ["https://a.test/1"])
  }

  @Test func `URLs with the same configured key are one page`() {
    var frontier = LinkFrontier(
      bounds { $0.depth = 1 },
      key: { url in CacheKey.make(url).map { String($0.prefix { $0 != "?" }) } })
    frontier.add("https://a.test/?utm_source=x")
    let isNew = frontier.add("https://a.test/")
    #expect(!isNew)
  }

  @Test(
    arguments: [
      ("https://a.test/x", nil), ("https://www.a.test/x", nil), ("http://a.test/", nil),
      ("https://b.test/x", .host), ("https://sub.a.test/x", .host),
      ("https://a.test/private/x", .pattern), ("https://a.test/x?print=1", .pattern),
      ("https://a.test/x.zip", .file), ("https://a.test/x.MP4", .file),
      ("https://a.test/.gz", .file),
      ("https://a.test/d/?C=M;O=A", .duplicate), ("https://a.test/d/?C=S&O=D", .duplicate),
      ("https://a.test/d/?N=D", .duplicate), ("https://a.test/d/?N=1", nil),
      ("https://a.test/d/?C=M;O=5", nil),
      ("https://a.test/x.html", nil), ("https://a.test/v1.2", nil), ("https://a.test/x.pdf", nil),
      ("https://a.test/a/b/a/b/a/b/a/b", .series),
      ("https://a.test/" + String(repeating: "x/", count: 30), .series),
      ("https://a.test/" + String(repeating: "x", count: 3000), .series),
    ] as [(String, CrawlBounds.Refusal?)])
  func `hosts, patterns and file types are filtered`(_ url: String, _ refusal: CrawlBounds.Refusal?)
  {
    var frontier = LinkFrontier(
      bounds {
        $0.depth = 1
        $0.staysOnHost = true
        $0.excludes = ["/private/*", "*?print=*"]
      })
    frontier.add("https://a.test/seed")
    let seed = all(&frontier)[0]
    frontier.recordFinished(seed, links: [url])
    #expect(all(&frontier).isEmpty == (refusal != nil))
    #expect(frontier.refusals == (refusal.map { [$0: 1] } ?? [:]))
  }

  @Test func `the host that a start page redirects to counts as its host`() {
    var frontier = LinkFrontier(
      bounds {
        $0.depth = 2
        $0.staysOnHost = true
      })
    for url in ["https://a.test/", "https://b.test/"] { frontier.add(url) }
    let seeds = all(&frontier)
    // The host of the second page is known first, and does not count for the first one.
    frontier.recordFinished(
      seeds[1], links: ["https://new-b.test/1", "https://new-a.test/2"], finalHost: "new-b.test")
    frontier.recordFinished(
      seeds[0],
      links: ["https://new-a.test/1", "https://a.test/1", "https://c.test/", "https://b.test/1"],
      finalHost: "new-a.test")
    let next = all(&frontier)
    #expect(
      next.map(\.url) == ["https://new-a.test/1", "https://a.test/1", "https://new-b.test/1"])
    // Redirects of other pages lead to no other hosts.
    frontier.recordFinished(next[0], links: ["https://a.test/2"], finalHost: "c.test")
    for entry in next.dropFirst() {
      frontier.recordFinished(entry, links: ["https://new-a.test/3", "https://c.test/1"])
    }
    #expect(all(&frontier).map(\.url) == ["https://a.test/2", "https://new-a.test/3"])
  }

  @Test func `with an include pattern only matching URLs are followed, including files`() {
    var frontier = LinkFrontier(
      bounds {
        $0.depth = 1
        $0.includes = ["/docs/*", "https://b.test/*"]
      })
    frontier.add("https://a.test/")
    let seed = all(&frontier)[0]
    frontier.recordFinished(
      seed,
      links: [
        "https://a.test/x", "https://a.test/docs/a.zip", "https://b.test/", "https://c.test/",
      ])
    #expect(all(&frontier).map(\.url) == ["https://a.test/docs/a.zip", "https://b.test/"])
    #expect(frontier.refusals == [.pattern: 2])
  }

  @Test
  func `nothing more is fetched at the page limit, and excluded pages free their slots`() {
    var frontier = LinkFrontier(
      bounds {
        $0.depth = 1
        $0.maxPages = 3
      })
    frontier.add("https://a.test/")
    let seed = all(&frontier)[0]
    frontier.recordFinished(seed, links: (1...5).map { "https://a.test/p\($0)" })
    let pages = all(&frontier)
    #expect(pages.map(\.url) == ["https://a.test/p1", "https://a.test/p2"])
    #expect(frontier.isFull && !frontier.isDone && frontier.cutOff == 3)
    frontier.recordDropped(pages[0])
    #expect(all(&frontier).map(\.url) == ["https://a.test/p3"])
    #expect(frontier.cutOff == 2)
  }

  @Test func `nothing more is fetched at the size limit`() {
    var frontier = LinkFrontier(
      bounds {
        $0.depth = 1
        $0.maxBytes = 1000
      })
    frontier.add("https://a.test/")
    let seed = all(&frontier)[0]
    frontier.recordFinished(seed, links: ["https://a.test/1", "https://a.test/2"], size: 600)
    let page = frontier.next()
    page.map { frontier.recordFinished($0, links: [], size: 400) }
    #expect(all(&frontier) == [])
    #expect(frontier.isDone && frontier.cutOff == 1)
  }

  @Test(
    arguments: [
      { "https://a.test/calendar/\(2026 + $0 / 12)/\($0 % 12)" },
      { "https://a.test/?month=\($0)&year=2026" },
      { "https://a.test/list?b=\($0)&a=\($0 * 7)" },
    ] as [@Sendable (Int) -> String])
  func `endless calendars and parameters are detected`(
    _ url: @Sendable (Int) -> String
  ) {
    var frontier = LinkFrontier(
      bounds {
        $0.depth = .max
        $0.maxPagesOfSeries = 50
      })
    frontier.add(url(0))
    var number = 0
    var count = 0
    while let entry = frontier.next(), count < 1000 {
      count += 1
      number += 1
      frontier.recordFinished(entry, links: [url(number), url(number + 1)])
    }
    #expect(count >= 50 && count <= 53 && frontier.isDone)
    #expect(frontier.refusals[.series, default: 0] > 0)
  }

  @Test func `all links of a requested page are followed, however similar they are`() {
    var frontier = LinkFrontier(bounds { $0.depth = 1 })
    frontier.add("https://a.test/")
    let seed = all(&frontier)[0]
    frontier.recordFinished(seed, links: (1...2000).map { "https://a.test/page/\($0)" })
    #expect(all(&frontier).count == 2000)
  }

  @Test func `link cycles end`() {
    var frontier = LinkFrontier(bounds { $0.depth = .max })
    frontier.add("https://a.test/a")
    var count = 0
    while let entry = frontier.next() {
      count += 1
      frontier.recordFinished(entry, links: ["https://a.test/a", "https://a.test/b#\(count)"])
    }
    #expect(count == 2 && frontier.isDone)
  }

  @Test func `crawl entries survive packing until they are done`() throws {
    var queue = CrawlQueue()
    let visits = try (0..<1000).map { number in
      let url = try #require(WebURL("https://h\(number % 7).test/é/\(number)"))
      return LinkFrontier.Entry(
        number: number, parsedURL: url, url: url.description, depth: number / 3,
        seedHost: number % 2 == 0 ? "h\(number % 7).test" : "seed.test",
        partNumber: 1 + number % 20,
        isRequested: number % 3 == 0)
    }
    for entry in visits { queue.append(entry) }
    #expect(queue.count == 1000)
    #expect((0..<1000).allSatisfy { queue[$0] == visits[$0] })
    #expect(queue[1000] == nil && queue[-1] == nil)
    queue.drop(before: 600)
    // Dropped entries are removed in chunks, and no others are.
    #expect(queue[0] == nil && queue[600] == visits[600] && queue[999] == visits[999])
    queue.append(visits[0])
    #expect(queue.count == 1001 && queue[1000]?.url == visits[0].url)
  }

  @Test func `only the keys of finished entries are remembered`() {
    var frontier = LinkFrontier(bounds { $0.depth = 1 })
    for number in 0..<2000 { frontier.add("https://a.test/\(number)") }
    for entry in all(&frontier) { frontier.recordFinished(entry, links: []) }
    #expect(frontier.isDone && frontier.entry(0) == nil && frontier.entry(1000) == nil)
    let isNew = frontier.add("https://a.test/7#x")
    #expect(!isNew)
  }

  @Test func `links of pages that finish out of order are counted, and none are lost`() {
    var frontier = LinkFrontier(bounds { $0.depth = 1 }, maxDeferredSize: 1 << 20)
    for number in 0..<3 { frontier.add("https://a\(number).test/") }
    let seeds = all(&frontier)
    let name = String(repeating: "x", count: 1900)
    for seed in seeds.dropFirst() {
      frontier.recordFinished(
        seed, links: (0..<400).map { "https://a.test/\(seed.number)/\($0)/\(name)" })
    }
    #expect(frontier.isCrowded)
    frontier.recordFinished(seeds[0], links: [])
    #expect(!frontier.isCrowded && frontier.count == 803)
  }

  @Test func `any text can be a link`() {
    var random = SplitMix64(seed: 7)
    var frontier = LinkFrontier(bounds { $0.depth = 3 })
    frontier.add("https://a.test/")
    let tokens = [
      "https://", "a.test", "/", "?", "#", "%", "&", "=", "\u{0}", "é", ":", "@", "..", " ",
    ]
    var count = 0
    while let entry = frontier.next(), count < 500 {
      count += 1
      let links = (0..<20).map { _ in
        (0..<Int.random(in: 0...9, using: &random)).map { _ in
          tokens.randomElement(using: &random) ?? ""
        }.joined()
      }
      frontier.recordFinished(entry, links: links)
    }
    #expect(count > 1)
  }

  @Test func `the links of a document are absolute URLs without fragments, each once`() {
    let html = """
      <base href="/dir/"><a href="a">1</a><a href="a#x">2</a><a href="https://b.test">3</a>
      <a href="mailto:x@y">4</a><a href="#here">5</a><iframe src="/f"></iframe><a href="">6</a>
      """
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", url: "https://a.test/page")
    #expect(
      document.linkedPageURLs
        == ["https://a.test/dir/a", "https://b.test/", "https://a.test/f"])
  }
}
