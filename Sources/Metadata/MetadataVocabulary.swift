import DOM

/// The word tables used to find titles, names, dates and links to next pages.
///
/// Words that are matched against the names of elements, URLs and JSON members are ASCII in lower
/// case. In the word lists of `WordMatcher`, commas separate the entries, and a space in an entry
/// matches the boundary of a name.
enum MetadataVocabulary {
  // MARK: Element names

  /// The hints that `class` and `id` values give about the content of an element.
  static let nameHints: [(NameHints, StaticString)] = [
    (
      .unlikelyContent,
      """
      -ad-,ad-break,agegate,ai2html,banner,breadcrumbs,combx,comment,community,cover-wrap,disqus,\
      editsection,extra,footer,gdpr,header,legends,menu,navbox,no-print,noprint,pager,pagination,\
      paywall,popup,regwall,related,remark,replies,rss,shoutbox,sidebar,skip-link,skyscraper,social,\
      sponsor,supplemental,yom-remote
      """
    ),
    (.candidate, "and,article,body,column,content,main,mathjax,shadow"),
    (
      .positive,
      "article,blog,body,content,entry,h-entry,hentry,main,page,pagination,post,story,text"
    ),
    (
      .negative,
      """
      -ad-,hidden, hid ,banner,combx,comment,com-,contact,footer,gdpr,masthead,media,meta,outbrain,\
      promo,related,scroll,share,shoutbox,sidebar,skyscraper,sponsor,shopping,tags,widget
      """
    ),
    (.byline, "author,byline,dateline,p-author,writtenby"),
    (.notByline, "authori"),
    // Matches `share` and `sharedaddy` as whole words; `_` and `-` are word separators too.
    (
      .sharing,
      """
       share , share_, share-,_share ,_share_,_share-,-share ,-share_,-share-, sharedaddy ,\
       sharedaddy_, sharedaddy-,_sharedaddy,-sharedaddy
      """
    ),
  ]

  /// ARIA roles of elements around the content.
  static let unlikelyRoles: StaticString =
    "menu menubar complementary navigation alert alertdialog dialog"

  /// Class and id names of elements that show the name of the site.
  static let logoNames = WordMatcher(
    "logo,brand,site-title,site-name,sitename,sitetitle,masthead")

  /// Class and property names of dates: 1 for publication, 2 for modification, 4 for either, 8 for
  /// an event or a person.
  static let dateNames = WordMatcher([
    (1, "publish,pubdate,entry-date,post-date,posted-on,posted_on,article-date,postdate,issued"),
    (2, "updat,modif,revis"), (4, "date,time"),
    (
      8,
      """
       event,event-date,eventdate,event_date,event-time,event-start,event-end,startdate,enddate,\
      dtstart,dtend,deadline,expir,birthdate,bday,deathdate,foundingdate
      """
    ),
  ])

  // MARK: Titles, names and dates

  /// Placeholder titles that programs give to untitled pages, in lower case.
  static let placeholderTitles: Set<String> = [
    "untitled", "untitled document", "untitled page", "new page", "new document", "document",
    "page title", "title", "index", "home", "homepage", "default", "blank", "no title", "loading",
    "ohne titel", "unbenanntes dokument", "sans titre", "document sans titre", "sin título",
    "documento sin título", "senza titolo", "sem título", "无标题文档", "無題ドキュメント",
  ]

  /// Parts of page titles that programs for blogs put before the title of a text, as comparison
  /// keys.
  static let archiveTitles: Set<String> = [
    "blog archive", "blog archiv", "archives du blog", "archivo del blog",
  ]

  /// Parts of page titles that programs for forums put before the title of a thread, as comparison
  /// keys.
  static let threadTitles: Set<String> = [
    "view topic", "view thread", "thema anzeigen", "voir le sujet", "ver tema", "leggi argomento",
    "bekijk onderwerp", "zobacz temat", "exibir tópico", "ver tópico", "просмотр темы",
    "visa ämne", "vis emne", "näytä aihe", "zobrazit téma", "téma megtekintése",
  ]

  /// Phrases before names, in lower case; of phrases with a common prefix the longer one comes
  /// first.
  static let namePrefixes = [
    "written by", "posted by", "submitted by", "post by", "published by", "story by", "words by",
    "article by", "text by", "a guest post by", "guest post by", "interview by", "reported by",
    "reporting by", "contributed by", "essay by", "opinion by", "analysis by", "commentary by",
    "column by", "review by", "view all posts by", "about the author:",
    "by", "geschrieben von", "verfasst von", "veröffentlicht von", "ein gastbeitrag von",
    "gastbeitrag von",
    "ein kommentar von", "kommentar von", "eine analyse von", "analyse von", "ein interview von",
    "interview von", "eine kolumne von", "kolumne von", "ein essay von", "eine reportage von",
    "ein bericht von", "ein beitrag von", "von", "écrit par", "un texte de", "publié par",
    "rédigé par",
    "article rédigé par", "propos recueillis par", "par",
    "escrito por", "publicado por", "por", "scritto da", "pubblicato da", "a cura di", "di", "da",
    "door onze redacteur", "door", "geschreven door", "skrevet af", "skrevet av", "skriven av",
    "tekst av", "av", "af",
    "napisane przez", "przez", "napsala", "napsal", "scris de",
    "oleh", "guest author:", "guest writer:", "gastautor:", "gastautorin:", "撰稿：", "撰稿:",
    "作者 | ", "作者|", "作者｜",
    "autorzy:", "autorka:", "autor:", "autorin:", "autore:", "auteur:", "author:", "authors:",
    "автор:", "авторы:", "автор статьи:", "автор текста:", "от", "аутор:", "пише:", "piše:",
    "szerző:", "írta:", "kirjoittaja:", "författare:", "forfatter:", "skribent:", "συντάκτης:",
    "συντάκτρια:", "haberi yazan:", "yazan:", "yazar:", "tác giả:", "penulis:", "ผู้เขียน:", "โดย:",
    "โดย ", "लेखक:", "द्वारा:", "بقلم:", "بقلم ", "كتب:", "كتبت:", "الكاتب:", "نویسنده:",
    "מאת:", "מאת ", "作者：", "作者:", "著者：", "著者:", "執筆者：", "執筆：", "ライター：", "筆者：", "筆者:", "投稿者：",
    "글 ", "avtor:", "avtorica:", "autorius:", "autorė:", "autors:", "höfundur:", "awdur:",
    "müəllif:", "muallif:", "аўтар:", "авторка:", "зохиогч:", "հեղինակ:", "ავტორი:", "লেখক:",
  ]

  /// Words for tasks in labels before names, in lower case: for the text, for other ways of
  /// writing, and for images.
  static let tasks = writingTerms.union([
    "photo", "photos", "photographs", "photography", "pictures", "images", "video", "foto", "fotos",
    "fotografías", "fotografie", "bilder", "grafik", "illustration", "illustrations",
  ])
  static let writingTerms = textTerms.union([
    "story", "interview", "report", "reporting", "entrevista", "intervista", "reportage",
  ])
  static let textTerms: Set<String> = [
    "text", "texto", "texte", "testo", "tekst", "teksti", "текст", "words", "haber",
  ]

  /// The `namePrefixes` that are also common before the name of the publisher of a book.
  static let publisherPrefixes = [
    "published by", "veröffentlicht von", "publié par", "publicado por", "pubblicato da",
  ]

  /// The `publicationTerms` that are also common before the date of a book, a film or a record.
  static let releaseTerms: Set<String> = ["released", "issued", "erschienen", "paru"]

  /// Chinese and Japanese words for the tasks of people in bylines.
  static let bylineTasks = writingTasks + ["写真", "撮影", "編集", "イラスト", "翻訳", "企画", "图", "摄影", "编辑"]
  /// The words in `bylineTasks` for the tasks of authors.
  static let writingTasks = ["文", "取材", "執筆", "構成", "聞き手"]

  /// The Chinese words for "reporter" before a name, and the Korean ones after it, longer ones
  /// first.
  static let chineseReporterTerms = ["记者", "記者"]
  static let koreanReporterTerms = ["선임기자", "인턴기자", "객원기자", "기자"]

  /// Chinese and Japanese labels directly before a name, which may follow other information.
  static let nameLabels = [
    "作者：", "作者:", "记者：", "记者:", "記者：", "記者:", "撰文：", "撰文:", "著者：", "著者:",
    "撰稿：", "撰稿:",
  ]

  /// Abbreviations of more than two letters after names, in lower case.
  static let nameAbbreviations: Set<String> = [
    "esq", "jnr", "jun", "snr", "sen", "hon", "msc", "bsc", "phd", "inc", "ltd", "corp", "bros",
    "assn", "dept", "univ",
  ]

  /// Phrases in bylines that are not names, in lower case.
  static let bylinePhrasesWithoutName: Set<String> = [
    "author", "authors", "about the author", "topic author", "about the authors", "byline",
    "written", "posted",
    "share", "follow", "autor", "auteur", "über den autor", "contributors", "contributor",
    "reading time", "read time", "time to read", "estimated reading time", "min read", "minutes",
    "read", "updated", "last updated", "published", "published on", "date", "source", "photo",
    "category", "categories", "tags", "comments", "views", "news", "staff", "admin", "null",
    "undefined", "none", "n/a", "unknown", "wordpress", "super user", "webmaster",
    "administrator", "site admin", "site administrator", "microsoft office user", "windows user",
    "author name", "lesedauer", "lesezeit", "stand", "quelle", "foto", "redaktion", "teilen",
    "kommentare", "aktualisiert", "veröffentlicht", "temps de lecture", "lecture", "publié",
    "mis à jour", "rédaction", "la rédaction", "partager", "tiempo de lectura", "redacción",
    "publicado", "actualizado", "compartir", "tempo di lettura", "redazione", "aggiornato",
    "tempo de leitura", "redação", "leestijd", "redactie", "lästid", "redaktionen", "czas czytania",
    "redakcja", "время чтения", "редакция", "okuma süresi", "阅读时间", "編集部", "编辑",
  ]

  /// Labels before the names of authors, in lower case.
  static let authorLabels: Set<String> = [
    "author", "authors", "autor", "autorin", "autoren", "auteur", "auteurs", "autore", "autores",
    "contributor", "автор", "авторы", "kirjoittaja", "כתב", "כתבת", "ผู้เขียน", "작성자", "글쓴이", "글",
    "投稿者", "執筆者", "著者", "作者", "执笔", "撰文",
  ]

  /// Phrases before the names of people or companies that did not write the text, in lower case.
  static let otherRolePhrases = [
    "medically reviewed by", "reviewed by", "fact checked by", "fact-checked by", "edited by",
    "translated by", "photo by", "photos by", "photographs by", "photography by",
    "illustration by", "illustrations by", "illustrated by", "photo:", "photos:", "foto:", "fotos:",
    "photographer:", "photography:", "illustration:", "illustrations:", "illustrator:",
    "translation:", "translator:", "übersetzung:", "sponsored by", "presented by",
    "powered by", "editing by", "special to",
    "责任编辑", "編集：", "来源：", "來源：", "geprüft von", "redigiert von",
    "übersetzt von", "foto von", "fotos von", "traduit par", "photos par", "traducido por",
    "photographs:", "pictures:", "images:", "video:", "fotografías:", "fotografie:", "bilder:",
    "grafik:",
  ]

  /// Professions after the name of an author, in lower case.
  static let professions: Set<String> = [
    "reporter", "correspondent", "editor", "writer", "journalist", "columnist", "contributor",
    "producer", "founder", "critic", "photographer", "analyst", "blogger", "redakteur",
    "redakteurin", "korrespondent", "korrespondentin", "journalistin", "autor", "autorin",
    "journaliste", "rédacteur", "rédactrice", "correspondant", "correspondante", "redactor",
    "redactora", "periodista", "giornalista", "jornalista", "inviato", "inviata",
    "corrispondente", "envoyé", "envoyée", "corresponsal", "correspondente",
  ]

  /// Words for the people who write for a site, and words before them and before `professions`.
  static let roleTerms: Set<String> = [
    "staff", "desk", "team", "newsroom", "reporters", "writers", "correspondents", "contributors",
    "redaktionsteam", "author", "authors",
  ]
  static let roleModifiers: Set<String> = [
    "a", "an", "our", "own", "guest", "senior", "junior", "chief", "special", "contributing",
    "editorial", "web", "online", "digital", "news", "report", "in", "unser", "unserem", "unserer",
    "notre", "spécial", "spéciale", "nuestro", "nuestra", "nostro", "nostra",
  ]

  /// Agencies that are written in lower case.
  static let agencyNames: Set<String> = ["dpa", "epd", "afp", "kna", "sid", "apa", "dapd"]

  /// Words between a name and a place, in lower case.
  static let placePrepositions: Set<String> = ["in", "à", "from", "aus"]

  /// Words of sentences about who wrote the text, in lower case.
  static let authorshipTerms: Set<String> = [
    "article", "post", "entry", "essay", "author", "authors", "written", "writer", "artikel",
    "beitrag", "autor", "autorin", "geschrieben", "verfasst", "écrit", "rédigé", "auteur",
    "escrito", "artículo", "scritto", "articolo", "autore", "artigo", "geschreven",
  ]

  /// Words of sentences about the date of a page, in lower case.
  static let pageTerms: Set<String> = [
    "this", "page", "document", "was", "diese", "seite", "wurde", "zuletzt", "letzte", "cette",
    "dernière", "mise", "última", "último", "ultima", "ultimo", "laatste", "senaste", "siste",
    "sidst", "poslední", "ostatnia", "последнее", "последняя", "останнє",
  ]

  /// Beginnings of lines that state when and in which category a text was posted, as comparison
  /// keys, and the word before the name of its author. The first ones are rare in other lines.
  static let unambiguousPostNotices = [
    (beginning: "this entry was posted", by: "by"), ("this entry was filed under", "by"),
  ]
  /// Beginnings of such lines before a name, after which a time follows.
  static let postBylines = [
    (beginning: "posted by", by: "by"), ("posted on", "by"), ("eingestellt von", "von"),
    ("publié par", "par"), ("publicado por", "por"), ("postado por", "por"),
    ("pubblicato da", "da"), ("gepost door", "door"), ("geplaatst door", "door"),
    ("upplagd av", "av"), ("lagt inn av", "av"), ("indsendt af", "af"),
  ]
  static let postNotices = [
    (beginning: "posted in", by: "by"), ("filed in", "by"), ("filed under", "by"),
    ("this post was posted", "by"), ("dieser beitrag wurde", "von"),
    ("dieser eintrag wurde", "von"), ("cette entrée a été publiée", "par"),
    ("ce contenu a été publié", "par"), ("esta entrada fue publicada", "por"),
    ("esta entrada se publicó", "por"), ("esta entrada foi publicada", "por"),
    ("esse registro foi postado", "por"), ("questa voce è stata pubblicata", "da"),
    ("questo articolo è stato pubblicato", "da"), ("dit bericht werd geplaatst", "door"),
    ("dit bericht is geplaatst", "door"), ("detta inlägg publicerades", "av"),
    ("det här inlägget postades", "av"), ("dette innlegget ble publisert", "av"),
    ("dette indlæg blev udgivet", "af"), ("ten wpis został opublikowany", "przez"),
  ]

  /// Parts of the paths of pages about authors.
  static let authorPaths = [
    "/author/", "/authors/", "/autor/", "/autoren/", "/auteur/", "/auteurs/", "/contributor/",
    "/contributors/", "/columnists/",
  ]

  /// Words between names and within names, in lower case.
  static let nameConnectives: Set<String> = [
    "and", "und", "et", "y", "e", "en", "og", "och", "i", "&", "de", "der", "den", "van", "von",
    "la", "le", "du", "da", "di", "del", "dos", "bin", "al", "ter", "zu", "zum", "with", "do",
    "das", "los", "las", "della", "dello", "degli", "avec", "con", "com",
  ]

  /// Words that announce a publication date, in lower case.
  static let publicationTerms: Set<String> = [
    "published", "posted", "publication", "date", "created", "submitted", "issued", "released",
    "added", "veröffentlicht", "erschienen", "erstellt", "datum", "publié", "publiée", "paru",
    "publicado", "publicada", "fecha", "data", "pubblicato", "gepubliceerd", "geplaatst",
    "publicerad", "publisert", "publiceret", "udgivet", "julkaistu", "opublikowano", "dodano",
    "опубликовано", "дата", "опубліковано", "zveřejněno", "publikováno", "közzétéve",
    "yayınlanma", "yayın", "tarihi", "发布时间", "发布", "发表", "发布于", "時間", "时间", "日期", "公開",
    "公開日", "投稿", "投稿日", "掲載", "掲載日", "入力", "기사입력", "입력", "등록", "작성일", "נכתב", "نشر",
    "公開日時", "配信", "配信日時", "投稿日時", "掲載日時", "作成日", "发布日期", "发表于", "发稿时间", "發布",
    "發佈", "發表", "發布時間", "發佈時間", "刊登", "승인", "등록일", "게재", "송고", "작성", "פורסם", "פורסמה",
    "النشر", "انتشار", "منتشر", "प्रकाशित", "เผยแพร่", "วันที่", "ngày", "đăng", "diterbitkan",
    "dipublikasikan", "publicat", "публикувано", "публикувана", "публикации", "objavljeno",
    "објављено", "publikované", "uverejnené", "zverejnené", "megjelent", "δημοσίευση",
    "δημοσιεύθηκε", "δημοσιεύτηκε", "postado", "scritto", "posté", "rédigé", "postat",
    "kirjoitettu", "avaldatud", "publicēts", "vydáno", "апублікавана", "شائع", "oluşturulma",
    "offentliggjort", "diffusé", "ajouté",
    "hinzugefügt", "añadido", "adicionado", "aggiunto", "toegevoegd", "lisätty", "přidáno",
    "hozzáadva", "adăugat", "dodato", "добавлено", "додано", "eklendi", "uploaded",
  ]

  /// Words that announce a publication date only at the start of its label, in lower case. After
  /// other words, they tell when something was founded or closed.
  static let initialPublicationTerms: Set<String> = [
    "créé", "creado", "criado", "creato", "aangemaakt", "skapad", "oprettet", "opprettet", "luotu",
    "utworzono", "vytvořeno", "vytvorené", "létrehozva", "creat", "kreirano", "създадена",
    "создано", "створено", "dibuat", "eingestellt", "filed",
  ]

  /// The keywords that RCS, CVS and Subversion replace by a line with the date of the last change,
  /// in lower case.
  static let revisionKeywords: Set<String> = [
    "id", "header", "date", "revision", "lastchangeddate",
  ]

  /// Nouns that announce a publication date, in lower case. A word after such a noun may say what
  /// else was published or has the date.
  static let publicationNouns: Set<String> = [
    "dátum", "kuupäev", "datums", "ημερομηνία", "تاریخ", "التاريخ", "تاريخ", "תאריך", "दिनांक",
    "तारीख", "তারিখ", "tanggal", "tarih", "публікація", "публикация", "publicación", "publicação",
    "pubblicazione", "publicatie", "publicering", "julkaisupäivä", "publikacja", "publikace",
    "megjelenés", "publicare", "objava", "veröffentlichung", "publikation",
  ]

  /// French phrases that announce a publication date, in lower case. Their words have other
  /// meanings in "mis à jour" and "vente en ligne".
  static let publicationPhrases = ["mis en ligne", "mise en ligne"]

  /// Words that announce the date of a change, in lower case.
  static let changeTerms: Set<String> = [
    "updated", "update", "modified", "edited", "revised", "revision", "reviewed", "changed",
    "révision", "revisión", "revisione", "revisão", "überarbeitet", "aktualisiert",
    "geändert", "änderung", "modification", "modificación", "wijziging", "bearbeitet", "stand",
    "mis", "jour", "modifié", "actualizado", "actualizada",
    "modificado", "atualizado", "aggiornato", "aggiornamento", "bijgewerkt", "gewijzigd",
    "uppdaterad", "oppdatert", "opdateret", "päivitetty", "zaktualizowano", "aktualizacja",
    "обновлено", "изменено", "оновлено", "aktualizováno", "frissítve", "güncelleme",
    "güncellenme", "更新", "更新日", "最終更新", "更新时间", "更新時間", "更新于", "수정", "업데이트", "最終更新日",
    "更新日時", "最終更新日時", "更新日期", "最后更新", "最後更新", "修改时间", "수정일", "최종수정", "עודכן",
    "עדכון", "تحديث", "التحديث", "تعديل", "بروزرسانی", "روزرسانی", "अपडेट", "अपडेटेड", "संशोधित",
    "ปรับปรุง", "อัปเดต", "อัพเดท", "แก้ไข", "cập", "diperbarui", "diperbaharui", "dikemaskini",
    "actualizat", "aktualizované", "upravené", "ažurirano", "izmijenjeno", "ажурирано",
    "posodobljeno", "актуализирано", "обновена", "frissült", "módosítva", "ενημέρωση",
    "ενημερώθηκε", "τροποποίηση", "modifica", "modificato", "atualizada", "atualização",
    "actualitzat", "revidiert", "змінено", "güncellendi", "uuendatud",
    "atjaunināts", "atnaujinta", "ändrad", "endret", "ændret", "muokattu", "最終修改", "dikemas",
    "อัปเดตล่าสุด", "actualisé", "aggiornata", "editado", "aangepast", "uppdaterat",
  ]

  /// Nouns and a few other words that announce the date of a change, in lower case. A word after
  /// them may say what else was changed, as in "Zmiana czasu" and "Amended rules".
  static let changeNouns: Set<String> = [
    "actualización", "modificação", "modificació", "eguneraketa", "aktualizace", "změna",
    "aktualizácia", "zmena", "zmiana", "frissítés", "módosítás", "actualizare", "modificare",
    "izmjena", "sprememba", "обновление", "изменение", "оновлення", "зміна", "промяна", "izmaiņas",
    "به‌روزرسانی", "aktualisierung", "bearbeitung", "actualisation", "uppdatering", "oppdatering",
    "opdatering", "päivitys", "aktualizacji", "modyfikacji", "обновления", "изменения",
    "actualizări", "ενημέρωσης", "cuối", "corrected", "amended",
  ]

  /// Words that announce the receipt or acceptance of a manuscript, in lower case.
  static let manuscriptTerms: Set<String> = [
    "received", "accepted", "eingegangen", "angenommen", "reçu", "accepté", "recibido", "aceptado",
    "recebido", "aceito", "ricevuto", "accettato",
  ]

  /// Words that announce a date other than those of the page, in lower case.
  static let otherDateTerms: Set<String> = [
    "when", "event", "deadline", "due", "expires", "expiry", "until", "valid", "born", "died",
    "joined", "since", "starts", "ends", "registered", "copyright", "visit", "visited", "accessed",
    "retrieved", "login", "today", "opens", "closes", "begins", "birthday", "arrival", "departure",
    "founded", "established", "incorporated", "gegründet", "gründung", "fondé", "fondée", "fundado",
    "fundada", "fondato", "fondata",
    "wann", "bis", "ab", "seit", "geboren", "gestorben", "termin", "frist", "beginn", "ende",
    "heute", "jusqu", "depuis", "né", "née", "cuándo", "hasta", "desde", "nacido", "até", "fino",
    "dal", "nato", "nata", "когда", "до", "сегодня", "截止", "締切", "开始", "開催", "期間", "마감",
  ]

  /// Words and abbreviations for "year" after a date.
  static let yearAbbreviations: Set<String> = ["г", "год", "года", "р", "року", "r", "roku"]

  /// Words between the ends of a period.
  static let untilTerms: Set<String> = ["to", "till", "until", "bis", "au", "al", "tot", "do"]

  /// Words before a name after a date.
  static let bylineTerms: Set<String> = [
    "by", "von", "par", "por", "di", "da", "door", "av", "af", "in", "from", "作者", "文",
  ]

  /// Names and abbreviations of months, which may precede the first digit of a date, in lower case.
  static let monthTerms: Set<String> = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep",
    "sept", "oct", "nov", "dec", "januar", "februar", "märz", "mai", "juni", "juli", "oktober",
    "dezember", "janvier", "février", "mars", "avril", "juin", "juillet", "août", "septembre",
    "octobre", "novembre", "décembre", "enero", "febrero", "marzo", "abril", "mayo", "junio",
    "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
  ]

  /// Words between names and a date, in lower case.
  static let dateIntroductions: Set<String> = [
    "on", "at", "am", "le", "el", "il", "op", "den", "updated", "published", "posted", "last",
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "mon", "tue",
    "tues", "wed", "thu", "thurs", "fri", "sat", "sun", "في",
  ]

  /// Prefixes of words for minutes.
  static let minutePrefixes = [
    "min", "мин", "хв", "λεπτ", "dakika", "dk", "perc", "分", "분", "דק", "دقيق", "phút",
  ]

  // MARK: Names of `meta` elements in order of priority, as normalized by `MetaElements`

  /// Metadata names for the title.
  static let titleKeys = [
    "dc:title", "dcterm:title", "citation_title", "og:title", "weibo:article:title",
    "weibo:webpage:title", "title", "twitter:title", "parsely-title", "sailthru.title",
  ]

  /// Metadata names for the author.
  static let authorKeys = [
    "dc:creator", "dcterm:creator", "dc:contributor.author", "citation_author",
    "citation_authors", "author", "parsely-author", "sailthru.author", "article:author_name",
    "article:author", "og:author", "book:author", "dc:contributor", "dcterm:contributor", "byl",
    "og:author:username", "bepress_citation_author", "eprints.creators_name", "cxenseparse:author",
    "rbauthors", "shareaholic:article_author_name", "blog:author", "mediator_author",
    "author_name", "article-author",
  ]

  /// Metadata names for the publication date.
  static let publicationDateKeys = [
    "article:published_time", "article:published", "og:published_time", "datepublished",
    "parsely-pub-date", "sailthru.date", "dcterm:issued", "dc:date.issued", "dc:issued",
    "dcterm:available", "citation_publication_date", "citation_online_date", "citation_date",
    "dc:date", "dcterm:date", "dc:date.created", "dcterm:created", "dc:created", "datecreated",
    "uploaddate", "date", "pubdate", "publishdate", "publish-date", "publish_date",
    "publication_date", "publication-date", "published_at", "published-at", "published_time",
    "published-date", "published_date", "pub_date", "pub-date", "release_date", "releasedate",
    "prism.publicationdate", "bt:pubdate", "vr:published_time", "weibo:article:create_at",
    "cxenseparse:recs:publishtime", "rnews:datepublished", "og:article:published_time",
    "bepress_citation_date", "eprints.date", "article.published", "article_date_original",
    "originalpublicationdate", "date_published", "article:published_date", "rbpubdate",
    "mediator_published_time", "cxenseparse:publishtime", "article.created", "creation_date",
    "created",
  ]

  /// Parts of paths of pages in whose URL a date is that of an event or a version, or a number that
  /// looks like a date, in lower case.
  static let otherDatePaths: Set<String> = [
    "event", "events", "calendar", "kalender", "agenda", "termine", "veranstaltungen", "evenement",
    "evenements", "eventos", "eventi", "api", "docs", "product", "products", "item", "items",
    "questions",
  ]

  /// The top-level domains of English-speaking countries in which the day precedes the month.
  static let englishDomains: Set<String> = [
    "uk", "au", "nz", "ie", "in", "za", "mt", "ke", "ng", "gh", "hk",
  ]

  /// Metadata names for the modification date, used if there is no publication date.
  static let changeDateKeys = [
    "article:modified_time", "og:updated_time", "datemodified", "dcterm:modified", "dc:modified",
    "dc:date.modified", "lastmod", "last-modified", "revised",
  ]

  /// Metadata names for the name of the site.
  static let siteNameKeys = [
    "og:site_name", "application-name", "apple-mobile-web-app-title", "citation_journal_title",
    "dc:publisher", "dcterm:publisher", "citation_publisher",
  ]

  /// The metadata name for the page's URL.
  static let urlKey = "og:url"

  /// The metadata names for the author's account and for the account of the site, which is not the
  /// author's.
  static let authorAccountKey = "twitter:creator", siteAccountKey = "twitter:site"

  /// The metadata names for the labels that a shared link shows, such as "Written by", and for
  /// their values.
  static let labelKeys = [
    (label: "twitter:label1", value: "twitter:data1"),
    (label: "twitter:label2", value: "twitter:data2"),
  ]

  // MARK: JSON-LD types

  /// The schema.org types of articles.
  static let articleTypes: Set<String> = [
    "Article", "AdvertiserContentArticle", "NewsArticle", "AnalysisNewsArticle",
    "AskPublicNewsArticle", "BackgroundNewsArticle", "OpinionNewsArticle", "ReportageNewsArticle",
    "ReviewNewsArticle", "Report", "SatiricalArticle", "ScholarlyArticle",
    "MedicalScholarlyArticle", "SocialMediaPosting", "BlogPosting", "LiveBlogPosting",
    "DiscussionForumPosting", "TechArticle", "APIReference",
  ]

  /// The schema.org types of other works whose author and date are those of the page if it has
  /// their title.
  static let workTypes: Set<String> = [
    "Recipe", "Review", "CriticReview", "HowTo", "PodcastEpisode", "VideoObject",
  ]

  /// Substrings, in lower case, one of which every type of `articleTypes` and `workTypes` contains;
  /// `\u` because an escape may hide them.
  static let articleTypeHints: [StaticString] = [
    "article", "posting", "report", "apireference", "recipe", "review", "howto", "podcastepisode",
    "videoobject", "\\u",
  ]

  // MARK: Next pages

  /// Query parameters that hold the number of a part.
  static let partNumberParameters: Set<String> = [
    "page", "p", "pg", "pagenum", "part", "seite", "s",
  ]

  /// Text before the number of a part in a path.
  static let partNumberPrefixes = [
    "/page", "/p", "-page", "_page", "-p", "_p", "/part", "-part", "_part", "/seite", "-seite",
    "-teil",
  ]

  /// Query parameters that select a part of a text.
  static let partParameters: Set<String> = [
    "page", "p", "pg", "pagenum", "paged", "part", "seite", "s", "start", "offset", "from", "debut",
    "cursor", "after", "before", "next", "skip", "pagina", "pagenumber", "startat", "begin", "st",
  ]

  /// Words in paths that name parts.
  static let partNames: Set<String> = [
    "part", "page", "chapter", "teil", "seite", "kapitel", "partie", "chapitre", "parte", "pagina",
    "capitulo", "capitolo", "deel", "hoofdstuk", "glava", "chast",
  ]

  /// Arrows in links to the next page.
  static let nextArrows: Set<Character> = ["›", "»", "→", ">", "▶", "⟩"]

  /// Link texts that mean the next page of the same text, in lower case.
  static let nextPageTexts: Set<String> = [
    "next page", "go to next page", "go to the next page", "continue to next page",
    "nächste seite", "zur nächsten seite", "weiter auf der nächsten seite",
    "page suivante", "la page suivante", "página siguiente", "siguiente página", "próxima página",
    "pagina successiva", "pagina seguente", "prossima pagina", "página seguinte",
    "volgende pagina", "naar de volgende pagina", "次のページ", "次のページへ", "次ページ", "次ページへ",
    "下一页", "下一頁", "下页", "下頁", "следующая страница", "на следующую страницу",
    "następna strona", "nästa sida", "næste side", "neste side", "seuraava sivu", "další strana",
    "další stránka", "sonraki sayfa", "다음 페이지", "الصفحة التالية", "העמוד הבא",
    "pagina următoare", "következő oldal", "ďalšia strana", "nasledujúca strana",
    "sljedeća stranica", "sledeća strana", "следећа страна", "naslednja stran",
    "наступна сторінка", "следваща страница", "επόμενη σελίδα", "trang sau", "trang tiếp theo",
    "halaman berikutnya", "halaman selanjutnya", "หน้าถัดไป", "صفحه بعد", "صفحه بعدی",
    "अगला पृष्ठ", "अगला पेज", "pàgina següent", "kitas puslapis", "nākamā lapa", "järgmine leht",
  ]

  /// Link texts that mean something next, which may be another text, in lower case.
  static let nextTexts: Set<String> = [
    "next", "continue", "continue reading", "read on", "weiter", "nächste", "weiterlesen",
    "suivant",
    "suivante", "suite", "lire la suite", "siguiente", "seguir leyendo", "successiva", "successivo",
    "avanti", "continua", "seguinte", "próxima", "próximo", "continuar", "volgende", "verder", "次へ",
    "次", "続きを読む", "继续阅读", "繼續閱讀", "далее", "дальше", "вперёд", "вперед", "следующая",
    "następna", "nästa", "næste", "neste", "seuraava", "další", "sonraki", "다음", "التالي", "הבא",
    "următoarea", "következő", "ďalšia", "sljedeća", "следећа", "naslednja", "далі", "наступна",
    "следваща", "επόμενη", "berikutnya", "selanjutnya", "ถัดไป", "بعدی", "अगला",
  ]
}
