import Reader
import OfflineCache

/// Why a page did not come, where asking once more hardly helps. The text of each is what the library keeps.
package enum LastingFailure: String, Sendable, Equatable {
  case notFound = "404"
  case gone = "410"
  /// There is a network, and no host of that name in it.
  case unknownHost = "host"

  /// Judges how a load ended; nil where it may end otherwise at another time.
  init?(_ ending: PageSaver.Result.Ending) {
    switch ending {
    case .answered(404, .network, _): self = .notFound
    case .answered(410, .network, _): self = .gone
    case .failed(.transport(let failure)) where failure.kind == .hostNotFound: self = .unknownHost
    case .answered, .failed, .abandoned: return nil
    }
  }

  /// Whether a server has said that there is no such page: then nothing comes by waiting for it.
  var isAnswer: Bool { self != .unknownHost }

  /// The words for a person.
  package var words: String {
    switch self {
    case .notFound: ReaderError.words(forStatus: 404)
    case .gone: ReaderError.words(forStatus: 410)
    case .unknownHost: "host not found"
    }
  }
}
