import Foundation
import WARC

@testable import HTTPCaching
@testable import OfflineCache
@testable import WebArchive

/// Tests a response: its head, cookies and challenges, the detection of captive portals, and the
/// removal of content codings. U+001E separates the head from the content.
@Sendable func tryResponse(_ bytes: [UInt8]) {
  let parts = bytes.split(separator: 0x1E, maxSplits: 1, omittingEmptySubsequences: false)
  let content = parts.count > 1 ? Array(parts[1]) : []
  var reader = ResponseHeadReader()
  var heads: [ResponseHead] = []
  for line in parts[0].split(separator: 0x0A, omittingEmptySubsequences: false) {
    let head = (Array(line) + [0x0A]).withUnsafeBytes { reader.parse($0) }
    if let head { heads.append(head) }
  }
  if let head = RecordedHead.parse(Array(parts[0])) { heads.append(head) }
  let url = WebURL("http://www.a.example:8080/b/c.html?d=e")
  guard let url else { return }
  for head in heads {
    let copied = RecordedHead.parse(RecordedHead.bytes(head))
    require(copied?.status == head.status || head.status < 100, "the head is not read as written")
    tryHead(head, from: url)
    tryContent(content, of: head, from: url)
  }
  tryPortal(content, from: url)
}

private func tryHead(_ head: ResponseHead, from url: WebURL) {
  _ = try? DeclaredLength.read(head.fields)
  _ = (
    Redirection.target(of: head, from: url),
    RejectionReason.validate(head, for: url, replacing: nil)
  )
  var store = CookieStore()
  let lines = head.fields.values(of: "Set-Cookie")
  store.store(lines, from: url, isSafe: true, now: now) { "owner" }
  _ = store.selection(for: url, now: now)
  tryCookieText(store)
  var hosts = HSTSStore()
  if let policy = StrictTransport(head.fields) {
    hosts.apply(policy, of: "a.example", now: now)
    hosts.apply(policy, of: "a.example", now: now.addingTimeInterval(1e6))
    require(HSTSStore(hosts.text) == hosts, "hosts are not read as written")
  }
  for challenge in Challenge.all(in: head.fields) {
    let answer = DigestResponse(
      challenge: challenge, credentials: Credentials(user: "u", password: "p"), nonceCount: 1,
      clientNonce: "n")
    _ = answer.authorization(method: "GET", target: url.path, body: [])
  }
  let request = WebRequest(method: "GET", url: url, fields: FieldLines())
  let stored = StoredResponse(
    id: "a", key: url.description, response: head, requestTime: now, responseTime: now,
    contentDate: now, length: 1000)
  let vary = Vary(secret: [])
  _ = (vary.variants([stored], for: request), vary.varying(of: head, for: request))
  _ = (Validation.merged(head, with: head), Validation.isNotModified(request, stored: stored))
  _ = (Storability.isReusable(stored), Storability.forbidsStoring(head), stored.generationDate)
  if let rule = NoVarySearch(head.fields) as NoVarySearch? {
    _ = rule.areEquivalent("https://a.example/?a=b&c", "https://a.example/?c&a=%62")
  }
}

private func tryCookieText(_ store: CookieStore) {
  let content = CookieText.read(CookieText.write(store))
  require(content.invalidLines.isEmpty, "a cookie is not read as written")
  require(content.store.cookies.count == store.cookies.count, "a cookie is lost in its file")
}

/// Decodes content in pieces according to the codings in its head.
private func tryContent(_ content: [UInt8], of head: ResponseHead, from url: WebURL) {
  var decoder = PayloadDecoder(head, maxLength: 1 << 20)
  var decoded: [UInt8] = []
  for start in stride(from: 0, to: content.count, by: 7) {
    decoder.push(Array(content[start...].prefix(7)))
    while let chunk = try? decoder.pull(), !chunk.isEmpty { decoded += chunk }
  }
  _ = decoder.isComplete
  let answer = CandidateResponse(
    response: head, url: url, beginning: decoded, length: Int64(decoded.count))
  _ = RejectionReason.validate(answer, replacing: nil) { nil }
  let old = StoredResponse(
    id: "a", key: url.description,
    response: ResponseHead(
      status: 200, reason: "", fields: FieldLines([.init("Content-Type", "text/html")])),
    requestTime: now, responseTime: now, contentDate: now, length: 1000)
  _ = RejectionReason.validate(answer, replacing: old) {
    PageTraits(Array("<title>The river</title><p>The town council approves the bridge.".utf8))
  }
}

private func tryPortal(_ content: [UInt8], from url: WebURL) {
  let marks = PageTraits(content)
  _ = (marks.sharedFraction(inBeginningOf: marks), marks.asksToSignIn, marks.asksForConsent)
  require(
    marks.sharedFraction(inBeginningOf: marks) <= 1, "a page shares more than all words with itself"
  )
  _ = TextFingerprint.value(of: marks.text, without: url)
  _ = (SniffedMediaType.detect(content), ContentKind(bytes: content))
}

/// Tests the parsers of files that other programs write: cookies, passwords and HSTS hosts.
@Sendable func trySecrets(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  let netrc = Netrc(text: text)
  _ = (netrc.credentials(for: "a.example"), netrc.credentials(for: "[::1]"))
  tryCookieText(CookieText.read(bytes).store)
  let hosts = HSTSStore(bytes)
  require(HSTSStore(hosts.text) == hosts, "hosts are not read as written")
  _ = hosts.contains("b.a.example", now: now)
  for line in text.split(separator: "\n") { _ = CookieDate.parse(String(line)) }
}

/// Tests the decoders of content codings; the last byte selects the codings.
@Sendable func tryCoding(_ bytes: [UInt8]) {
  let names = ["gzip", "deflate", "br", "zstd", "gzip, br", "x-gzip, identity", "zstd, gzip"]
  var head = ResponseHead(status: 200, reason: "")
  let choice = Int(bytes.last ?? 0)
  head.fields["Content-Encoding"] = names[choice % names.count]
  let content = bytes.dropLast()
  for isRecorded in [false, true] {
    var rest = head
    let decoding = ContentDecoding(removingCodingsOf: &rest, isRecorded: isRecorded)
    let size = 1 + choice / names.count
    for start in stride(from: content.startIndex, to: content.endIndex, by: size) {
      decoding.push(Array(content[start...].prefix(size)))
      var isBroken = false
      do {
        while decoding.length < 1 << 22, try decoding.pull() != nil {}
      } catch {
        isBroken = true
      }
      if isBroken { break }
    }
    _ = try? decoding.finish()
  }
}

/// Tests the reading of records from a segment of another device, up to the resulting changes of
/// the index.
@Sendable func trySegment(_ bytes: [UInt8]) {
  let reader = WARCReader(bytes: bytes, verifiesDigests: false)
  var requests = RecordedRequests()
  var count = 0
  while count < 200, let entry = try? reader.next() {
    count += 1
    guard case .record(let record, let position) = entry else { continue }
    var block = BlockReader(record, maxLength: 1 << 20)
    var length: Int64 = 0
    while let chunk = try? reader.nextChunk() {
      block.push(chunk)
      while let content = try? block.content(), !content.isEmpty { length += Int64(content.count) }
    }
    let event = ArchiveEvent(
      record, response: block.response,
      payload: .init(digest: "sha256:a", length: length), segment: "a.warc.gz",
      position: position, size: 0)
    let now = Int64(now.timeIntervalSince1970) * 1000
    if case .version(let version)? = event?.withPlausibleDates(seen: now) {
      require(version.order <= now, "a record of another device is from the future")
      _ = requests.complete(version, of: record)
    }
    _ = requests.process(record, block: bytes)
    _ = event?.mentionedKey
  }
}
