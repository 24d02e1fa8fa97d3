@testable import Profiles
import Foundation
import Document
import OfflineCache
import Testing

@testable import Pages
@testable import Reader
@testable import Sandbox

/// Binary content and directories.
struct AttachmentTests {
  private static func newDirectory() throws -> String {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    return directory.path
  }

  @Test(
    arguments: [
      ("https://a.test/files/paper.pdf?x=1", "paper.pdf", "paper.pdf.png"),
      ("https://a.test/pic.png", "pic.png", "pic.png"),
      ("https://a.test/pic.desktop", "pic.desktop", "pic.desktop.png"),
      ("https://a.test/", "image/png", "image_png.png"), ("https://a.test/x", "x", "x.png"),
      ("https://a.test/%2e%2e%2f-rf%20$(x).png", "../-rf $(x).png", "rf___x_.png"),
      ("https://a.test/.%1b%5b2J", ".\u{FFFD}[2J", "2J.png"),
      ("file:///a.png", "a.png", "a.png"), ("https://a.test", "image/png", "image_png.png"),
      ("https://a.test//b/c.png/", "c.png", "c.png"),
    ] as [(String, String, String)])
  func `a file name is safe in a shell and stays in its directory`(
    _ url: String, _ title: String, _ name: String
  ) {
    let attachment = Attachment(url: url, mediaType: "image/png", length: 1)
    #expect(attachment.title == title)
    #expect(attachment.fileName == name)
  }

  @Test func `the displayed content is loaded from the archive only`() {
    var attachment = Attachment(url: "https://a.test/a.png", mediaType: "image/png", length: 1)
    #expect(attachment.loadOptions.mode == .cacheOnly && attachment.loadOptions.copy == .latest)
    attachment.version = "0a1b"
    #expect(attachment.loadOptions.mode == .cacheOnly)
    #expect(attachment.loadOptions.copy == .id("0a1b"))
  }

  @Test(
    arguments: [
      ("image/jpeg", "a.JPEG", "a.JPEG"), ("image/jpeg", "a.jpg", "a.jpg"),
      ("application/octet-stream", "a.desktop", "a.desktop.bin"),
      ("application/pdf", "a.html", "a.html.pdf"), ("application/zip", "a", "a.zip"),
      ("application/x-strange", "a.sh", "a.sh.bin"),
    ] as [(String, String, String)])
  func `the file extension matches the media type of the server`(
    _ type: String, _ part: String, _ name: String
  ) {
    let attachment = Attachment(url: "https://a.test/\(part)", mediaType: type, length: 1)
    #expect(attachment.fileName == name)
  }

  @Test func `files are private and deleted with the directory`() throws {
    let outer = try Self.newDirectory()
    defer { try? FileManager.default.removeItem(atPath: outer) }
    let directory = try PrivateDirectory(["XDG_RUNTIME_DIR": outer])
    let first = try directory.write([1, 2], name: "a.png")
    let second = try directory.write([3], name: "a.png")
    let link = try directory.link(to: first, name: "b.png")
    #expect(first != second)
    let manager = FileManager.default
    #expect(manager.contents(atPath: link) == Data([1, 2]))
    let modes = try [directory.path, first].map {
      try manager.attributesOfItem(atPath: $0)[.posixPermissions] as? Int
    }
    #expect(modes == [0o700, 0o600])
    directory.remove()
    #expect(!manager.fileExists(atPath: directory.path))
  }

  @Test func `directories of killed processes are deleted, and those in use or of others are kept`()
    throws
  {
    let outer = try Self.newDirectory()
    defer { try? FileManager.default.removeItem(atPath: outer) }
    let manager = FileManager.default
    for name in ["offread-files-killed/profile", "offread-other", "offread-filesystem"] {
      try manager.createDirectory(atPath: "\(outer)/\(name)", withIntermediateDirectories: true)
    }
    try Data([1]).write(to: URL(fileURLWithPath: outer + "/offread-files-killed/profile/a"))
    let first = try PrivateDirectory(["TMPDIR": outer])
    let second = try PrivateDirectory(["TMPDIR": outer])
    #expect(!manager.fileExists(atPath: outer + "/offread-files-killed"))
    #expect([first, second].allSatisfy { manager.fileExists(atPath: $0.path) })
    #expect(manager.fileExists(atPath: outer + "/offread-other"))
    #expect(manager.fileExists(atPath: outer + "/offread-filesystem"))
    try manager.createDirectory(
      atPath: first.path + "/profile/Default", withIntermediateDirectories: true)
    first.remove()
    #expect(!manager.fileExists(atPath: first.path))
    second.remove()
    #expect(try manager.contentsOfDirectory(atPath: outer).count == 2)
  }

  @Test
  func `a directory is shown as a page of names, directories first, without unsafe characters`() {
    let date = Date(timeIntervalSince1970: 1_795_262_400)
    let page = DirectoryPage(
      path: "/tmp/<x>",
      entries: [
        .init(name: "b#?.txt", isDirectory: false, size: 1200, modificationDate: date),
        .init(name: "A\u{1B}[2J<i>", isDirectory: false, size: 1, modificationDate: date),
        .init(name: "z", isDirectory: true, size: 1, modificationDate: date),
      ]
    ).page
    let text = String(decoding: page.document.plainText, as: UTF8.self)
    #expect(page.document.title == "/tmp/<x>")
    #expect(
      page.document.links.map(\.target) == [
        "file:///tmp/", "file:///tmp/%3Cx%3E/z/", "file:///tmp/%3Cx%3E/A%1B[2J%3Ci%3E",
        "file:///tmp/%3Cx%3E/b%23%3F.txt",
      ])
    #expect(text.contains("z/") && text.contains("1 kB") && text.contains("2026-11-21"), "\(text)")
    #expect(!text.contains("\u{1B}"))
    #expect(page.url == "file:///tmp/%3Cx%3E/")
  }

  @Test func `numbers in the names of a directory are sorted by value`() {
    let names = ["page10.html", "Page2.html", "page1.html", "b", "1984.txt", "page1.css"]
    let page = DirectoryPage(
      path: "/tmp/x",
      entries: names.map {
        .init(name: $0, isDirectory: $0 == "b", size: 1, modificationDate: Date())
      }
    ).page
    #expect(
      page.document.links.dropFirst().map { $0.target.dropFirst("file:///tmp/x/".count) } == [
        "b/", "1984.txt", "page1.css", "page1.html", "Page2.html", "page10.html",
      ])
  }

  @Test func `an empty or unreadable directory shows a message`() throws {
    let directory = try Self.newDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let page = try DirectoryPage(reading: directory).page
    #expect(String(decoding: page.document.plainText, as: UTF8.self).contains("is empty"))
    #expect(throws: ReaderError.self) { try DirectoryPage(reading: directory + "/none") }
  }

  @Test func `a file whose name is not UTF-8 is listed and opens by the bytes of its name`() throws
  {
    let directory = try Self.newDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let name = [0x2F, 0x61, CChar(bitPattern: 0xFF), 0]
    let file = fopen(Array(directory.utf8CString.dropLast()) + name, "w")
    try #require(file != nil)
    fputs("text of it", file)
    fclose(file)
    let page = try DirectoryPage(reading: directory).page
    let text = String(decoding: page.document.plainText, as: UTF8.self)
    #expect(text.contains("a\u{FFFD}"), "\(text)")
    let url = try #require(page.document.links.last?.target)
    #expect(page.document.links.count == 2 && url.hasSuffix("/a%FF"))
    let address = try Address(typed: url)
    guard case .file(let path) = address else {
      Issue.record("\(address)")
      return
    }
    #expect(address.url.text == url)
    #expect(try LocalFile.read(path) == Array("text of it".utf8))
    #expect(try Address(typed: path) == address && LocalFile.exists(path))
  }
}
