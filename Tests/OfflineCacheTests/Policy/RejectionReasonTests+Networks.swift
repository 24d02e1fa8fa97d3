import Testing

@testable import OfflineCache

/// Pages of networks that grant access after the user has accepted long terms of use.
extension RejectionReasonTests {
  private static let gateway = "https://gateway.example.net/accept"
  /// A text whose words are those of the saved article, as those of long terms may be.
  private static let text = Page.sentences.map { "<p>\($0)</p>" }.joined()

  private static func form(
    to target: String, _ button: String = "<button>Connect</button>"
  ) -> String {
    "<form method=post action='\(target)'><input type=checkbox>I accept the terms\(button)</form>"
  }

  private static func page(named name: String, _ body: String) -> String {
    "<title>\(name)</title><h1>\(name)</h1>" + body
  }

  static let networks: [Row] = [
    Row("a button", page(named: "Grand Hotel WiFi", text + form(to: gateway)), .signInPage),
    Row(
      "a field, and a name in another heading",
      "<title>Welcome</title><h1>Free Internet</h1>" + text
        + form(to: gateway, "<input type=submit value='Accept and go online'>"), .signInPage),
    Row(
      "a form without an end tag",
      page(named: "Guest WLAN", text + "<form action=\(gateway)>Terms <button>Agree"), .signInPage),
    Row("behind a redirect", page(named: "Guest WLAN", text + form(to: gateway)), .loginWall) {
      $0.isRedirected = true
    },
  ]

  @Test(arguments: networks)
  func `a form that grants access at another site is rejected, whatever its terms`(_ row: Row) {
    #expect(Self.judge(row) == row.expected)
  }

  static let noNetworks: [Row] = [
    Row("a form of the site", page(named: "Grand Hotel WiFi", text + form(to: "/accept")), nil),
    Row(
      "a form of another host of the site",
      page(named: "Grand Hotel WiFi", text + form(to: "http://www.site.example.org/accept")), nil),
    Row("by https", page(named: "Grand Hotel WiFi", text + form(to: gateway)), nil) {
      $0.url = "https://site.example.org/page"
    },
    Row("a form as before", page(named: "Grand Hotel WiFi", text + form(to: gateway)), nil) {
      $0.copy = Page.article + form(to: "https://www.gateway.example.net/")
    },
    Row(
      "a name with a word of the saved page", page(named: "Harbour WiFi", text + form(to: gateway)),
      nil),
    Row("an article about another subject", page(named: "Ships", text + form(to: gateway)), nil),
    Row(
      "a site that mentions its network on every page",
      page(named: "Grand Hotel WiFi", text + form(to: gateway)), nil
    ) { $0.copy = Page.article + "<p>WiFi is free." },
    Row(
      "a newsletter below an article about networks",
      page(named: "WiFi abroad", text + form(to: gateway, "<button>Subscribe</button>")), nil),
    Row(
      "a banner above an article about networks with a search form",
      "<button>Accept cookies</button>"
        + page(named: "WiFi abroad", text + form(to: gateway, "<button>Search</button>")), nil),
  ]

  @Test(arguments: noNetworks)
  func `articles about networks are accepted, with forms of other purposes or sites`(_ row: Row) {
    #expect(Self.judge(row) == nil)
  }
}
