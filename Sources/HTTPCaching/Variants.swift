/// The stored responses for a URL, classified for one request.
package struct Variants<Stored: CachedResponse>: Sendable, Equatable {
  /// Responses that the request selects: private ones of the requester, then public ones, each
  /// newest first.
  package var matching: [Stored]
  /// Other variants that may be used as a fallback, in the same order as `matching`.
  package var others: [Stored]
  /// Variants that differ in a field that the client set explicitly, in the same order as
  /// `matching`. Only the server can decide whether one of them applies.
  package var revalidatable: [Stored]
  /// Variants for other credentials, cookies or client certificates, which are never used.
  package var withheld: [Stored]

  /// Creates variants from their parts.
  package init(
    matching: [Stored] = [], others: [Stored] = [], revalidatable: [Stored] = [],
    withheld: [Stored] = []
  ) {
    self.matching = matching
    self.others = others
    self.revalidatable = revalidatable
    self.withheld = withheld
  }
}
