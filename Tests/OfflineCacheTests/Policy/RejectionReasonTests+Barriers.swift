import Testing

@testable import OfflineCache

/// Short pages that keep a visitor from the page: age checks, blocks, queues, removed pages.
extension RejectionReasonTests {
  private static let site = "https://site.example.org/page"

  private static func named(_ name: String, _ text: String) -> String {
    "<!DOCTYPE html><html><head><title>\(name)</title></head><body><h1>\(name)</h1>\(text)"
      + "</body></html>"
  }

  private static let barrierTexts: [(name: String, text: String)] = [
    (
      "Welcome",
      "<p>Are you over 18? You must be 18 or older to see these pages.</p>"
        + "<form><button>Yes</button><button>No</button></form>"
    ),
    ("Avertissement", "<p>Avez-vous plus de 18 ans ?</p><a href=/o>Oui</a> <a href=/n>Non</a>"),
    (
      "Not here",
      "<p>We see that your connection comes from a country belonging to the European Economic "
        + "Area, and therefore cannot grant you access at this time. Write to the office.</p>"
    ),
    ("Sorry", "<p>This programme is not available in your country.</p>"),
    ("Sorry, stop", "<p>You have been blocked. The owner of the site uses a security service.</p>"),
    (
      "Busy",
      "<p>You are now in line. Thank you for your patience, do not close this window; the shop "
        + "opens by itself when it is your turn, in about seven minutes.</p>"
    ),
    ("Please", "<p>It seems that you are using an ad blocker. Switch it off and reload.</p>"),
    ("Oops!", "<p>It looks like nothing was found at this location. Try the search instead.</p>"),
    ("Weblog", "<p>Sorry, the blog at this address has been removed. The name is not free.</p>"),
    ("Bientôt", "<p>Notre site en construction ouvrira ses portes au printemps prochain.</p>"),
    ("Vérification", "<p>Veuillez confirmer que vous n’êtes pas un robot pour continuer.</p>"),
    ("Router", "<p>No internet connection. Check the cable, or ask the provider.</p>"),
    ("Web guard", "<p>The requested URL cannot be provided. Reason: the object is infected.</p>"),
    ("Provider", "<p>Diese Seite ist gesperrt. Fragen beantwortet unsere Hotline.</p>"),
    ("Goodbye", "<p>After twelve years this blog has closed. Thank you for reading.</p>"),
    ("Das Ende", "<p>Diese Website wurde eingestellt. Wir danken allen, die hier waren.</p>"),
    ("Subscribe to continue", "<p>This was the fourth text that you have read this month.</p>"),
    ("", "Fatal error: Uncaught Error: no such table in db.php:3 Stack trace: #0 main thrown"),
    ("", "<br /><b>Fatal error</b>:  Uncaught Error: no such table in db.php:3 Stack trace: #0"),
    ("", "<br /><b>Fatal error</b>:  Allowed memory size of 1048576 bytes exhausted in db.php"),
    ("", "<b>Warning</b>: mysqli_connect(): refused in <b>/srv/x.php</b> on line <b>3</b>"),
    ("", "<pre>java.lang.NullPointerException at harbour.Tides.show(Tides.java:12)</pre>"),
    ("", "<p>SQLSTATE[HY000] [1040] The port office has no further line to its data.</p>"),
    ("", "<pre>TypeError: no tide at show (/srv/node_modules/express/lib/router.js:9:5)</pre>"),
    ("", "<h1>NoMethodError in Tides#show</h1><pre>undefined method `tide' for nil</pre>"),
    ("", "Microsoft OLE DB Provider for SQL Server error '80004005' at the port office"),
    ("Nothing", "<p>The harbour that you seek does not currently exist at this address.</p>"),
    ("Port", "<p>Something went wrong, but don’t worry, the port office is informed.</p>"),
    ("Port", "<p>This account is under investigation. Please write to the port office.</p>"),
    ("港口", "<p>港口网站正在维护，请明天再来。</p>"),
    ("Age gate", "<p>Enter your birth date to continue.</p><form><input name=d></form>"),
    ("Harbour", "<p>This content is for members only. Ask the office for a card.</p>"),
    ("Archive", "<p>The archive of the web has not archived that URL.</p>"),
    ("Gesperrt", "<p>Diese Website ist aufgrund einer gerichtlichen Anordnung gesperrt.</p>"),
    ("Порт", "<p>Доступ к запрашиваемому ресурсу ограничен по решению суда.</p>"),
    ("Router", "<p>Please check the cable. The WAN port is unplugged.</p>"),
    ("Weblog", "<p>Before we send you on your way, we have to update your database.</p>"),
    ("Port", "<p>Bitte melden Sie sich an, um diese Seite zu sehen.</p><a href=/l>Anmelden</a>"),
    ("Port", "<p>Vous devez vous connecter pour voir les marées.</p>"),
    ("Forum", "<p>You must be a registered member to see the berths.</p>"),
    ("Artikel", "<p>Dieser Text ist nicht mehr verfügbar.</p>"),
    ("Puerto", "<p>Este texto ya no está disponible.</p>"),
    ("Порт", "<p>Произошла ошибка. Обновите страницу.</p>"),
    ("港", "<p>エラーが発生しました。</p>"),
    ("港口", "<p>请完成以下验证，然后继续。</p>"),
    ("Sivua ei löydy", "<p>Valitettavasti.</p>"), ("Az oldal nem található", "<p>Sajnáljuk.</p>"),
    ("Η σελίδα δεν βρέθηκε", "<p>Λυπούμαστε.</p>"), ("Сторінку не знайдено", "<p>На жаль.</p>"),
    ("الصفحة غير موجودة", "<p>عذرا.</p>"), ("הדף לא נמצא", "<p>מצטערים.</p>"),
    ("صفحه یافت نشد", "<p>متاسفانه.</p>"), ("पृष्ठ नहीं मिला", "<p>क्षमा करें।</p>"),
    ("ไม่พบหน้า", "<p>ขออภัย</p>"), ("Không tìm thấy trang", "<p>Xin lỗi.</p>"),
    ("Halaman tidak ditemukan", "<p>Maaf.</p>"), ("页面不存在", "<p>抱歉。</p>"),
    ("Ошибка", "<p>Обновите страницу.</p>"), ("系统错误", "<p>请联系管理员。</p>"),
    ("Port", "<p>Potwierdź, że nie jesteś robotem.</p>"),
    ("港", "<p>ロボットではないことを確認してください。</p>"), ("항구", "<p>로봇이 아님을 확인해 주세요.</p>"),
    ("Liman", "<p>Robot olmadığınızı doğrulayın.</p>"), ("港", "<p>アクセスが拒否されました。</p>"),
    ("Порт", "<p>Ваш IP-адрес заблокирован.</p>"),
    ("Порт", "<p>Текст доступен только подписчикам.</p>"),
    ("Hafen", "<p>Dieser Text ist nur für Abonnenten.</p>"), ("港", "<p>この記事は有料会員限定です。</p>"),
    ("Hamn", "<p>Den här texten är bara för prenumeranter.</p>"),
    ("Порт", "<p>Этот текст недоступен в вашей стране.</p>"),
    ("Port", "<p>Your browser is out of date. Ask the office.</p>"),
    ("Hafen", "<p>Hier entsteht eine neue Internetpräsenz.</p>"),
    (
      "Request Rejected",
      "The requested URL was rejected. Please ask the administrator.<br><br>Your support ID is: "
        + "4400112233445566778<br><br><a href='javascript:history.back();'>[Go back]</a>"
    ),
    ("Shop", "<p>Hold the button to confirm that you're human. Thank you!</p>"),
    ("Attention", "<p>Please complete the security check to access the harbour office.</p>"),
    ("Проверка", "<p>Подтвердите, что вы не робот, и страница откроется.</p>"),
    ("Сайт порта", "<p>На сайте ведутся технические работы. Зайдите, пожалуйста, позже.</p>"),
    ("Port", "<p>Das Portal ist derzeit leider nicht erreichbar. Rufen Sie uns gerne an.</p>"),
    ("Port", "<p>Nous avons un souci technique. Merci de revenir plus tard, vers midi.</p>"),
    ("Port", "<p>Algo falló en nuestra oficina. Inténtelo de nuevo más tarde, por favor.</p>"),
    ("Порт", "<p>Попробуйте зайти позже, сейчас на сайте слишком много посетителей.</p>"),
    ("港", "<p>ただいま混み合っております。しばらくしてから、もう一度お越しください。</p>"),
    (
      "Harbour",
      "<p>We have noticed that JavaScript is disabled in this browser. The office hours, the tide "
        + "table and the list of berths are shown only by a script. Write to us if you need help."
    ),
    ("Forum of the port", "<p>You are not authorized to view this topic. Ask a moderator.</p>"),
    ("Host", "<p>This page was generated by Plesk. There is no site at this name yet.</p>"),
    ("We’ll be back", "<p>The harbour office is improving its pages at this moment.</p>"),
    ("Port", "<p>We are performing scheduled maintenance until noon.</p>"),
    ("Harbour", "<p>API rate limit exceeded for your address.</p>"),
    ("Gateway Time-out", "<p>The gateway of the port did not respond.</p>"),
    ("Reader", "<p>You are offline. Check the cable.</p>"),
    ("Harbour", "<p>This site has been suspended for a violation of the rules.</p>"),
    (
      "Guard",
      "<p>Access to the web page that you were trying to visit has been blocked in accordance with "
        + "the policy of the port. Write to the office if you believe that this is an error.</p>"
    ),
    ("Harbour wiki", "<p>Sorry! This site is experiencing technical difficulties. Wait a bit.</p>"),
  ]

  static let barriers = barrierTexts.map { name, text in
    Row("a barrier: \(name)", named(name, text), .errorPage) { $0.url = site }
  }

  @Test(arguments: barriers)
  func `a statement that the visitor cannot see the page does not replace it`(_ row: Row) {
    #expect(Self.judge(row) == row.expected)
  }

  static let noBarriers: [Row] = [
    Row(
      "short news with words of barriers",
      named(
        "Ferry ticket",
        "<p>Riders under 18 travel free. The app has been removed from the region's shops, and "
          + "the line at the counter is long. Blocked tickets are replaced.</p>"), nil),
    Row(
      "short news about a connection",
      named(
        "Cable repaired",
        "<p>The island had no connection for a day. The internet works again, and the site of the "
          + "port, which was blocked for visitors, can be reached.</p>"), nil),
    Row(
      "short news about the end of a site",
      named(
        "Ferry blog ends",
        "<p>The blog of the ferry line has closed after twelve years. Its texts move to the site of "
          + "the port, and the service for tickets will be shut down in May.</p>"), nil),
    Row(
      "a short page that one can comment on after signing in",
      named(
        "Quai",
        "<p>Vous devez vous connecter pour publier un commentaire.</p><p>You must be logged in to "
          + "post a comment.</p>"), nil),
    Row(
      "the name of a building site",
      named("Kita", "<p>Hier entsteht eine neue Kita mit hundert Plätzen am Hafen.</p>"), nil),
    Row(
      "a short text about a device",
      named("Router", "<p>The box has a gigabit WAN port and an ODBC driver on its disk.</p>"), nil),
    Row(
      "short news about a road, a film and an error",
      named(
        "Kurz",
        "<p>Die Brücke ist wegen gerichtlicher Anordnung gesperrt, und der Film ist nicht mehr "
          + "verfügbar. В расчётах произошла ошибка. Скидка доступна только для подписчиков.</p>"
      ), nil),
    Row(
      "short news about maintenance",
      named(
        "Bridge closed",
        "<p>The lift bridge is undergoing maintenance this week. “We will be back on Monday,” said "
          + "the keeper, who asks all boats to wait below the lock until then.</p>"), nil),
    Row(
      "short news about a blocked canal",
      named(
        "Canal closed",
        "<p>The canal has been blocked in accordance with an order of the port, whose web page is "
          + "blocked in some countries. Boats wait at the lock until Monday.</p>"), nil),
    Row(
      "short Arabic news about a search",
      named(
        "لم يتم العثور على ناجين",
        "<p>عادت قوارب الإنقاذ إلى الميناء مساء اليوم بعد بحث طويل في عرض البحر قرب المنارة القديمة.</p>"
      ), nil),
    Row(
      "a notice under the title of the article",
      Page.frame("The harbour", "<p>This page has been removed by its author in May.</p>"), nil),
    Row(
      "an article about age checks",
      named(
        "Age checks",
        "<p>Are you over 18? Every shop asks.</p>"
          + paragraphs("Clerks compare faces with photographs in passports", 12)), nil),
    Row("a first visit", named("Welcome", "<p>Are you over 18?</p>"), nil) { $0.copy = nil },
  ]

  @Test(arguments: noBarriers)
  func `articles about barriers, and short news, replace a page`(_ row: Row) {
    var row = row
    row.url = Self.site
    #expect(Self.judge(row) == nil)
  }

  static let agreements: [Row] = [
    Row(
      "links instead of buttons",
      named(
        "Choice",
        "<p>By choosing “I agree” you agree that we use cookies and similar techniques.</p>"
          + "<a href=/yes>Agree and continue</a> <a href=/plain>Plain text</a>"), .consentPage),
    Row(
      "privacy instead of cookies",
      named(
        "Settings",
        "<p>We value your privacy. Our partners store information on your device.</p>"
          + "<button>Accept</button><button>Manage</button>"), .consentPage),
    Row(
      "an article with a link that agrees",
      Page.article + "<p>We use cookies. <a href=/yes>Accept and close</a></p>", nil),
  ]

  @Test(arguments: agreements)
  func `a request for consent is recognized by its links, too`(_ row: Row) {
    var row = row
    row.url = Self.site
    #expect(Self.judge(row) == row.expected)
  }
}
