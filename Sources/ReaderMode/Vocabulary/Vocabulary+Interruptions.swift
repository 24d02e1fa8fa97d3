/// The words by which advertisements, invitations and other interruptions between the paragraphs of
/// an article are recognized. All are in lower case and without punctuation.
extension Vocabulary {
  /// Labels of advertisements, as whole lines.
  static let advertisementLines: Set<String> = [
    "ad", "ads", "advertisement", "advertisements", "advertising", "advertorial", "sponsored",
    "sponsor message", "sponsored content", "paid advertisement", "promoted content",
    "skip advertisement", "skip ad", "anzeige", "werbung", "publicité", "annonce", "publicidad",
    "anuncio", "pubblicità", "publicidade", "advertentie", "reklama", "reklam", "annons", "mainos",
    "reclama", "реклама", "διαφήμιση", "広告", "スポンサーリンク", "スポンサードリンク", "広告の後にも続きます",
    "广告", "廣告", "광고", "إعلان", "اعلان", "פרסומת", "विज्ञापन", "โฆษณา", "quảng cáo", "iklan",
    "reklame", "annonse", "hirdetés", "publicitate", "oglas", "inzerce", "reklaam", "reklāma",
    "تبلیغات", "বিজ্ঞাপন",
  ]

  /// Beginnings of lines that announce the rest of the text after an advertisement.
  static let continuationLines = [
    "story continues below", "article continues below", "content continues below",
    "story continues after", "article continues after", "continues below this ad",
    "continue reading below", "scroll to continue", "scroll down to continue",
    "keep scrolling to continue", "after newsletter promotion", "skip past newsletter promotion",
    "la suite après cette publicité", "la suite après la publicité", "weiter nach der werbung",
    "der artikel wird nach der anzeige", "nach der anzeige geht es weiter",
    "continúa después de la publicidad", "la nota continúa", "continua após a publicidade",
    "continua dopo la pubblicità", "l articolo continua dopo", "artikel gaat verder onder",
    "dalsza część artykułu pod", "dalsza część tekstu pod", "artikeln fortsätter efter",
    "artikkelen fortsetter under", "artiklen fortsætter efter", "продолжение после рекламы",
    "haberin devamı", "continua después de la publicidad", "continua depois da publicidade",
    "lees verder onder de advertentie", "lees verder na de advertentie", "tekst gaat verder onder",
    "artikeln fortsätter under", "artiklen fortsætter under", "artikkelen fortsetter etter",
    "ciąg dalszy materiału pod", "ciąg dalszy artykułu pod", "advertisement continue reading below",
    "der artikel wird unten fortgesetzt",
  ]

  /// Labels of the interface, as whole lines or as parts of a line between bars.
  static let interfaceLines: Set<String> = [
    "loading", "loading comments", "was this page helpful", "was this article helpful",
    "did this page help you", "click to tweet", "tweet this", "hide caption", "toggle caption",
    "enlarge this image", "view image in fullscreen", "listen to this article",
    "listen to this story", "share this article", "share this story", "share this post",
    "share this page", "print this page", "print this article", "email this article",
    "back to top", "copy link", "link copied", "copied", "keyboard shortcuts",
    "press shift question mark to access a list of keyboard shortcuts",
    "jump to recipe", "skip to recipe", "print recipe", "pin recipe", "save recipe",
    "jump to video", "rate this article", "rate this recipe", "rate this post", "view comments",
    "show comments", "share this", "like loading", "comments are closed",
    "open this photo in gallery", "your browser does not support the audio element",
    "your browser does not support the video tag", "getting your trinity audio player ready",
    "zum rezept", "zum rezept springen",
    "rezept drucken", "aller à la recette", "ir a la receta", "saltar a la receta",
    "imprimir receta", "vai alla ricetta", "ga naar recept",
    "war diese seite hilfreich", "war dieser artikel hilfreich", "artikel anhören",
    "artikel teilen", "artikel drucken", "seite drucken", "nach oben", "écouter cet article",
    "partager cet article", "imprimer cet article", "haut de page", "escuchar este artículo",
    "compartir este artículo", "imprimir este artículo", "ascolta questo articolo",
    "condividi questo articolo", "ouça este artigo", "compartilhe este artigo",
    "deel dit artikel", "udostępnij artykuł", "dela artikeln", "поделиться статьёй",
    "この記事をシェア", "この記事をシェアする", "分享这篇文章", "기사 공유",
  ]

  /// Labels of links and buttons, as whole lines that are a link.
  static let linkedLines: Set<String> = [
    "share", "subscribe", "subscribe now", "sign up", "sign up now", "donate", "donate now",
    "leave a comment", "join the conversation", "follow", "become a member", "join now",
    "abonnieren", "jetzt abonnieren",
    "teilen", "spenden", "s abonner", "partager", "suscribirse", "compartir", "iscriviti",
    "condividi", "inscreva se", "compartilhar", "abonneren", "delen", "подписаться", "поделиться",
  ]

  /// Beginnings of lines at the end of an article that invite readers to follow the site.
  static let closingInvitations = [
    "your email address will not be published", "follow us", "like us on", "find us on",
    "sign up for our newsletter",
    "sign up for our free newsletter", "sign up to our newsletter", "join our newsletter",
    "download our app", "folgen sie uns", "folge uns", "folgt uns", "abonnieren sie",
    "suivez nous", "abonnez vous", "retrouvez nous", "síguenos", "suscríbete", "seguici",
    "iscriviti", "siga nos", "siga o canal", "inscreva se", "volg ons", "śledź nas",
    "obserwuj nas", "följ oss", "følg oss", "følg os", "seuraa meitä", "подписывайтесь",
    "подпишитесь", "підписуйтесь", "ακολουθήστε", "bizi takip",
  ]

  /// Beginnings of further invitations to follow the site, which count only if the line contains a
  /// link; otherwise, the line may be the last sentence of the text.
  static let linkedInvitations = [
    "follow our", "subscribe", "share this", "never miss", "download the app",
    "by signing up you agree", "by subscribing you agree", "by registering you agree",
    "by entering your email", "this site is protected by recaptcha", "mit der anmeldung",
    "mit ihrer anmeldung", "en vous inscrivant vous acceptez", "al suscribirte aceptas",
    "al registrarte aceptas",
  ]

  /// Labels before the tags and categories of an article, which are links.
  static let tagLabels = [
    "tag", "tags", "tagged", "tagged with", "filed under", "filed in", "posted in", "posted under",
    "category", "categories", "topics", "schlagwörter", "schlagworte", "kategorie", "kategorien",
    "themen", "mots clés", "étiquettes", "catégorie", "catégories", "classé dans", "etiquetas",
    "categoría", "categorías", "archivado en", "categoria", "etichette", "trefwoorden",
    "argomenti", "marcadores", "tagi", "ämnen", "etiketler",
    "etiketter", "kategorier", "labels", "libellés", "etykiety", "štítky", "címkék", "ярлыки",
    "теги", "метки", "рубрика", "рубрики", "タグ", "カテゴリー", "ラベル", "标签", "태그",
    "وسوم", "תגיות", "टैग्स", "แท็ก",
  ]

  /// Phrases that reserve all rights, with which notices of copyright begin or end, as in a
  /// comparison key with a space after it. Sentences about copyright may begin with shorter ones.
  static let rightsReservations = [
    "all rights reserved", "rights reserved", "alle rechte vorbehalten", "tous droits réservés",
    "todos los derechos reservados", "tutti i diritti riservati", "todos os direitos reservados",
    "alle rechten voorbehouden", "wszelkie prawa zastrzeżone", "alla rättigheter förbehållna",
    "все права защищены", "усі права захищено", "tüm hakları saklıdır",
    "無断転載を禁", "無断転載禁", "無断転載複製", "無断転載等", "無断転載は禁", "無断転載はご遠慮",
    "無断転載 ", "版权所有 ", "版权所有侵权", "版权所有未经", "版權所有 ", "版權所有侵權", "版權所有未經",
    "무단전재 및", "무단 전재 및", "무단전재 재배포", "무단 전재 재배포", "무단전재를 금", "무단 전재를 금", "무단전재 금",
    "무단 전재 금", "جميع الحقوق محفوظة", "כל הזכויות שמורות", "सर्वाधिकार सुरक्षित", "สงวนลิขสิทธิ์",
  ]

  /// Parts of notices that grant a licence.
  static let licenseTerms = [
    "licen", "lizenz", "lisens", "creative commons", "cc by", "cc0", "cc 0", "public domain",
    "gemeinfrei", "permission is", "is granted", "redistribution and use", "are permitted",
  ]

  /// Labels above links to other articles at the end of an article.
  static let articleListLabels: Set<String> = [
    "latest news", "latest stories", "most popular", "most read", "most viewed", "top stories",
    "trending", "trending now", "popular posts", "recent posts", "recommended",
    "recommended for you", "you may have missed", "more stories", "more news", "more articles",
    "what to read next", "up next", "editor s picks", "editors picks", "meistgelesen",
    "meistgelesene artikel", "neueste artikel", "weitere artikel", "weitere meldungen",
    "das könnte sie auch interessieren", "das könnte dich auch interessieren", "les plus lus",
    "lo más leído", "más leídas", "más noticias", "i più letti", "mais lidas", "meest gelezen",
    "最新記事", "人気記事", "热门文章", "最新文章",
  ]

  /// Beginnings of such labels, before the name of a site, a section or an author.
  static let articleListLabelPrefixes = ["more from", "more in", "mehr aus", "mehr von"]

  /// Beginnings of links at the end of an article that lead to its neighbours and the like.
  static let closingLinks = [
    "back to", "previous article", "previous post", "previous story", "next article", "next post",
    "next story", "older post", "newer post", "report an error", "report a mistake",
    "report a typo", "zurück zu", "zurück zur", "zurück zum", "zur übersicht",
    "vorheriger artikel", "vorheriger beitrag", "nächster artikel", "nächster beitrag",
    "retour à", "retour aux", "article précédent", "article suivant", "artículo anterior",
    "artículo siguiente", "entrada anterior", "entrada siguiente", "artigo anterior",
    "próximo artigo", "articolo precedente", "articolo successivo", "vorig artikel",
    "volgend artikel",
  ]

  /// Labels before links to other messages in the archive of a mailing list.
  static let messageLinkLabels: Set<String> = [
    "previous message", "next message", "messages sorted by", "next in thread", "in reply to",
    "maybe in reply to", "reply", "maybe reply", "contemporary messages sorted", "mail actions",
    "prev by date", "previous by date", "next by date", "prev by thread", "previous by thread",
    "next by thread", "prev in thread", "previous in thread", "index es",
    "previous message by thread", "next message by thread",
  ]

  /// Headings and labels above the sources of a text, and above its links to other sites.
  static let sourceLabels: Set<String> = [
    "source", "sources", "references", "bibliography", "works cited", "notes", "footnotes",
    "endnotes", "notes and references", "sources and references", "quellen", "quellenangaben",
    "literatur", "literaturverzeichnis", "einzelnachweise", "fußnoten", "références",
    "bibliographie", "notes et références", "sources et références", "fuentes", "referencias",
    "bibliografía", "fonti", "riferimenti", "bibliografia", "bronnen", "referenties", "voetnoten",
    "fontes", "referências", "źródła", "przypisy", "källor", "referenser", "kilder", "litteratur",
    "lähteet", "источники", "литература", "примечания", "джерела", "kaynaklar", "kaynakça",
    "参考文献", "参考資料", "出典", "脚注", "参考资料", "資料來源", "출처", "참고문헌",
    "further reading", "external links", "weblinks", "weiterführende links",
    "weiterführende literatur", "zum weiterlesen", "liens externes", "pour aller plus loin",
    "enlaces externos", "ligações externas", "collegamenti esterni", "externe links",
    "verder lezen", "externa länkar", "eksterne lenker", "eksterne henvisninger",
    "linki zewnętrzne", "externí odkazy", "ссылки", "外部リンク", "外部链接",
  ]

  /// Headings and labels above links that, within the element of a text, are those of its author.
  static let linkListLabels: Set<String> = [
    "resources", "additional resources", "other resources", "further resources",
    "useful resources", "helpful resources", "online resources", "useful links", "helpful links",
    "web links", "links", "suggested reading", "additional reading", "further information",
    "additional information", "downloads", "documents", "attachments", "citations",
    "nützliche links", "weitere informationen", "dokumente", "anhänge", "ressources", "liens",
    "liens utiles", "véase también", "recursos", "enlaces", "enlaces de interés", "vedi anche",
    "voci correlate", "risorse", "link utili", "ver também", "links úteis", "zie ook",
    "nuttige links", "linki", "se även", "länkar", "lenker", "katso myös", "см также",
    "полезные ссылки", "ayrıca bakınız", "関連項目", "リンク", "参见", "參見", "같이 보기",
  ]

  /// Labels above or before the biography of the author at the end of an article.
  static let authorBoxLabels: Set<String> = [
    "about the author", "about the authors", "about the writer", "about the contributor",
    "author bio", "über den autor", "über die autorin", "über die autoren", "zum autor",
    "zur autorin", "à propos de l auteur", "à propos de l autrice", "à propos des auteurs",
    "sobre el autor", "sobre la autora", "sobre los autores", "sobre o autor", "sobre a autora",
    "sull autore", "sull autrice", "over de auteur", "om forfatteren", "om författaren",
    "об авторе", "об авторах", "o autorze", "o autorce", "yazar hakkında", "作者简介", "作者簡介",
    "この記事を書いた人", "著者プロフィール", "저자 소개",
  ]

  /// The `crossReferences` that, as headings, are often above links by the author of the text,
  /// such as those in Wikipedia.
  static let referenceHeadings: Set<String> = [
    "related links", "related reading", "voir aussi", "zobacz też", "zobacz także", "xem thêm",
    "lihat juga",
  ]

  /// Labels before a link to another article; those with a common beginning have the longer one
  /// first. Those that mean only "read" have a colon: "Přečtěte si návod" is an instruction.
  static let crossReferences = [
    "read more", "read also", "read next", "read this next", "read the full story", "also read",
    "don't miss", "don’t miss", "related stories", "related story", "related articles",
    "related article", "related coverage", "related reading", "related reads", "related posts",
    "related post", "related content", "related topics", "related links", "related news",
    "related", "more on this story",
    "more on this", "you may also like", "you might also like", "you may also be interested in",
    "further coverage", "lesen sie auch", "lesen sie mehr", "lesen sie dazu", "lesen sie hier",
    "lies auch", "mehr zum thema", "auch interessant", "passend dazu", "à lire aussi",
    "a lire aussi", "à lire également", "lire aussi", "lire également", "voir aussi",
    "à voir aussi", "sur le même sujet", "lea también", "lee también", "lea además", "lea más",
    "leer también", "leer más", "te puede interesar", "le puede interesar",
    "también te puede interesar", "vea también", "ver también", "mira también", "leggi anche",
    "leggi di più", "ti potrebbe interessare", "potrebbe interessarti", "leia também",
    "leia mais", "veja também", "saiba mais", "lees ook", "lees meer", "läs också", "läs även",
    "läs mer", "les også", "les mer", "læs også", "læs mere", "lue myös", "czytaj także",
    "czytaj też", "czytaj również", "czytaj więcej", "zobacz także", "zobacz też",
    "zobacz również", "čtěte také", "přečtěte si také", "čítajte aj", "citește și",
    "citeşte şi", "olvasd el", "ezt is olvassa el", "pročitajte i", "pročitajte još",
    "прочетете още", "διαβάστε επίσης", "διαβάστε ακόμα", "читайте также", "читайте ещё",
    "читайте еще", "по теме", "читайте також", "ayrıca okuyun", "ilgili haberler", "ilgili haber",
    "baca juga",
    "lihat juga", "xem thêm", "đọc thêm", "あわせて読みたい", "合わせて読みたい", "関連記事", "こちらも読む",
    "相关阅读", "相关新闻", "相关报道", "延伸阅读", "推荐阅读", "相關新聞", "相關閱讀", "延伸閱讀", "관련기사",
    "관련 기사", "اقرأ أيضا", "اقرأ أيضًا", "اقرأ المزيد", "بیشتر بخوانید", "קראו גם", "קראו עוד",
    "यह भी पढ़ें", "ये भी पढ़ें", "इसे भी पढ़ें", "อ่านเพิ่มเติม", "ข่าวที่เกี่ยวข้อง",
    "verwandte artikel", "ähnliche artikel", "articles liés", "articles similaires",
    "noticias relacionadas", "notas relacionadas", "artículos relacionados", "articoli correlati",
    "notícias relacionadas", "matérias relacionadas", "artigos relacionados",
    "gerelateerde artikelen", "powiązane artykuły", "материалы по теме", "похожие статьи",
    "関連ニュース", "관련뉴스", "مواضيع ذات صلة", "أخبار ذات صلة", "כתבות נוספות",
    "כתבות קשורות", "संबंधित खबरें", "přečtěte si:", "kapcsolódó", "olvassa el:", "citiți și",
    "citiţi şi", "preberite tudi", "прочитајте и", "διαβάστε ακόμη", "اقرأ أيضاً", "আরও পড়ুন",
    "loe ka", "lasi arī", "skaitykite taip pat",
    // In lower case, the Turkish capital `İ` has a combining dot.
    "i\u{307}lgili haberler", "i\u{307}lgili haber",
  ]

  /// Labels before a link to another article that count only in capital letters, because they have
  /// another use in the text of a reference.
  static let capitalCrossReferences = ["see also", "more", "watch", "listen", "read"]

  /// The characters after a label before a link.
  static let crossReferenceMarkers: Set<Character> = [
    ":", "：", "|", "｜", "–", "—", "-", ">", "›", "»", "→", "▶", "►", "/", "】", "]", "•", "・",
  ]
}
