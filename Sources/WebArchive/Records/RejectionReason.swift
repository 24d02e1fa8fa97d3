/// The reason why a response is not trusted as the new version of a page.
///
/// The raw values are stored. Version 1.0.0 treats a response with an unknown value as trusted, so
/// no values may be added: a finer reason must be stored in addition to one of these.
public enum RejectionReason: String, Sendable, Equatable, CaseIterable {
  /// Status 511, or the typical content of a captive portal.
  case signInPage = "sign-in-page"
  /// A redirect over http to another site, where the saved copy had none. A captive portal is a
  /// likely cause.
  case foreignRedirect = "foreign-redirect"
  /// A redirect over https to another site, where the saved copy had none. The site itself sent the
  /// redirect.
  case movedAway = "moved-away"
  /// A redirect to the front page of the site, where the saved copy had a page.
  case frontPage = "front-page"
  /// The saved copy has an article, but the response is a short page of the site itself that asks
  /// the user to sign in, or the beginning of an article that only subscribers can read in full.
  case loginWall = "login-wall"
  /// A short page that asks for consent, where the saved copy had an article.
  case consentPage = "consent-page"
  /// The same page that unrelated sites returned recently.
  case repeatedAnswer = "repeated-answer"
  /// An empty or nearly empty page, where the saved copy has text.
  case nearlyEmpty = "nearly-empty"
  /// A truncated page, where the saved copy is complete.
  case cutOff = "cut-off"
  /// A short page with the title of an error page or a bot check, where the saved copy had an
  /// article.
  case errorPage = "error-page"
  /// A page, where the saved copy is an image, a document, a feed or another file; or an image,
  /// where the saved copy is a page.
  case otherKind = "other-kind"
  /// An unsupported content coding, where the saved copy was readable.
  case unknownCoding = "unknown-coding"
}
