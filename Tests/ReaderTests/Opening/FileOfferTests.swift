import OfflineCache
import TestSupport
import Testing

@testable import Pages

@Suite("Responses offered as files")
struct FileOfferTests {
  private static func offer(
    _ type: String?, _ disposition: String? = nil, isLink: Bool = true, status: Int = 200,
    with fields: [(String, String)] = []
  ) -> FileOffer? {
    var response = ResponseHead(status: status)
    if let type { response.fields.append("Content-Type", type) }
    if let disposition { response.fields.append("Content-Disposition", disposition) }
    for (name, value) in fields { response.fields.append(name, value) }
    return FileOffer(
      LoadedResponse(response: response, source: .network), url: "https://a.example/get",
      isLink: isLink)
  }

  @Test(arguments: [
    "application/octet-stream", "application/zip", "application/x-tar", "application/epub+zip",
    "font/woff2", "application/vnd.debian.binary-package", "model/stl", "APPLICATION/ZIP; x=y",
  ])
  func `a link to a type that offread cannot show is offered as a file`(_ type: String) {
    #expect(Self.offer(type) != nil)
  }

  @Test(arguments: [
    "text/html", "text/plain; charset=utf-8", "application/xhtml+xml", "application/json",
    "application/rss+xml", "image/png", "video/mp4", "audio/ogg", "application/pdf",
    "application/gzip", "message/rfc822", nil, "nonsense", "*/*", "application/unknown; x=y",
  ])
  func `pages and types that another program shows are not offered as files`(_ type: String?) {
    #expect(Self.offer(type, isLink: type != "nonsense") == nil)
  }

  @Test func `an attachment is offered as a file, unless the user typed its URL`() {
    #expect(Self.offer("text/html", "attachment") != nil)
    #expect(Self.offer("application/pdf", "attachment; filename=a.pdf")?.name == "a.pdf")
    #expect(Self.offer("text/html", "inline; filename=a.html") == nil)
    #expect(Self.offer("text/html", "attachment", isLink: false) == nil)
    #expect(Self.offer("application/octet-stream", isLink: false) == nil)
    #expect(Self.offer("application/zip", isLink: false) != nil)
  }

  @Test func `an error is not offered as a file, and encoded content has no known length`() {
    #expect(Self.offer("application/zip", status: 404) == nil)
    #expect(Self.offer("application/zip", status: 206) != nil)
    #expect(Self.offer("application/zip", with: [("Content-Length", "12")])?.length == 12)
    let coded = [("Content-Length", "12"), ("Content-Encoding", "gzip")]
    let offer = Self.offer("application/zip", with: coded)
    #expect(offer != nil && offer?.length == nil)
  }

  @Test(
    arguments: [
      (nil, false, ""), ("", false, ""), ("attachment", true, ""), ("inline", false, ""),
      ("ATTACHMENT; FileName=a.zip", true, "a.zip"),
      ("attachment;filename=a b.zip", true, "a b.zip"),
      ("attachment; filename=\"a;b.zip\"; size=3", true, "a;b.zip"),
      ("attachment; filename=\"say \\\"hi\\\".txt\"", true, "say \"hi\".txt"),
      ("attachment; filename=\"C:\\dir\\a.zip\"", true, "a.zip"),
      ("attachment; filename=\"../../etc/passwd\"", true, "passwd"),
      ("attachment; filename=\"a\u{202E}gpj.exe\"", true, "agpj.exe"),
      ("attachment; filename=x.zip; filename*=UTF-8''%e2%82%ac.zip", true, "€.zip"),
      ("attachment; filename*=iso-8859-1'en'%A3.zip; filename=x.zip", true, "£.zip"),
      ("attachment; filename*=UTF-8''%ff.zip; filename=x.zip", true, "x.zip"),
      ("attachment; filename=%E7%AC%AC%201%20章.zip", true, "第 1 章.zip"),
      ("attachment; filename=\"My%20File.pdf\"", true, "My File.pdf"),
      ("attachment; filename=..%2Fa%2Fb.zip", true, "b.zip"),
      ("attachment; filename=\"100%.zip\"", true, "100%.zip"),
      ("attachment; filename=\"=?UTF-8?B?0L/QsNGA0L7QvC5wZGY=?=\"", true, "паром.pdf"),
      ("attachment; filename==?utf-8?Q?=D0=BF=D0=B0=D1=80_1.pdf?=", true, "пар 1.pdf"),
      ("attachment; filename=\"=?gbk?B?us3GvS5wZGY=?=\"", true, "和平.pdf"),
      ("attachment; filename=\"=?UTF-8?B?0L/Q?= =?UTF-8?B?sNGA?=\"", true, "пар"),
      ("attachment; filename=\"=?x=?.pdf\"", true, "=?x=?.pdf"),
      ("attachment; filename*=utf8''%e2%82%ac.zip", true, "€.zip"),
      ("attachment; filename*=UTF-8''..%2F..%2Fa", true, "a"), ("filename=a.zip", false, ""),
      ("attachment; filename=\"unclosed", true, "unclosed"), ("x-unknown; filename=a", true, "a"),
    ] as [(String?, Bool, String)])
  func `Content-Disposition determines whether to save, and the name (RFC 6266)`(
    _ value: String?, _ isAttachment: Bool, _ name: String
  ) {
    let disposition = ContentDisposition(value)
    #expect(disposition.isAttachment == isAttachment && disposition.fileName == name)
  }

  @Test func `any value of Content-Disposition is parsed to a bounded name without slashes`() {
    var random = SplitMix64(seed: 7)
    let pieces = ["attachment", ";", "filename", "*", "=", "\"", "\\", "'", "%", "utf-8", " ", "/"]
    for _ in 0..<500 {
      let value = (0..<Int(random.next() % 20)).map { _ in
        pieces[Int(random.next() % UInt64(pieces.count))]
      }.joined()
      let name = ContentDisposition(value).fileName
      #expect(!name.contains("/") && name.utf8.count <= value.utf8.count, "\(value)")
    }
    #expect(ContentDisposition(String(repeating: "a", count: 10_000)) == ContentDisposition(nil))
  }
}
