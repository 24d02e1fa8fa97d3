import Foundation
import TestSupport

/// A small book whose parts can be changed.
struct TestBook {
  var files: [(path: String, text: String)]

  /// Creates a book with two chapters, an image and a table of contents.
  init(version: Int = 3) {
    files = [
      ("mimetype", "application/epub+zip"),
      (
        "META-INF/container.xml",
        """
        <?xml version="1.0"?><container><rootfiles><rootfile full-path="OEBPS/content.opf" \
        media-type="application/oebps-package+xml"/></rootfiles></container>
        """
      ),
      ("OEBPS/content.opf", Self.package(version)),
      (
        version == 3 ? "OEBPS/nav.xhtml" : "OEBPS/toc.ncx",
        version == 3
          ? """
          <html xmlns:epub="x"><body><nav epub:type="landmarks"><ol><li><a href="x">no</a></ol></nav>
          <nav epub:type="toc"><ol><li><a href="text/one.xhtml">One &amp; first</a>
          <ol><li><a href="text/one.xhtml#s">A  section</a></li></ol></li>
          <li><span>Heading</span><ol><li><a href="text/two.xhtml">Two</a></li></ol></li></ol></nav>
          """
          : """
          <ncx><navMap><navPoint><navLabel><text>One &amp; first</text></navLabel>\
          <content src="text/one.xhtml"/><navPoint><navLabel><text>A  section</text></navLabel>\
          <content src="text/one.xhtml#s"/></navPoint></navPoint><navPoint><navLabel>\
          <text>Two</text></navLabel><content src="text/two.xhtml"/></navPoint></navMap></ncx>
          """
      ),
      (
        "OEBPS/text/one.xhtml",
        "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><head><title>x</title></head>"
          + "<body class=\"a>b\"><h1>One</h1><p>Words of one. <a href=\"two.xhtml#z\">on</a> "
          + "<img src=\"../p.png\" alt=\"pic\"/> <a href=\"../../../../etc/passwd\">out</a></p>"
          + "</body></html>"
      ),
      ("OEBPS/text/two.xhtml", "<html><body><p id='z'>Words of two.</p></body></html>"),
      ("OEBPS/p.png", "PNG\0no picture"),
    ]
  }

  private static func package(_ version: Int) -> String {
    """
    <package version="\(version).0"><metadata><dc:title>The  Book</dc:title>
    <dc:creator>Ann</dc:creator><dc:creator>Bea</dc:creator><dc:language>en</dc:language>
    <meta name="cover" content="pic"/></metadata><manifest>
    <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
    <item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
    <item id="one" href="text/one.xhtml" media-type="application/xhtml+xml"/>
    <item id="two" href="text/two.xhtml" media-type="application/xhtml+xml"/>
    <item id="pic" href="p.png" media-type="image/png"/>
    </manifest><spine toc="ncx"><itemref idref="one"/><itemref idref="two"/></spine></package>
    """
  }

  /// Replaces a text in a file by another one.
  mutating func replace(_ text: String, _ other: String, in path: String) {
    for index in files.indices where files[index].path == path {
      files[index].text = files[index].text.replacing(text, with: other)
    }
  }

  var bytes: [UInt8] {
    var zip = ZIPBytes()
    for (path, text) in files { zip.add(path, text) }
    return zip.bytes
  }
}
