/// The check that a response must pass before it is trusted as the requested page.
package enum ResponseTrust: Sendable, Hashable {
  /// The response is validated: against the saved copy if `withCopy` is true, otherwise on its own,
  /// because the copy may itself be the page of a captive portal.
  case compared(withCopy: Bool)
  /// The response is not validated: the user accepts any response as the page.
  case accepted
}
