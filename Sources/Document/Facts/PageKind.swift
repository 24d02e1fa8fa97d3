/// What a reader comes to a page for.
package enum PageKind: String, CaseIterable, Sendable {
  /// A text: news, a story, an essay.
  case article
  /// Something to look things up in.
  case documentation
  /// Posts of several people on one subject.
  case forum
  /// A thing that is offered, with its description.
  case product
  /// Things that are offered, mostly with pictures and prices.
  case collection
  /// References to texts, places or things.
  case listing
  /// What somebody does for others.
  case service
}
