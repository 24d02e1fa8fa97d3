/// The completions for Tab, the best first.
package struct CompletionList: Sendable, Equatable {
  package struct Completion: Sendable, Equatable {
    /// The complete text of the prompt.
    package var text: String
    /// A description, such as the title of the page.
    package var detail: String

    package init(_ text: String, note: String = "") {
      self.text = text
      self.detail = note
    }
  }

  package var items: [Completion] = []
  /// The index of the selected completion; nil for none.
  package var selectedIndex: Int?
  /// The step of the key for completion that was pressed before the completions were found; nil for
  /// none.
  var awaitedStep: Int?

  package init(_ all: [Completion] = []) {
    self.items = all
  }

  /// Selects the next or the previous completion, wrapping around at the ends.
  /// - Returns: Its text; nil if there are no completions.
  mutating func selectNext(by step: Int) -> String? {
    guard !items.isEmpty else { return nil }
    let next = selectedIndex.map { $0 + step } ?? (step > 0 ? 0 : items.count - 1)
    let index = (next % items.count + items.count) % items.count
    selectedIndex = index
    return items[index].text
  }
}
