import DOM
import Document
import Layout
import ReaderMode
import TestSupport
import Testing

/// Styles, exponents and small images as text.
@Suite struct TextStyleTests {
  private static let rule = String(repeating: "─", count: 70)

  @Test(
    arguments: [
      (
        "<style>.f{display:flex}</style><p>x <button><span class=f>Menu</span></button> y",
        "x [Menu] y"
      ),
      (
        "<style>.f{display:flex}</style><input type=radio name=a><label class=f>Small</label>",
        "( ) Small"
      ),
      (
        "<style>.n{white-space:pre}</style><div class=n>Our data</div><div class=n> Pricing</div>",
        "Our data\nPricing"
      ),
      ("<div style='white-space:pre-wrap'> one<b> two</b></div>", "one two"),
      ("<p>x <a href=1 aria-label='View X'><span role=img aria-label=X></span></a>", "x View X"),
      (
        "<div style='white-space:pre-wrap'>see <a href=x>this</a> and <b>that</b> or\n<i>all</i></div>",
        "see this and that or\nall"
      ),
      (
        "<p>10<span style='vertical-align:super'>2</span><span style='vertical-align: SUB'>n</span>",
        "10²_n"
      ),
      ("<p><span style='text-decoration:line-through'>50</span> 40", "~~50~~ 40"),
      (
        "<style>.c3{vertical-align:super}.x{text-decoration-line: underline line-through}</style><p>m<b class='a c3'>2</b><i class=x>y</i>",
        "m²~~y~~"
      ),
      (
        "<div style='white-space:pre-wrap'>Roses are red,\n   Violets\n\nare blue</div>",
        "Roses are red,\n   Violets\n\nare blue"
      ),
      (
        "<style>.p{white-space:pre-line}</style><div class=p>\none\n   two  three</div>",
        "one\ntwo three"
      ),
      ("<div style='white-space:pre'>def f():\n    return 1</div>", "def f():\n    return 1"),
      ("<div style='white-space:pre'><p>a\nb</div>", "a\nb"),
      (
        "<div style='white-space:pre-line'>a\nb<p style='white-space:normal'>c\nd</div>",
        "a\nb\n\nc d"
      ),
      (
        "<p><span style='display:block'>verse one</span><span style='display:block'>verse two</span> on",
        "verse one\nverse two\non"
      ),
      (
        "<style>.f{display:flex}#b{display:block}</style><div class=f><span>Total</span><b>12</b></div><a id=b href=1>a</a><a href=2>b</a>",
        "Total 12\na\nb"
      ),
      (
        "<style>.i p,.i div{display:inline}</style><div class=i><p>By</p> <div>Ann</div><p>, today</p></div>x",
        "By Ann, today\nx"
      ),
      ("<p style='display:inline'>One</p><p style='display:inline'>two.</p><p>x", "One two.\n\nx"),
      ("<h3>Title</h3><p style='display:inline'>a<p>x", "Title\n\na\n\nx"),
      ("<div style='display:inline'><p>a</p><p>b</p></div>c", "a\n\nb\n\nc"),
      // Columns: style sheets for old browsers declare both.
      (
        "<style>.i div{float:left;display:inline}</style><div class=i><div>a</div><div>b</div></div>x",
        "a\nb\nx"
      ),
      ("<p>a<span style='display:inline-flex'><b>b</b><b>c</b></span>", "a b c"),
      // A text in a row is an item, too.
      (
        "<style>div{display:flex}</style><div><b>Price:</b>5 kg</div><div><i>$</i>9<i>T</i>he</div>",
        "Price: 5 kg\n$9 The"
      ),
      ("<div style='display:grid'><b>Total</b>12<i>net</i>, paid</div>", "Total 12 net, paid"),
      ("<p style='display:block'>a<img style='display:block' src=a.png alt=b>", "a ▣ b"),
      (
        "<p>2<sup>10<sup>3</sup></sup> 5<sup>½</sup> x<sup>α</sup> s<sup>–1</sup> 10<sup>(2)</sup> 10<sup>1,5</sup> A<sup>⊤</sup>",
        "2^{10^3} 5^{½} x^{α} s⁻¹ 10^{(2)} 10^{1,5} A^{⊤}"
      ),
      (
        "<p>end<sup>1,5</sup> M<sup>è</sup> x<sup>[3]</sup> note<sup>(3)</sup> R<sup>®</sup> p<sup>1–3</sup>",
        "end¹,⁵ Mè x[3] note(3) R® p^{1–3}"
      ),
      (
        "<p>survey<sup>[1]</sup><sup>:44</sup> 10<sup>6</sup><sup>[2]</sup> m<sup>2</sup><sup>[<a href=a>3</a>]</sup>",
        "survey[1]:44 10⁶[2] m²[3]"
      ),
      (
        "<p>says<sup>a</sup><sup>b</sup> 10<sup>6</sup><sup><a href=a>[2]</a></sup><sup><a href=b>[3]</a></sup> x<sup>q</sup><sup>[4]</sup>",
        "says^{ab} 10⁶[2][3] x^q[4]"
      ),
      (
        "<p>x<sup>n[k]q</sup> 1<sup>st</sup><sup>[5]</sup> e<sup><i>a</i>+<b>b</b></sup> s<sup>1</sup><sup>,</sup><sup>2</sup>",
        "x^{n[k]q} 1st[5] e^{a+b} s¹,²"
      ),
      (
        "<p>XIX<sup>e</sup> V<sup>e</sup> 3<sup>e</sup> n<sup>o</sup> 1<sup>o</sup> 2.<sup>a</sup>",
        "XIXe Ve 3e nº 1º 2.ª"
      ),
      (
        "<p><abbr title=Doctor>D<sup>r</sup></abbr> <abbr>f<sup>o</sup></abbr> <abbr>WHO<sup>b</sup></abbr> D<sup>r</sup>",
        "Dr fº WHO^b D^r"
      ),
      (
        "<p>XV<sup>ième</sup> R<sup>n×m</sup> Java<sup>TM</sup> A<sup>SM</sup> x<sup>TMs</sup> e<sup>iπ</sup>",
        "XVième R^{n×m} Java™ A℠ xTMs e^{iπ}"
      ),
      (
        "<ul class='c2 lst-kix_a-0'><li>First</ul><ul class='lst-kix_a-1 start'><li>Sub</ul>"
          + "<ul class=lst-kix_a-0><li>Second</ul>", "• First\n\n  ◦ Sub\n\n• Second"
      ),
      ("<b>May 2003</b><marquee>Visit us!</marquee>Hi", "May 2003\nVisit us!\nHi"),
      (
        "<p>8<sup>o</sup>C 12.5 <sup>0</sup>F, 5<sup>0</sup> 3<sup>o</sup> C 3<sup>o</sup>Congreso",
        "8°C 12.5 °F, 5⁰ 3º C 3ºCongreso"
      ),
      ("<p>12.5<sup>e</sup> 1500<sup>e</sup> 1,5<sup>o</sup>", "12.5^e 1500^e 1,5^o"),
      ("<p>x<sup>e</sup> Xi<sup>e</sup> x.<sup>a</sup> 3<sub>e</sub>", "x^e Xi^e x.^a 3_e"),
      ("<textarea readonly>@a{x,\n  t\n}</textarea>", "@a{x,\n  t\n}"),
      (
        "<p>Fine <img src=a.gif class=wp-smiley alt=':-)'> sea <img src=b.png class=emoji alt=:ship:>"
          + " <img src=c.png alt=':-)'> <img src=d.png class=emoji alt=Boat>",
        "Fine :-) sea :ship: ▣ :-) ▣ Boat"
      ),
      (
        "<p>Yes <b>so</b> <img src=b.png class=emoji alt=:ship: title=:ship:> <i>it</i> is",
        "Yes so :ship: it is"
      ),
      (
        "<p>Thanks <img src=e.png class=emoji alt=👍> <img src=o.png alt=O>nce <img src=a.png alt=A> one",
        "Thanks 👍 Once ▣ A one"
      ),
      (
        "<p>By <svg role=img aria-label='wheelchair access'><path/></svg> <span role=img aria-label='4 of 5'></span> <svg aria-label=x></svg>end",
        "By ▣ wheelchair access 4 of 5 end"
      ),
      ("<p><svg role=img aria-label=Mail></svg> Mail", "Mail"),
      // A name without spaces stays after its symbol, up to the width of the line.
      (
        "<p>Some words before it <img src=a.png alt=\(String(repeating: "xyz", count: 30))>",
        "Some words before it\n▣ \(String(repeating: "xyz", count: 22))x…"
      ),
      (
        "<p>\(String(repeating: "word ", count: 10))<img src=a.png alt=Kolosseum_in_Rom_2018> end",
        "\(String(repeating: "word ", count: 10).dropLast())\n▣ Kolosseum_in_Rom_2018 end"
      ),
      // Characters in the private use area, which only a font of the page defines, are not shown.
      (
        "<ul><li>One<li><a href=x>\u{E071}</a><li><a href=y>\u{E000} </a><li>Two \u{E001}</ul>",
        "• One\n• Two"
      ),
      (
        "<h2>Title</h2><hr><p>Text<hr><hr><p>End",
        "Title\n─────\n\nText\n\n\(rule)\n\n\(rule)\n\nEnd"
      ),
    ] as [(String, String)])
  func `styles and symbols are shown as text`(_ html: String, _ expected: String) {
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    let layout = PageLayout(document, options: LayoutOptions(width: 70))
    #expect(layout.flaw(in: document) == nil)
    var text = String(decoding: layout.plainText(), as: UTF8.self)
    while text.last?.isNewline == true { text.removeLast() }
    #expect(text == expected)
  }

  /// An ASCII terminal, as far as the cases need it.
  private static let substitution = CharacterSubstitution(charset: "test") { character in
    ["½": "1/2", "³": "3", "²": "2", "ß": "ss", "≤": "<=", "→": "->", "é": "e", "…": "..."][
      character]
      ?? String(character)
  }

  @Test(
    arguments: [
      ("<p>Take ½ cup, 2½ kg, 10³, 10²³ m², ≤3.", "Take 1/2 cup, 2 1/2 kg, 10^3, 10^23 m^2, <=3."),
      ("<p>Die <b>Straße</b> → <a href=x>café…</a>", "Die Strasse -> cafe..."),
      ("<pre>a → b\n  ß</pre>", "a -> b\n  ss"),
      (
        "<table><tr><th>x<th>y<tr><td>Straße<td>b<tr><td>c<td>½</table>",
        "+---------+-----+\n| x       | y   |\n+=========+=====+\n| Strasse | b   |\n| c       | 1/2 |\n+---------+-----+"
      ),
    ] as [(String, String)])
  func `the layout uses the substitutes for unsupported characters`(
    _ html: String, _ expected: String
  ) {
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    var options = LayoutOptions(width: 60, isASCII: true)
    options.substitution = Self.substitution
    let layout = PageLayout(document, options: options)
    #expect(layout.flaw(in: document) == nil)
    var text = String(decoding: layout.plainText(), as: UTF8.self)
    while text.last?.isNewline == true { text.removeLast() }
    #expect(text == expected)
  }
}
