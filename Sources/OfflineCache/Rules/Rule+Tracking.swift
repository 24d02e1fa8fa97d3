extension Rule {
  /// Parameters that senders of links add to tell by which link somebody came; as far as is known no
  /// server gives another page for them.
  public static let trackingParameters = [
    "utm_*", "fbclid", "gclid", "gclsrc", "dclid", "wbraid", "gbraid", "srsltid", "_ga", "_gl",
    "msclkid", "yclid", "ysclid", "twclid", "ttclid", "li_fat_id", "igsh", "igshid", "mc_cid",
    "mc_eid", "_hsenc", "_hsmi", "__hssc", "__hstc", "__hsfp", "hsCtaTracking", "mkt_tok",
    "oly_anon_id", "oly_enc_id", "vero_id", "vero_conv", "_openstat", "rb_clickid", "s_kwcid",
    "wickedid", "__s",
  ]

  /// Pages that differ in such parameters only are one page. What is asked of servers keeps them. Put
  /// last, it leaves every other rule its say.
  public static let droppingTracking = Rule { $0.droppedParameters = trackingParameters }
}

extension WebURL {
  /// The URL without its tracking parameters; the same when it has none.
  package var withoutTracking: WebURL {
    guard query != nil else { return self }
    let clean = RuleKey.simplified(
      withFragment(nil).description, dropping: Rule.trackingParameters, sorting: false,
      folding: false)
    return WebURL(clean)?.withFragment(fragment) ?? self
  }
}
