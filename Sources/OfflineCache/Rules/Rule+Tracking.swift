extension Rule {
  /// The query parameters that are added to links in order to track their origin, and that are not
  /// known to change the response of any server.
  public static let trackingParameters = [
    "utm_*", "fbclid", "gclid", "gclsrc", "dclid", "wbraid", "gbraid", "srsltid", "_ga", "_gl",
    "msclkid", "yclid", "ysclid", "twclid", "ttclid", "li_fat_id", "igsh", "igshid", "mc_cid",
    "mc_eid", "_hsenc", "_hsmi", "__hssc", "__hstc", "__hsfp", "hsCtaTracking", "mkt_tok",
    "oly_anon_id", "oly_enc_id", "vero_id", "vero_conv", "_openstat", "rb_clickid", "s_kwcid",
    "wickedid", "__s",
  ]

  /// A rule that ignores tracking parameters in cache keys. Requests to servers still contain them.
  /// If this rule is the last one, it does not override any other.
  public static let droppingTracking = Rule { $0.droppedParameters = trackingParameters }
}

extension WebURL {
  /// The URL without tracking parameters; unchanged if it has none.
  package var withoutTracking: WebURL {
    guard query != nil else { return self }
    let cleanedText = RuleKey.simplified(
      withFragment(nil).description, dropping: Rule.trackingParameters, sorting: false,
      folding: false)
    return WebURL(cleanedText)?.withFragment(fragment) ?? self
  }
}
