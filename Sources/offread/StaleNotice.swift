import Configuration
import Document
import Foundation
import Pages
import Reader
import TerminalUI

/// The notice on standard error that a command used a saved copy, or a response that is probably
/// not the page.
enum StaleNotice {
  /// Returns the notice, such as `saved copy, 3 hours old: connection refused`; nil unless the
  /// response is a saved copy or was rejected because it is probably not the requested page.
  static func text(_ provenance: Provenance, now: Date) -> String? {
    // The notices of the page already report that nothing can be saved.
    if case .notStored? = provenance.rejection { return nil }
    if let rejection = provenance.rejection {
      return provenance.isContentSaved
        ? "\(rejection.text); it is saved as incomplete"
        : "\(rejection.text); it is not saved as the page"
    }
    let message: String
    switch provenance.source {
    case .saved(.status(401)): message = "refused (401); --netrc signs in"
    case .saved(let reason): message = reason.text
    case .fresh: message = "still fresh, no request was sent"
    case .network, .substituted, .builtIn, .file, .explanation: return nil
    }
    let age = provenance.contentDate.map {
      DateTexts.age(of: $0, now: now, in: .local)
    }
    let variant = provenance.variantDescription.map { ", \($0)" } ?? ""
    let file = provenance.importDescription.map { ", \($0)" } ?? ""
    return SafeText.line("saved copy, \(age ?? "of unknown age")\(variant)\(file): \(message)")
  }
}
