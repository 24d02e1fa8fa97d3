import Testing

@testable import OfflineCache

/// Pages without a saved copy.
extension RejectionReasonTests {
  /// Pages of captive portals, with descriptions.
  static let gates = [
    ("of a hotel", Page.hotel),
    (
      "with a password",
      "<h1>Welcome</h1><form action=http://in.test/><p>Please sign in to use the Wi-Fi</p>"
        + "<input type=password><input type=submit value=Login></form>"
    ),
    (
      "in German",
      "<h1>Willkommen</h1><p>Bitte akzeptieren Sie die Nutzungsbedingungen, um das Internet zu nutzen."
        + "<form><input type=checkbox> AGB akzeptieren <input type=submit value=Verbinden></form>"
    ),
    (
      "in Japanese",
      "<h1>ようこそ</h1><p>利用規約に同意してインターネットに接続する</p><form><button>同意する</button></form>"
    ),
    (
      "in French",
      "<p>Accès internet de l'hôtel</p><form><button><b>Se connecter</b></button></form>"
    ),
    (
      "in Spanish",
      "<p>Acepte las condiciones para usar internet<form><button>Aceptar</button></form>"
    ),
  ]

  static let firstVisits: [Row] =
    gates.flatMap { name, text in
      [
        Row("a network's page \(name)", text, .signInPage) { $0.copy = nil },
        Row("the same \(name) by https", text, nil) {
          $0.copy = nil
          $0.url = "https://site.example.org/page"
        },
        Row("the same \(name), a router's own", text, nil) {
          $0.copy = nil
          $0.url = "http://192.168.1.1/"
        },
        Row("the same \(name), with text", text + paragraphs("Every room has a view", 60), nil) {
          $0.copy = nil
        },
      ]
    } + [
      Row(
        "a café that has a network and a search",
        Page.frame(
          "Café", "<p>Coffee, cakes, free WiFi. We accept cards.<form><input><button>Find</button>"),
        nil
      ) { $0.copy = nil },
      Row(
        "a remark on cookies",
        Page.frame("WLAN", "<p>Short. We use cookies.<form><button>Accept</button></form>"), nil
      ) { $0.copy = nil },
      Row(
        "a site of many links",
        "<p>WiFi for all</p><form><button>Log in</button></form>"
          + String(repeating: "<a href=/x>x</a> ", count: 9), nil
      ) { $0.copy = nil },
      Row(
        "a sign-on that speaks of no network",
        "<h1>Internet banking</h1><form><input type=password><button>Log in</button></form>", nil
      ) { $0.copy = nil },
    ]

  @Test(arguments: firstVisits)
  func `a first-visit response is a page unless it is clearly from a captive portal`(_ row: Row) {
    #expect(Self.judge(row) == row.expected)
  }
}
