import Foundation
import OfflineCache
import TestNetwork
import TestSupport
import Testing

/// A kind of response that captive portals send in place of a site.
struct PortalKind: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// Adds the portal's response for a URL to a network. The number distinguishes requests.
  let respond: @Sendable (SiteNetwork, String, Int) -> Void
  /// Whether the portal can be detected from a single page. Otherwise, its response is stored as
  /// unconfirmed.
  var isToldAlone = true

  static let login = "http://login.hotel.example/start"
  static let form = "<h1>Welcome</h1><form><p>Please sign in</p><input type=password><button>Log in"
  static let gate =
    "<h1>Hotel Wi-Fi</h1><form><p>Your room number</p><input name=room><button>Connect</button>"

  init(
    _ testDescription: String, isToldAlone: Bool = true,
    _ response: @escaping @Sendable (SiteNetwork, String, Int) -> Void
  ) {
    (self.testDescription, self.isToldAlone, self.respond) = (
      testDescription, isToldAlone, response
    )
  }

  /// A portal that responds with the same kind of content for every URL.
  private static func content(
    _ name: String, type: String = "text/html", isToldAlone: Bool = true,
    _ body: @escaping @Sendable (String, Int) -> String
  ) -> PortalKind {
    PortalKind(name, isToldAlone: isToldAlone) { network, url, number in
      network.add(url, body(url, number), type: type)
    }
  }

  private static func redirect(
    _ name: String, to target: String, _ page: String, isPublic: Bool? = nil,
    isToldAlone: Bool = true
  ) -> PortalKind {
    PortalKind(name, isToldAlone: isToldAlone) { network, url, _ in
      network.add(url, "", status: 302, fields: [("Location", target)])
      network.add(target, page)
      if let isPublic { network.setPublic(isPublic, target) }
    }
  }

  static let all: [PortalKind] = [
    redirect("a redirect to a public sign-in page", to: login, form, isToldAlone: false),
    redirect("a redirect to a page of a network", to: login, gate),
    redirect(
      "a redirect to an encrypted page of a network", to: "https://login.hotel.example/", gate),
    redirect("a redirect to a private address", to: "http://10.0.0.1/in", form),
    redirect("a redirect to a name with a private address", to: login, form, isPublic: false),
    content("a page of a network") { _, _ in gate },
    content("its own text", isToldAlone: false) { _, _ in
      "<h1>Hello guest</h1><p>Breakfast is served from seven. Ask at the desk for everything else."
    },
    content("a text with a time, a session id and the URL", isToldAlone: false) { url, number in
      "<h1>Hello guest</h1><p>Your data plan has ended at 10:0\(number). Session"
        + " a\(number)f03bc7\(number)9d, requested \(url), device 00:1b:\(number)\(number).</p>"
    },
    content("a refresh to its sign-in page", isToldAlone: false) { url, _ in
      "<meta http-equiv=refresh content='0; url=\(login)?to=\(url)'>"
    },
    content("a frameset", isToldAlone: false) { _, _ in
      "<frameset rows='*'><frame src='\(login)'></frameset>"
    },
    content("a form that submits itself", isToldAlone: false) { url, _ in
      "<body onload='document.forms[0].submit()'><form method=post action='\(login)'>"
        + "<input type=hidden name=to value='\(url)'></form>"
    },
    content("JSON", type: "application/json", isToldAlone: false) { _, _ in
      #"{"message": "guests have to register at the reception desk before they can go on"}"#
    },
    content("plain text", type: "text/plain", isToldAlone: false) { _, _ in
      "Guests have to register at the reception desk before they can go on from here."
    },
    content("a PDF", type: "application/pdf", isToldAlone: false) { _, _ in
      "%PDF-1.4 " + String(repeating: "terms of use ", count: 80)
    },
    content("an image", type: "image/png", isToldAlone: false) { _, _ in
      String(repeating: "image", count: 200)
    },
    content("XML with a gateway's mark", type: "text/xml") { _, _ in
      "<WISPAccessGatewayParam><Redirect><LoginURL>\(login)</LoginURL></Redirect>"
        + "</WISPAccessGatewayParam>"
    },
    PortalKind("status 511") { network, url, _ in network.add(url, form, status: 511) },
  ]
}

/// Sets of pages that resemble the responses of a captive portal but are legitimate.
struct HonestSet: CustomTestStringConvertible, Sendable {
  struct Page: Sendable {
    var url: String
    var body = ""
    var type = "text/html"
    /// The URL that redirects lead to, which has the body.
    var target: String?
  }

  let testDescription: String
  let pages: [Page]

  private static func set(_ name: String, _ pages: [(String, String)]) -> HonestSet {
    HonestSet(testDescription: name, pages: pages.map { Page(url: $0.0, body: $0.1) })
  }

  private static let article =
    "<h1>Tides</h1>" + String(repeating: "<p>Of granite, storms and pilots at sea.</p>", count: 90)

  static let all: [HonestSet] = [
    set(
      "three weather stations of one make",
      (1...3).map {
        ("http://192.168.1.\($0)/", "<h1>Station</h1><p>Temperature, wind and rain: 1\($0).5 °C")
      }),
    set(
      "equal pages of devices of one make",
      (1...3).map {
        ("http://10.0.0.\($0)/status", "<h1>Sensor</h1><p>Everything works as it should")
      }),
    set(
      "six short pages with the same words",
      [
        "ferries leave before pilots", "pilots leave before ferries", "before pilots ferries leave",
        "leave ferries before pilots", "before ferries leave pilots", "pilots before ferries leave",
      ].enumerated().map {
        (
          "http://site\($0.offset).example/page",
          "<p>Today all \($0.element) at sea, as the harbour office says"
        )
      }),
    set(
      "sign-in pages of unrelated sites",
      ["harbour", "museum"].map {
        (
          "http://\($0).example/login",
          "<h1>The \($0)</h1><form><p>Members of the \($0) sign in</p><input type=password>"
        )
      }),
    HonestSet(
      testDescription: "short links to one article",
      pages: ["a", "b"].map {
        Page(url: "http://short\($0).example/x", body: article, target: "http://c.example/tides")
      }),
    HonestSet(
      testDescription: "a sign-on of one company",
      pages: ["wiki", "mail"].map {
        Page(
          url: "http://\($0).corp.example/a", body: PortalKind.form,
          target: "http://login.sso.example/")
      }),
    HonestSet(
      testDescription: "one document of unrelated sites",
      pages: (1...3).map {
        Page(
          url: "http://lib\($0).example/\($0)/x.pdf", body: "%PDF-1.4 paper",
          type: "application/pdf")
      }),
    HonestSet(
      testDescription: "one image of unrelated sites",
      pages: (1...3).map {
        Page(url: "http://img\($0).example/\($0)/x.png", body: "pixel", type: "image/png")
      }),
    HonestSet(
      testDescription: "documents and data of their kinds",
      pages: [
        Page(url: "http://a.example/x.json", body: #"{"tide": "high"}"#, type: "application/json"),
        Page(url: "http://b.example/x.txt", body: "Ferries leave at nine.", type: "text/plain"),
        Page(url: "http://c.example/x.xml", body: "<tides/>", type: "text/plain"),
      ]),
    set(
      "a mirror",
      ["a", "b"].map {
        ("http://\($0).example/x", "<p>The mirrored text of one and the same page.")
      }),
    set(
      "the same page encrypted",
      ["a", "b", "c"].map { ("https://\($0).example/\($0)", "<p>We are open again on Monday.") }),
    set(
      "long pages with a network in them",
      (1...2).map {
        ("http://hotel\($0).example/", article + "<p>\($0) Wi-Fi</p><form><button>Book</button>")
      }),
  ]
}
