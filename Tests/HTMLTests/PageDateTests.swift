import Document
import ReaderMode
import Testing

/// Publication dates that pages show but do not declare.
@Suite struct PageDateTests {
  private static let text = String(
    repeating: "<p>A text, with commas, which is long enough, so that it counts as one.</p>",
    count: 12)

  private static func date(_ html: String) throws -> String {
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", view: .reader(ReaderOptions()))
    return try #require(document.readerFacts).metadata.date
  }

  @Test(
    arguments: [
      ("<p>Dec 16, 2016, 4:19 PM ET</p>", "2016-12-16T16:19"),
      ("<div>2005-5-7 21:23:57</div>", "2005-05-07T21:23:57"),
      ("<p>2022年2月13日 09:57</p>", "2022-02-13T09:57"),
      ("<p>By JANE DOE, DEC. 16, 2016</p>", "2016-12-16"),
      ("<p>By Jane Doe Dec 16, 2016</p>", "2016-12-16"),
      ("<p>Posted by admin on 16/12/2016 | 3 comments</p>", "2016-12-16"),
      ("<p>16/12/2016 by admin</p>", "2016-12-16"),
      ("<p>Posted on: December 16, 2016 in News</p>", "2016-12-16"),
      ("<p>Published 16 December 2016, updated 3 January 2017</p>", "2016-12-16"),
      ("<p>Von Jane Doe · 16. Dezember 2016 · Lesedauer: 3 Minuten</p>", "2016-12-16"),
      ("<span class=timestamp>Dec 16, 2016 4:19pm</span>", "2016-12-16T16:19"),
      ("<div class=date>16.12.2016</div>", "2016-12-16"),
      ("<div class=date><b>Dec</b><b>16</b><b>2016</b></div>", "2016-12-16"),
      ("<p id=date>Fri 16 Dec 2016</p>", "2016-12-16"),
      ("<p id=date>16 Agustus 2016</p>", "2016-08-16"),
      ("<p id=date>16 Agu 2016</p>", "2016-08-16"),
      ("<p id=date>16 apirila 2016</p>", "2016-04-16"),
      ("<p id=date>16 јан 2016</p>", "2016-01-16"),
      (
        "<abbr class=published title='2016-12-16T10:00:00Z'>yesterday</abbr>",
        "2016-12-16T10:00:00Z"
      ),
      ("<p>on May 5, 2016</p>", "2016-05-05"),
      (
        "<p>jdoe opened <a><relative-time datetime=2016-12-16T10:00:00Z>it</relative-time></a>",
        "2016-12-16T10:00:00Z"
      ),
      ("<p>Jane Doe — Apr 16, 2015 8:02 pm UTC</p>", "2015-04-16T20:02Z"),
      ("<p>記者 山田 2022年2月13日</p>", "2022-02-13"),
      ("<p>Updated: 16 December 2016</p>", "2016-12-16"),
      ("<em>First published Fri Dec 16, 2016; revision Mon Sep 30, 2019</em>", "2016-12-16"),
      (
        "<p>Received 12 May 2016; accepted 1 December 2016; published online 16 December 2016</p>",
        "2016-12-16"
      ),
      (
        "<p>Submitted: 12 May 2016 | Accepted: 1 December 2016 | Published: 16 December 2016</p>",
        "2016-12-16"
      ),
      (
        """
        <dl><dt>Received</dt><dd><time>12 May 2016</time></dd>\
        <dt>Published</dt><dd><time>16 December 2016</time></dd></dl>
        """, "2016-12-16"
      ),
      ("<dl><dt>Published</dt><dd>16 December 2016</dd></dl>", "2016-12-16"),
      ("<div><svg><title>Calendar</title></svg>16.12.2016</div>", "2016-12-16"),
      ("<time>2016-12-16</time> – <time class=updated>2016-12-17</time>", "2016-12-16"),
      ("<p class=byline>By Jane Doe | March 5, 2024</p>", "2024-03-05"),
      ("<p class=byline>Jane Doe • March 5, 2024 • 5 min read</p>", "2024-03-05"),
      ("<p class=byline>By Jane Doe on March 5, 2024</p>", "2024-03-05"),
      ("<p>Written by Jane Doe on March 5, 2024</p>", "2024-03-05"),
      ("<p class=byline>Von Jane Doe, 5. März 2024</p>", "2024-03-05"),
      ("<div class=author>Jane Doe - Mar 5, 2024</div>", "2024-03-05"),
      ("<p>2016-12-16 09:57　来源：川新聞　责任编辑：李四　字号：大 中 小</p>", "2016-12-16T09:57"),
      ("<p>发布时间：2016-12-16 09:57 来源：川新聞 作者：王小明 责编：李四 浏览次数：302</p>", "2016-12-16T09:57"),
      ("<p>16 Desember 2016 09:57 WITA</p>", "2016-12-16T09:57+08:00"),
      ("<p>Fri 16 Dec 2016 09.57 GMT</p>", "2016-12-16T09:57Z"),
      ("<p>16. prosinca 2016.</p>", "2016-12-16"),
      ("<p>Дата публикации: 16 декабря 2016 г.</p>", "2016-12-16"),
      ("<p>Ngày 16 tháng 12 năm 2016</p>", "2016-12-16"),
      ("<p>Jane Doe<br>16 December 2016</p>", "2016-12-16"),
      ("<time datetime=1481904000>yesterday</time>", "2016-12-16T16:00:00Z"),
      (
        "<time datetime='2016-12-16 09:57:00 -0500 EST'>Friday</time>", "2016-12-16T09:57:00-05:00"
      ),
      ("<time datetime='2016-12-16 09:57:00 +0000 UTC'>Friday</time>", "2016-12-16T09:57:00Z"),
      ("<time datetime='2016-12-16T09:57Z[Europe/London]'>Friday</time>", "2016-12-16T09:57Z"),
      ("<time datetime=P2D>2 days</time><p>16 December 2016</p>", "2016-12-16"),
      ("<time datetime=2016-12-18/P2D>2 days</time><p>16 December 2016</p>", "2016-12-16"),
      (
        "<b itemprop=datePublished content='2016-12-16 09:57:00 +0000 UTC'>x</b>",
        "2016-12-16T09:57:00Z"
      ),
      ("<p>By Jane Doe · Dec 16, 2016 · 6 min read · 12 comments · Share</p>", "2016-12-16"),
      ("<p>Reading time: 3 min, 16 Dec 2016</p>", "2016-12-16"),
      ("<p>Von Jane Doe<br>16. Dezember 2016<br>Lesezeit: 3 Min.</p>", "2016-12-16"),
      (
        """
        <p><a href=/s>Roads</a> <span>16 December 2016, 09:57</span> \
        <span>Updated: 17 December 2016</span></p>
        """, "2016-12-16T09:57"
      ),
      (
        "<p><a>Roads</a> <b>Updated:</b> <span>17 December 2016</span> <i>16 December 2016</i></p>",
        "2016-12-16"
      ),
      (
        "<b>Jane</b> jd at example.org<br><i>Fri Dec 16 09:57:00 UTC 2016</i><ul><li>Next</li></ul>",
        "2016-12-16T09:57:00Z"
      ),
      ("<p>עודכן: 17.12.2016</p><p>פורסם: 16.12.2016</p>", "2016-12-16"),
      ("<p>آخر تحديث: 17 ديسمبر 2016</p><p>16 ديسمبر 2016</p>", "2016-12-16"),
      ("<p>Cập nhật: 17/12/2016</p><p>16/12/2016</p>", "2016-12-16"),
      ("<p>Última actualización: 17/12/2016</p><p>16/12/2016</p>", "2016-12-16"),
      ("<p>Последнее обновление: 17.12.2016</p><p>16.12.2016</p>", "2016-12-16"),
      ("<p>Poslední aktualizace: 17.12.2016</p><p>16.12.2016</p>", "2016-12-16"),
      ("<p>อัปเดตล่าสุด: 17/12/2016</p><p>16/12/2016</p>", "2016-12-16"),
      ("<p>Τελευταία ενημέρωση: 17 Δεκεμβρίου 2016</p><p>16 Δεκεμβρίου 2016</p>", "2016-12-16"),
      ("<p>16 Aralık 2016 Cuma</p>", "2016-12-16"), ("<p>2016-12-16 星期五</p>", "2016-12-16"),
      ("<p>2016年12月16日金曜日</p>", "2016-12-16"), ("<p>2016.12.18 日曜日</p>", "2016-12-18"),
      ("<p>2016년 12월 16일 금요일</p>", "2016-12-16"),
      ("<p>2016. december 16. péntek</p>", "2016-12-16"),
      ("<p>16 декабря 2016 г.</p>", "2016-12-16"), ("<p>16 декабря 2016 года</p>", "2016-12-16"),
      ("<p>16 грудня 2016 року</p>", "2016-12-16"), ("<p>16 grudnia 2016 r.</p>", "2016-12-16"),
      ("<p>16.12.2016 r.</p>", "2016-12-16"), ("<p>den 16 december 2016</p>", "2016-12-16"),
      ("<p>16 mrt 2016</p>", "2016-03-16"), ("<p>16. marec 2016</p>", "2016-03-16"),
      ("<p>Mis en ligne le 16 décembre 2016</p>", "2016-12-16"),
      ("<p>Mise en ligne : 16 décembre 2016</p>", "2016-12-16"),
      ("<p>Mis en ligne : 16 décembre 2016</p><p>17 décembre 2016</p>", "2016-12-16"),
      ("<p>Créé le 16 décembre 2016</p>", "2016-12-16"),
      ("<p>Eingestellt von Anna am 16.12.2016</p>", "2016-12-16"),
      ("<p>Publicación 16/12/2016</p>", "2016-12-16"),
      ("<p>Poslední změna 17.12.2016</p><p>16.12.2016</p>", "2016-12-16"),
      ("<p>Добавлено 16 декабря 2016</p>", "2016-12-16"),
      ("<p>Tanggal 16 Desember 2016</p>", "2016-12-16"),
      ("<p>Letzte Aktualisierung: 17.12.2016</p><p>16.12.2016</p>", "2016-12-16"),
      ("<p>Data aktualizacji: 17.12.2016</p><p>16.12.2016</p>", "2016-12-16"),
      ("<p>Scritto il 16 dicembre 2016 da Anna</p>", "2016-12-16"),
      ("<p>Автор: Анна Ли, 16 декабря 2016 г.</p>", "2016-12-16"),
      ("<p>Hamburg, den 16. Dezember 2016</p>", "2016-12-16"),
      ("<p>Jane Doe, le 16 décembre 2016</p>", "2016-12-16"),
      ("<p>16. Dezember 2016 | Lesedauer: ca. 3 Min.</p>", "2016-12-16"),
      ("<p><a href=/p>Ports</a> 16 December 2016</p>", "2016-12-16"),
      ("<p>Erstellt am 6.5.16</p>", "2016-05-06"), ("<p>Stand: 6.5.16</p>", "2016-05-06"),
      ("<p>Posted on 5/6/16</p>", "2016-05-06"), ("<p>Le 16/5/16</p>", "2016-05-16"),
      ("<p>Filed 5/6/2016 by Jane Doe</p>", "2016-05-06"),
      ("<p>$Id: lamp.html,v 1.3 2016/05/06 10:15:00 doe Exp $</p>", "2016-05-06T10:15:00"),
      ("<p>$Date: 2016-05-06 10:15:00 +0200 (Fri, 06 May 2016) $</p>", "2016-05-06T10:15:00+02:00"),
    ] as [(line: String, date: String)])
  func `a line below the title is the date of the page`(_ row: (line: String, date: String)) throws
  {
    let html = "<title>The bridge</title><h1>The bridge</h1>\(row.line)\(Self.text)"
    #expect(try Self.date(html) == row.date)
  }

  @Test(arguments: [
    "<p>On May 5, 2016 the bridge fell into the river.</p>", "<p>It fell on 16. December 2016.</p>",
    "<p>The bridge opened on May 5, 2016.</p>", "<p>The bridge opened again (May 5, 2016).</p>",
    "<p>At the mill<br>May 5, 2016<br>the bridge fell.</p>",
    "<p>Event: May 5, 2026, 7:00 PM</p>", "<p>Deadline 16.12.2016</p>", "<p>5–7 May 2016</p>",
    "<p>Founded: 16 December 2016</p>", "<dl><dt>Gegründet</dt><dd>16.12.2016</dd></dl>",
    "<p>May 5, 2016 – May 7, 2016</p>", "<p>© 2016 Example, December 16, 2016</p>",
    "<p>Zmiana czasu 27 października 2024</p>", "<p>Vente en ligne le 16 décembre 2016</p>",
    "<p>Fabrikken ble lagt ned 16. desember 2016</p>",
    "<p>Tanggal pernikahan 16 Desember 2016</p>", "<p>Parc créé le 16 décembre 2016</p>",
    "<p>Produktion eingestellt am 16. Dezember 2016</p>", "<p>Cuối tuần 16/12/2016</p>",
    "<p>5 March 2026 Don</p>", "<p>Amended rules 16 December 2016</p>",
    "<p>As the bridge fell, on May 5, 2016</p>", "<p>Konzert in Berlin, am 16. Dezember 2016</p>",
    "<p>Mort de Jean Dupont à Paris, le 16 décembre 2016</p>",
    "<p>Мост упал 16 декабря 2016 г.</p>", "<p>Мост упал, 16 декабря 2016 года.</p>",
    "<p>16 декабря 2016 года мост упал в реку.</p>", "<p>16 December 2016 Friday Bridge fell</p>",
    "<p>Born 16 December 1970</p>", "<p>Valid until 16.12.2016</p>", "<p>Version 10.12.2</p>",
    "<p>Updated to 1.2.16</p>", "<p>Updated: 1.2.16</p>", "<p>Lawsuit filed 5/6/16</p>",
    "<p><a href=/m>The mill</a> 16 December 2016 fell into the river</p>",
    "<p>The old <a href=/m>mill</a> 16 December 2016</p>", "<p>Call 16 12 2016</p>",
    "<p>16 people, 2016</p>", "<p>Dec 2016</p>", "<p>3 hours ago</p>",
    "<p>API 30, 2024</p>", "<p>Mac 10, 2020</p>", "<p>5 Abu 2020</p>", "<p>AWS 5, 2020</p>",
    "<div class=comments><p>Jane, <time datetime=2016-12-16>16 December 2016</time>: Good.</p></div>",
    "<ol id=comments><li class=comment><span class=date>Dec 16, 2016</span> Good.</li></ol>",
    "<nav><p>December 16, 2016</p></nav>", "<p><b>Deadline</b> <span>16 December 2016</span></p>",
    "<div><i>16 December 2016</i> was a cold day<p>It snowed.</p></div>",
    "<p><span>May 5, 2016</span> – <span>May 7, 2016</span></p>",
    "<div><script>16 December 2016</script><p>It snowed.</p></div>",
    "<p>The <ins datetime=2016-12-16>stone</ins> bridge</p>",
    "<p>Received 12 May 2016; accepted 1 December 2016</p>", "<p>Accepted: 1 December 2016</p>",
    "<p>Deadline: <time datetime=2016-12-16>16 December</time></p>",
    "<time datetime=2016-12-16/2016-12-18>16–18 December 2016</time>",
    "<dl><dt>When</dt><dd>16 December 2016</dd><dt>Where</dt><dd>North Quay</dd></dl>",
    "<dl><dt>Wann</dt><dd><time datetime=2016-12-16>16. Dezember</time></dd></dl>",
    "<div><div>When</div><div>16 December 2016</div></div>", "<h3>When</h3><p>16 December 2016</p>",
    "<div class=event-date>16 December 2016</div>",
    "<time itemprop=startDate datetime=2016-12-16>16 December</time>",
    "<p><time datetime=2016-12-16T20:00>8 pm</time> – <time datetime=2016-12-16T23:00>11 pm</time></p>",
    """
    <script type=application/ld+json>{"@type":"MusicEvent","startDate":"2016-12-16T20:00"}</script>
    <p>16 December 2016</p>
    """,
  ])
  func `other dates near the title are not the date of the page`(_ line: String) throws {
    let html = "<title>The bridge</title><h1>The bridge</h1>\(line)\(Self.text)"
    #expect(try Self.date(html) == "")
  }

  @Test(
    arguments: [
      ("https://example.org/2016/12/16/bridge", "2016-12-16"),
      ("https://example.org/blog/2016/5/6/bridge.html?page=2#top", "2016-05-06"),
      ("https://example.org/2016/12/16/", ""), ("https://example.org/2016/12/bridge", ""),
      ("https://example.org/2016/13/16/bridge", ""),
      ("https://example.org/a/1066/10/14/battle", ""),
      ("https://example.org/bridge?from=/2016/12/16/x", ""),
      ("https://example.org/2016-12-16-bridge.html", "2016-12-16"),
      ("https://example.org/a/2016-12-16/bridge", "2016-12-16"),
      ("https://example.org/2016-12/16/bridge", "2016-12-16"),
      ("https://example.org/20161216/bridge", "2016-12-16"), ("https://example.org/2016-12-16", ""),
      ("https://example.org/20161316/bridge", ""), ("https://example.org/201612160/bridge", ""),
      ("https://example.org/2016-121-16", ""), ("https://example.org/2016/12/16-things", ""),
      ("https://example.org/2016-12/16-things", ""), ("https://example.org/2016/12-16-tips", ""),
      ("https://example.org/2016-1-5-million", ""), ("https://example.org/20161216-lamp", ""),
      ("https://example.org/events/2016-12-16-concert", ""),
      ("https://example.org/docs/api/2016-12-16/reference", ""),
    ] as [(String, String)])
  func `the date in the URL of a post is the last resort`(_ url: String, _ date: String) throws {
    for (line, shown) in [("", date), ("<p>May 5, 2015</p>", "2015-05-05")] {
      let html = "<title>The bridge</title><h1>The bridge</h1>\(line)\(Self.text)"
      let document = Document(
        bytes: Array(html.utf8), mediaType: "text/html", url: url, view: .reader(ReaderOptions()))
      #expect(try #require(document.readerFacts).metadata.date == shown)
    }
  }

  @Test(arguments: ["class=comment", "itemprop=comment"])
  func `a date in a comment is not the date of the page`(_ name: String) throws {
    let comment = """
      <li \(name)><p>Jane</p>
      <time class=published itemprop=datePublished datetime=2016-12-16>16 December</time>
      <p>I like it.</p></li>
      """
    for around in ["article", "div"] {
      let html = """
        <title>The bridge</title><\(around)><h1>The bridge</h1>\(Self.text)
        <ol>\(comment)\(comment)</ol></\(around)>
        """
      #expect(try Self.date(html) == "")
    }
  }

  @Test(
    arguments: [
      ("en-GB", "2024-06-04"), ("fr", "2024-06-04"), ("pt-BR", "2024-06-04"),
      ("en-US", "2024-04-06"),
      ("en", "2024-04-06"), ("", "2024-04-06"),
    ] as [(String, String)])
  func `the language of the page determines the order of day and month`(
    _ language: String, _ date: String
  ) throws {
    let html = "<html lang='\(language)'><title>The bridge</title><h1>The bridge</h1>"
    for line in ["<p class=date>04/06/2024</p>", "<time>04/06/2024</time>"] {
      #expect(try Self.date(html + line + Self.text) == date, "\(line)")
    }
  }

  @Test(
    arguments: [
      ("en", "https://example.co.uk/a", "2024-06-04"), ("", "https://example.ie", "2024-06-04"),
      ("en-US", "https://example.co.uk/a", "2024-04-06"),
      ("en", "https://uk.example.org/", "2024-04-06"),
    ] as [(String, String, String)])
  func `the domain of a country completes a language without a region`(
    _ language: String, _ url: String, _ date: String
  ) throws {
    let html = "<html lang='\(language)'><title>A</title><h1>A</h1><p>04/06/2024</p>\(Self.text)"
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", url: url, view: .reader(ReaderOptions()))
    #expect(try #require(document.readerFacts).metadata.date == date)
  }

  @Test(
    arguments: [
      ("en", "en_GB", "2024-06-04"), ("", "en-AU", "2024-06-04"), ("en", "en_US", "2024-04-06"),
      ("en-US", "en_GB", "2024-04-06"), ("en", "fr_FR", "2024-04-06"), ("", "fr_FR", "2024-06-04"),
    ] as [(String, String, String)])
  func `the locale of the page completes a language without a region`(
    _ language: String, _ locale: String, _ date: String
  ) throws {
    let html = """
      <html lang='\(language)'><meta property=og:locale content='\(locale)'>
      <title>The bridge</title><h1>The bridge</h1><p class=date>04/06/2024</p>
      """
    #expect(try Self.date(html + Self.text) == date)
  }

  @Test(
    arguments: [
      ("Modifié le", "Publié le"), ("Updated", "Published"),
      ("Aktualisiert am", "Veröffentlicht am"),
      ("Aggiornato il", "Pubblicato il"), ("Bijgewerkt op", "Gepubliceerd op"),
      ("Stand:", "Datum:"),
    ] as [(String, String)])
  func `the label before a time element determines its kind`(
    _ changed: String, _ published: String
  ) throws {
    let html = """
      <title>The bridge</title><h1>The bridge</h1>
      <p>\(changed) <time datetime=2024-03-09>9.3.</time>
      <span>\(published)</span> <time datetime=2024-03-05>5.3.</time></p>
      """
    #expect(try Self.date(html + Self.text) == "2024-03-05")
  }

  @Test(arguments: [
    "The ship sank on <time datetime=1912-04-15>15 April 1912</time> in the night, near the coast.",
    "Das Schiff sank am <time datetime=1999-04-15>15. April</time> in der Nacht vor der Küste.",
    "その船は<time datetime=1999-04-15>1999年4月15日</time>の夜に沈没した。",
  ])
  func `a time element in a sentence is not the date of the page`(_ text: String) throws {
    let html = "<title>The bridge</title><article><h1>The bridge</h1><p>\(text)</p>\(Self.text)"
    #expect(try Self.date(html) == "")
  }

  @Test(arguments: ["1970-01-01T00:00:00Z", "2199-01-01", "1970"])
  func `an implausible declared date does not replace the one on the page`(_ value: String) throws {
    let meta = "<meta property=article:published_time content='\(value)'>"
    let html = "\(meta)<title>The bridge</title><h1>The bridge</h1><p>Dec 16, 2016</p>\(Self.text)"
    #expect(try Self.date(html) == "2016-12-16")
  }

  @Test func `the only date of a page is its date wherever it is`() throws {
    let page = "<title>The bridge</title><h1>The bridge</h1>\(Self.text)"
    #expect(try Self.date(page + "<p class=post-date>16 December 2016</p>") == "2016-12-16")
    let two = "<p class=post-date>16 December 2016</p><p class=post-date>17 December 2016</p>"
    #expect(try Self.date(page + two) == "")
  }

  @Test(
    arguments: [
      ("Example News", "Example News", ""), ("Jane Doe", "Example News", "Jane Doe"),
      ("Lesedauer", "Example News", ""), ("example news", "Example News", ""),
      ("Redaktion", "Example News", ""),
    ] as [(author: String, site: String, byline: String)])
  func `neither the name of the site nor a label is an author`(
    _ row: (author: String, site: String, byline: String)
  ) throws {
    let html = """
      <meta property=og:site_name content="\(row.site)"><meta name=author content="\(row.author)">
      <title>The bridge</title><h1>The bridge</h1>\(Self.text)
      """
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", view: .reader(ReaderOptions()))
    #expect(try #require(document.readerFacts).metadata.byline == row.byline)
  }

  @Test(
    arguments: [
      ("published_at", "2016-12-16"), ("prism.publicationDate", "2016-12-16"),
      ("bt:pubDate", "Fri, 16 Dec 2016 10:00:00 +0000"), ("release_date", "2016-12-16"),
      ("weibo:article:create_at", "2016-12-16 10:00:00"), ("created", "2016-12-16"),
      ("article_date_original", "Friday, December 16, 2016,  10:15 AM"),
      ("OriginalPublicationDate", "2016/12/16 10:00:00"),
    ] as [(String, String)])
  func `a date is declared under one of many names`(_ name: String, _ value: String) throws {
    let html = "<title>The bridge</title><meta name='\(name)' content='\(value)'>\(Self.text)"
    #expect(try Self.date(html).hasPrefix("2016-12-16"))
  }

  @Test(arguments: [
    "<meta property=article:published_time content='1970-01-01T00:00:00+00:00'>",
    "<meta name=expires content=2031-01-31>",
  ])
  func `a placeholder or another date is not the date of the page`(_ head: String) throws {
    let html = "<title>The bridge</title>\(head)<h1>The bridge</h1>\(Self.text)"
    #expect(try Self.date(html).isEmpty)
  }

  @Test(arguments: ["next-post", "box upcoming", "weather", "related-text"])
  func `the date in a box beside the text is not the date of the page`(_ name: String) throws {
    let box = "<div class='\(name)'><a href=/n>The road</a> <b class=date>May 3, 2026</b></div>"
    let html = "<title>The bridge</title><article><h1>The bridge</h1>\(Self.text)\(box)</article>"
    #expect(try Self.date(html) == "")
  }

  @Test func `the date of a card that leads to another text is not the date of the page`() throws {
    let page = "<title>The bridge</title><main><h1>The bridge</h1>\(Self.text)</main>"
    let card = "<a href=/roof><h3>The roof</h3><time datetime=2016-12-16>Dec 16</time></a>"
    #expect(try Self.date(page + card).isEmpty)
    #expect(
      try Self.date(page + "<time datetime=2016-12-16>Dec 16</time>") == "2016-12-16")
  }

  @Test(
    arguments: [
      ("<header><div class=date>Friday, December 16, 2016</div></header>", ""),
      ("<header><div class=date>December 16, 2016</div><h1>The bridge</h1></header>", "2016-12-16"),
      ("<main><header><p class=date>December 16, 2016</p></header></main>", "2016-12-16"),
    ] as [(String, String)])
  func `the day of the visit in the header of a page is not its date`(
    _ header: String, _ date: String
  ) throws {
    let html = "<title>The bridge</title>\(header)<main><h2>The bridge</h2>\(Self.text)</main>"
    #expect(try Self.date(html) == date)
  }
}
