import Testing

@testable import OfflineCache
@testable import WebArchive

/// Error pages and robot checks that servers send with status 200.
extension RejectionReasonTests {
  private static let site = "https://site.example.org/page"

  private static func message(_ title: String, _ text: String) -> String {
    "<!DOCTYPE html><html><head><title>\(title)</title></head><body>\(text)</body></html>"
  }

  private static func error(_ title: String, _ text: String) -> Row {
    Row(title, message(title, text), .errorPage) {
      $0.url = site
      $0.copy = longArticle
    }
  }

  /// An explanation longer than the text of an ordinary error page.
  private static let explanation = paragraphs("Automated visitors overload our little server", 17)

  static let errors: [Row] =
    [
      error("Making sure you&#39;re not a bot!", "<p>Loading...</p>" + explanation),
      error("Es wird sichergestellt, dass Sie kein Bot sind", explanation),
      error("Robot Check", "<p>Enter the characters you see below</p><form><input></form>"),
      error("Access to this page has been denied.", "<p>We believe you use automation.</p>"),
      error("Pardon Our Interruption", "<p>Something about your browser is unusual.</p>"),
      error("You have been blocked", "<p>You are unable to access this site.</p>"),
      error("One moment, please...", "<p>Your request is being examined.</p>"),
      error("Security Checkpoint", "<p>The owner of the site can change this.</p>"),
      error("DDoS-Guard", "<p>The site opens by itself in a few seconds.</p>"),
      error("Account Suspended", "<p>Contact the hosting provider of this account.</p>"),
      error("Welcome to nginx!", "<p>The server works. Now configure it.</p>" + explanation),
      error("Unsupported browser", "<p>Please upgrade the browser to continue.</p>"),
      error("Session expired", "<p><a href=/>Return to the start</a> of these pages.</p>"),
      error("No such page - Wiki", "<p>There is currently no text here to be read.</p>"),
      Row(
        "an error in the heading only",
        message("Harbour office", "<h1>Page not found</h1><p>Try the search of the site.</p>"),
        .errorPage),
      Row(
        "an article that is gone, in the heading only",
        message("Harbour office", "<h1>This article is no longer available</h1><p>Sorry.</p>"),
        .errorPage),
      Row(
        "a message of a program without a title",
        "<br /><b>Warning</b>: connect(): Connection refused in line 12<br />Could not connect",
        .errorPage),
      Row(
        "a frame with a robot check",
        "<body><iframe src='/_check?x'>Request unsuccessful. Incident 877000-1</iframe></body>",
        .errorPage),
    ]

  private static let longArticle = message(
    "Lights", "<h1>Lights</h1>" + paragraphs("Granite blocks were shipped", 200))

  private static let menu =
    "<nav>"
    + (1...40).map { "<a href=/s\($0)>Section \($0) of the whole site</a> " }.joined()
    + "</nav>"

  static let menus: [Row] =
    [
      ("Page not found | Site", "<h1>Oops! Page not found</h1><p>It might have been moved.</p>"),
      ("Seite nicht gefunden", "<p>Die angeforderte Seite wurde nicht gefunden.</p>"),
      ("Harbour office", "<h1>Page not found</h1><p>Try the search.</p>"),
    ].map { title, text in
      Row(title, message(title, menu + text), .errorPage) {
        $0.url = site
        $0.copy = message("Lights", menu + paragraphs("Granite blocks were shipped", 60))
      }
    }

  static let noErrors: [Row] = [
    Row(
      "an article with a menu, with words of an error page in its title",
      message(
        "The page that was not found",
        menu + paragraphs("Keepers searched the old log for a lost page", 20)), nil
    ) { $0.copy = menu + longArticle },
    Row(
      "a list of links with words of an error page in its title, as before",
      message("Error codes", menu), nil
    ) { $0.copy = message("Error codes", longArticle) },
    Row(
      "an anchor that is no link and has no end",
      message(
        "Not found", "<a name=top>" + paragraphs("Keepers searched the log for it", 30)), nil
    ) { $0.copy = longArticle },
    Row(
      "an article about robot checks",
      message(
        "Making sure you are not a bot",
        "<h1>Not a bot</h1>"
          + paragraphs("Riddles distinguish people from programs on many sites", 60)), nil
    ) { $0.copy = longArticle },
    Row(
      "a revised article with words of an error page in its heading",
      message(
        "Lights",
        "<h1>Why the lamp could not be found</h1>"
          + paragraphs("Keepers searched for it", 8)), nil
    ) { $0.copy = longArticle },
    Row(
      "words of an error page in the text",
      message(
        "Ferries",
        "<h1>Ferries</h1><p>The schedule could not be found on Monday. Please wait.</p>"
          + paragraphs("Boats leave", 8)), nil
    ) { $0.copy = longArticle },
    Row(
      "an article about a suspended service, as long as the last one",
      message("Service has been suspended", paragraphs("Granite was shipped", 150)), nil
    ) { $0.copy = longArticle },
    Row(
      "a page whose heading names an error, as before",
      message("Codes 2", "<h1>Error codes</h1>" + paragraphs("Signals say", 8)), nil
    ) {
      $0.copy = message("Codes", "<h1>Error codes</h1>" + paragraphs("Granite was shipped", 200))
    },
    Row(
      "a heading without an end",
      message("News", "<h1>Ferries" + paragraphs("Boats leave", 14) + "<p>Page not found"), nil
    ) { $0.copy = longArticle },
    Row("a first visit to an error page", message("Robot Check", "<p>Are you?</p>"), nil) {
      $0.copy = nil
    },
  ]

  private static let sponsoredLinks =
    "<ul>" + (1...30).map { "<li><a href=/s\($0)>Cheap boats and hotels \($0)</a>" }.joined()

  private static let noticeTexts: [(title: String, text: String)] = [
    ("harbour.example", "<p>This domain is for sale. Buy this domain.</p>"),
    (
      "harbour.example is for sale",
      "<p>The domain harbour.example may be for sale. Click here to inquire about this domain."
        + sponsoredLinks + "</ul><p>All rights reserved. Privacy policy</p>"
    ),
    ("harbour.example", sponsoredLinks + "</ul><p>Neither we nor the domain owner know them."),
    ("harbour.example", "<h1>The domain name is for sale</h1><p>Make an offer today.</p>"),
    ("harbour.example", "<h1>This domain has expired</h1><p>If it is yours, renew it.</p>"),
    ("hafen.example", "<p>Diese Domain steht zum Verkauf.</p>" + sponsoredLinks),
    ("port.example", "<p>Ce nom de domaine est à vendre. Contactez le vendeur.</p>"),
    ("Quota exceeded", "<h1>Your data volume is used up</h1><a href=http://b.example/>Renew</a>"),
    (
      "Guest network",
      "<h1>Limit reached or exceeded</h1><p>Your free minutes for today are gone. Come back "
        + "tomorrow, or ask at the reception for a voucher that lasts for the whole week.</p>"
    ),
    ("Data", "<h1>Data</h1><p>Your data volume is used up. Book more data now.</p>"),
    ("Surfen", "<h1>Ihr Datenvolumen ist aufgebraucht</h1><p>Buchen Sie mehr.</p>"),
  ]

  static let notices = noticeTexts.map { error($0.title, $0.text) }

  private static let domainHistory =
    "<p>Parked pages say that this domain is for sale. Whoever wants to buy this domain pays.</p>"
  private static let volumeAdvice =
    "<p>If your data volume is used up, your quota is exceeded until the month has ended.</p>"

  static let noNotices: [Row] = [
    Row(
      "an article about parked domains",
      message("This domain is for sale", domainHistory + paragraphs("Traders buy names", 50)), nil
    ) { $0.copy = longArticle },
    Row(
      "an article about data volumes",
      message("Your data volume is used up", volumeAdvice + paragraphs("Phones count bytes", 50)),
      nil
    ) { $0.copy = longArticle },
    Row(
      "short news about a domain",
      message(
        "The domain of the port is for sale",
        "<h1>The domain of the port is for sale</h1>" + paragraphs("The council met at noon", 8)),
      nil
    ) { $0.copy = longArticle },
    Row(
      "short advice about data volumes, with another heading",
      message("Saving data", "<h1>Saving data</h1>" + volumeAdvice + paragraphs("Phones count", 9)),
      nil
    ) { $0.copy = longArticle },
    Row(
      "a short page about a field of knowledge",
      message("Hydrology", "<p>In this domain, little is known about tides of small lakes.</p>"),
      nil
    ) { $0.copy = longArticle },
    Row(
      "another notice about the same domain",
      message("harbour.example now", "<p>This domain is for sale. Write for a price today.</p>"),
      nil
    ) {
      $0.copy = message("harbour.example", "<p>Buy this domain.</p>" + sponsoredLinks)
    },
    Row("a first visit", message("a.example", "<p>This domain is for sale.</p>"), nil) {
      $0.copy = nil
    },
  ]

  private static let waiting = "<p>The other page opens by itself in a moment, or by this link.</p>"

  static let forwarded: [Row] = [
    Row("a Refresh field to another site", waiting, .movedAway) {
      $0.fields.append(("Refresh", "0; url=https://portal.example.com/"))
    },
    Row(
      "a handler that goes to another site",
      "<body onload=\"location.replace('https://portal.example.com/')\">\(waiting)", .movedAway),
    Row("a Refresh field within the site", waiting, nil) {
      $0.fields.append(("Refresh", "0; url=/page?2"))
    },
    Row("a Refresh field of a page with text", Page.article, nil) {
      $0.fields.append(("Refresh", "600; url=https://portal.example.com/"))
    },
    Row("the same Refresh field as before", waiting, nil) {
      $0.fields.append(("Refresh", "0; url=https://portal.example.com/"))
      $0.copyFields = $0.fields
      $0.copy = waiting
    },
    Row(
      "a handler that only looks at its location", "<body onload='show(location)'>\(waiting)", nil),
  ]

  @Test(arguments: forwarded)
  func `a page without text that forwards to another site is rejected`(_ row: Row) {
    var row = row
    row.url = Self.site
    #expect(Self.judge(row) == row.expected)
  }

  static let errorHeads: [Head] = [
    Head("to a number, whose page is validated when it arrives", to: "/404", nil),
    Head("to a name below a page", to: "/shop/not-found.html", .errorPage),
    Head(
      "to another host of the site", to: "http://www.site.example.org/error-404", .errorPage),
    Head("to an error of a language", to: "/de/error/not-found/", .errorPage),
    Head("to an error page with an index", to: "/errors/error404/index.html", .errorPage),
    Head("to an error of ASP.NET", to: "/problem?aspxerrorpath=/page", .errorPage),
    Head("to an error without a copy", to: "/not-found", copy: nil, nil),
    Head("to an article about an error", to: "/wiki/Error", nil),
    Head("to the year 404", 301, to: "/years/404", nil),
    Head("to an article with such a word", to: "/error-correction", nil),
    Head("from one error to another", to: "/not-found", from: "http://a.example/error404", nil),
    Head("to a house number", to: "/404-main-street", nil),
    Head(
      "a redirect that now leads to an error", to: "/not-found",
      copy: moved(to: "/new", from: "http://site.example.org/page"), nil),
  ]

  @Test(arguments: errorHeads)
  func `a redirect to an error page does not replace a page`(_ row: Head) {
    let response = ResponseHead(
      status: row.status, fields: FieldLines(row.fields.map { .init($0.0, $0.1) }))
    #expect(
      RejectionReason.validate(response, for: Sample.url(row.url), replacing: row.copy)
        == row.expected)
  }

  private static let apology = Page.frame(
    "Lights", "<p>Try the search of the site, or go back to the previous page.</p>")

  private static func target(_ path: String, _ text: String, _ expected: RejectionReason?) -> Row {
    Row("a redirect to \(path)", text, expected) {
      $0.url = "https://site.example.org" + path
      $0.isRedirected = true
    }
  }

  static let targets: [Row] =
    ["/404", "/404.html", "/de/error/404/", "/errors/404/index.html", "/de/fehler"].map {
      target($0, apology, .errorPage)
    }
    + ["/errors", "/500/", "/404", "/de/fehler"].map { target($0, Page.article, nil) } + [
      Row("a page at such a URL without a redirect", apology, nil) {
        $0.url = "https://site.example.org/404"
      }
    ]

  @Test(arguments: targets)
  func `the target of a redirect to an error page is rejected by its content`(_ row: Row) {
    #expect(Self.judge(row) == row.expected)
  }

  private static let list = Page.frame(
    "Notes",
    ["Snow in May", "Bread without yeast", "Seven bridges", "Apples, peeled", "Trams at night"]
      .map { "<p><a href='/x'>\($0)</a></p>" }.joined())

  private static func directory(
    _ path: String, _ text: String, _ expected: RejectionReason?, from: String = "2024/harbour"
  ) -> Row {
    Row("a redirect from \(from) to \(path)", text, expected) {
      $0.copyKey = "https://site.example.org/notes/" + from
      $0.url = "https://site.example.org" + path
      $0.isRedirected = true
    }
  }

  static let directories: [Row] = [
    directory("/notes/2024/", list, .frontPage), directory("/notes", list, .frontPage),
    directory("/Notes/", list, .frontPage), directory("/notes/", Page.article, nil),
    directory("/notes/2024/harbour/", list, nil), directory("/notes/2025/", list, nil),
    directory("/notes/?page=2", list, nil), directory("/notes/", list, nil, from: "index.html"),
  ]

  @Test(arguments: directories)
  func `the list of articles does not replace an article that redirects to it`(_ row: Row) {
    #expect(Self.judge(row) == row.expected)
  }

  static let headlines: [Row] = [
    ("Weather: roads blocked", "Roads blocked by snow"),
    ("The statue", "The statue has been removed"), ("The call has expired", "The call"),
    ("Smith has been suspended", "Smith has been suspended"), ("Issues", "Blocked issues"),
    ("Services", "No errors"), ("Terrorism", "Terrorism in the harbour"),
  ].map { title, heading in
    Row(
      "short news: \(title), \(heading)",
      message(
        title, "<h1>\(heading)</h1>" + paragraphs("Ploughs clear the pass before noon", 6)),
      nil
    ) { $0.copy = longArticle }
  }

  @Test(arguments: errors + menus + notices)
  func `an error page or robot check does not replace an article`(_ row: Row) {
    #expect(Self.judge(row) == .errorPage)
  }

  @Test(arguments: noErrors + headlines + noNotices)
  func `words of error pages do not make an article an error page`(_ row: Row) {
    var row = row
    row.url = Self.site
    #expect(Self.judge(row) == nil)
  }
}
