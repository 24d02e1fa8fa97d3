@testable import Profiles
@testable import Saving
import Dispatch
import Document
import Exchange
import Feeds
import Formats
import Foundation
import OfflineCache
import ReaderMode
import Synchronization
import TestNetwork
import TestSupport
import Testing
import WARC

@testable import LocalDocuments
@testable import Pages
@testable import Reader

/// Container files, as opened by the reader.
@Suite final class DocumentFileTests {
  private let files: TestProfile
  private let network = SiteNetwork()

  init() throws {
    files = try TestProfile()
    try FileManager.default.createDirectory(at: files.directory, withIntermediateDirectories: true)
  }

  private func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let url = files.directory.appendingPathComponent(name)
    try Data(bytes).write(to: url)
    return url.path
  }

  private func load(_ request: LoadRequest, keepsContent: Bool = true) -> (Page, ReaderError?) {
    let profile = files.open(network)
    defer { profile.close() }
    let end = DispatchSemaphore(value: 0)
    let result = Mutex<(Page, ReaderError?)>(
      (
        Page(
          requestedURL: "", url: "", document: Document(), provenance: Provenance(source: .file)),
        nil
      ))
    let load = PageLoader(profile: profile, keepsContent: keepsContent).load(request) { event in
      switch event {
      case .loaded(let page): result.withLock { $0 = (page, nil) }
      case .failed(let error, let page): result.withLock { $0 = (page, error) }
      case .progressed, .asking, .offered, .began, .newer, .checked: return
      }
      end.signal()
    }
    end.wait()
    withExtendedLifetime(load) {}
    return result.withLock { $0 }
  }

  private func text(_ page: Page) -> String {
    String(decoding: page.document.plainText, as: UTF8.self)
  }

  private func links(_ page: Page) -> [String] {
    page.document.links.indices.compactMap { page.document.url(ofLink: $0) }
  }

  // MARK: Books

  @Test func `a book opens at its contents, with links between its parts`() throws {
    let path = try write("a book.epub", TestBook().bytes)
    let (contents, _) = load(LoadRequest(path))
    let url = Address.fileURL(path: path)
    #expect(contents.url.text == url && contents.document.title == "The Book")
    #expect(text(contents).contains("Ann, Bea"))
    let partURL = url + "/OEBPS/text/one.xhtml"
    #expect(links(contents).contains(partURL + "#s"))
    #expect(contents.document.images.count == 1)
    let parts = try #require(contents.parts)
    #expect(parts.url(1)?.text == partURL && parts.url(-1) == nil && parts.url(3) == nil)
    let (first, _) = load(LoadRequest(partURL, origin: .link(from: DocumentAddress(url))))
    #expect(first.url.text == partURL && first.document.title == "One & first – The Book")
    #expect(first.parts?.url(-1)?.text == url)
    #expect(links(first).first == url)
    #expect(links(first).filter { $0 == url + "/OEBPS/text/two.xhtml" }.count == 2)
    #expect(links(first).contains(url + "/OEBPS/text/two.xhtml#z"))
    #expect(text(first).contains("Words of one."))
    // The links before the text are not folded.
    #expect(
      first.document.mainContentBlock == 0 && first.read(as: .page).document.mainContentBlock == 0)
    // Printed output has no navigation links.
    let (printed, _) = load(LoadRequest(partURL), keepsContent: false)
    #expect(!text(printed).contains("Contents"))
    let source = first.read(as: .source)
    #expect(!text(source).contains("Contents") && text(source).contains("Words of one."))
  }

  @Test func `a book has the same URL however its path is typed`() throws {
    let path = try write("b.epub", TestBook().bytes)
    let directory = String(path.dropLast("/b.epub".count))
    let name = directory.split(separator: "/").last ?? ""
    for typed in [
      "\(directory)/./b.epub", "\(directory)//b.epub", "\(directory)/../\(name)/b.epub",
    ] {
      let (contents, _) = load(LoadRequest(typed))
      #expect(contents.url.text == Address.fileURL(path: path))
      let (first, error) = load(
        LoadRequest(try #require(links(contents).first), origin: .link(from: contents.url)))
      #expect(error == nil && text(first).contains("Words of one."), "\(typed)")
    }
  }

  @Test func `the style sheets of a book affect its text`() throws {
    var book = TestBook()
    let index = try #require(book.files.firstIndex { $0.path == "OEBPS/text/one.xhtml" })
    book.files[index].text = """
      <html><head><title>T</title><link rel="stylesheet" href="../a%20b.css"/>
      <link rel="stylesheet" href="missing.css"/></head>
      <body><p>See<span class="tip">hidden</span> this.</p></body></html>
      """
    book.files.append(("OEBPS/a b.css", "p .tip { display: none }"))
    let path = try write("b.epub", book.bytes)
    for keepsContent in [true, false] {
      let (page, _) = load(
        LoadRequest(Address.fileURL(path: path) + "/OEBPS/text/one.xhtml"),
        keepsContent: keepsContent)
      #expect(text(page).contains("See this."))
    }
  }

  @Test func `an image of a book is opened from the book`() throws {
    let path = try write("b.epub", TestBook().bytes)
    let url = Address.fileURL(path: path)
    let (page, error) = load(
      LoadRequest("../p.png", origin: .link(from: DocumentAddress(url + "/OEBPS/text/one.xhtml"))))
    #expect(error == nil && page.attachment?.path == nil)
    #expect(page.attachment?.content == Array("PNG\0no picture".utf8))
  }

  @Test func `a book cannot link to other files of the device`() throws {
    let path = try write("b.epub", TestBook().bytes)
    let page = DocumentAddress(Address.fileURL(path: path) + "/OEBPS/text/one.xhtml")
    for target in ["../../../../etc/passwd", "file:///etc/passwd", "/etc/passwd", "about:manual"] {
      let (_, error) = load(LoadRequest(target, origin: .link(from: page)))
      guard case .forbiddenTarget? = error else {
        Issue.record("\(target): \(String(describing: error))")
        continue
      }
    }
  }

  @Test func `an unreadable part is listed with an error, and the others can be read`() throws {
    var book = TestBook()
    book.files.removeAll { $0.path == "OEBPS/text/one.xhtml" }
    let path = try write("b.epub", book.bytes)
    let (contents, _) = load(LoadRequest(path))
    #expect(text(contents).contains("the book has no such file"))
    let parts = try #require(contents.parts)
    let (one, error) = load(LoadRequest(try #require(parts.url(1))))
    #expect(error == nil && text(one).contains("This part cannot be read"))
    #expect(text(load(LoadRequest(try #require(one.parts?.url(1)))).0).contains("Words of two."))
  }

  @Test func `a part that is not a page is listed among the unreadable ones`() throws {
    var book = TestBook()
    book.replace(
      "text/one.xhtml\" media-type=\"application/xhtml+xml", "s.css\" media-type=\"text/css",
      in: "OEBPS/content.opf")
    book.files.append(("OEBPS/s.css", "p { color: red }"))
    let path = try write("b.epub", book.bytes)
    let (contents, _) = load(LoadRequest(path))
    #expect(text(contents).contains("Parts that cannot be read"))
    #expect(text(contents).contains("it is text/css"))
    let (sheet, _) = load(LoadRequest(try #require(contents.parts?.url(1))))
    #expect(text(sheet).contains("This part cannot be read") && !text(sheet).contains("color"))
    // Reading begins with the first readable part.
    #expect(links(contents).first == Address.fileURL(path: path) + "/OEBPS/text/two.xhtml")
  }

  @Test func `a part that is a decompression bomb does no harm`() throws {
    var zip = ZIPBytes()
    for (path, text) in TestBook().files where path != "OEBPS/text/one.xhtml" {
      zip.add(path, text)
    }
    var entry = ZIPBytes.Entry(
      name: Array("OEBPS/text/one.xhtml".utf8), packed: [1, 2, 3], size: 900 << 20, checksum: 0,
      method: 8, flags: 0)
    zip.entries.append(entry)
    let path = try write("b.epub", zip.bytes)
    let part = Address.fileURL(path: path) + "/OEBPS/text/one.xhtml"
    #expect(text(load(LoadRequest(part)).0).contains("as in a ZIP bomb"))
    entry.flags = 1
    zip.entries[zip.entries.count - 1] = entry
    let other = try write("c.epub", zip.bytes)
    let locked = Address.fileURL(path: other) + "/OEBPS/text/one.xhtml"
    #expect(text(load(LoadRequest(locked)).0).contains("encrypted"))
  }

  @Test func `a book that is cut off in its first file reports an error`() throws {
    let path = try write("b.epub", Array(TestBook().bytes[..<40]))
    let (_, error) = load(LoadRequest(path))
    #expect(error?.description.contains("damaged") ?? false)
  }

  @Test func `a book that is replaced is read again`() throws {
    var book = TestBook()
    let path = try write("b.epub", book.bytes)
    let documents = DocumentFiles()
    #expect(try documents.file(at: path) != nil)
    book.replace("The  Book", "Another", in: "OEBPS/content.opf")
    book.files.append(("more", String(repeating: "x", count: 5000)))
    _ = try write("b.epub", book.bytes)
    guard case .book(let package, _, _)? = try documents.file(at: path)?.form else {
      Issue.record("no book")
      return
    }
    #expect(package.title == "Another")
  }

  // MARK: Other files

  private static let message = """
    From: <Saved by Blink>
    Snapshot-Content-Location: https://a.test/dir/page.html
    MIME-Version: 1.0
    Content-Type: multipart/related; type="text/html"; boundary="--bound"

    ----bound
    Content-Type: text/html; charset=utf-8
    Content-Location: https://a.test/dir/page.html
    Content-Transfer-Encoding: quoted-printable

    <title>Saved =C3=A9</title><p>Text of it <a href=3D"other">on</a> <img src=3D"p.png" alt=3D"pic">
    <a href=3D"cid:frame@x">frame</a>
    ----bound
    Content-Type: image/png
    Content-Location: https://a.test/dir/p.png
    Content-Transfer-Encoding: base64

    iVBORw0KGgo=
    ----bound
    Content-Type: text/html
    Content-ID: <frame@x>

    <p>Text of the frame
    ----bound--
    """

  private static let mail = """
    From: =?utf-8?Q?Alice_=C3=84?= <a@e.test>
    To: b@e.test
    Subject: Invoice =?utf-8?B?77?= 77
    Date: Mon, 1 Jun 2026 10:00:00 +0000
    MIME-Version: 1.0
    Content-Type: multipart/mixed; boundary=XX

    --XX
    Content-Type: text/plain; charset=utf-8

    Text part of it, see <https://e.test/x>.
      indented

    --XX
    Content-Type: multipart/alternative; boundary=YY

    --YY
    Content-Type: text/plain

    Plain form.
    --YY
    Content-Type: text/html

    <title>other</title><p>Html form <!-- left open
    --YY--
    --XX
    Content-Type: application/pdf; name="bill.pdf"
    Content-Disposition: attachment; filename="bill.pdf"
    Content-Transfer-Encoding: base64

    iVBORw0KGgo=
    --XX--

    """

  @Test(arguments: [false, true])
  func `multipart mail is shown with its headers, texts and attachment names`(
    _ isMailbox: Bool
  ) throws {
    let separator = "From a@e.test Mon Jun  1 10:00:00 2026\n"
    let second = "\n\(separator)From: c@e.test\nSubject: Short\n\nOne part.\n"
    let text = isMailbox ? separator + Self.mail + second : Self.mail
    let path = try write(isMailbox ? "m.mbox" : "m.eml", Array(text.utf8))
    let (page, _) = load(LoadRequest(path))
    let shown = String(decoding: page.document.text, as: UTF8.self)
    #expect(page.document.title.hasPrefix("Invoice") && page.document.title.hasSuffix("77"))
    for content in [
      "From: Alice Ä <a@e.test>", "To: b@e.test", "Date: Mon, 1 Jun 2026 10:00:00 +0000",
      "Text part of it, see <https://e.test/x>.", "Html form", "bill.pdf", "application/pdf",
    ] + (isMailbox ? ["From: c@e.test", "Short", "One part."] : []) {
      #expect(shown.contains(content), "\(content)")
    }
    #expect(!shown.contains("Plain form."))
    #expect(page.document.links.contains { $0.target == "https://e.test/x" })
    let file = try #require(try DocumentFile.open(path))
    #expect(try file.item(at: "3").bytes == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
  }

  @Test func `a mailbox with any kinds of messages is shown with all of them`() throws {
    let text = [
      "\n\r\nFrom list at e.test  Mon Jun  1 10:00:00 2026\nFrom: a@e.test\nSubject: Plain\nDate: x\n\n"
        + "One.\n\nFrom here on, no message begins.\n\nFrom: a quote\n",
      "From b Tue Jun  2 10:00:00 2026\nSubject: Nobody\nMessage-ID: <1@e.test>\n\nTwo.\n\n"
        + ">From now on.\n\n>>From a reply.\n",
      "From - Wed Jun 03 10:00:00 2026\r\nSubject: Parts\r\n"
        + "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nThree.\r\n--b--\r\n",
    ].joined(separator: "\n")
    let path = try write("m.mbox", Array(text.utf8))
    let shown = self.text(load(LoadRequest(path)).0)
    for content in [
      "Plain", "One.", "From here on, no message begins.", "From: a quote", "Nobody", "Two.",
      "Parts", "Three.",
    ] {
      #expect(shown.contains(content), "\(content): \(shown)")
    }
    #expect(shown.contains("\nFrom now on.") && shown.contains("\n>From a reply."), "\(shown)")
    #expect(!shown.contains("--b") && !shown.contains("multipart") && !shown.contains("From list"))
  }

  @Test(
    arguments: [
      ("m.eml", "From: a@e.test\nSubject: S\n\nWords", true),
      ("m.txt", "From: a@e.test\nSubject: S\n\nWords", false),
      ("m.EML", "\r\n\r\nFrom: a@e.test\r\nSubject: S\r\nDate: x\r\n\r\nWords", true),
      ("m.eml", "\u{FEFF}From: a@e.test\nSubject: S\nDate: x\n\nWords", true),
      ("m.eml", "Subject: S\nContent-Type: multipart/mixed\n\nWords", false),
      ("m.eml", "Subject: S\nnot a field\nTo: x\n\nWords", false), ("m.eml", "Words", false),
      ("m.emlx", "32   \nFrom: a@e.test\nSubject: S\n\nWords<plist/>", true),
      ("m.emlx", "Words", false),
    ] as [(String, String, Bool)])
  func `a file named like mail is mail if its header has two fields of mail`(
    _ name: String, _ content: String, _ isMail: Bool
  ) throws {
    let file = try DocumentFile.open(try write(name, Array(content.utf8)))
    if case .mail? = file?.form {
      #expect(isMail)
      let page = try #require(file).item(at: "").bytes
      let text = String(decoding: page, as: UTF8.self)
      #expect(text.contains("Words") && !text.contains("plist"))
    } else {
      #expect(!isMail && file == nil)
    }
  }

  @Test(arguments: ["", "\r\n\r\n"])
  func `a page that a browser saved without resources opens as a page`(_ start: String) throws {
    let page =
      "From: <Saved by X>\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=\"utf-8\"\r\n"
      + "Content-Transfer-Encoding: quoted-printable\r\n"
      + "Content-Location: https://a.test/dir/p.htm\r\n\r\n<p>caf=C3=A9 <a href=3D\"q.htm\">q</a>"
    let (shown, _) = load(LoadRequest(try write("m.mht", Array((start + page).utf8))))
    #expect(text(shown).hasPrefix("café q"), "\(text(shown))")
    #expect(links(shown) == ["https://a.test/dir/q.htm"])
  }

  @Test func `a patch of git is shown as text`() throws {
    let patch =
      "From 1f2e Mon Sep 17 00:00:00 2001\nFrom: a@e.test\nDate: x\nSubject: [PATCH] y\n\n+ z\n"
    let path = try write("a.patch", Array(patch.utf8))
    #expect(text(load(LoadRequest(path)).0).contains("From 1f2e Mon Sep 17"))
  }

  @Test func `a page saved by a browser opens with its images and frames`() throws {
    let path = try write("m.mhtml", Array(Self.message.utf8))
    let url = Address.fileURL(path: path)
    let (page, _) = load(LoadRequest(path))
    #expect(page.url.text == url && page.document.title == "Saved é")
    #expect(links(page).first == "https://a.test/dir/other")
    let drawing = try #require(page.document.url(ofImage: 0))
    let (image, _) = load(LoadRequest(drawing, origin: .link(from: DocumentAddress(url))))
    #expect(image.attachment?.content == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    let (frame, _) = load(LoadRequest("cid:frame@x", origin: .link(from: DocumentAddress(url))))
    #expect(text(frame).contains("Text of the frame"))
    #expect(page.read(as: .source).document.baseURL == "https://a.test/dir/page.html")
    #expect(network.requests.isEmpty)
  }

  @Test(
    arguments: [
      ("<link rel=stylesheet href=\"cid:css@x\">", true),
      ("<link rel=stylesheet href=\"cid:css%40x\">", true),
      ("<link rel=stylesheet href=\"https://a.test/dir/s.css\">", true),
      ("<link rel=stylesheet href=\"s.css\">", true),
      ("<link rel=stylesheet href=\"/s.css\">", false),
      ("<link rel=stylesheet href=\"cid:frame@x\">", false), ("<link href=\"cid:css@x\">", false),
      ("<link rel=stylesheet media=print href=\"cid:css@x\">", false),
      // The style sheet of a shadow tree.
      (
        "<x-a><template shadowmode=open><link rel=stylesheet href=\"cid:css@x\">In</template></x-a>",
        false
      ),
    ] as [(String, Bool)])
  func `style sheets that a page saved by a browser links to apply`(
    _ link: String, _ isApplied: Bool
  ) throws {
    let message = """
      From: <Saved by Blink>
      Snapshot-Content-Location: https://a.test/dir/page.html
      MIME-Version: 1.0
      Content-Type: multipart/related; type="text/html"; boundary="b"

      --b
      Content-Type: text/html
      Content-Location: https://a.test/dir/page.html

      <!DOCTYPE html><html><head><title>T</title>\(link)</head><body>
      <p>Keel<span class="tip">tooltip</span> end</p></body></html>
      --b
      Content-Type: text/css
      Content-ID: <css@x>
      Content-Location: https://a.test/dir/s.css

      .tip { display: none }
      --b
      Content-Type: text/html
      Content-ID: <frame@x>

      .tip { display: none }
      --b--
      """
    let (page, _) = load(LoadRequest(try write("m.mhtml", Array(message.utf8))))
    #expect(text(page).contains("Keel end") == isApplied, "\(text(page))")
    // From a server or standard input.
    let content = try PageContent(
      document: Array(message.utf8), type: MediaType("multipart/related"), limit: 1 << 20, title: ""
    )
    let shown = String(decoding: content.document(url: "").plainText, as: UTF8.self)
    #expect(shown.contains("Keel end") == isApplied, "\(shown)")
  }

  @Test func `a truncated saved page is shown with a notice`() throws {
    let whole = try write("w.mhtml", Array(Self.message.utf8))
    #expect(load(LoadRequest(whole)).0.notices.isEmpty)
    let end = try #require(Self.message.range(of: "Text of it"))
    let path = try write("m.mhtml", Array(Self.message[..<end.upperBound].utf8))
    let (page, _) = load(LoadRequest(path))
    #expect(text(page).contains("Text of it"))
    #expect(page.notices == ["the file is truncated: the part that could be read is shown"])
  }

  @Test func `a page with an end tag is whole without the last boundary`() throws {
    let end = try #require(Self.message.range(of: "on</a>"))
    let path = try write("e.mhtml", Array((Self.message[..<end.upperBound] + "</html>\n").utf8))
    #expect(load(LoadRequest(path)).0.notices.isEmpty)
  }

  @Test func `an archive opens at its page or as lists of its files`() throws {
    var zip = ZIPBytes()
    zip.add("My Page.html", "<title>Zipped</title><p>Text <a href=\"My%20Page_files/b.html\">b</a>")
    zip.add("My Page_files/b.html", "<p>Text of b")
    let path = try write("p.zip", zip.bytes)
    let (page, _) = load(LoadRequest(path))
    #expect(page.document.title == "Zipped")
    let url = Address.fileURL(path: path)
    #expect(links(page) == [url + "/My%20Page_files/b.html"])
    #expect(
      text(load(LoadRequest(links(page)[0], origin: .link(from: page.url))).0).contains("of b"))
    zip.entries.removeFirst()
    zip.add("c.txt", "Text of c")
    zip.add("d/e.txt", "Text of e")
    zip.add("../evil", "x")
    let other = try write("l.zip", zip.bytes)
    let (list, _) = load(LoadRequest(other))
    #expect(text(list).contains("../evil") && text(list).contains("c.txt"))
    #expect(text(load(LoadRequest(other + "/c.txt")).0).contains("Text of c"))
    // The parent of the archive is the directory that contains it.
    let (directory, error) = load(LoadRequest(links(list)[0], origin: .link(from: list.url)))
    #expect(error == nil && links(directory).contains(Address.fileURL(path: other)))
    #expect(load(LoadRequest(other + "/none")).1?.description.contains("has no none") ?? false)
  }

  @Test func `office documents are not opened as archives`() throws {
    var zip = ZIPBytes()
    zip.add("[Content_Types].xml", "<Types/>")
    zip.add("word/document.xml", "<w/>")
    let path = try write("letter.docx", zip.bytes)
    #expect(load(LoadRequest(path)).0.attachment?.path == path)
  }

  @Test func `captures of a WACZ file are listed, and can be read after an import`() throws {
    let record = """
      WARC/1.1\r
      WARC-Type: response\r
      WARC-Record-ID: <urn:uuid:7b9c2f0e-0c3c-4a6e-8f0e-0c3c4a6e8f0e>\r
      WARC-Date: 2024-11-03T00:00:00Z\r
      WARC-Target-URI: http://a.test/page\r
      Content-Type: application/http;msgtype=response\r
      Content-Length: 61\r
      \r
      HTTP/1.1 200 OK\r
      Content-Type: text/html\r
      \r
      <p>Captured text.\r
      \r

      """
    for isDeflated in [false, true] {
      var zip = ZIPBytes()
      zip.add("datapackage.json", "{}")
      zip.add(
        "pages/pages.jsonl",
        "{\"format\":\"json-pages-1.0\"}\n{\"url\":\"http://a.test/page\",\"title\":\"A <page>\","
          + "\"ts\":\"2024-11-03T00:00:00Z\"}\nnonsense\n{\"url\":\"file:///etc/passwd\"}")
      zip.add("archive/data.warc", record.replacing("61", with: "\(record.contentLength)"))
      if isDeflated {
        var entry = zip.entries.removeLast()
        let deflater = Deflater(format: .raw)
        let content = entry.packed
        entry.packed = []
        deflater.deflate(content) { entry.packed += $0 }
        deflater.finish { entry.packed += $0 }
        entry.method = 8
        zip.entries.append(entry)
      }
      let path = try write("\(isDeflated).wacz", zip.bytes)
      let (list, _) = load(LoadRequest(path))
      #expect(text(list).contains("A <page>") && text(list).contains("2024-11-03"))
      #expect(links(list) == ["http://a.test/page"])
      let directory = try TestProfile()
      let profile = directory.open(network)
      let outcome = try LibraryImport(into: profile).run(path)
      #expect(outcome.format == .wacz && outcome.pageCount == 1 && !outcome.wasImportedBefore)
      #expect(try LibraryImport(into: profile).run(path).wasImportedBefore)
      #expect(profile.cache.savedPages(among: ["http://a.test/page"]).count == 1)
      profile.close()
    }
  }

  @Test func `a page saved by a browser is imported under its URLs`() throws {
    let path = try write("m.mhtml", Array(Self.message.utf8))
    let profile = files.open(network)
    let outcome = try LibraryImport(into: profile).run(path)
    #expect(outcome.format == .mhtml && outcome.pageCount == 1)
    let keys = ["https://a.test/dir/page.html", "https://a.test/dir/p.png"]
    #expect(profile.cache.savedPages(among: keys).count == 2)
    profile.close()
    var offline = LoadRequest(keys[0])
    offline.options.mode = .cacheOnly
    #expect(text(load(offline).0).contains("Text of it"))
  }

  @Test func `a frame that has only a cid URL is text of its page, also after import`() throws {
    let message = Self.message.replacingOccurrences(
      of: "<a href=3D\"cid:frame@x\">frame</a>", with: "<iframe src=3D\"cid:frame@x\"></iframe>")
    let path = try write("m.mhtml", Array(message.utf8))
    #expect(text(load(LoadRequest(path)).0).contains("Text of the frame"))
    let profile = files.open(network)
    #expect(try LibraryImport(into: profile).run(path).pageCount == 1)
    profile.close()
    var offline = LoadRequest("https://a.test/dir/page.html")
    offline.options.mode = .cacheOnly
    let shown = text(load(offline).0)
    #expect(shown.contains("Text of it") && shown.contains("Text of the frame"))
  }

  @Test func `lists in an archive are imported`() throws {
    var zip = ZIPBytes()
    zip.add("export/list.txt", "https://a.test/1\nhttps://a.test/2\n")
    zip.add("export/picture.png", "x")
    let path = try write("l.zip", zip.bytes)
    let profile = files.open(network)
    #expect(try LibraryImport(into: profile).run(path).pageCount == 2)
    var none = ZIPBytes()
    none.add("picture.png", "x")
    let other = try write("n.zip", none.bytes)
    #expect(throws: ReaderError.self) { try LibraryImport(into: profile).run(other) }
    profile.close()
  }

  // MARK: Navigation links

  @Test(
    arguments: [
      ("<html><body><p>x</p></body></html>", "<html><body>HEAD<p>x</p>TAIL</body></html>"),
      ("<BODY title='a>b'>x", "<BODY title='a>b'>HEADxTAIL"),
      ("<p>x", "<p>xTAIL"), ("<body", "<bodyTAIL"), ("", "TAIL"),
    ] as [(String, String)])
  func `navigation links are inserted within the body`(_ page: String, _ framed: String) {
    let frame = PageFrame(head: "HEAD", tail: "TAIL")
    #expect(String(decoding: frame.inserting(Array(page.utf8)), as: UTF8.self) == framed)
  }
}

extension String {
  /// The length of the content of a record: the part after its header, without the two final line
  /// breaks.
  fileprivate var contentLength: Int {
    guard let start = range(of: "\r\n\r\n") else { return 0 }
    return self[start.upperBound...].utf8.count - 4
  }
}
