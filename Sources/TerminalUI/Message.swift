package import Foundation
package import Reader

/// Something that happened, to which the `Browser` answers.
package enum Message: Sendable {
  /// The program runs: the first message.
  case started
  /// The time; nothing else tells it.
  case clock(Date)
  /// A key, a paste, the mouse, or an answer of the terminal.
  case input(InputEvent)
  /// Nothing else waits: there is time for what is still to be laid out.
  case idle
  /// The terminal has another size.
  case resized(Size)
  /// A load reports.
  case load(LoadID, LoadEvent)
  /// Which of the links of a page are saved, as absolute URLs.
  case savedLinks(of: String, Set<String>)
  /// What becomes of the pages that wait for a network.
  case queue(QueueFetcher.Event)
  /// A signal asks to end.
  case terminated(signal: Int32)
}

/// Names a load, so that reports of one that nobody waits for any more are known.
package struct LoadID: Hashable, Sendable {
  /// Counts from 1.
  package var number: Int

  package init(_ number: Int) {
    self.number = number
  }
}

/// Rows and columns of the terminal.
package struct Size: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}
