import TestSupport
import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

/// The controls of forms and their submission (HTML standard, sections 4.10.17 to 4.10.22).
@Suite struct FormTests {
  private static func page(_ html: String) -> Document {
    Document(bytes: Array(html.utf8), mediaType: "text/html", charset: "utf-8")
  }

  private static func submission(
    _ html: String, encoding: String = "UTF-8", by button: Int32? = nil, form: Int = 0,
    _ fill: (inout FormValues, PageForms) -> Void = { _, _ in }
  ) -> FormSubmission {
    let forms = page(html).forms
    var values = FormValues()
    fill(&values, forms)
    return forms.submission(of: form, by: button, values, pageEncoding: encoding)
  }

  private static func text(_ submission: FormSubmission) -> String {
    String(decoding: submission.content, as: UTF8.self)
  }

  // MARK: Submission

  private static let controlCases: [(name: String, html: String, sent: String)] = [
    ("text", "<input name=a value='x y'><input name=b type=EMAIL value=q@r>", "a=x+y&b=q%40r"),
    ("no name", "<input value=1><input name='' value=2>", ""),
    ("direction", "<input name=a value=x dirname=d>", "a=x&d=ltr"),
    ("spaces around an address", "<input name=a type=email value=' q@r '>", "a=q%40r"),
    ("no direction", "<input name=a value=x dirname=''>", "a=x"),
    ("declared direction", "<p dir=rtl><input name=a value=x dirname=d>", "a=x&d=rtl"),
    (
      "direction of the text", "<textarea name=a dir=auto dirname=d>1 &#x5D0;x</textarea>",
      "a=1+%D7%90x&d=rtl"
    ),
    ("hidden", "<input type=hidden name=t value='a&b=c'><input>", "t=a%26b%3Dc"),
    (
      "not shown", "<input name=a value=1><p style='display:none'><input name=b value=2>", "a=1&b=2"
    ),
    ("boxes", "<input type=checkbox name=a checked><input type=checkbox name=b>", "a=on"),
    (
      "the last radio button",
      "<input type=radio name=r value=1 checked><input type=radio name=r value=2 checked>", "r=2"
    ),
    ("radio buttons without a name", "<input type=radio checked><input name=a>", "a="),
    ("password", "<input type=password name=p value=s>", "p=s"),
    ("area", "<textarea name=t>\n\na\r\nb\rc</textarea>", "t=%0D%0Aa%0D%0Ab%0D%0Ac"),
    ("line breaks in a line", "<input name=a value='x&#10;y'>", "a=xy"),
    (
      "select",
      "<select name=s><option disabled>0<option>1<option selected>2<option selected value=3>x</select>",
      "s=3"
    ),
    (
      "the first choice", "<select name=s><option disabled>0<option> 1\n1 <option>2</select>",
      "s=1+1"
    ),
    ("a choice without those in it", "<select name=s><option>1<b><option>2</select>", "s=1"),
    ("a list without a choice", "<select name=s size=3><option>1</select><input name=a>", "a="),
    (
      "several choices",
      "<select name=s multiple><option selected>1<option>2<option selected>3</select>", "s=1&s=3"
    ),
    (
      "a group that is disabled",
      "<select name=s multiple><optgroup disabled><option selected>1</optgroup><option selected>2</select>",
      "s=2"
    ),
    (
      "buttons",
      "<input type=submit name=a value=1><button name=b>x</button><input type=image name=c><input type=reset name=d>",
      ""
    ),
    (
      "disabled",
      "<input name=a disabled value=1><fieldset disabled><legend><input name=b value=2></legend><input name=c><fieldset><legend><input name=d></legend></fieldset></fieldset><input name=e value=5>",
      "b=2&e=5"
    ),
    ("read only", "<input name=a value=1 readonly>", "a=1"),
    ("no file", "<input type=file name=f value=x>", "f="),
    (
      "charset", "<input type=hidden name=_CHARSET_ value=x><input name=_charset_ value=y>",
      "_CHARSET_=UTF-8&_charset_=y"
    ),
    (
      "slider and colour",
      "<input type=range name=r min=10 max=20><input type=range name=s min=1 max=8>"
        + "<input type=color name=c>", "r=15&s=5&c=%23000000"
    ),
    (
      "steps of a slider",
      "<input type=range name=r min=0 max=1 step=0.1><input type=range name=s step=any max=5>"
        + "<input type=range name=t min=0.5 max=0.75 step=0.25><input type=range name=u step=x>",
      "r=0.5&s=2.5&t=0.75&u=50"
    ),
    (
      "suggestions",
      "<input name=a list=l value=1><datalist id=l><option>x<input name=b></datalist>", "a=1"
    ),
    ("percent-encoding", "<input name=a value='*-._~!é'>", "a=*-._%7E%21%C3%A9"),
    ("template", "<input name=a value=1><template><input name=b></template>", "a=1"),
  ]

  @Test(arguments: controlCases.indices)
  func `the initial values of a form are submitted as browsers do`(row: Int) {
    let (name, html, expected) = Self.controlCases[row]
    #expect(Self.text(Self.submission("<form>\(html)</form>")) == expected, "\(name)")
  }

  private static let validationCases: [(html: String, problem: String?)] = [
    ("<input name=a>", nil), ("<input name=a required>", "0 must be filled in"),
    ("<input name=a required value=x>", nil),
    ("<p><textarea required></textarea>", "0 must be filled in"),
    ("<input required disabled><input required readonly>", nil),
    ("Name <input><input type=hidden required><p style='display:none'><input required></p>", nil),
    ("<input type=checkbox required>", "0 must be filled in"),
    ("<input type=checkbox required checked>", nil),
    ("<input type=radio name=r required><input type=radio name=r>", "0 must be filled in"),
    ("<input type=radio name=r required><input type=radio name=r checked>", nil),
    ("<select required><option value=''>Choose<option>a</select>", "0 must be filled in"),
    ("<select required><option>a</select>", nil), ("<input type=file required>", nil),
    ("<input type=email value=not-an-email>", "0 must be an e-mail address"),
    ("<input type=email>", nil), ("<input type=email value=a@b>", nil),
    ("<input type=email value=' a@b '>", nil),
    ("<input type=email multiple value='a@b.c , d@e '>", nil),
    ("<input type=email value='a@b c'>", "0 must be an e-mail address"),
    ("<input type=email value=a@b..c>", "0 must be an e-mail address"),
    ("<input type=email multiple value='a@b.c, d@e'>", nil),
    ("<input type=email multiple value='a@b.c,'>", "0 must be an e-mail address"),
    ("<input><input type=number min=3 value=1>", "1 must be 3 or more"),
    ("<input type=number max=2.5 value=3>", "0 must be 2.5 or less"),
    ("<input type=number min=1 max=9 value=10>", "0 must be 1 to 9"),
    ("<input type=number min=1 max=9 value=9>", nil), ("<input type=number min=1>", nil),
    ("<input type=number value=x>", "0 must be a number"),
    ("<input type=date required value=2020-02-30>", "0 must be filled in"),
    ("<input type=date required value=2020-02-29>", nil), ("<input type=date value=x>", nil),
    ("<input required><button formnovalidate>Save</button>", nil),
    ("<input type=number min=0 value=1.5>", "0 must be a number such as 1 or 2"),
    ("<input type=number step=any value=1.5>", nil),
    ("<input type=number min=0 step=0.1 value=0.3>", nil),
    ("<input type=number min=1 step=2 value=4>", "0 must be a number such as 3 or 5"),
    ("<input type=number max=4 step=3 min=0 value=4>", "0 must be a number such as 3"),
    ("<input type=number value=2.5 step=1>", nil),
    ("<input type=url value=x>", "0 must be a URL such as https://site.example/"),
    ("<input type=url value=http://>", "0 must be a URL such as https://site.example/"),
    ("<input type=url value=mailto:a@b>", nil), ("<input type=url value=HTTPS://a.example>", nil),
    ("<input type=date min=2026-05-01 value=2026-04-30>", "0 must be 2026-05-01 or later"),
    ("<input type=date max=2026-05-01 value=12026-04-30>", "0 must be 2026-05-01 or earlier"),
    ("<input type=date min=2026-05-01 max=2026-05-03 value=2026-05-03>", nil),
    ("<input type=time min=18:30:00 value=18:30>", nil),
    ("<input type=time min=22:00 max=06:00 value=23:30>", nil),
    ("<input type=time min=22:00 max=06:00 value=12:00>", "0 must be 22:00 to 06:00"),
    ("<input pattern=[0-9]{5} value=12345>", nil), ("<input pattern=[0-9]{5}>", nil),
    (
      "<input pattern=[0-9]{5} title='five digits' value=1234>",
      "0 does not have the format that the page requires: five digits"
    ),
    ("<input pattern=a|b value=ab>", "0 does not have the format that the page requires"),
    ("<input pattern='(?=a)b' value=x>", nil), ("<input pattern='[' value=x>", nil),
    ("<input type=number pattern=[0-9]{5} value=7>", nil),
    ("<input type=email multiple pattern=.+@a value=x@a,y@a>", nil),
    ("<input type=number min=1e300 value=5>", "0 must be 1e+300 or more"),
    ("<input type=number max=1e-12 value=5>", "0 must be 1e-12 or less"),
    // The page itself may set a short text.
    ("<input minlength=8 value=short>", nil),
  ]

  @Test(arguments: validationCases.indices)
  func `constraints are validated before a form is submitted`(row: Int) {
    let (html, expected) = Self.validationCases[row]
    let forms = Self.page("<form>\(html)</form>").forms
    let problem = forms.problem(of: 0, by: forms.defaultButton(of: 0), FormValues())
    #expect(problem.map { "\($0.control) \($0.problem.message)" } == expected, "\(html)")
    let unchecked = Self.page("<form novalidate>\(html)</form>").forms
    #expect(unchecked.problem(of: 0, by: nil, FormValues()) == nil)
  }

  @Test func `only a text that the user entered can be too short`() {
    let forms = Self.page("<form><input minlength=8 value=short></form>").forms
    var values = FormValues()
    values.setText("secret", of: 0)
    #expect(
      forms.problem(of: 0, by: nil, values)?.problem.message == "must have at least 8 characters")
    values.setText("long enough", of: 0)
    #expect(forms.problem(of: 0, by: nil, values) == nil)
  }

  @Test(
    arguments: [
      ("[A-Z]{2}\\d{3,}", ["AB123", "ZZ99999"], ["AB12", "ab123", "AB123 "]),
      ("(?:\\+49|0)[1-9]\\d*?", ["0151", "+4930"], ["49151", "+490"]),
      ("^(red|green|)$", ["red", "green", ""], ["re", "redgreen"]),
      ("[^\\s@]+@[^\\s@]+", ["a@b"], ["a b@c", "@b", "a@"]),
      ("\\w[\\w.\\-]{0,2}", ["a", "a.-"], ["-a", "abcd"]),
      (
        "(a*)*b", [String(repeating: "a", count: 5000) + "b"], [String(repeating: "a", count: 5000)]
      ),
      ("\\u00e9?\\x41.", ["éAx", "A\u{1F600}"], ["é", "A\n"]),
    ] as [(String, [String], [String])])
  func `a pattern must match the whole text`(
    _ pattern: String, _ good: [String], _ bad: [String]
  ) throws {
    let expression = try #require(InputPattern(pattern))
    for text in good { #expect(expression.matches(text), "\(text.prefix(20))") }
    for text in bad { #expect(!expression.matches(text), "\(text.prefix(20))") }
  }

  @Test(arguments: [
    "(", ")", "a{2", "a{3,2}", "*", "[a", "(?=a)", "(?<n>a)", "\\1", "\\p{L}", "a**",
    "(a{900}){900}", "\\ud83d",
    // Invalid with the flag `v`, so that browsers ignore them.
    "[\\w.-]+", "[(]", "[a&&b]", "\\-", "\\_",
    String(repeating: "(", count: 100), "\\",
  ])
  func `a pattern that is invalid, too long or not supported is not used`(_ pattern: String) {
    #expect(InputPattern(pattern) == nil)
  }

  @Test func `a date must exist and have the form that its field requires`() {
    let dates: [(type: String, good: [String], bad: [String])] = [
      (
        "date", ["2020-02-29", "1999-12-31", "12026-01-01"],
        [
          "2020-02-30", "2021-02-29", "2020-2-3", "30.2.2020", "0000-01-01", "2020-13-01",
          "2020-02",
        ]
      ),
      ("month", ["2020-02"], ["2020-00", "02-2020", "2020-02-01"]),
      ("week", ["2020-W53"], ["2020-W00", "2020-W54", "2020-53"]),
      (
        "time", ["00:00", "23:59:59", "12:30:15.25"], ["24:00", "12:60", "1:30", "12:30:15.", "12"]
      ),
      ("datetime-local", ["2020-02-29T12:30", "2020-02-29 12:30"], ["2020-02-29", "2020-02-29T"]),
    ]
    for (type, good, bad) in dates {
      let forms = Self.page("<form><input name=a type=\(type)></form>").forms
      for (text, isGood) in good.map({ ($0, true) }) + bad.map({ ($0, false) }) {
        var values = FormValues()
        values.setText(text, of: 0)
        #expect((forms.problem(of: 0, by: nil, values) == nil) == isGood, "\(type) \(text)")
        let written = Self.page("<form><input name=a type=\(type) value='\(text)'></form>").forms
        #expect(written.controls.map(\.value) == [isGood ? text : ""], "\(type) \(text)")
      }
    }
  }

  @Test func `a control belongs to the form around it, or to the one named by its form attribute`()
  {
    let html = """
      <input name=a value=1 form=two><form id=one><input name=b value=2><input name=c form=two value=3>
      <input name=d form=none></form><input name=e value=5><form id=two><input name=f value=6></form>
      """
    #expect(Self.text(Self.submission(html)) == "b=2")
    #expect(Self.text(Self.submission(html, form: 1)) == "a=1&c=3&f=6")
  }

  @Test func `a form between the parts of a table owns the controls of the table`() {
    let html = """
      <table><form action=/t><tr><td><input name=a value=1><tr><td><input name=b value=2></form></table>
      <input name=c>
      """
    #expect(Self.text(Self.submission(html)) == "a=1&b=2")
  }

  @Test(
    arguments: [
      (
        "<table><tr><td><form><input name=a value=1></td><td><input name=b value=2></td><td>"
          + "<select name=c><option>3</select></form></td></tr></table><input name=d>",
        "a=1&b=2&c=3"
      ),
      (
        "<div><form><input name=a value=1></div><p><input name=b value=2></form><input name=c>",
        "a=1&b=2"
      ),
      ("<div><form><input name=a value=1></div><form><input name=b value=2></form>", "a=1"),
      (
        "<iframe srcdoc='<div><form><input name=a value=1></div><input name=b value=2></form>'>"
          + "</iframe>", "a=1&b=2"
      ),
    ] as [(String, String)])
  func `controls between the elements around a form and its end tag belong to the form`(
    _ html: String, _ sent: String
  ) {
    #expect(Self.text(Self.submission(html)) == sent)
  }

  @Test func `a select within a paragraph may contain blocks and a button`() {
    let html = """
      <form><p>Pick <select name=s><button>?</button><option>1<hr><optgroup label=g><div>
      <option selected>2</div></optgroup></select> now</form>
      """
    let document = Self.page(html)
    #expect(document.content == "Pick [2 ▾] now" && document.forms.controls.count == 1)
    #expect(Self.text(Self.submission(html)) == "s=2")
  }

  @Test(
    arguments: [
      ("<option disabled>1<option>2", "[2 ▾]"), ("<option label=One>1<option>2", "[One ▾]"),
      ("<option selected>1<option selected>2<option>3", "[2 ▾]"),
      ("<optgroup disabled label=x><option>1</optgroup><option>2", "[2 ▾]"),
    ] as [(String, String)])
  func `the selected choice is shown by its label`(_ choices: String, _ shown: String) {
    #expect(Self.page("<select>\(choices)</select>").content == shown)
    #expect(Self.page("<select size=2><option>1</select>").content == "[\u{A0}▾]")
  }

  @Test func `a text field has the options of its datalist as suggestions`() {
    let forms = Self.page(
      """
      <input list=b><input list=none><input type=checkbox list=b><select><option>1</select>
      <datalist id=a><option>x</datalist><datalist><option>y</datalist>
      <datalist id=b><select><option value=2 label=Two><option>3</select></datalist>
      <datalist id=b><option>z</datalist>
      """
    ).forms
    let suggestions = forms.controls.map { control in
      control.choices.map { forms.choices[Int($0)].value }
    }
    #expect(suggestions == [["2", "3"], [], [], ["1"]])
    #expect(forms.choices.first { $0.value == "2" }?.label == "Two")
  }

  @Test func `attributes of the submit button override those of the form`() {
    let html = """
      <form action=/a method=get enctype=multipart/form-data><input name=q value=1>
      <button name=b value=2 formaction=/b formmethod=POST formenctype=text/plain>x</button>
      <input type=image name=i><input type=image></form>
      """
    let formSubmission = Self.submission(html)
    #expect(
      formSubmission.action == "/a" && formSubmission.method == .get
        && Self.text(formSubmission) == "q=1")
    #expect(formSubmission.mediaType == "application/x-www-form-urlencoded")
    let buttonSubmission = Self.submission(html, by: 1)
    #expect(
      buttonSubmission.action == "/b" && buttonSubmission.method == .post
        && buttonSubmission.mediaType == "text/plain")
    #expect(Self.text(buttonSubmission) == "q=1\r\nb=2\r\n")
    #expect(Self.text(Self.submission(html, by: 2)) == "q=1&i.x=0&i.y=0")
    #expect(Self.text(Self.submission(html, by: 3)) == "q=1&x=0&y=0")
    #expect(Self.submission("<form action='' method=dialog><input></form>").method == .dialog)
    #expect(Self.submission("<form action=''><input></form>").action == nil)
  }

  @Test func `the multipart boundary does not occur in the parts`() {
    let html = """
      <form method=post enctype=multipart/form-data><input name='a"&#10;b' value='x&#10;'>
      <textarea name=t>1
      2</textarea><input type=file name=f></form>
      """
    let sent = Self.submission(html)
    let boundary = String(sent.mediaType.dropFirst("multipart/form-data; boundary=".count))
    #expect(boundary.count == 40 && boundary.hasPrefix("offread-"))
    #expect(
      Self.text(sent) == """
        --\(boundary)\r
        Content-Disposition: form-data; name="a%22%0D%0Ab"\r
        \r
        x\r
        --\(boundary)\r
        Content-Disposition: form-data; name="t"\r
        \r
        1\r
        2\r
        --\(boundary)\r
        Content-Disposition: form-data; name="f"; filename=""\r
        Content-Type: application/octet-stream\r
        \r
        \r
        --\(boundary)--\r

        """)
    let otherSubmission = Self.submission(html) { values, _ in
      values.setText("--\(boundary)", of: 0)
    }
    #expect(!otherSubmission.mediaType.contains(boundary))
  }

  private static let charsetCases: [(form: String, page: String, text: String, sent: String)] = [
    ("", "UTF-8", "ä€", "%C3%A4%E2%82%AC"),
    ("", "windows-1252", "ä€漢", "%E4%80%26%2328450%3B"),
    ("nonsense, latin1", "UTF-8", "ä", "%E4"),
    ("utf-16", "windows-1252", "ä", "%C3%A4"),
    ("", "UTF-16LE", "ä", "%C3%A4"),
    ("", "replacement", "ä", "%C3%A4"),
    ("koi8-r", "UTF-8", "да", "%C4%C1"),
    ("shift_jis", "UTF-8", "日本é", "%93%FA%96%7B%26%23233%3B"),
    ("iso-2022-jp", "UTF-8", "日aé", "%1B%24BF%7C%1B%28Ba%26%23233%3B"),
    ("gbk", "UTF-8", "漢€🙂", "%9Dh%80%26%23128578%3B"),
    ("gb18030", "UTF-8", "🙂", "%950%852"),
    ("big5", "UTF-8", "漢", "%BA%7E"),
    ("euc-kr", "UTF-8", "한", "%C7%D1"),
    ("x-user-defined", "UTF-8", "aä", "a%26%23228%3B"),
  ]

  @Test(arguments: charsetCases.indices)
  func `text is encoded in the accept-charset of the form or the encoding of the page`(row: Int) {
    let (form, page, text, expected) = Self.charsetCases[row]
    let sent = Self.submission(
      "<form accept-charset='\(form)'><input name=a></form>", encoding: page
    ) {
      values, _ in values.setText(text, of: 0)
    }
    #expect(Self.text(sent) == "a=\(expected)", "\(form) \(page)")
  }

  // MARK: Filling in

  private static let form = """
    <form action=/a><input name=t value=old><input type=radio name=r value=1 checked>
    <input type=radio name=r value=2><input type=checkbox name=c>
    <select name=s><option>1<option>2</select><select name=m multiple><option selected>3<option>4</select>
    <textarea name=x>old</textarea></form><form action=/b><input name=t></form>
    """

  @Test func `entered values are submitted, and a reset discards them`() {
    let sent = Self.submission(Self.form) { values, forms in
      values.setText("new", of: 0)
      values.toggle(2, in: forms)
      values.toggle(3, in: forms)
      values.selectChoice(1, of: 4, in: forms)
      values.selectChoice(3, of: 5, in: forms)
      values.setText("a\nb", of: 6)
    }
    #expect(Self.text(sent) == "t=new&r=2&c=on&s=2&m=3&m=4&x=a%0D%0Ab")
    let back = Self.submission(Self.form) { values, forms in
      for control in Int32(0)..<7 where control != 4 && control != 5 {
        values.setText("z", of: control)
      }
      values.selectChoice(1, of: 4, in: forms)
      values.selectChoice(2, of: 5, in: forms)
      values.reset(0, in: forms)
      #expect(values.isEmpty)
    }
    #expect(Self.text(back) == "t=old&r=1&s=1&m=3&x=old")
  }

  @Test func `entered values are restored in another version of the page`() {
    let old = Self.page(Self.form).forms
    var values = FormValues()
    values.setText("first", of: 0)
    values.toggle(2, in: old)
    values.setText("second", of: 7)
    let new = Self.page("<form action=/c><input name=t></form><p>News</p>" + Self.form).forms
    let newValues = FormValues(values.transferableValues(of: old), in: new)
    #expect(newValues.text(of: 0, in: new) == "")
    #expect(newValues.text(of: 1, in: new) == "first")
    #expect(newValues.isChecked(3, in: new) && !newValues.isChecked(2, in: new))
    #expect(newValues.text(of: 8, in: new) == "second")
    // A view without the form keeps its values for one that has it.
    let none = FormValues(values.transferableValues(of: old), in: PageForms())
    #expect(FormValues(none.transferableValues(of: PageForms()), in: old) == values)
  }

  // MARK: Page

  @Test func `every visible control has a position in the text`() {
    let document = Self.page(
      """
      <p>Name <input name=a value=Ada> <a href=/x>x</a> <button>Go <b>on</b></button>
      <p><select multiple><option>1</select><button aria-label=Close></button><button></button>
      <pre> <input type=submit></pre><input type=hidden><button><div>Block</div></button>
      <button>One <input value=in> two</button>
      """)
    let controlTexts = document.forms.controlSpans.map { span in
      String(decoding: document.text[Int(span.start)..<Int(span.end)], as: UTF8.self)
    }
    #expect(
      controlTexts == ["[Ada]", "[Go on]", "[\u{A0}▾]", "[Submit]", "Block", "[One ", "[in]"])
    #expect(document.forms.controlSpans.map(\.precedingLinkCount) == [0, 1, 1, 1, 1, 1, 1])
    #expect(document.forms.controls.count == 10)
    #expect(Self.page("<form><p>Nothing <a href=/x>to fill in</a></form>").forms == PageForms())
  }

  @Test(arguments: [
    ("date", "2020-02-30", "must be a date such as 2026-05-01"),
    ("datetime-local", "2020-02-29", "must be a date and time such as 2026-05-01T18:30"),
  ])
  func `a field with an invalid date is reported with an example`(
    _ type: String, _ text: String, _ message: String
  ) {
    let forms = Self.page("<form><input name=a type=\(type)></form>").forms
    var values = FormValues()
    values.setText(text, of: 0)
    #expect(forms.problem(of: 0, by: nil, values)?.problem.message == message)
  }

  @Test(
    arguments: [
      ("<button aria-label=Find><svg><path d='M0 0'/></svg></button>", "[Find]"),
      ("<button title=Find><svg aria-hidden=true><path d='M0 0'/></svg></button>", "[Find]"),
      ("<button><svg><title>Find</title><path d='M0 0'/></svg></button>", "[Find]"),
      ("<button><svg aria-label=Find><path d='M0 0'/></svg></button>", "[Find]"),
      ("<button aria-label=Find><img src=x.svg alt=''></button>", "[Find]"),
      ("<button aria-label=Find><div><svg><path d='M0 0'/></svg></div></button>", "[Find]"),
      ("<button type=reset aria-label=Clear><svg></svg></button>", "[Clear]"),
      ("<button><svg><path d='M0 0'/></svg></button>", "[Submit]"),
      ("<button></button>", "[Submit]"),
      ("<button>&#xF002;</button>", "[Submit]"),
      // Buttons without a function, or without a name that adds something to the form.
      ("<button type=button aria-label=Menu><svg></svg></button>", nil),
      ("<button type=reset><svg></svg></button>", nil),
      ("</form><button aria-label=Menu><svg></svg></button>", nil),
      ("</form><form><button><svg></svg></button>", nil),
    ] as [(String, String?)])
  func `a button with an icon is shown by its name`(_ button: String, _ shown: String?) {
    let html = "<form><input name=a value=x> <input name=b value=y> \(button)</form>"
    let words = String(decoding: Self.page(html).plainText, as: UTF8.self).split { $0.isWhitespace }
    #expect(words == ["[x]", "[y]"] + [shown].compactMap { $0.map { $0[...] } })
  }

  @Test func `a button with an icon is the default button of its form`() {
    let forms = Self.page("<form><input><input><button title=Find><svg></svg></button></form>")
      .forms
    #expect(forms.defaultButton(of: 0).flatMap { forms.controlSpan(of: $0) } != nil)
  }

  @Test func `every attribute that is read has a bit`() {
    #expect(AttributeName.allCases.allSatisfy { $0.bitMask != 0 })
  }

  @Test func `reader mode also submits controls that it does not show`() throws {
    let text = String(
      repeating: "<p>Words of an article, which is long enough, and more. ", count: 40)
    let html = """
      <title>T</title><article><h1>T</h1>\(text)<form action=/a><input type=hidden name=h value=1>
      <p>Answer: <input name=q value=2> <input type=submit value=Send> and so on, in many words.</form>
      \(text)</article>
      """
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", charset: "utf-8",
      view: .reader(ReaderOptions()))
    guard !document.forms.controls.isEmpty else { return }
    let sent = document.forms.submission(of: 0, by: nil, FormValues(), pageEncoding: "UTF-8")
    #expect(Self.text(sent) == "h=1&q=2")
  }

  @Test func `forms in random input can be filled in and submitted`() {
    var random = SplitMix64(seed: 7)
    let pieces = [
      "<form", " action='\u{1}javascript:x'", ">", "</form>", "<input name=a", " type=radio",
      " checked", " type=file", " form=x", " id=x", "<select multiple", "<select>",
      "<option selected",
      "</select>", "<optgroup disabled>", "<textarea name=t>", "</textarea>", "<button",
      " disabled",
      "</button>", "<table>", "<tr>", "<td>", "</table>", "<fieldset disabled>", "<legend>",
      "</fieldset>", "<datalist>", "<template>", " maxlength=99999999999", " size=-1", "\u{0}",
      "&#0;",
      " accept-charset='\u{FEFF}, utf-16 big5'", " enctype=multipart/form-data", " method=post",
      "é漢",
      "<div hidden>", "</div>", "<label>",
    ]
    for _ in 0..<300 {
      var html = ""
      for _ in 0..<60 { html += pieces[Int(random.next() % UInt64(pieces.count))] }
      let document = Self.page(html)
      let forms = document.forms
      #expect(document.problems == [], "\(html)")
      var previousEnd: UInt32 = 0
      for span in forms.controlSpans {
        #expect(
          span.start >= previousEnd && span.start < span.end && Int(span.end) <= document.text.count
        )
        previousEnd = span.end
      }
      var values = FormValues()
      for (index, control) in zip(Int32(0)..., forms.controls) {
        values.setText("a\r\u{0}漢\"", of: index)
        values.toggle(index, in: forms)
        for choice in control.choices { values.selectChoice(choice, of: index, in: forms) }
      }
      for (index, form) in forms.forms.enumerated() {
        let sent = forms.submission(
          of: index, by: forms.defaultButton(of: index), values, pageEncoding: form.acceptedCharsets
        )
        #expect(sent.method == .get || !sent.mediaType.isEmpty)
      }
    }
  }

  @Test func `the cost of a page with very many controls is linear`() {
    let controlCount = 20_000
    let nested = String(repeating: "<fieldset disabled><div>", count: controlCount)
    let forms = Self.page(
      "<form>" + String(repeating: "<input type=radio name=r checked>", count: controlCount)
        + nested
        + "<input name=z>"
    ).forms
    #expect(forms.controls.count == controlCount + 1)
    #expect(forms.controls.count { $0.isInitiallyChecked } == 1)
    #expect(forms.controls.last?.isDisabled == true)
  }
}
