import Reader
import Images
import Synchronization
import TerminalUI

/// Runs effects that draw images.
extension EffectRunner {
  /// Replaces the list of wanted images: loads them in this order, and drops all other images whose
  /// loads have not begun.
  func setWantedImages(_ queries: [ImageQuery]) {
    beginLoads(state.withLock { $0.images.setWanted(queries) })
  }

  private func beginLoads(_ queries: [ImageQuery]) {
    for query in queries { lanes.run(.images) { [self] in loadImage(query) } }
  }

  private func loadImage(_ query: ImageQuery) {
    query.source.load(from: profile) { [self] result in
      switch result {
      case .success(let bytes): lanes.run(.decoding) { [self] in decodeImage(bytes, query) }
      case .failure(let error): endLoad(query, .failed(error.description))
      }
    }
  }

  private func decodeImage(_ bytes: [UInt8], _ query: ImageQuery) {
    do throws(ImageFailure) {
      endLoad(query, .drawn(try imageProcess.decode(bytes, query.request)))
    } catch {
      endLoad(query, .failed(error.description))
    }
  }

  /// Posts the outcome of a query, and begins the load of the next image.
  private func endLoad(_ query: ImageQuery, _ outcome: DrawingOutcome) {
    let next = state.withLock { $0.images.recordEnd(query) }
    post(.drawn(query, outcome))
    beginLoads(next)
  }
}
