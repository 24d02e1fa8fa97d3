/// The kind of content of a page, chosen by what users come for.
package enum PageKind: String, CaseIterable, Sendable {
  /// A text such as news, a story or an essay.
  case article
  /// Reference material.
  case documentation
  /// Posts of several people on one topic.
  case forum
  /// A single item that is for sale, with its description.
  case product
  /// Several items for sale, mostly with images and prices.
  case productList = "collection"
  /// A list of references to texts, places or things.
  case linkList = "listing"
  /// A description of a service on offer.
  case service
}
