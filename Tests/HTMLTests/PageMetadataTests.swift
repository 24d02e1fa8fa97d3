import Document
import ReaderMode
import Testing

@Suite struct PageMetadataTests {
  private static let text = String(
    repeating: "<p>A text, with commas, which is long enough, so that it counts as one.</p>",
    count: 12)

  private static func read(_ html: String, _ options: ReaderOptions = ReaderOptions()) throws
    -> (document: Document, metadata: PageMetadata)
  {
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", view: .reader(options))
    return (document, try #require(document.readerFacts).metadata)
  }

  @Test(
    arguments: [
      ("By Jane Doe", "Jane Doe"), ("by  Jane Doe and John Roe", "Jane Doe and John Roe"),
      ("Von Jane Doe | 5. März 2026", "Jane Doe"), ("Par Jane Doe, le 5 mars 2026", "Jane Doe"),
      ("Jane Doe - Apr 16, 2015 8:02 pm UTC", "Jane Doe"), ("Jane Doe • 8h", "Jane Doe"),
      ("Written by Jane Doe on March 5, 2026", "Jane Doe"), ("Jane Doe22 Dec 2016", "Jane Doe"),
      ("Da Vinci", "Da Vinci"), ("Jane van der Doe", "Jane van der Doe"), ("作者：山田", "山田"),
      ("Par Jeanne Roux, publié le 5 mars 2026", "Jeanne Roux"), ("文＝山田", "山田"),
      ("Jane Doe @jdoe", "Jane Doe"), ("@jdoe", "@jdoe"), ("jdoe99", "jdoe99"),
      ("By user_42 on March 5, 2026", "user_42"), ("March5 2026", ""),
      ("admin5 March 2026", ""), ("Jane22 Dec 2016", "Jane"),
      ("Jane Doe @ The Harbour", "Jane Doe @ The Harbour"),
      ("jd@example.org (Jane Doe)", "Jane Doe"),
      ("Oleh Moroz and Jane Doe", "Oleh Moroz and Jane Doe"),
      ("Authors Guild", "Authors Guild"), ("Auteur : Roux", "Roux"),
      ("Author Jane Doe", "Jane Doe"), ("Auteur : Jeanne Roux", "Jeanne Roux"),
      ("Автор Анна Петрова", "Анна Петрова"),
      ("文 / 王小明", "王小明"), ("作者 | 王小明", "王小明"), ("执笔：王小明", "王小明"), ("责任编辑：王小明", ""),
      ("글=김민수", "김민수"), ("김민수 선임기자", "김민수"), ("来源：港口报", ""),
      ("Reporting by Jane Doe; Editing by John Roe", "Jane Doe"),
      ("Jane Doe and 2 others", "Jane Doe"),
      ("Interview: Jane Doe", "Jane Doe"), ("Photographs and text by Jane Doe", "Jane Doe"),
      ("Words & photos by Jane Doe", "Jane Doe"), ("Texte et photos : Jeanne Roux", "Jeanne Roux"),
      ("By Jane Doe, with photographs by John Roe", "Jane Doe"),
      ("Jane Doe <button>Follow</button>", "Jane Doe"), ("作者：佐藤健一", "佐藤健一"),
      ("佐藤健一（記者）", "佐藤健一（記者）"), ("五十嵐三郎 2026年3月5日", "五十嵐三郎"),
      ("<span>Jane Li</span><span>18 April 2023</span>", "Jane Li"),
      ("<b class=sr-only>Post</b><span>by <a href=/u>rusty</a> »</span> 5 March 2026", "rusty"),
      ("文/王小明 编辑/李四", "王小明"), ("홍길동 기자 hong@example.org", "홍길동"),
      ("द्वारा: सीमा शर्मा प्रकाशित: 5 मार्च 2026", "सीमा शर्मा"),
      ("By Staff Writer", ""), ("By a Staff Reporter", ""), ("By AFP", "AFP"),
      ("By Staff Writer Jane Doe", "Jane Doe"), ("By Jane Doe Senior Reporter", "Jane Doe"),
      ("By our correspondent Jane Doe", "Jane Doe"),
      ("Jane Doe City Reporter", "Jane Doe City Reporter"),
      ("Staff Writer | Jane Doe", "Jane Doe"), ("Special to the Times", ""),
      ("By Jane Doe, special to the Times", "Jane Doe"), ("Reuters Staff", "Reuters Staff"),
      ("Posted 5th March 2026 by Jane Doe", "Jane Doe"),
      ("5 March 2026 by Jane Doe in Ports", "Jane Doe"), ("5 March 2026, edited by Jane Doe", ""),
      ("About the author", ""), ("March 5, 2026", ""), ("By", ""), (":", ""), ("Von Redaktion", ""),
      ("Jane Doe is a writer at the old bridge, where she lives.", "Jane Doe"),
      ("By Jane Doe, who has crossed the bridge each day since 2010.", "Jane Doe"),
      ("Jane Doe and her brother write about bridges.", "Jane Doe"),
      ("The writers of this page live at a bridge of stone.", ""),
      (String(repeating: "word ", count: 40), ""),
    ] as [(line: String, names: String)])
  func `author names are extracted from the byline`(_ row: (line: String, names: String)) throws {
    let html = """
      <title>The bridge</title><article><h1>The bridge</h1><p class=byline>\(row.line)</p>
      \(Self.text)</article>
      """
    #expect(try Self.read(html).metadata.byline == row.names)
  }

  @Test(
    arguments: [
      ("<b>Jane Doe</b> <a href='mailto:jd@example.org'>jd at example.org</a><br>", "Jane Doe"),
      ("<b>Contact</b> <a href='mailto:jd@example.org'>jd at example.org</a><br>", ""),
      ("<b>Jane Doe</b> <a href='/jd'>jd at example.org</a><br>", ""),
      (
        "<p>A day.</p><b>Jane Doe</b> <a href='mailto:jd@example.org'>jd at example.org</a><br>", ""
      ),
    ] as [(String, String)])
  func `a name between the heading and an e-mail address with a date is that of the author`(
    _ line: String, _ name: String
  ) throws {
    let html = """
      <title>The bridge</title><h1>The bridge</h1>\(line)<i>Tue Mar  7 10:15:22 UTC 2006</i>
      <p>\(Self.text)
      """
    let metadata = try Self.read(html).metadata
    #expect(metadata.byline == name)
    #expect(metadata.date == "2006-03-07T10:15:22Z")
  }

  @Test(arguments: [
    "<h1>Contact</h1><b>Customer Service</b> <a href='mailto:a@b.example'>a@b.example</a>",
    "<h1>Contact</h1><p>Jane Doe</p><a href='mailto:a@b.example'>a@b.example</a><br><i>5 May 2026</i>",
    "<p><b>Jane Doe</b> <a href='mailto:a@b.example'>a@b.example</a><br><i>5 May 2026</i></p>",
  ])
  func `an e-mail address on a page is not always that of its author`(_ start: String) throws {
    let html = "<title>The bridge</title><article>\(start)<p>\(Self.text)</article>"
    #expect(try Self.read(html).metadata.byline == "")
  }

  @Test(
    arguments: [
      ("Submitted by <a href=/u>jdoe</a> on Mon, 05/06/2024 - 07:08", "jdoe"),
      ("Posted by <a href=/u>jdoe</a>", "jdoe"),
      ("<i>Submitted by <b>jdoe</b> on 5 March 2026</i>", "jdoe"),
      ("Posted by <b>the owners of the bridge</b> and of the road", ""),
      ("Posted by <a href=/u>the owners of the bridge</a> and of the road", ""),
      ("Written by <a href=/h>hand</a> in the monastery", ""), ("By <a href=/b>boat</a>", ""),
      ("Read the <a href=/t>text</a>", ""),
    ] as [(line: String, name: String)])
  func `a linked name may be in lower case after a phrase such as "posted by"`(
    _ row: (line: String, name: String)
  ) throws {
    let html = "<title>The bridge</title><h1>The bridge</h1><p>\(row.line)</p>\(Self.text)"
    #expect(try Self.read(html).metadata.byline == row.name)
  }

  @Test(
    arguments: [
      ("<a rel=author>Jane Doe</a> in Rome and <a rel=author>John Roe</a>", "Jane Doe, John Roe"),
      ("<b class=author>Jane Doe</b> <b class=author-role>Reporter</b>", "Jane Doe"),
      ("2026年3月5日 来源：川新聞 作者：王小明", "王小明"), ("2026年3月5日 作者：bot", ""),
      ("本书作者：王小明在河边住了三年，写了一座桥。", ""),
      ("Posted on March 5, 2026 by Jane Doe in Bridges, Roads", "Jane Doe"),
      ("5 March 2026 by Jane Doe and John Roe", "Jane Doe and John Roe"),
      ("Publié le 5 mars 2026 par Jeanne Roux", "Jeanne Roux"),
      ("Built on March 5, 2026 by a large crew.", ""), ("March 5, 2026 by the river", ""),
      ("<a href=/author/jd>Jane Doe</a> · March 5, 2026 · 3 comments", "Jane Doe"),
      ("<a href=/roads>Old Road</a> · March 5, 2026", ""), ("<a href=/authors/>Our Team</a>", ""),
      ("<span>In Bridges</span> <span>By Jane Doe</span> <span>Leith</span>", "Jane Doe"),
      ("By Jane Doe (@janedoe)", "Jane Doe"), ("By Jane Doe, jane@example.org", "Jane Doe"),
      ("Written by Jane Doe; Edited by John Roe", "Jane Doe"),
      ("By Jane Doe Photographs by John Roe", "Jane Doe"), ("Essay by Jane Doe", "Jane Doe"),
      ("Par Jeanne Roux (avec AFP)", "Jeanne Roux"),
      ("Erstellt: 05.03.2026, 09:57 Uhr Von: Anna Berg", "Anna Berg"),
      ("<a href=/a>All</a> | <a href=/t>By Title</a>", ""),
      ("March 5, 2026 | Photo by Jane Doe", ""), ("March 5, 2026 | Powered by Old Stone", ""),
      ("As <a href=/author/jr>John Roe</a> wrote in 2019, it was old.", ""),
      ("Story by Jane Doe<br>Illustrations by John Roe", "Jane Doe"),
      ("By Rivers Old<br>By Hills Of Stone", ""), ("Guest post by Jane Doe", "Jane Doe"),
      ("<span class=byline>Reviewed by John Roe, MD — Written by Jane Doe</span>", "Jane Doe"),
      ("بقلم: سارة الأحمد نشر في: 5 مارس 2026", "سارة الأحمد"), ("מאת דנה לוי", "דנה לוי"),
      ("โดย สมชาย ใจดี", "สมชาย ใจดี"), ("लेखक: सीमा शर्मा", "सीमा शर्मा"),
      ("Haberi Yazan: Ayşe Yılmaz", "Ayşe Yılmaz"), ("Tác giả: Nguyễn Thị Lan", "Nguyễn Thị Lan"),
      ("Oleh Sari Dewi", "Sari Dewi"), ("Szerző: Kovács Anna", "Kovács Anna"),
      ("Avtor: Ana Novak", "Ana Novak"), ("Autorius: Ona Petraitė", "Ona Petraitė"),
      ("Napsal Jan Novák", "Jan Novák"), ("Scris de Ion Popescu", "Ion Popescu"),
      ("Guest author: Jane Doe", "Jane Doe"), ("Ein Beitrag von Jana Berg", "Jana Berg"),
      ("Door onze redacteur Jan de Vries", "Jan de Vries"), ("撰稿：王小明", "王小明"),
      ("作者 | 王小明", "王小明"), ("首页 | 作者 | 分类 | 标签", ""),
      ("كتبت الصحف البريطانية عن الجسر", ""), ("Napsal Knihu o mostech, které stojí.", ""),
      ("Autors: Anna Kalniņa", "Anna Kalniņa"), ("筆者：山田花子", "山田花子"),
      ("Автор текста: Анна Смирнова", "Анна Смирнова"), ("Piše: Ana Horvat", "Ana Horvat"),
      ("Ein Gastbeitrag von Anna Berg", "Anna Berg"), ("Por Ana de los Ríos", "Ana de los Ríos"),
      ("Text and photos: Anna Berg", "Anna Berg"), ("Interview: Anna Berg", ""),
      ("Report: The Old Mill", ""), ("Text: Anna Berg", "Anna Berg"), ("Text: Luke 4:1-13", ""),
      ("Text: 1. Korinther 13", ""),
      ("文｜王小明", "王小明"), ("取材・文＝山田 花子", "山田 花子"), ("本报记者 王小明", "王小明"),
      ("文・写真 佐藤健一", "佐藤健一"), ("文＝佐藤健一 写真＝鈴木一郎", "佐藤健一"), ("文・山田花子", "山田花子"),
      ("写真・編集 山田花子", ""), ("Haber: Ayşe Yılmaz", "Ayşe Yılmaz"),
      ("<span>By Jane Li</span><span>18 April 2023</span>", "Jane Li"),
      ("2026年3月5日 記者王小明／台北報導", "王小明"), ("記者会見／東京", ""), ("地元記者 語る", ""),
      ("Von Anna Berg, Hamburg | Stand: 5.3.2026", "Anna Berg"),
      ("By Jane Doe in Oslo, John Roe in Rome", "Jane Doe, John Roe"),
      ("By Jane Doe, Jr.", "Jane Doe, Jr."), ("Par Jeanne Roux, à Marseille", "Jeanne Roux"),
      ("By Jane Doe in New York and John Roe in Rome", "Jane Doe and John Roe"),
      ("By Jane Doe, John Roe", "Jane Doe, John Roe"), ("By Jane Doe - Oslo", "Jane Doe"),
      ("By Jane Doe (Reuters) -", "Jane Doe"),
      ("By Jane Doe and John Roe, Associated Press", "Jane Doe and John Roe"),
      ("Di Maria Rossi, inviata a Roma", "Maria Rossi"), ("By Jane Doe, PsyD", "Jane Doe, PsyD"),
      ("By Old Roads in the north", ""), ("By Q3 2026, the bridge will be finished.", ""),
      ("By Jean-Luc d'Arc", "Jean-Luc d'Arc"), ("Von Jane Doe und dpa", "Jane Doe und dpa"),
      ("By Staff Writer Jane Doe", "Jane Doe"), ("By our staff at the mill", ""),
      ("홍길동·김철수 기자", "홍길동·김철수"), ("홍길동 기자 징계 논란", ""), ("대통령 기자 회견", ""),
    ] as [(String, String)])
  func `a line names its authors`(_ line: String, _ names: String) throws {
    let html = "<title>The bridge</title><article><h1>The bridge</h1><p>\(line)</p>\(Self.text)"
    #expect(try Self.read(html).metadata.byline == names)
  }

  @Test(
    arguments: [
      ("<p>By <a rel=author href=/a>Jane Doe</a></p>", "Jane Doe"),
      (
        """
        <div class=post-footer><span class='post-author vcard'>Posted by <span class=fn>Jane Doe</span>\
        </span> at 12:23 AM</div>
        """, "Jane Doe"
      ),
      ("<h3><a href=/r>The road</a></h3><span class=author>Jane Doe</span>", ""),
      ("<div><h3><a href=/r>The road</a></h3><span class=author>Jane Doe</span></div>", ""),
      ("<blockquote><p>It is old.</p><div class=author>Jane Doe</div></blockquote>", ""),
      ("<blockquote><p>It is old.</p><a rel=author href=/a>Jane Doe</a></blockquote>", ""),
      (
        "<div class=testimonials><div><p>It is old.</p><b class=author>Jane Doe</b></div></div>", ""
      ),
      ("<figure><img src=b.jpg><figcaption><b class=author>Jane Doe</b></figcaption></figure>", ""),
      ("<div class='box user-reviews'><p>Good.</p><b class=review-author>Jane Doe</b></div>", ""),
      ("<section class=reviews><article><p class=author>Jane Doe</p></article></section>", ""),
    ] as [(String, String)])
  func `an author below the text is that of the page if it is declared as such`(
    _ below: String, _ name: String
  ) throws {
    let html = "<title>The bridge</title><main><h1>The bridge</h1>\(Self.text)\(below)</main>"
    #expect(try Self.read(html).metadata.byline == name)
  }

  @Test(
    arguments: [
      ("<p><b class=dateline>LEITH (AP) —</b> The bridge stands again.</p>", ""),
      ("<p><span class=dateline>LEITH, Scotland</span> The bridge stands again.</p>", ""),
      ("<p class=dateline>By Jane Doe, March 5, 2026</p>", "Jane Doe"),
      ("<dl><dt>Author:</dt><dd>Jane Doe</dd><dt>Length</dt><dd>Nine Miles</dd></dl>", "Jane Doe"),
      ("<dl><dt>Builder</dt><dd>Jane Doe</dd></dl>", ""),
      ("<dl><dt>Written by</dt><dd>Jane Doe</dd></dl>", "Jane Doe"),
      ("<dl><dt>Von</dt><dd>Bad Homburg</dd><dt>Nach</dt><dd>Leith</dd></dl>", ""),
      ("<p class=photo-author>Photo: Jane Doe</p>", ""),
      ("<p>The song was sung by <i class=author-link>Jane Doe</i> on the old bridge.</p>", ""),
      (
        "<p>Nobody ever asked <a rel=author href=/jd>Jane Doe</a> to sing on the old bridge.</p>",
        ""
      ),
      ("<p>This entry was posted on a day by <a rel=author>Jane Doe</a> in Leith.</p>", "Jane Doe"),
      ("<p><b class=author>Jane Doe</b> is a writer who lives at the old bridge.</p>", "Jane Doe"),
    ] as [(String, String)])
  func `neither a place, a name in a sentence nor any other value is an author`(
    _ line: String, _ name: String
  ) throws {
    let html = "<title>The bridge</title><article><h1>The bridge</h1>\(line)\(Self.text)</article>"
    #expect(try Self.read(html).metadata.byline == name)
  }

  @Test(arguments: ["main", "article"])
  func `the date and the author of a review by a customer are not those of the page`(
    _ element: String
  ) throws {
    let html = """
      <title>The bridge</title><\(element)><h1>The bridge</h1>\(Self.text)<div class=reviews>
      <p class=author>Jane Doe</p><time datetime=2026-03-05>5 March</time></div></\(element)>
      """
    let metadata = try Self.read(html).metadata
    #expect(metadata.byline.isEmpty && metadata.date.isEmpty)
  }

  @Test func `the author of a review that is the text of the page is its author`() throws {
    let html = """
      <title>The bridge</title><div class=reviews><h1>The bridge</h1>
      <p class=review-author>Jane Doe</p>\(Self.text)</div>
      """
    #expect(try Self.read(html).metadata.byline == "Jane Doe")
  }

  @Test(
    arguments: [
      ("Jane Doe, River Times", "Jane Doe"), ("Jane Doe | River Times", "Jane Doe"),
      ("Jane Doe, The Hill", "Jane Doe, The Hill"), ("Microsoft Office User", ""),
      ("Jane Doe-River Times", "Jane Doe-River Times"),
      ("Jane Doe | River", "Jane Doe"), ("Jane Doe | The Hill", "Jane Doe | The Hill"),
      ("Jane Doe, Chief Editor, River Times", "Jane Doe"), ("River, Jane", "River, Jane"),
      ("Jane Doe for River Times", "Jane Doe"), ("River Times Staff", "River Times Staff"),
    ] as [(author: String, name: String)])
  func `the name of the site is not an author`(_ row: (author: String, name: String)) throws {
    let html = """
      <title>The bridge</title><meta name=author content='\(row.author)'><meta
      property=og:site_name content='River Times'><h1>The bridge</h1>\(Self.text)
      """
    #expect(try Self.read(html).metadata.byline == row.name)
  }

  @Test func `references that are escaped twice yield no control characters`() throws {
    let html = """
      <title>The bridge&amp;#27;&amp;#10; of stone</title>
      <meta name=author content="Jane&amp;#27;&amp;#10; Doe">
      <meta property=og:site_name content="Harbour&amp;#27;&amp;#10; News">\(Self.text)
      """
    let (document, metadata) = try Self.read(html)
    for text in [document.title, metadata.title, metadata.byline, metadata.siteName] {
      #expect(!text.isEmpty)
      #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }
  }

  @Test func `the name of an account is the author if no other is declared`() throws {
    let account = "<meta property=og:author:username content=jdoe>"
    for (meta, name) in [("", "jdoe"), ("<meta name=author content='Jane Doe'>", "Jane Doe")] {
      let html = "<title>The bridge</title>\(account)\(meta)<h1>The bridge</h1>\(Self.text)"
      #expect(try Self.read(html).metadata.byline == name)
    }
  }

  @Test(
    arguments: [
      ("2026-03-04T10:00:00Z", "2026-03-04"), ("20260304T1000", "2026-03-04"),
      ("2026-03-04 10:00:00Z", "2026-03-04"), ("2026-03-04 at ten", "2026-03-04"),
      ("Thursday, October 1, 2026", "2026-10-01"),
      ("Tue, 04 Mar 2026 10:00:00 GMT", "2026-03-04"),
      ("4 March 2026 10:00 UTC", "2026-03-04"), ("1772618400", "2026-03-04"),
      ("9999999999", ""), ("today", ""),
    ] as [(written: String, day: String)])
  func `the date is shown in the format of ISO 8601`(_ row: (written: String, day: String))
    throws
  {
    let html = """
      <meta property="article:published_time" content="\(row.written)"><h1>The bridge</h1>\(Self.text)
      """
    let options = ReaderOptions(gathersFacts: false)
    let lines = String(decoding: try Self.read(html, options).document.plainText, as: UTF8.self)
      .split(separator: "\n").dropFirst().map(String.init)
    #expect(lines.first == (row.day.isEmpty ? lines.first { $0.hasPrefix("A text") } : row.day))
  }

  @Test(arguments: [
    "0000-00-00", "2026-13-45T10:00:00Z", "0001-01-01", "{{ page.date 2026 }}", "article 12", "12",
    "32.01.2026", "20261345", "2026-00-10",
  ])
  func `an invalid date is not shown`(_ date: String) throws {
    let html = """
      <meta property="article:published_time" content="\(date)"><meta name=date content="5 May 2026">
      <script type="application/ld+json">{"@type":"Article","datePublished":"\(date)"}</script>
      <h1>The bridge</h1>\(Self.text)
      """
    #expect(try Self.read(html).metadata.date == "2026-05-05")
  }

  @Test(arguments: [
    #"["2026-05-05", "2026-05-06"]"#, #"{"@type": "Date", "@value": "2026-05-05"}"#,
    #"[{"@value": "2026-05-05T10:00:00Z"}]"#,
  ])
  func `a date in JSON-LD may be an array or a value object`(_ date: String) throws {
    let html = """
      <script type="application/ld+json">{"@type":"Article","datePublished":\(date)}</script>
      <h1>The bridge</h1>\(Self.text)
      """
    #expect(try Self.read(html).metadata.date.hasPrefix("2026-05-05"))
  }

  @Test(
    arguments: [
      ("31.12.2026", "2026-12-31"), ("12/31/2026", "2026-12-31"), ("2026/3", "2026-03"),
      ("2026", "2026"), ("2026年3月5日", "2026-03-05"), ("2026-2027", ""),
    ] as [(written: String, date: String)])
  func `a date in another form is shown`(_ row: (written: String, date: String)) throws {
    let html = "<meta name=date content='\(row.written)'><h1>The bridge</h1>\(Self.text)"
    #expect(try Self.read(html).metadata.date == row.date)
  }

  @Test(arguments: [
    "<div id=comments><div><time datetime=2020-01-02 class=published>x</time></div></div>",
    "<ol class='x comment-list'><p><time itemprop=datePublished datetime=2020-01-02>x</time></ol>",
    "<div class=comment><span class=date>2 January 2020</span></div>",
  ])
  func `the date of a comment is not the date of the page`(_ comments: String) throws {
    for (start, end) in [("<article>", "</article>"), ("<main>", "</main>"), ("<div>", "</div>")] {
      let html =
        "<title>The bridge</title>\(start)<h1>The bridge</h1>\(comments)\(Self.text)\(end)\(comments)"
      #expect(try Self.read(html).metadata.date == "", "\(start)")
    }
    let dated =
      "<article class='post comments-open'><h1>The bridge</h1>"
      + "<p class=commentary><time datetime=2026-03-04>x</time>\(Self.text)</article>\(comments)"
    #expect(try Self.read(dated).metadata.date == "2026-03-04")
  }

  @Test(
    arguments: [
      ("<html lang=de><body lang=fr>", "fr"), ("<html xml:lang=de>", "de"),
      ("<body lang=fr>", "fr"),
      ("<meta http-equiv=Content-Language content='de-AT, en'><article lang=fr>", "de-AT"),
      ("<meta name=language content=de><article lang=fr>", "de"), ("<article lang=fr>", "fr"),
      ("<meta property=og:locale content=fr_FR>", "fr-FR"),
      ("<meta property=og:locale content=fr_FR><main lang=de>", "de"),
      ("<meta name=language content='English, of course'>", "English"),
      ("<meta name=language content='\u{1B}[31m'>", ""), ("<p lang=fr>", ""),
    ] as [(html: String, language: String)])
  func `the most reliable declaration of the language of a page is used`(
    _ row: (html: String, language: String)
  ) {
    let document = Document(bytes: Array((row.html + Self.text).utf8), mediaType: "text/html")
    #expect(document.language == row.language)
  }

  @Test(
    arguments: [
      ("นกบินบนฟ้าสีครามในยามเช้า", 4...7), ("ນົກບິນຢູ່ເທິງຟ້າສີຟ້າ", 3...6),
      ("បក្សីហើរលើមេឃពណ៌ខៀវ", 3...6), ("ငှက်များသည်ကောင်းကင်ပြာတွင်ပျံသန်းကြသည်", 5...9),
      ("鳥は青い空を飛ぶ", 3...5), ("The bird flies", 3...3),
    ] as [(text: String, count: ClosedRange<Int>)])
  func `words of scripts without spaces are counted`(_ row: (text: String, count: ClosedRange<Int>))
    throws
  {
    let html = "<p>\(row.text)</p>"
    #expect(row.count.contains(try #require(Self.read(html).document.readerFacts).wordCount))
  }

  @Test func `of several articles in JSON-LD the one with the title of the page counts`() throws {
    let related = #"{"@type":"Article","headline":"A mill","author":"John Roe","#
    let pageObject =
      #"{"@type":"Article","headline":"The bridge over the river","author":"Jane Doe","#
    let objects = [
      related + #""datePublished":"2019-01-02"}"#, pageObject + #""datePublished":1772618400}"#,
    ]
    for title in ["The bridge over the river", "Something else"] {
      let html = """
        <title>\(title)</title>
        <script type="application/ld+json">[\(objects.joined(separator: ","))]</script>\(Self.text)
        """
      let metadata = try Self.read(html).metadata
      let isOwn = title != "Something else"
      #expect(metadata.byline == (isOwn ? "Jane Doe" : "John Roe"))
      #expect(metadata.date == (isOwn ? "2026-03-04T10:00:00Z" : "2019-01-02"))
    }
  }

  @Test(
    arguments: [
      (#"{"givenName":"Jane","familyName":"Doe"}"#, "Jane Doe"),
      (#"{"name":["Jane Doe","John Roe"]}"#, "Jane Doe, John Roe"),
      (#"{"name":"By Jane Doe"}"#, "Jane Doe"), (#""by Jane Doe""#, "Jane Doe"),
      (#"{"name":"Byron Doe"}"#, "Byron Doe"), (#"{"familyName":7}"#, ""),
      (#"{"@list":[{"name":"Jane Doe"},"John Roe"]}"#, "Jane Doe, John Roe"),
    ] as [(String, String)])
  func `an author in JSON-LD may have several names or parts of a name`(
    _ author: String, _ names: String
  ) throws {
    let html = """
      <script type="application/ld+json">{"@type":"Article","author":\(author)}</script>
      <h1>The bridge</h1>\(Self.text)
      """
    #expect(try Self.read(html).metadata.byline == names)
  }

  @Test(arguments: [
    ##"{"@type":"Article","author":{"@id":"#a"}}"##,
    ##"{"@graph":[{"@type":"Article","author":{"@id":"#a"}},{"@id":"#a"}]}"##,
    #"{"@type":"Article","author":[[["x"]],{},7,null,""],"datePublished":7,"headline":[]}"#,
    #"{"@type":"Article","author":"https://a.test/jane","publisher":{"name":{}}}"#,
    #"}{"@type":"Article"]["#, "<![CDATA[", "{,}",
    "\"article",
  ])
  func `malformed metadata is ignored`(_ json: String) throws {
    let html = """
      <title>The bridge over the river</title><meta name=author content=" ">
      <script type="application/ld+json">\(json)</script>\(Self.text)
      """
    let metadata = try Self.read(html).metadata
    #expect(metadata.title == "The bridge over the river")
    #expect([metadata.byline, metadata.date, metadata.siteName] == ["", "", ""])
  }

  @Test(
    arguments: [
      ("<span>Jane Doe</span><span>Reporter</span>", "Jane Doe"),
      ("<div>Author</div><div>Jane Doe</div>", "Jane Doe"),
      ("<div>Jane Doe</div><div>Senior Reporter</div>", "Jane Doe"),
      (
        "<h4>Jane Doe</h4><p>Jane writes about bridges and roads, and lives by the sea.</p>",
        "Jane Doe"
      ),
      ("<a>Jane Doe</a>, Senior Reporter at the River Times", "Jane Doe"),
      ("<a>Jane Doe</a>, <a>John Roe</a>", "Jane Doe, John Roe"),
      ("<a href=/1>Jane Doe</a><a href=/2>John Roe</a>", "Jane Doe, John Roe"),
      ("<p>Jane Doe</p><p>and John Roe</p>", "Jane Doe, John Roe"),
      ("By <b>J</b>ane Doe", "Jane Doe"),
      ("By Jane Doe, Senior Correspondent, and Max Roe, Science Editor", "Jane Doe and Max Roe"),
      ("Von Jane Doe, Redakteurin, und Max Roe, Reporter", "Jane Doe und Max Roe"),
      ("<a>View all posts by Jane Doe</a>", "Jane Doe"), ("About the author: Jane Doe", "Jane Doe"),
      ("Jane Doe (she/her)", "Jane Doe"), ("Jane Doe (River Press) / Ely", "Jane Doe"),
      ("Interview by Jane Doe.", "Jane Doe"), ("By Jane Doe, Esq.", "Jane Doe, Esq."),
      ("By River Press Inc.", "River Press Inc."),
      ("<i>Words</i> <a>Jane Roe</a> <i>Photographs</i> <a>Bob Poe</a>", "Jane Roe"),
      ("<b>Photographs</b> Bob Poe <b>Words</b> Jane Roe", "Jane Roe"),
      ("<i>Words</i> &amp; <i>photos</i> by <a>Jane Roe</a>", "Jane Roe"),
      ("By Jane Doe Jr.", "Jane Doe Jr."), ("By Jane Doe, Ph.D.", "Jane Doe, Ph.D."),
      ("Jane Doe, Reporter and Max Roe, Editor", "Jane Doe and Max Roe"),
      ("Jane Doe, Reporter, Arts and Culture", "Jane Doe"),
    ] as [(String, String)])
  func `a byline of several elements has the names and nothing else`(
    _ content: String, _ names: String
  ) throws {
    let html = """
      <title>The bridge</title><article><h1>The bridge</h1><div class=author>\(content)</div>
      \(Self.text)</article>
      """
    #expect(try Self.read(html).metadata.byline == names)
  }

  @Test(
    arguments: [
      ("null", ""), ("{{ page.author }}", ""), ("jd@example.org (Jane Doe)", "Jane Doe"),
      ("Jane Doe", "Jane Doe"), ("jd@example.org", "jd@example.org"), ("WordPress", ""),
      ("Jane Doe, Senior Correspondent", "Jane Doe"), ("Jane Doe, MD", "Jane Doe, MD"),
      ("Jane Doe, Editor, John Roe", "Jane Doe, Editor, John Roe"),
      ("Doe, Jane (Editor)", "Doe, Jane (Editor)"),
      ("Posted by Jane Doe on March 4, 2026", "Jane Doe"), ("Von Doe, Jane", "Von Doe, Jane"),
      ("Jane Doe, 4 March 2026", "Jane Doe"), ("Text: Jane Doe. Photos: John Roe.", "Jane Doe"),
      ("Written by: Jane Doe", "Jane Doe"), ("Channel 4 News", "Channel 4 News"),
      ("Staff Writer", ""), ("Our Special Correspondent", ""), ("Web Desk", ""),
      ("Guest author", ""), ("Reuters Staff", "Reuters Staff"), ("AFP", "AFP"),
      ("The Editorial Board", "The Editorial Board"), ("Guest Chief", "Guest Chief"),
      ("&lt;a href=/jd&gt;Jane Doe&lt;/a&gt;", "Jane Doe"), ("&lt;b>&lt;/b>", ""),
      (#"["Jane Doe", "John Roe"]"#, "Jane Doe, John Roe"),
    ] as [(String, String)])
  func `an author in the metadata is a name`(_ content: String, _ name: String) throws {
    let html = "<title>The bridge</title><meta name=author content='\(content)'>\(Self.text)"
    #expect(try Self.read(html).metadata.byline == name)
  }

  @Test(arguments: ["mediator_author", "cXenseParse:author", "shareaholic:article_author_name"])
  func `an author is declared under one of many names`(_ name: String) throws {
    let html = "<title>The bridge</title><meta name='\(name)' content='Jane Doe'>\(Self.text)"
    #expect(try Self.read(html).metadata.byline == "Jane Doe")
  }

  @Test(
    arguments: [
      (#"{"@type": "Organization", "name": "River Press"}"#, "Jane Doe"),
      (#"{"@type": "Person", "name": "John Roe"}"#, "John Roe"),
      (#"{"@type": "Person", "name": "https://example.org/jd"}"#, "Jane Doe"),
    ] as [(String, String)])
  func `a person named on the page is preferred to an organization in its data`(
    _ author: String, _ name: String
  ) throws {
    let html = """
      <title>The bridge</title><script type="application/ld+json">{"@type": "Article",
      "headline": "The bridge", "author": \(author)}</script>
      <article><h1>The bridge</h1><p class=byline>By Jane Doe</p>\(Self.text)</article>
      """
    #expect(try Self.read(html).metadata.byline == name)
    let alone = html.replacing("<p class=byline>By Jane Doe</p>", with: "")
    if author.contains("River Press") {
      #expect(try Self.read(alone).metadata.byline == "River Press")
    }
  }

  @Test(
    arguments: [
      (#"{"@type":"Recipe","name":"The bridge","author":{"name":"Jane Doe"}}"#, "Jane Doe"),
      (#"{"@type":"Recipe","name":"A cake","author":{"name":"Jane Doe"}}"#, ""),
      (#"{"@type":"schema:Article","author":"Jane Doe"}"#, "Jane Doe"),
      (#"{"@type":"Article","headline":"The bridge\'s end","author":"Jane Doe"}"#, "Jane Doe"),
      ("{\u{A0}\"@type\":\"Article\",\"author\":\"Jane Doe\"}", "Jane Doe"),
      (#"{"@type":"Article","author":{"name":"<a href='/jd'>Jane Doe</a>"}}"#, "Jane Doe"),
      (#"{"@type":"Article","headline":"The "old" bridge","author":"Jane Doe"}"#, "Jane Doe"),
      (#"{"@type":"WebSite","name":"River"} {"@type":"Article","author":"Jane Doe"}"#, "Jane Doe"),
      (#"{"@type":"Article","image":,,"author":/* The writer */"Jane Doe",};"#, "Jane Doe"),
      ("{\"@type\":\"Article\", // Kind\n\"author\":\"Jane Doe\"\n\"image\":\"a\"}", "Jane Doe"),
      ("{\"@type\":\"Article\",\"author\":{\"name\":\"Jane Doe\"}\n\"image\":\"a\"}", "Jane Doe"),
      (
        #"{'@type':'Article','headline':'The town's "old" bridge','author':'Jane Doe'}"#, "Jane Doe"
      ),
      (#"[{"@type":"Article","author":{"name":"Jane Doe"}"#, "Jane Doe"),
      (#"{"@type":"Article","author":"Jane D"#, ""),
    ] as [(String, String)])
  func `authors are read from other works and from invalid JSON-LD`(_ json: String, _ name: String)
    throws
  {
    let html = """
      <title>The bridge</title><script type="application/ld+json">\(json)</script>
      <h1>The bridge</h1>\(Self.text)
      """
    #expect(try Self.read(html).metadata.byline == name)
  }

  @Test(arguments: [
    "<div itemprop=author itemscope><meta itemprop=name content='Jane Doe'></div>",
    "<div typeof=Article><span property=schema:author>Jane Doe</span></div>",
    "<i>by Jane Doe</i> <time>5 March 2026</time><p>The old bridge</p>",
    "<meta name=twitter:label1 content='Written by'><meta name=twitter:data1 content='Jane Doe'>",
  ])
  func `an author is found in other markup`(_ markup: String) throws {
    let html = "<title>The bridge</title><h1>The bridge</h1>\(markup)\(Self.text)"
    #expect(try Self.read(html).metadata.byline == "Jane Doe")
  }

  @Test func `an article within another one does not hide the author of the outer one`() throws {
    let html = """
      <title>River: The bridge - Harbour Post</title><main><article>
      <header><h2><span>River</span><span>The bridge</span></h2><p>It stands again.</p>
      <div>Von <a href=/a>Anna Berg</a> und <a href=/b>Max Roth</a></div></header>
      <div>\(Self.text)</div><div><article><h3><a href=/x>The road</a></h3></article></div>
      <div>\(Self.text)</div></article></main>
      """
    #expect(try Self.read(html).metadata.byline == "Anna Berg und Max Roth")
  }

  @Test(arguments: ["blockquote", "div class=pull-quote", "div class=testimonial"])
  func `the writer of a quotation is not the author`(_ element: String) throws {
    let html = """
      <title>The bridge</title><article><h1>The bridge</h1>\(Self.text)<\(element)><p>It was old.</p>
      <b class=author>John Roe</b></\(element.prefix { $0 != " " })>\(Self.text)</article>
      """
    #expect(try Self.read(html).metadata.byline.isEmpty)
  }
}
