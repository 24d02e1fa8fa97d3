/// The names under which pages say what they are, and the words around it on the page itself.
enum MetadataVocabulary {
  // MARK: Names of `meta` elements, the surest first, as `MetaElements` writes them

  /// Titles.
  static let titles = [
    "dc:title", "dcterm:title", "citation_title", "og:title", "weibo:article:title",
    "weibo:webpage:title", "title", "twitter:title", "parsely-title", "sailthru.title",
  ]

  /// Those who wrote it.
  static let creators = [
    "dc:creator", "dcterm:creator", "dc:contributor.author", "citation_author",
    "citation_authors", "author", "parsely-author", "sailthru.author", "article:author_name",
    "article:author", "og:author", "book:author", "dc:contributor", "dcterm:contributor", "byl",
  ]

  /// When it was published.
  static let dates = [
    "article:published_time", "article:published", "og:published_time", "datepublished",
    "parsely-pub-date", "sailthru.date", "dcterm:issued", "dc:date.issued", "dc:issued",
    "dcterm:available", "citation_publication_date", "citation_online_date", "citation_date",
    "dc:date", "dcterm:date", "dc:date.created", "dcterm:created", "dc:created", "datecreated",
    "uploaddate", "date", "pubdate", "publishdate", "publish-date", "publish_date",
    "publication_date",
  ]

  /// When it was changed last, which is better than nothing.
  static let changes = [
    "article:modified_time", "og:updated_time", "datemodified", "dcterm:modified", "dc:modified",
    "dc:date.modified", "lastmod", "last-modified", "revised",
  ]

  /// The site.
  static let sites = [
    "og:site_name", "application-name", "apple-mobile-web-app-title", "citation_journal_title",
    "dc:publisher", "dcterm:publisher", "citation_publisher",
  ]

  /// The account of the author at a service, and that of the site, which is not the author's.
  static let account = "twitter:creator", siteAccount = "twitter:site"

  // MARK: Titles

  /// Titles that programs give to pages whose author gave none, in lower case.
  static let unsaid: Set<String> = [
    "untitled", "untitled document", "untitled page", "new page", "new document", "document",
    "page title", "title", "index", "home", "homepage", "default", "blank", "no title", "loading",
    "ohne titel", "unbenanntes dokument", "sans titre", "document sans titre", "sin título",
    "documento sin título", "senza titolo", "sem título", "无标题文档", "無題ドキュメント",
  ]

  /// Names of elements that show whose the site is.
  static let logos = WordMatcher([
    (1, "logo,brand,site-title,site-name,sitename,sitetitle,masthead")
  ])

  // MARK: Words on the page

  /// Before names, in lower case; the longer ones of those that begin alike stand first.
  static let beforeNames = [
    "written by", "posted by", "post by", "published by", "story by", "words by", "article by",
    "text by",
    "by", "geschrieben von", "veröffentlicht von", "von", "écrit par", "publié par", "par",
    "escrito por", "publicado por", "por", "scritto da", "pubblicato da", "di", "da", "door",
    "geschreven door", "skrevet af", "skrevet av", "av", "af", "przez", "autorzy:", "autor:",
    "autore:", "auteur:", "author:", "authors:", "автор:", "от", "作者：", "作者:", "文／", "文/",
    "著者：", "著者:", "글 ",
  ]

  /// What is no name though it stands where names do, in lower case.
  static let noNames: Set<String> = [
    "author", "authors", "about the author", "topic author", "about the authors", "byline",
    "written", "posted",
    "share", "follow", "autor", "auteur", "über den autor", "contributors", "contributor",
  ]

  /// Between names, in lower case.
  static let betweenNames: Set<String> = [
    "and", "und", "et", "y", "e", "en", "og", "och", "i", "&", "de", "der", "den", "van", "von",
    "la", "le", "du", "da", "di", "del", "dos", "bin", "al", "ter", "zu", "zum", "with",
  ]

  /// Before dates, in lower case; the longer ones of those that begin alike stand first.
  static let beforeDates = [
    "first published on", "first published", "published on", "published at", "published:",
    "published", "posted on", "posted:", "posted", "publication date:", "date:",
    "veröffentlicht am", "veröffentlicht:", "publié le", "publicado el", "publicado em",
    "pubblicato il", "gepubliceerd op", "publicerad", "publisert", "opublikowano",
    "опубликовано", "发布时间：", "发布时间:", "公開日：", "公開日:",
  ]

  /// Names of elements: 1 for when a text was published, 2 for when it was changed, 4 for what may be
  /// either.
  static let dateNames = WordMatcher([
    (1, "publish,pubdate,entry-date,post-date,posted-on,posted_on,article-date,postdate,issued"),
    (2, "updat,modif,revis"), (4, "date,time"),
  ])

  /// Months as they end what stands before a date, in lower case.
  static let months: Set<String> = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep",
    "sept", "oct", "nov", "dec", "januar", "februar", "märz", "mai", "juni", "juli", "oktober",
    "dezember", "janvier", "février", "mars", "avril", "juin", "juillet", "août", "septembre",
    "octobre", "novembre", "décembre", "enero", "febrero", "marzo", "abril", "mayo", "junio",
    "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
  ]

  /// Between names and a date, in lower case.
  static let beforeDay: Set<String> = [
    "on", "at", "am", "le", "el", "il", "op", "den", "updated", "published", "posted", "last",
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "mon", "tue",
    "tues", "wed", "thu", "thurs", "fri", "sat", "sun",
  ]
}
