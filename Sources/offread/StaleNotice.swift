import Document
import Foundation
import Reader
import TerminalUI

/// The line on standard error of a command that showed what the server did not give just now.
enum StaleNotice {
  /// `saved copy, 3 hours old: connection refused`; nil for what is no saved copy.
  static func text(_ provenance: Provenance, now: Date) -> String? {
    if let doubt = provenance.doubt { return "\(doubt.text); it is not saved as the page" }
    let words: String
    switch provenance.source {
    case .saved(.status(401)): words = "refused (401); --netrc signs in"
    case .saved(let reason): words = reason.text
    case .fresh: words = "still fresh, the server was not asked"
    case .network, .substituted, .builtIn, .file, .explanation: return nil
    }
    let age = provenance.contentDate.map {
      DateWords.age(of: $0, now: now, in: TimeZone.current)
    }
    let variant = provenance.variantWords.map { ", \($0)" } ?? ""
    let file = provenance.foreignWords.map { ", \($0)" } ?? ""
    return SafeText.line("saved copy, \(age ?? "of unknown age")\(variant)\(file): \(words)")
  }
}
