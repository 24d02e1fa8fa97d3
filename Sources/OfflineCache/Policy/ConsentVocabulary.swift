/// The lowercase vocabulary of pages and banners that ask for consent.
package enum ConsentVocabulary {
  /// The terms for their subject.
  package static let subjects = [
    "consent", "cookie", "gdpr", "dsgvo", "einwillig", "zustimm", "before you continue",
  ]
  /// The labels of their buttons.
  package static let buttonLabels =
    subjects + [
      "accept", "agree", "allow", "reject", "decline", "akzept", "einverstanden", "ablehn",
      "refuser", "autoris", "acept", "rechaz", "accett", "rifiut", "aceit", "akkoord", "weiger",
      "godkänn",
      "godta", "tillad", "hyväksy", "souhlas", "zgadzam", "принима", "согла", "kabul", "同意", "동의",
    ]
}
