import Reader
import Images
import Synchronization
import TerminalUI

/// Effects that draw images.
extension EffectRunner {
  /// Replaces the wanted images: loads these in this order, and drops others whose loads have not
  /// begun.
  func draw(_ queries: [ImageQuery]) {
    begin(state.withLock { $0.images.draw(queries) })
  }

  private func begin(_ queries: [ImageQuery]) {
    for query in queries { lanes.run(.images) { [self] in load(query) } }
  }

  private func load(_ query: ImageQuery) {
    query.source.load(from: profile) { [self] result in
      switch result {
      case .success(let bytes): lanes.run(.decoding) { [self] in decode(bytes, query) }
      case .failure(let error): end(query, .failed(error.description))
      }
    }
  }

  private func decode(_ bytes: [UInt8], _ query: ImageQuery) {
    do throws(ImageFailure) {
      end(query, .drawn(try imageProcess.decode(bytes, query.request)))
    } catch {
      end(query, .failed(error.description))
    }
  }

  private func end(_ query: ImageQuery, _ outcome: ImageOutcome) {
    let next = state.withLock { $0.images.end(query) }
    post(.drawn(query, outcome))
    begin(next)
  }
}
