/// Topics that the words of a page indicate. They distinguish error pages, sign-in forms, consent
/// walls and captive portals from articles.
struct PageTopics: OptionSet {
  let rawValue: UInt32

  /// Errors and robot checks.
  static let failure = PageTopics(rawValue: 1 << 0)
  /// Signing in.
  static let signIn = PageTopics(rawValue: 1 << 1)
  /// Networks that ask for input before they grant access.
  static let network = PageTopics(rawValue: 1 << 2)
  /// Consent or cookies.
  static let consent = PageTopics(rawValue: 1 << 3)
  /// Cookies and the laws about them.
  static let cookies = PageTopics(rawValue: 1 << 4)
  /// Internet access.
  static let internet = PageTopics(rawValue: 1 << 5)
  /// Terms of use.
  static let terms = PageTopics(rawValue: 1 << 6)
  /// Labels of buttons that grant access to a network.
  static let entry = PageTopics(rawValue: 1 << 7)
  /// Robot checks and default pages of servers, recognized by phrases that are unlikely in the
  /// title of an article.
  static let check = PageTopics(rawValue: 1 << 8)
  /// Texts that only subscribers can read in full.
  static let subscription = PageTopics(rawValue: 1 << 9)
  /// Messages of servers, recognized by phrases that also occur in headlines.
  static let message = PageTopics(rawValue: 1 << 10)

  /// Phrases about the domain of the page itself, such as "this domain".
  static let thisDomain = PageTopics(rawValue: 1 << 11)
  /// Domain names.
  static let domain = PageTopics(rawValue: 1 << 12)
  /// The sale, expiry and parking of domains.
  static let sale = PageTopics(rawValue: 1 << 13)
  /// The data volume, time or credit of the user in a network.
  static let allowance = PageTopics(rawValue: 1 << 14)
  /// Exceeded limits.
  static let spent = PageTopics(rawValue: 1 << 15)
  /// Barriers that keep a visitor from a page: age checks, blocks, queues, removed pages, closed
  /// sites, sites out of service, demands on the browser.
  static let barrier = PageTopics(rawValue: 1 << 16)
  /// Labels of links or buttons that agree to cookies and lead to the page.
  static let agreement = PageTopics(rawValue: 1 << 17)
  /// Barriers, recognized by phrases that also occur in short news and in instructions. A page is a
  /// barrier only if it has practically no other text.
  static let shortBarrier = PageTopics(rawValue: 1 << 18)

  init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Finds the topics of a lowercase text.
  init(of text: [UInt8]) { self = Self.matcher.topics(of: [0x20] + text) }

  private static let matcher = PhraseMatcher([
    (.failure, failureTerms), (.signIn, signInTerms), (.network, networkTerms),
    (.consent, ConsentVocabulary.subjects), (.cookies, ["cookie", "gdpr", "dsgvo"]),
    (.internet, internetTerms), (.terms, termsOfUseTerms), (.entry, entryTerms),
    ([.failure, .check, .barrier], checkTerms), (.subscription, subscriptionTerms),
    (.message, messageTerms), (.thisDomain, thisDomainTerms), (.domain, domainTerms),
    (.sale, saleTerms), ([.thisDomain, .domain, .sale], parkingTerms),
    (.allowance, allowanceTerms), (.spent, spentTerms), (.barrier, ageTerms),
    (.barrier, regionTerms), (.barrier, refusalTerms), (.barrier, absenceTerms),
    (.barrier, crashTerms), (.barrier, connectionTerms), (.barrier, closureTerms),
    (.barrier, retryTerms), (.barrier, browserTerms), (.barrier, defaultPageTerms),
    (.agreement, agreementTerms), (.shortBarrier, shortBarrierTerms),
  ])

  private static let signInTerms = [
    "sign in", "sign-in", "signin", "log in", "log-in", "login", "log on", "password", "anmelden",
    "einloggen", "passwort", "connexion", "se connecter", "mot de passe", "iniciar sesi", "accedi",
    "inloggen", "logga in", "zaloguj", "войти", "登录", "ログイン", "로그인",
  ]
  private static let networkTerms = [
    "wifi", "wi-fi", "wlan", "hotspot", "captive portal", "internet access", "access code",
    "voucher", "room number", "internetzugang", "zimmernummer", "accès internet",
    "acceso a internet", "accesso a internet", "インターネット接続", "部屋番号", "无线网络", "와이파이",
  ]
  /// Words that indicate a captive portal only in combination with terms of use.
  private static let internetTerms = ["internet", "インターネット", "интернет", "上网", "인터넷"]
  private static let termsOfUseTerms = [
    "terms", "conditions", "nutzungsbedingungen", "agb", "condiciones", "términos", "condizioni",
    "termos", "voorwaarden", "villkor", "regulamin", "услови", "利用規約", "条款", "약관",
  ]
  /// Labels of the button that grants access to a network.
  private static let entryTerms = [
    "connect", "accept", "agree", "get online", "go online", "verbind", "akzeptier", "zustimm",
    "einverstanden", "conectar", "aceptar", "acepto", "aceitar", "accett", "connett", "akkoord",
    "anslut", "akcept", "połącz", "подключ", "принима", "bağlan", "kabul", "同意", "接続", "连接",
    "連接", "연결", "동의",
  ]
  /// Messages of servers. The leading space keeps " error" from matching within a word such as
  /// "terrorism".
  private static let failureTerms = [
    "404", "403", "not found", "no longer available", "forbidden", "access denied", " error",
    "unavailable", "maintenance", "bad gateway", "too many requests", "just a moment",
    "attention required", "are you human", "captcha", "nicht gefunden", "fehler", "wartung",
    "zugriff verweigert", "introuvable", " erreur", "'erreur",
    "accès refusé", "no encontrad", "mantenimiento", "acceso denegado", "non trovat", "'errore",
    "manutenzione", "não encontrad", "manutenção", "niet gevonden", "onderhoud", "hittades inte",
    "ikke fundet", "nie znaleziono", "nenalezen", "не найден", "ошибка", "bulunamadı",
    "見つかりません", "找不到", "찾을 수 없", "sivua ei löydy", "sivua ei löytynyt", "oldal nem található",
    "pagina nu a fost găsit", "σελίδα δεν βρέθηκε", "торінку не знайден", "торінка не знайден",
    "الصفحة غير موجود", "العثور على الصفحة", "הדף לא נמצא", "העמוד לא נמצא", "صفحه یافت نشد",
    "पृष्ठ नहीं मिल", "ไม่พบหน้า", "không tìm thấy trang", "halaman tidak ditemukan", "页面不存在",
    "頁面不存在", "网页不存在", "文章不存在", "页面未找到", "未找到页面", "系统错误", "系統錯誤",
  ]
  private static let messageTerms = [
    "one moment, please", "please wait", "security check", "has been denied", "blocked",
    "account suspended", "been suspended", "been removed", "been deleted", "no such page",
    "something went wrong", "request unsuccessful", "could not connect", "could not be found",
    "cannot find", "does not exist", "session expired", "has expired", "browser is not supported",
    "unsupported browser", "under construction", "invalid url", "nicht mehr verfügbar",
    "existiert nicht", "n'existe p", "ei löydy", "ei löytynyt", "nem található", "nu a fost găsit",
    "δεν βρέθηκε", "не знайден", "шибка", "غير موجود", "لم يتم العثور", "לא נמצא", "یافت نشد",
    "không tìm thấy", "tidak ditemukan", "未找到",
  ]
  private static let subscriptionTerms = [
    "subscribe to continue", "subscribe to read", "subscribe to keep", "subscribers only",
    "subscriber only", "subscriber-only", "only for subscribers", "exclusive to subscribers",
    "to continue reading", "to keep reading", "already a subscriber", "für abonnenten",
    "weiterlesen mit", "weiterzulesen", "um weiter zu lesen",
    "réservé aux abonnés", "réservée aux abonnés", "pour lire la suite", "abonnez-vous pour",
    "para suscriptores", "suscríbete para", "para seguir leyendo", "riservato agli abbonati",
    "per continuare a leggere", "para assinantes", "para continuar lendo", "voor abonnees",
    "om verder te lezen", "för prenumeranter", "för att läsa vidare", "dla subskrybentów",
    "会員限定", "有料会員", "구독자 전용",
  ]
  private static let checkTerms = [
    "checking your browser", "verifying your browser", "verifying you are", "verify you are",
    "verify that you are", "are you a robot", "not a robot", "not a bot", "robot check",
    "robot or human", "confirm you are human", "confirm that you are human",
    "confirm that you're human", "не робот", "não é um robô", "non sei un robot", "geen robot bent",
    "human verification", "pardon our interruption", "access to this page has been denied",
    "ddos-guard", "just a moment...", "attention required!", "kein bot", "kein roboter",
    "pas un robot", "no eres un bot", "no eres un robot", "welcome to nginx",
    "default page: it works", "iis windows server", "nie jesteś robotem", "ロボットではないこと",
    "로봇이 아님", "로봇이 아닙", "robot olmadığ",
  ]

  // MARK: Notices

  private static let thisDomainTerms = [
    "this domain", "this website is for sale", "diese domain", "dieser domain",
    "diese website steht zum verkauf", "ce domaine", "ce nom de domaine", "este dominio",
    "questo dominio", "este domínio", "esse domínio", "dit domein", "deze domein", "denna domän",
    "ta domena", "tę domenę", "тот домен", "このドメイン", "该域名", "此域名", "이 도메인",
  ]
  private static let domainTerms = [
    "domain", "dominio", "domínio", "domein", "domän", "domena", "domenę", "омен", "域名", "ドメイン",
    "도메인",
  ]
  private static let saleTerms = [
    "for sale", "buy this", "purchase this", "own this", "acquire this", "get this domain",
    "make an offer", "inquire", "expired", "parked", "registered", "zum verkauf", "zu verkaufen",
    "kaufen", "geparkt", "abgelaufen", "registriert", "à vendre", "acheter", "expiré", "venta",
    "comprar", "expirado", "caducado", "vendita", "acquist", "scadut", "à venda", "expirou",
    "koop", "kopen", "verlopen", "geparkeerd", "till salu", "sprzeda", "wygas", "прода", "купить",
    "販売", "購入", "出售", "转让", "购买", "판매", "구매",
  ]
  /// Phrases of the services on which domains are parked.
  private static let parkingTerms = [
    "page is parked", "parked for free", "parked free", "generated by the domain owner",
    "nor the domain owner", "domain is parked", "domain has been parked",
  ]
  private static let allowanceTerms = [
    "your data", "your quota", "your volume", "your traffic", "your bandwidth", "your allowance",
    "your credit", "your free", "your internet", "your package", "your access", "your time",
    "your daily", "your monthly", "data volume", "data allowance", "data limit", "datenvolumen",
    "surfvolumen", "ihr guthaben", "dein guthaben", "kontingent", "votre forfait", "votre volume",
    "votre crédit", "volume de données", "sus datos", "tus datos", "su saldo", "tu saldo",
    "tuo traffico", "tuoi dati", "tuo credito", "seus dados", "sua franquia", "seu pacote",
    "databundel", "datategoed", "pakiet danych", "limit danych", "трафик", "流量", "データ通信量",
    "데이터",
  ]
  private static let spentTerms = [
    "used up", "exceeded", "exhausted", "expired", "run out", "limit reached", "been reached",
    "has ended", "have ended", "over quota", "no data left", "aufgebraucht", "verbraucht",
    "überschritten", "abgelaufen", "erschöpft", "épuisé", "dépassé", "expiré", "agotad", "excedid",
    "esaurit", "superat", "scadut", "esgotad", "opgebruikt", "verbruikt", "verlopen",
    "wyczerpan", "przekroczon", "исчерпан", "用完", "用尽", "上限", "소진",
  ]

  // MARK: Barriers

  /// Phrases that address the visitor of the page, because they are searched for in the whole text
  /// of short pages, not only in titles.
  private static let ageTerms = [
    "must be 18", "must be at least 18", "must be over 18", "must be at least 21", "are you 18",
    "are you over 18", "are you over 21", "18 years or older", "18 years of age or older",
    "birth date to continue", "date of birth to continue", "of legal drinking age",
    "verify your age", "confirm your age", "age verification",
    "plus de 18 ans", "über 18 jahre", "mindestens 18 jahre", "18 jahre oder älter",
    "mayor de 18 años", "mayor de edad", "más de 18 años", "maggiorenne", "18 jaar of ouder",
    "ouder dan 18", "mais de 18 anos", "maior de 18 anos", "ukończone 18", "старше 18",
    "исполнилось 18", "18歳以上", "18세 이상", "年满18",
  ]
  private static let regionTerms = [
    "not available in your", "unavailable in your", "unavailable for legal reasons",
    "unavailable due to legal reasons", "accessible from your country", "from a country belonging",
    "едоступен в вашей стране", "едоступно в вашей стране", "едоступна в вашей стране",
    "cannot grant you access", "access cannot be granted", "in ihrem land nicht",
    "in deinem land nicht", "nicht in ihrem land", "nicht in deinem land",
    "pas disponible dans votre", "no está disponible en tu", "no está disponible en su",
    "non è disponibile nel tuo", "não está disponível no seu", "não está disponível na sua",
    "niet beschikbaar in uw", "niet beschikbaar in jouw", "недоступно в вашем",
    "недоступен в вашем", "お住まいの地域", "您所在的地区",
  ]
  private static let refusalTerms = [
    "you have been blocked", "you've been blocked", "your request has been blocked",
    "your request was blocked", "not authorised to view", "not authorized to view",
    "permission to view this", "content is for members only", "page is for members only",
    "mail to continue reading", "email address to continue", "problem providing the content",
    "taking too long to load",
    "requested url was rejected", "your access to this site has been limited",
    "complete the security check", "请完成以下验证", "请完成验证", "аш ip-адрес заблокирован",
    "記事は有料会員限定", "your ip address has been", "your ip has been", "unusual traffic from your",
    "you are now in line", "you are in line", "you are in the queue", "you are now in the queue",
    "your place in line", "your place in the queue", "sie befinden sich in der warteschlange",
    "dans la file d'attente", "disable your ad", "turn off your ad", "using an ad blocker",
    "using an adblock", "ihren werbeblocker", "deinen werbeblocker", "ihren adblocker",
    "deinen adblocker", "votre bloqueur", "tu bloqueador", "su bloqueador", "seu bloqueador",
    "open this page in our app", "open this page in the app", "open this link in the app",
    "account is private", "profile is private", "blog is private", "last free article",
    "your free articles", "out of free articles",
  ]
  private static let absenceTerms = [
    "page you requested", "page you are looking for", "page you were looking for",
    "content you are looking for", "nothing was found at", "at this address has been removed",
    "page has been removed", "page has been deleted", "content has been removed",
    "not exist at this address", "not currently exist at this address",
    "this account is under investigation", "has not archived that url",
    "website is under construction", "site is under construction", "page is under construction",
    "site is being upgraded", "site is being updated", "site will be available again",
    "will be back soon", "will be back shortly", "website is coming soon",
    "site is experiencing technical difficulties", "bandwidth limit exceeded",
    "едутся технические работы", "роводятся технические работы",
    "die gesuchte seite", "die von ihnen gesuchte", "seite befindet sich im aufbau",
    "page que vous cherchez", "page que vous recherchez", "la page demandée",
    "site en construction", "página que busca", "página solicitada", "sitio en construcción",
    "pagina che cerchi", "pagina richiesta", "sito in costruzione", "página que procura",
    "pagina die u zoekt", "opgevraagde pagina", "запрашиваемая страница",
  ]
  /// Messages of programs that end with an error.
  private static let crashTerms = [
    "fatal error: uncaught", "fatal error : uncaught", "uncaught exception",
    "call to undefined function", "error: allowed memory size of", "error : allowed memory size of",
    "error: maximum execution time", "error : maximum execution time", "you have debug = true",
    "parse error: syntax error", "traceback (most recent call last)", "unhandled exception",
    ".php on line", "java.lang.null", "java.lang.illegal", "java.lang.runtimeexception",
    "java.lang.noclassdef", "java.lang.outofmemory", "javax.servlet.servletexception", ".cs:line ",
    "/node_modules/express/", "nomethoderror in ", "disallowedhost at ", "sqlstate[", "][odbc ",
    " error '800", "<%@ page",
  ]
  /// Messages of routers, filters and providers about the connection of the visitor.
  private static let connectionTerms = [
    "no internet connection", "not connected to the internet", "no connection to the internet",
    "requested url cannot be provided", "page you have requested", "permission to visit this site",
    "this site is blocked", "this website is blocked", "this page is blocked",
    "website has been blocked", "site has been blocked", "blocked by your", "category is blocked",
    "this web page is blocked", "this domain is blocked", "trying to visit has been blocked",
    "your internet usage policy",
    "keine internetverbindung", "keine verbindung zum internet", "seite wurde gesperrt",
    "seite ist gesperrt", "wan port is unplugged", "wan port is disconnected",
    "pas de connexion internet", "aucune connexion internet",
    "ce site est bloqué", "sin conexión a internet", "sitio está bloqueado",
    "nessuna connessione internet", "sito è bloccato", "sem conexão com a internet",
    "geen internetverbinding", "site is geblokkeerd", "brak połączenia z internetem",
    "нет подключения к интернету", "оступ к сайту ограничен", "оступ к ресурсу ограничен",
    "оступ к запрашиваемому ресурсу", "оступ к запрашиваемому сайту",
    "インターネットに接続されていません",
  ]
  /// Statements of sites that they have been given up.
  private static let closureTerms = [
    "this blog has closed", "this blog is closed", "this blog has been closed",
    "this blog has been discontinued", "this site has closed", "this site is closed",
    "this site has been closed", "this site has shut down", "this site has been shut down",
    "this website has closed", "this website is closed", "this website has been shut down",
    "this website has been discontinued", "this service has been shut down",
    "this service has been discontinued", "this forum is closed", "this forum has been closed",
    "diese website wurde eingestellt", "diese seite wurde eingestellt",
    "dieses blog wurde eingestellt", "dieser blog wurde eingestellt",
    "dieser dienst wurde eingestellt", "ce site est fermé", "ce blog est fermé",
    "ce site a fermé", "ce blog a fermé", "este sitio ha cerrado", "este blog ha cerrado",
    "questo sito è chiuso", "questo blog è chiuso", "este site foi encerrado",
    "este blog foi encerrado", "deze website is gestopt", "ta strona została zamknięta",
    "этот сайт закрыт", "このブログは終了", "サービスは終了しました", "本站已关闭",
  ]
  /// Requests to come back later, of sites that are overloaded or out of service. Capital letters
  /// that are not in ASCII are left out.
  private static let retryTerms = [
    "try again later", "try again in a ", "try again soon", "try refreshing", "give it another",
    "check back soon", "check back later", "check back in a ", "wait a few minutes",
    "site is currently unavailable", "page is currently unavailable",
    "site is temporarily unavailable", "page is temporarily unavailable", "temporarily offline",
    "shop is currently unavailable", "board is currently unavailable", "requests this quickly",
    "encountered an unexpected", "exception has occurred", "something went wrong, but don",
    "something went wrong. try",
    "später erneut", "später noch einmal", "vorübergehend nicht erreichbar",
    "derzeit nicht erreichbar", "derzeit leider nicht erreichbar", "réessayer ultérieurement",
    "réessayer plus tard", "réessayez plus tard", "revenir plus tard",
    "momentanément indisponible", "temporairement indisponible", "de nuevo más tarde",
    "inténtelo más tarde", "no está disponible temporalmente", "temporalmente fuera de servicio",
    "riprova più tardi", "riprovare più tardi", "temporaneamente non disponibile",
    "novamente mais tarde", "temporariamente indispon", "probeer het later",
    "tijdelijk niet bereikbaar", "tijdelijk niet beschikbaar", "försök igen", "prøv igen senere",
    "prøv igjen senere", "tillfälligt otillgänglig", "yritä myöhemmin", "yritä uudelleen",
    "spróbuj ponownie", "chwilowo niedostępn", "tymczasowo niedostępn", "zkuste to později",
    "zkuste to prosím později", "dočasně nedostupn", "próbálja újra", "próbálja meg később",
    "опробуйте позже", "опробуйте зайти позже", "овторите попытку", "айдите позже",
    "ременно недоступ", "пробуйте пізніше", "имчасово недоступ", "daha sonra tekrar",
    "οκιμάστε ξανά", "しばらくしてから", "しばらく経って", "メンテナンス中", "稍后再试", "稍候再试",
    "稍後再試", "稍后访问", "网站正在维护", "网站维护中", "系统维护中", "잠시 후 다시", "점검 중",
    "thử lại sau", "coba lagi nanti",
  ]
  /// Demands on the browser of the visitor.
  private static let browserTerms = [
    "enable javascript", "javascript is disabled", "javascript is not available",
    "requires javascript", "enable cookies", "cookies are disabled", "outdated browser",
    "browser is out of date", "aktivieren sie cookies", "obsługę javascript",
    "자바스크립트를 활성화", "upgrade your browser", "update your browser", "use a supported browser",
    "switch to a supported browser", "javascript ist deaktiviert", "aktivieren sie javascript",
    "aktiviere javascript", "activer javascript", "activez javascript", "active javascript",
    "activar javascript", "habilitar javascript", "habilite javascript", "abilita javascript",
    "abilitare javascript", "ativar o javascript", "ative o javascript", "schakel javascript in",
    "włącz javascript", "ключите javascript", "javascriptを有効", "启用javascript", "启用 javascript",
  ]
  /// Texts of servers and hosting services where no site has been set up.
  private static let defaultPageTerms = [
    "generated by plesk", "proper operation of the http server", "upload your website files",
    "owner of this website, please contact your hosting provider",
    "connected to a website yet", "this account has expired", "launching soon", "when we launch",
    "plain http request was sent to https port", "five-minute wordpress installation process",
    "we have to update your database", "hier entsteht eine neue internet",
    "hier entsteht eine neue web", "hier entsteht eine neue homepage", "омен не привязан",
  ]
  private static let shortBarrierTerms = [
    "must be a registered member", "must be logged in to view", "must be logged in to see",
    "must be logged in to read", "must be logged in to access", "an, um diese seite",
    "an, um diesen inhalt", "an, um diesen artikel", "an, um fortzufahren", "an, um weiterzulesen",
    "devez vous connecter pour voir", "devez vous connecter pour lire",
    "devez vous connecter pour acc", "devez être connecté pour voir",
    "devez être connecté pour lire", "devez être connecté pour acc", "iniciar sesión para ver",
    "iniciar sesión para leer", "iniciar sesión para acceder", "iniciar sesión para continuar",
    "ist nur für abonnenten", "dostępny tylko dla prenumeratorów",
    "dostępny tylko dla subskrybentów", "доступен только подписчикам",
    "доступна только подписчикам", "доступен только для подписчиков",
    "доступна только для подписчиков", "är bara för prenumeranter", "är endast för prenumeranter",
    "gerichtlichen anordnung gesperrt", "gerichtlicher anordnung gesperrt",
    "blocked by a court order", "blocked by order of", "ist nicht mehr verfügbar",
    "ya no está disponible", "non è più disponibile", "não está mais disponível",
    "nie jest już dostępn", "роизошла ошибка", "エラーが発生しました", "アクセスが拒否され", "发生错误",
    "發生錯誤", "正在维护", "正在維護", "人机验证", "we'll be back", "we’ll be back",
    "we will be back", "be right back", "we are performing maintenance",
    "performing scheduled maintenance", "undergoing maintenance",
    "undergoing scheduled maintenance", "rate limit exceeded", "gateway time-out",
    "gateway timeout", "you are offline", "you're offline", "you’re offline",
    "site has been suspended", "redirected you too many times",
  ]
  private static let agreementTerms = [
    "agree and continue", "agree & continue", "accept and continue", "accept & continue",
    "accept and close", "accepter et continuer", "accepter et fermer", "akzeptieren und weiter",
    "zustimmen und weiter", "aceptar y continuar", "accetta e continua", "aceitar e continuar",
    "accepteren en doorgaan",
  ]
}
