/// The fault of a certificate that is not trusted.
enum CertificateFault {
  /// Lowercase substrings of the messages of OpenSSL, GnuTLS and libcurl, and the faults that they
  /// indicate. The first row of which a substring occurs applies.
  private static let rows: [(parts: [String], fault: String)] = [
    (["has expired", "expiration date has passed"], "it has expired"),
    (["not yet valid", "not activated yet"], "it is not valid yet"),
    (["subject name"], "it is for another host"),
    (["revoked"], "it was revoked"),
    (
      ["local issuer", "issuer certificate", "in certificate chain", "issuer is unknown"],
      "its issuer is unknown"
    ),
    (["self-signed", "self signed"], "it is self-signed"),
  ]

  /// Returns the fault that an error message names, as a clause about the certificate; nil for
  /// other messages.
  static func text(in message: String) -> String? {
    let message = message.lowercased()
    return rows.first { $0.parts.contains { message.contains($0) } }?.fault
  }
}
