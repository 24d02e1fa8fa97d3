/// The lowercase vocabulary of pages and banners that ask for consent.
package enum ConsentVocabulary {
  /// Terms, some of them truncated to match several forms, that name the subject of a request for
  /// consent.
  package static let subjects = [
    "consent", "cookie", "gdpr", "dsgvo", "einwillig", "zustimm", "before you continue",
    "value your privacy", "respect your privacy", "votre vie privée", "ihre privatsphäre",
    "deine privatsphäre", "tu privacidad", "su privacidad", "tua privacy", "sua privacidade",
    "uw privacy", "store and access information on a device",
    "store and/or access information on a device",
  ]
  /// Terms, some of them truncated to match several forms, in the labels of buttons; includes
  /// `subjects`.
  package static let buttonLabels =
    subjects + [
      "accept", "agree", "allow", "reject", "decline", "akzept", "einverstanden", "ablehn",
      "refuser", "autoris", "acept", "rechaz", "accett", "rifiut", "aceit", "akkoord", "weiger",
      "godkänn",
      "godta", "tillad", "hyväksy", "souhlas", "zgadzam", "принима", "согла", "kabul", "同意", "동의",
    ]
}
