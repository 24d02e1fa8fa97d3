import Document
import Formats
import Testing

@Suite struct MediaTypeTests {
  @Test(
    arguments: [
      ("text/html", "text/html", nil),
      ("Text/HTML; Charset=UTF-8", "text/html", "utf-8"),
      ("text/html;charset=\"ISO-8859-1\"; x=y", "text/html", "iso-8859-1"),
      ("text/html; charset=", "text/html", nil),
      ("text/html; boundary=x; charset='koi8-r'", "text/html", "koi8-r"),
      ("", "application/octet-stream", nil),
      (nil, "application/octet-stream", nil),
      ("nonsense", "application/octet-stream", nil),
      ("*/*", "application/octet-stream", nil),
      ("Unknown/Unknown; charset=utf-8", "application/octet-stream", "utf-8"),
      ("application/unknown", "application/octet-stream", nil),
      ("Binary/Octet-Stream", "application/octet-stream", nil),
      ("application/force-download", "application/octet-stream", nil),
      ("Application/X-Download; charset=utf-8", "application/octet-stream", "utf-8"),
      ("application/unknown+x", "application/unknown+x", nil),
      ("te xt/html", "application/octet-stream", nil),
      ("text/html/utf-8", "application/octet-stream", nil),
      ("text/html,charset=utf-8", "application/octet-stream", nil),
      ("text/", "application/octet-stream", nil),
      ("application/x.y+z_1", "application/x.y+z_1", nil),
      (";;;===", "application/octet-stream", nil),
      ("text/\u{1B}[31m", "application/octet-stream", nil),
    ] as [(String?, String, String?)])
  func `a Content-Type is parsed with its charset`(
    _ field: String?, _ essence: String, _ charset: String?
  ) {
    let type = MediaType(field)
    #expect(type.essence == essence)
    #expect(type.charset == charset)
  }

  @Test(
    arguments: [
      ("text/plain; format=flowed", false),
      ("Text/Plain; Charset=x; Format=\"Flowed\"; DelSp=Yes", true),
      ("text/plain; delsp=no; format=flowed", false), ("text/plain; delsp=yes", nil),
      ("text/plain; format=fixed", nil), ("text/html; format=flowed", nil),
      ("text/plain; format=fixed; format=flowed", nil),
    ] as [(String, Bool?)])
  func `a Content-Type has parameters for flowed text`(_ field: String, _ dropsSpace: Bool?) {
    #expect(MediaType(field).flowedFormat?.deletesTrailingSpace == dropsSpace)
  }

  @Test func `content of unspecified type is sniffed`() {
    let page = Array("<!DOCTYPE html><title>Harbour</title><p>Boats".utf8)
    for field in [
      "*/*", "unknown/unknown", "application/unknown;x=y", "text/html/utf-8; x=y", "text",
      "application/html", "application/x-html", "application/xhtml; charset=utf-8", "html/text",
      "text/htm", "Text/X-HTML", "text/xhtml", "text/xhtml+xml",
    ] {
      #expect(MediaType(field).readableType(page) == "text/html", "\(field)")
      #expect(MediaType(field).readableType([0, 1, 2, 3]) == nil, "\(field)")
      #expect(MediaType.isUnspecified(field), "\(field)")
    }
    #expect(MediaType("application/zip").readableType(page) == nil)
    // Names that servers give to feeds.
    for name in ["application/rss", "application/atom", "application/x-rss", "application/x-xml"] {
      #expect(MediaType(name).readableType(Array("<rss></rss>".utf8)) == name)
      #expect(MediaType(name).readableType([0, 1, 2, 3]) == nil)
    }
    #expect(!MediaType.isUnspecified("application/octet-stream"))
  }

  @Test(
    arguments: [
      ("<?xml version='1.0'?>\n<book><p>Boats</p></book>", "application/xml"),
      ("<?xml-model href='x'?>\n<book/>", "text/plain"), ("x <?xml version='1.0'?>", "text/plain"),
      ("<?xml version='1.0'?><html><p>Boats", "application/xhtml+xml"),
      ("{\"a\": 1}", "application/json"), ("Boats", "text/plain"),
    ] as [(String, String)])
  func `text of unknown type is recognized by its beginning`(_ text: String, _ type: String) {
    for field in [nil, "binary/octet-stream"] {
      #expect(MediaType(field).readableType(Array(text.utf8)) == type)
    }
    #expect(MediaType("application/x-perl").readableType(Array(text.utf8)) == "application/x-perl")
  }

  @Test func `text types are distinguished from others`() {
    for text in [
      "text/plain", "application/json", "image/svg+xml", "application/feed+json",
      "application/x-patch", "application/x-python", "application/markdown",
    ] {
      #expect(MediaType(text).isText, "\(text)")
    }
    for other in [
      "image/png", "application/pdf", "video/mp4", "application/zip", "application/postscript",
      "application/vnd.apple.mpegurl",
    ] {
      #expect(!MediaType(other).isText && !MediaType(other).isHTML, "\(other)")
    }
    #expect(MediaType("application/xhtml+xml").isHTML)
  }
}
