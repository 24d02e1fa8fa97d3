import Feeds
import Exchange
import ReaderMode
import Foundation
import Document
import Formats
import Images
import Testing

@Suite struct ImageFormatTests {
  private static let avif: [UInt8] =
    [0, 0, 0, 24] + Array("ftypmif1".utf8) + [0, 0, 0, 0] + Array("miafavif".utf8)

  @Test(
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png), ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
      (Array("GIF89a".utf8), .gif), (Array("RIFF....WEBPVP8 ".utf8), .webp), (avif, .avif),
      (Array("\u{FEFF}<?xml version='1.0'?><!-- x --><!DOCTYPE svg><svg/>".utf8), .svg),
      (Array("<svg:svg xmlns:svg='http://www.w3.org/2000/svg'/>".utf8), .svg),
      (Array("<html><svg/></html>".utf8), nil), (Array("RIFF....WAVE".utf8), nil),
      (Array("<sv".utf8), nil), ([], nil), ([0, 0, 0, 255] + Array("ftyp".utf8), nil),
    ] as [([UInt8], ImageFormat?)])
  func `the format of an image is detected from its first bytes`(
    _ bytes: [UInt8], _ format: ImageFormat?
  ) {
    #expect(ImageFormat(of: bytes) == format)
  }

  @Test func `the formats for books are the core media types of EPUB 3.2`() {
    let types = ImageFormat.allCases.filter(\.isEPUBCoreType).map(\.mediaType)
    #expect(types == ["image/png", "image/jpeg", "image/gif", "image/svg+xml"])
  }

  @Test(arguments: [255, 9])
  func `pixels are encoded as PNG and decoded unchanged`(_ opacity: UInt8) throws {
    let (width, height) = (19, 7)
    var pixels: [UInt8] = []
    for index in 0..<width * height {
      pixels.append(UInt8(index % 251))
      pixels.append(UInt8(index * 7 % 256))
      pixels.append(UInt8(255 - index % 200))
      pixels.append(opacity)
    }
    let file = PNGWriter.file(pixels, width: width, height: height)
    #expect(ImageFormat(of: file) == .png)
    var request = ImageRequest(maxSizeInCells: ImageSize(width: width, height: height))
    request.cellSize = ImageSize(width: 1, height: 1)
    request.output = .pixels
    let image = try ImageDecoder(file, for: request).decoded()
    #expect(image.sourceSize == ImageSize(width: width, height: height))
    #expect(image.content == DecodedImage.Content.pixels(pixels, image.sourceSize))
  }

  @Test(
    arguments: [
      ("data:image/gif;base64,R0lGODlh", "GIF89a"), ("data:,a%20b", "a b"),
      ("DATA:text/plain;BASE64,eA==", "x"), ("data:none", nil),
      ("https://a.test/,x", nil), ("data:,%ZZ", "%ZZ"),
    ] as [(String, String?)])
  func `the bytes in a data: URL are decoded`(_ url: String, _ expected: String?) {
    #expect(DataURL.bytes(of: url).map { String(decoding: $0, as: UTF8.self) } == expected)
  }

  @Test func `an SVG image in a data: URL is cleaned`() throws {
    let url = "data:image/svg+xml,<svg><script>alert(1)</script><rect/></svg>"
    let clean = try #require(DataURL.bytes(of: url).flatMap(DataURL.image))
    let text = String(decoding: try #require(DataURL.bytes(of: clean)), as: UTF8.self)
    #expect(text.contains("<rect>") && !text.contains("alert"))
  }

  @Test
  func `a standalone page loads nothing, whatever its source is`() {
    let tracker = "https://t.test/"
    let html = """
      <html manifest=\(tracker)m><head><base href="\(tracker)"><title>T</title>
      <meta http-equiv=refresh content="0;url=\(tracker)r"><link rel=stylesheet href="\(tracker)s">
      <link rel=prefetch href="\(tracker)p"><link rel=preload href="\(tracker)p" as=image>
      <style>@import "\(tracker)i"; p { background: url(\(tracker)b) }</style></head>
      <body background="\(tracker)bg" onload="fetch('\(tracker)')"><p style="background:url(\(tracker)u)">words
      <img src="\(tracker)1" srcset="\(tracker)2 2x" alt="One" lowsrc="\(tracker)l">
      <picture><source srcset="\(tracker)3"><img src="\(tracker)4" alt="Two"></picture>
      <video src="\(tracker)v" poster="\(tracker)p"><source src="\(tracker)w"><track src="\(tracker)t"></video>
      <audio src="\(tracker)a" autoplay></audio><iframe src="\(tracker)f" srcdoc="<img src=x>"></iframe>
      <object data="\(tracker)o"></object><embed src="\(tracker)e"><applet code="\(tracker)c"></applet>
      <svg><image href="\(tracker)6"/><use href="\(tracker)7#x"/><script href="\(tracker)8"></script></svg>
      <form action="\(tracker)g"><input type=image src="\(tracker)h" alt="Go"></form>
      <a href="\(tracker)link" ping="\(tracker)ping">link</a><script src="\(tracker)j"></script>
      <table background="\(tracker)k"><tr><td background="\(tracker)n">cell</table>
      <img src="data:text/html,<script>x</script>" alt="Three"><p>end
      """
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", url: "https://a.test/")
    let targets = ExportTargets(
      linkURL: { document.url(ofLink: $0) },
      imageURL: { document.url(ofImage: $0).flatMap(DataURL.bytes).flatMap(DataURL.image) })
    let page = String(
      decoding: document.semanticHTML(targets, isSelfContained: true), as: UTF8.self)
    #expect(page.contains("default-src 'none'; img-src data:;"))
    for text in ["words", "One", "Two", "Three", "cell", "end"] { #expect(page.contains(text)) }
    // Only links that the user can follow contain another URL.
    let htmlWithoutLinks = page.replacing(/<a href="[^"]*"(?: title="[^"]*")?>/, with: "")
    var tags: Set<Substring> = []
    for tag in htmlWithoutLinks.matches(of: /<([a-z0-9]+)([^>]*)>/) {
      tags.insert(tag.output.1)
      for name in [
        "src", "srcset", "data", "poster", "background", "ping", "manifest", "action", "href",
        "style", "lowsrc",
      ] {
        #expect(!tag.output.2.contains(" \(name)="), "\(tag.output.0)")
      }
      #expect(!tag.output.2.contains(" on"), "\(tag.output.0)")
    }
    #expect(
      tags.isDisjoint(with: [
        "img", "script", "link", "base", "style", "iframe", "object", "embed", "video", "audio",
        "source", "picture", "svg", "image", "input", "form", "applet", "frame", "track",
      ]), "\(tags)")
  }
}
