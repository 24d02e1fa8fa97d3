import DOM
import Document
import ReaderMode
import Testing

/// The links of image maps and of embedded players.
@Suite struct EmbeddedLinkTests {
  /// The links of the page that are shown, each as `label -> target`.
  private func links(_ html: String) -> [String] {
    let document = Document(bytes: Array("<p>a</p>\(html)".utf8), mediaType: "text/html")
    #expect(document.problems == [])
    return document.runs.compactMap { run in
      guard let link = run.link.value else { return nil }
      let label = String(
        decoding: document.text[Int(run.start)..<Int(run.end)], as: UTF8.self)
      return "\(label) -> \(document.links[link].target)"
    }
  }

  @Test(
    arguments: [
      ("<area href=three.html>", ["three.html -> three.html"]),
      ("<area href=/a/b/c.html alt=''>", ["c.html -> /a/b/c.html"]),
      ("<area href=/m?x=1>", ["/m?x=1 -> /m?x=1"]), ("<area href=/a title=A>", ["A -> /a"]),
      ("<area href=/a alt=A><area href=/a alt=''>", ["A -> /a"]),
      ("<area href='#'>", []), ("<area href='#top'>", []),
      ("<area href='#top' alt=Top>", ["Top -> #top"]),
      ("<area href='mailto:a@b.test'>", ["a@b.test -> mailto:a@b.test"]),
      ("<area href='javascript:x()'>", []), ("<area nohref>", []), ("<area href=''>", []),
    ] as [(String, [String])])
  func `parts of an image map without a label are named by their file`(
    areas: String, expected: [String]
  ) {
    #expect(links("<img src=m.png alt=Map usemap=#m><map name=m>\(areas)</map>") == expected)
  }

  @Test(
    arguments: [
      ("<a href=/y><i class='fa fa-home' title=Home></i></a>", ["Home -> /y"]),
      ("<a href=/y><span> <i aria-label=Home></i></span></a>", ["Home -> /y"]),
      ("<a href=/y title=Start><i title=Home></i></a>", ["Start -> /y"]),
      ("<a href=/y><i title=Home></i>Start</a>", ["Start -> /y"]),
      ("<a href=/y><i title=Home></i></a> <a href=/y>Start</a>", ["Start -> /y"]),
      ("<a href=/y><i title=Home style='display:none'></i></a>", []),
      ("<a href=/y><i class='fa fa-home'></i></a>", []),
      ("<a href='tel:+4930123'><i class='fa fa-phone'></i></a>", ["+4930123 -> tel:+4930123"]),
      (
        "<a href='mailto:ann@e.test?subject=x'><i class=icon></i></a>",
        ["ann@e.test -> mailto:ann@e.test?subject=x"]
      ),
      ("<a href='mailto:ann@e.test'><i class=icon></i></a> ann@e.test", []),
      ("<a href='mailto:?body=x'><i class=icon></i></a>", []),
    ] as [(String, [String])])
  func `a link without text is named by its icon`(_ link: String, _ expected: [String]) {
    #expect(links(link) == expected)
  }

  @Test(
    arguments: [
      ("data:text/html,hi", ["link -> /f"]), ("about:blank", ["link -> /f"]),
      ("javascript:x()", ["link -> /f"]), ("", ["link -> /f"]),
      ("part.html", ["part.html -> part.html"]),
    ] as [(String, [String])])
  func `the fallback of an object is shown if its page cannot be loaded`(
    data: String, expected: [String]
  ) {
    let fallback = "<p>Fallback text with <a href=/f>link</a></p>"
    #expect(links("<object type='text/html' data='\(data)'>\(fallback)</object>") == expected)
  }

  private static let youTube = "https://www.youtube.com/watch?v="

  @Test(
    arguments: [
      (
        "<lite-youtube videoid=a-B_1 playlabel='Play: My talk'></lite-youtube>",
        ["Play: My talk -> \(youTube)a-B_1"]
      ),
      ("<amp-youtube data-videoid=abc></amp-youtube>", ["\(youTube)abc -> \(youTube)abc"]),
      ("<lite-vimeo videoid=12></lite-vimeo>", ["https://vimeo.com/12 -> https://vimeo.com/12"]),
      (
        "<lite-youtube videoid=abc><a href='https://youtube.com/watch?v=abc'>Talk</a></lite-youtube>",
        ["Talk -> https://youtube.com/watch?v=abc"]
      ),
      ("<lite-youtube videoid='a/../b'>x</lite-youtube>", []),
      ("<lite-youtube></lite-youtube>", []),
      (
        "<amp-iframe src=https://e.test/f title=Map><p>Loading</p></amp-iframe>",
        ["Map -> https://e.test/f"]
      ),
      ("<amp-iframe src='javascript:x()'></amp-iframe>", []),
      ("<amp-video src=talk.mp4></amp-video>", ["talk.mp4 -> talk.mp4"]),
    ] as [(String, [String])])
  func `a player that a script would load is a link`(html: String, expected: [String]) {
    #expect(links(html) == expected)
  }

  @Test func `the content of a player that a script would load stays`() {
    let html = "<amp-iframe src=/f title=Map><p>Loading</p></amp-iframe><p>after</p>"
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    #expect(String(decoding: document.plainText, as: UTF8.self) == "Map\nLoading\nafter\n")
  }
}

/// The names of frames and of images without a description.
@Suite struct EmbeddedNameTests {
  private static func text(_ html: String) -> String {
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    return document.blocks.filter { !$0.runs.isEmpty }.map { document.text(of: $0) }
      .joined(separator: "|")
  }

  @Test(
    arguments: [
      ("name=smphtml5iframemedia-84457006", "https://media.test/x/y"),
      ("name=google_ads_iframe_1", "https://media.test/x/y"),
      ("name=twitter-widget-0", "https://media.test/x/y"),
      ("name=siteiframe", "https://media.test/x/y"),
      ("name=adsPresent", "https://media.test/x/y"), ("id=map", "https://media.test/x/y"),
      ("name=aswift_1 title='A map'", "A map"), ("name=aswift_1 aria-label='A map'", "A map"),
      ("name=timetable", "timetable"), ("name='Tide tables'", "Tide tables"),
    ] as [(String, String)])
  func `a frame is named by its title or by words, not by an identifier`(
    _ attributes: String, _ expected: String
  ) {
    #expect(
      Self.text("<p>a</p><iframe src='https://media.test/x/y;pos=2?id=1' \(attributes)></iframe>")
        == "a|\(expected)")
  }

  @Test(
    arguments: [
      ("harbour-view.jpg", "harbour-view.jpg"), ("harbour.5de4107c.jpg", "harbour.jpg"),
      ("5de4107c-harbour_view.png", "harbour_view.png"),
      ("harbour-3f2b9c0e8d7a6b5c4d3e.webp", "harbour.webp"),
      ("old-harbour-550e8400-e29b-41d4-a716-446655440000.jpg", "old-harbour.jpg"),
      ("5de4107c-facade.jpg", "facade.jpg"), ("5de4107c-cafe.jpg", "cafe.jpg"),
      ("5de4107c-harbour-2021.jpg", "harbour-2021.jpg"),
      ("5de4107c-3f2b-harbour.jpg", "harbour.jpg"),
      ("harbour-1024x768.jpg", "harbour-1024x768.jpg"),
      ("harbour-2021-06-01.jpg", "harbour-2021-06-01.jpg"),
      ("harbour-facade.jpg", "harbour-facade.jpg"),
      ("harbour-decade1950.jpg", "harbour-decade1950.jpg"),
      ("Hafen_Übersicht.jpg", "Hafen_Übersicht.jpg"),
      ("3f2b9c0e8d7a6b5c4d3e2f1a0b9c8d7e.jpg", "image"), ("IMG_2034.jpg", "image"),
      ("550e8400-e29b-41d4-a716-446655440000.webp", "image"), ("unnamed.jpg", "image"),
      ("harbour1234567890abcdefg.jpg", "image"), ("-.jpg", "image"), ("....", "image"),
    ] as [(String, String)])
  func `an image without a description is named by words of its file`(
    _ file: String, _ expected: String
  ) {
    #expect(
      Self.text("<p>a</p><figure><img src='/i/\(file)' width=640 height=480></figure>")
        == "a|\(expected)")
  }
}
