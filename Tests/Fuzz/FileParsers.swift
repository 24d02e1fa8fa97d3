import Crawl
import DOM
import Dates
import Document
import Feeds
import Foundation
import Images
import OfflineCache
import ReaderMode
import WACZ
import WARC
import WebArchive

@testable import Containers
@testable import Exchange
@testable import HTTPCaching
@testable import Library

@Sendable func tryFeed(_ bytes: [UInt8]) {
  guard let feed = Feed(bytes, url: "https://a.example/feed") else { return }
  require(Set(feed.items.map(\.id)).count == feed.items.count, "two items have the same id")
  if feed.items.count % 3 == 0 {
    checkDocument(feed.document(url: "https://a.example/feed"), width: 60)
  }
  for date in feed.items.compactMap(\.date) { _ = (DateText.formatted(date), WARCDate.text(date)) }
}

/// Tests the parser of lists of links of any kind.
@Sendable func tryList(_ bytes: [UInt8]) {
  _ = ImportFormat(of: bytes)
  guard let list = ImportedList(bytes) else { return }
  for link in list.links {
    require(WebURL(link.url)?.isWeb == true, "a link is none of the web: \(link.url)")
    if let date = link.date { _ = (WARCDate.text(date), DateText.formatted(date)) }
  }
  if let opml = OPML(bytes) { _ = opml.bytes() }
}

/// Tests the parsers of the files of a book, which are separated by U+001E: container, package,
/// contents, encryption.
@Sendable func tryBook(_ bytes: [UInt8]) {
  let paths = [
    "META-INF/container.xml", "a/b.opf", "a/nav.xhtml", "META-INF/encryption.xml", "a/1.xhtml",
  ]
  var archive: [UInt8] = []
  var writer = ZIPWriter(date: now)
  let files = bytes.split(separator: 0x1E, omittingEmptySubsequences: false)
  for (path, file) in zip(paths, files) where !file.isEmpty {
    try? writer.add(ZIPEntry(path: path, bytes: Array(file), isStored: true)) { archive += $0 }
  }
  try? writer.finish { archive += $0 }
  guard let zip = try? ZIPArchive(ByteAccess(archive)), EPUBPackage.isBook(zip),
    let book = try? EPUBPackage(zip)
  else { return }
  require(book.parts.indices.contains(book.bodyStart), "the book begins outside of it")
  for part in book.parts { _ = try? zip.content(of: part.path) }
  _ = WACZDescription(Array(files.first ?? []))
}

@Sendable func tryArchive(_ bytes: [UInt8]) {
  if let zip = try? ZIPArchive(ByteAccess(bytes)) {
    for entry in zip.entries {
      _ = zip.beginning(of: entry, upTo: 100)
      _ = try? zip.content(of: entry.path)
    }
    _ = try? EPUBPackage(zip)
    _ = ArchiveTree(zip, name: "a", date: now).paths
  }
  for start in stride(from: 0, to: bytes.count, by: 512) {
    _ = TarHeader(Array(bytes[start...].prefix(512)))
  }
}

/// Tests a ZIP archive that is valid except for a few bytes. The files in the input are separated
/// by U+001E; each is a path and, after U+001F, its content. After U+001D, each group of three
/// bytes is an offset in the archive and the byte that is written there.
@Sendable func tryPackage(_ bytes: [UInt8]) {
  let parts = bytes.split(separator: 0x1D, maxSplits: 1, omittingEmptySubsequences: false)
  var archive: [UInt8] = []
  var writer = ZIPWriter(date: now)
  for file in parts[0].split(separator: 0x1E) {
    let fields = file.split(separator: 0x1F, maxSplits: 1, omittingEmptySubsequences: false)
    let content = fields.count > 1 ? Array(fields[1]) : []
    let entry = ZIPEntry(
      path: String(decoding: fields[0], as: UTF8.self), bytes: content,
      isStored: content.count % 2 == 0)
    try? writer.add(entry) { archive += $0 }
  }
  try? writer.finish { archive += $0 }
  var changes = parts.count > 1 ? Array(parts[1].prefix(48))[...] : []
  while changes.count >= 3, !archive.isEmpty {
    let change = Array(changes.prefix(3))
    archive[(Int(change[0]) << 8 | Int(change[1])) % archive.count] = change[2]
    changes = changes.dropFirst(3)
  }
  tryArchive(archive)
}

/// Tests the decoders of images and our code between them and the libraries.
@Sendable func tryPicture(_ bytes: [UInt8]) {
  for form in [ImageRequest.OutputFormat.symbols(colorCount: 16, isASCII: false), .pixels] {
    var request = ImageRequest(maxSizeInCells: ImageSize(width: 4, height: 3))
    request.output = form
    guard let decoder = try? ImageDecoder(bytes, for: request),
      let image = try? decoder.decoded()
    else { continue }
    require(DecodedImage(image.bytes, for: request) == image, "an image is not read as written")
  }
}

@Sendable func tryMail(_ bytes: [UInt8]) {
  var messages: [MIMEMessage] = []
  _ = (MIMEMessage.isFormat(of: bytes), Mailbox.isFormat(of: bytes))
  if let message = try? MIMEMessage(bytes) { messages.append(message) }
  if let mailbox = try? Mailbox(mailbox: bytes) { messages += mailbox.messages }
  for message in messages {
    require(message.parts.indices.contains(message.rootIndex), "the root is none of the parts")
    for part in message.parts {
      _ = message.content(of: part)
      _ = ContainedPath.resolve(part.location, from: "a/b")
      _ = ContainedPath.of(entry: part.fileName)
    }
    _ = DateText.parse(message.date)
  }
}

@Sendable func tryDate(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  let dates = [
    DateText.parse(text), HTTPDate.parse(text, now: now), WARCDate.parse(text),
  ]
  for date in dates.compactMap(\.self) {
    _ = (
      DateText.formatted(date), HTTPDate.format(date), WARCDate.text(date),
      CDXJLine.timestamp(
        Int64(date.timeIntervalSince1970 * 1000))
    )
  }
  _ = RetryAfter.delay(text, now: now)
  _ = CacheControl(["max-age=\(text)", text]).seconds("max-age")
}

@Sendable func tryURL(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(
    String.init)
  let base = WebURL("https://www.a.example:8080/b/c?d=e#f")
  for url in [WebURL(text), base?.resolve(text), WebURL(parts[0])?.resolve(parts.last ?? "")] {
    guard let url else { continue }
    require(WebURL(url.description) == url, "\(url) is not read as it was written")
    _ = (url.withoutFragment, url.withoutCredentials, url.withoutTracking, url.origin)
    require(CacheKey.make(url) == CacheKey.make(url.withoutFragment), "a fragment is in a key")
    _ = RobotsRules.robotsURL(for: url)
    _ = SURT.key(url.description)
    _ = Memento.originalURL(of: url.description)
    _ = BookAddress(url.description)
    var names = ExportFileName()
    _ = names.make(title: text, url: url.description, fileExtension: ".md")
  }
  _ = (SURT.key(text), WebURL.forHost(text), DataURL.bytes(of: text), Memento.originalURL(of: text))
  _ = (HostName.normalized(bytes[...]), Punycode.decode(label: text), Punycode.encode(label: text))
  _ = (ContainedPath.of(entry: text), ContainedPath.resolve(text, from: "a/b/c"), BookAddress(text))
  _ = (SafeText.withoutCredentials(text), SafeText.withoutCredentials(inText: text))
}

@Sendable func tryTimeMap(_ bytes: [UInt8]) {
  guard let base = WebURL("https://archive.example/timemap/link/https://a.example/") else { return }
  var reader = TimeMapReader(base: base, now: now)
  reader.parse(Array(bytes.prefix(bytes.count / 2)))
  reader.parse(Array(bytes.suffix(bytes.count - bytes.count / 2)))
  var map = reader.finish()
  map.add(map)
  for memento in map.nearest(to: now, limit: 10) {
    _ = (memento.rawURL, Memento.originalURL(of: memento.url))
    if let url = WebURL(memento.url) { _ = Memento.rawURL(of: base, inArchiveOf: url) }
  }
  _ = LinkValue.parseList(String(decoding: bytes, as: UTF8.self))
}

/// Tests the parsers of the file names and the list of a mirror.
@Sendable func tryMirror(_ bytes: [UInt8]) {
  let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  let convention = MirrorName.Convention(names: lines)
  for line in lines { _ = MirrorName(line, convention) }
  _ = MirrorEvidence.httrack(in: bytes, site: "a.example")
  _ = MirrorEvidence.canonical(in: bytes)
  _ = MirrorEvidence.mentions(of: "a.example", in: bytes)
  _ = MirrorEvidence.httrackList(bytes, tree: ["a/b.html"])
}

/// Tests the parsers of header field lines.
@Sendable func tryFields(_ bytes: [UInt8]) {
  var fields = FieldLines()
  for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
    let colon = line.firstIndex(of: ":") ?? line.endIndex
    fields.append(String(line[..<colon]), String(line[colon...].dropFirst()))
  }
  let response = ResponseHead(status: 200, reason: "", fields: fields)
  let freshness = Freshness(of: response, requestTime: now, responseTime: now, now: now)
  _ = freshness
  _ = CacheControl(fields).seconds("max-age")
  _ = (StrictTransport(fields), NoVarySearch(fields))
  for name in ["Range", "Content-Range"] {
    for value in fields.values(of: name) { _ = ByteRange.parse(value, length: 1000) }
  }
  for value in fields.values(of: "Retry-After") { _ = RetryAfter.delay(value, now: now) }
  for value in fields.values(of: "Link") { _ = LinkValue.parseList(value) }
  if let url = WebURL("https://archive.example/web/20241103101500/https://a.example/"),
    let asked = WebURL("https://a.example/")
  {
    _ = MementoResponse(response, from: url, requested: asked, now: now)
  }
  _ = RecordedHead.bytes(response)
}

@Sendable func tryRecords(_ bytes: [UInt8]) {
  for isVerified in [true, false] {
    let reader = WARCReader(bytes: bytes, verifiesDigests: isVerified)
    var count = 0
    while count < 1000, let entry = try? reader.next() {
      count += 1
      guard case .record(let record, _) = entry else { continue }
      _ = (record.date, record.targetURI, record.contentLength)
      _ = try? reader.readBlock(limit: 1 << 20)
    }
  }
  _ = RecordedRequest.cleaned(bytes, url: "https://a.example/")
  _ = CDXJState(parsing: bytes)
}

@Sendable func tryRobots(_ bytes: [UInt8]) {
  let rules = RobotsRules(bytes)
  for url in ["https://a.example/", "https://a.example/a/b.html?c=d", "https://a.example/%61%2f"] {
    if let url = WebURL(url) { _ = rules.allows(url) }
  }
}

/// Tests the parser of journal lines that other devices write.
@Sendable func tryJournal(_ bytes: [UInt8]) {
  var page = LibraryPage(key: "https://a.example/")
  for line in bytes.split(separator: 0x0A) {
    _ = LibraryJournal.key(ofLine: line)
    _ = LibraryJournal.fault(of: line, isFirst: false)
    guard case .fact(let fact) = LibraryJournal.entry(line, device: "b"), let value = fact.value
    else { continue }
    page.apply(fact.attribute, value, at: fact.date)
  }
  for date in [page.pinnedDate, page.queuedDate, page.readDate, page.retryAfter, page.removed]
    .compactMap(
      \.self)
  {
    _ = (DateText.formatted(date), WARCDate.text(date), Int(date.timeIntervalSince1970))
  }
  _ = page.interval.map { Duration.seconds($0) }
  _ = LibraryJournal.head(bytes)
}

@Sendable func trySearch(_ bytes: [UInt8]) {
  let parts = bytes.split(separator: 0x1E, maxSplits: 1, omittingEmptySubsequences: false)
  let text = String(decoding: parts[0], as: UTF8.self)
  let page = String(decoding: parts[parts.count - 1], as: UTF8.self)
  _ = SearchQuery.text(ofArguments: [text, page])
  _ = SearchText.indexed(page)
  _ = SearchText.indexed(address: page)
  _ = SearchText.linesOutsideContent(of: Array(page.utf8), beside: text)
  guard let query = try? SearchQuery(text, timeZone: .gmt) else { return }
  _ = (query.expression, query.headExpression)
  let snippet = Snippet(of: page, query)
  for match in snippet.matches {
    require(match.upperBound <= snippet.text.count, "a match ends behind its text")
  }
}

/// Tests the parser of the output of the process that decodes images.
@Sendable func tryImage(_ bytes: [UInt8]) {
  for form in [ImageRequest.OutputFormat.symbols(colorCount: 16, isASCII: false), .pixels] {
    var request = ImageRequest(maxSizeInCells: ImageSize(width: 3, height: 2))
    request.cellSize = ImageSize(width: 2, height: 2)
    request.output = form
    guard let image = DecodedImage(bytes, for: request) else { continue }
    require(DecodedImage(image.bytes, for: request) == image, "an image is not read as written")
    if case .pixels(let pixels, let size) = image.content {
      _ = SixelEncoder(pixels, size, maxColorCount: 4).bytes(rows: 0..<size.height)
    }
  }
  _ = ExportedImage(bytes)
}

/// Tests the parser of a reading position in a file of tabs.
@Sendable func tryAnchor(_ bytes: [UInt8]) {
  guard let anchor = try? JSONDecoder().decode(TextAnchor.self, from: Data(bytes)) else { return }
  let page = "<p>The river rises in the town.<p>The council approves a bridge."
  for text in [page, "", page + page] {
    let document = Document(bytes: Array(text.utf8), mediaType: "text/html", url: "")
    require(anchor.offset(in: document) <= document.text.count, "a position is behind its page")
  }
}
