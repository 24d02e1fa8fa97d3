import Exchange
import Foundation
import OfflineCache
import Testing

/// Pages that SingleFile saved as self-extracting ZIP archives, or in earlier versions, and single
/// pages of mirrors.
@Suite struct PackedPageTests {
  private static let page = Array("<title>T</title><p>The ferry leaves at noon.".utf8)

  private static func file(_ name: String, comment: String) throws -> [UInt8] {
    var bytes = Array("<!DOCTYPE html><html><!--\n \(comment)\n url: https://a.test/1\n-->".utf8)
    bytes += "<body><script>extract()</script><!-- ".utf8
    var writer = ZIPWriter(date: Date(timeIntervalSince1970: 1_795_256_130))
    try writer.add(ZIPEntry(path: name, bytes: page)) { bytes += $0 }
    try writer.finish { bytes += $0 }
    return bytes + " --></body></html>".utf8
  }

  @Test(arguments: ["Page saved with SingleFile", "Page saved with SingleFileZ"])
  func `the page in the archive is read`(_ comment: String) throws {
    #expect(SavedPage.unpacked(try Self.file("index.html", comment: comment)) == Self.page)
  }

  @Test func `the comment of an earlier version of SingleFile names the page`() throws {
    let text = """
      <!DOCTYPE html> <html lang=en><!--
       Archive processed by SingleFile
       url: https://a.test/1#part
       saved date: Thu Sep 13 2018 11:30:54 GMT+0200
      --><meta charset=utf-8><title>T</title><p>words
      """
    let page = try #require(SavedPage(Array(text.utf8)))
    #expect(page.url.description == "https://a.test/1")
    #expect(page.date == Date(timeIntervalSince1970: 1_536_831_054))
  }

  @Test(arguments: [
    ("a.test/1.html", "", "https://a.test/1.html"),
    ("a.test/1.html", "<a href=http://a.test/2>2</a>", "http://a.test/1.html"),
    ("a.test/1?b=c", "<link rel=canonical href=http://a.test/1>", "http://a.test/1?b=c"),
    ("https://a.test/", "<meta property=og:type content=article>", "https://a.test/"),
    // A site with a copied template.
    ("b.test/demo", "<link rel=canonical href=https://a.test/1>", "https://a.test/1"),
  ])
  func `the comment of HTTrack names a page outside its mirror`(
    _ address: String, _ markup: String, _ url: String
  ) throws {
    let text = """
      <!DOCTYPE html><html>
      <!-- Mirrored from \(address) by HTTrack Website Copier/3.x [XR&CO'2014], Thu, 02 Jan 2020 \
      03:04:05 GMT -->
      <title>T</title>\(markup)<p>words
      """
    let page = try #require(SavedPage(canonicalURLOf: Array(text.utf8)))
    #expect(page.url.description == url)
    let date = address.hasPrefix("b.test/") ? nil : Date(timeIntervalSince1970: 1_577_934_245)
    #expect(page.date == date)
    // The pages of a mirror are imported with their directory.
    #expect(SavedPage(Array(text.utf8)) == nil)
  }

  @Test func `other files are unchanged`() throws {
    for file in [
      try Self.file("other.html", comment: "Page saved with SingleFile"),
      try Self.file("index.html", comment: "Page saved by hand"), Self.page, [],
    ] {
      #expect(SavedPage.unpacked(file) == file)
    }
  }
}
