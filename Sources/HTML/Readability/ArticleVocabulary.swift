/// Words and hosts that reader mode looks for in the text and links of a page.
enum ArticleVocabulary {
  /// Texts that mark an advertisement, in lower case.
  static let advertisements = [
    "ad", "advertising", "advertisement", "pub", "publicité", "werb", "werbung", "广告", "реклама",
    "anuncio",
  ]

  /// Texts that stand where a script would load something, in lower case without full stops.
  static let loading = [
    "loading", "正在加载", "загрузка", "chargement", "cargando",
  ]

  /// Hosts of videos that belong to the article they stand in.
  static let videoHosts: [StaticString] = [
    "dailymotion.com", "youtube.com", "youtube-nocookie.com", "player.vimeo.com", "v.qq.com",
    "bilibili.com", "live.bilibili.com", "player.twitch.tv", "archive.org/embed",
    "upload.wikimedia.org", "twitch.tv",
  ]
}
