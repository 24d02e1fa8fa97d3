/// The purpose of an element outside the content, by its element name, class and id.
struct BoilerplateName: OptionSet {
  let rawValue: UInt32

  /// Text only for screen readers, which mostly repeats visible text.
  static let screenReaderOnly = BoilerplateName(rawValue: 1 << 0)
  /// A cookie consent banner.
  static let consent = BoilerplateName(rawValue: 1 << 1)
  static let newsletter = BoilerplateName(rawValue: 1 << 2)
  /// A tooltip or popover.
  static let popover = BoilerplateName(rawValue: 1 << 3)
  /// An error message that is present before any error occurs.
  static let errorMessage = BoilerplateName(rawValue: 1 << 4)
  static let form = BoilerplateName(rawValue: 1 << 5)
  static let footer = BoilerplateName(rawValue: 1 << 6)
  /// Controls that filter a list.
  static let filter = BoilerplateName(rawValue: 1 << 7)
  /// A sidebar beside a list.
  static let sidebar = BoilerplateName(rawValue: 1 << 8)
  /// The signature below each post of an author.
  static let signature = BoilerplateName(rawValue: 1 << 9)
  /// An announcement on every page of the site.
  static let announcement = BoilerplateName(rawValue: 1 << 10)
  /// Breadcrumbs: the path from the home page to this one.
  static let breadcrumbs = BoilerplateName(rawValue: 1 << 11)

  /// Details about the author beside each post.
  static let authorDetails = BoilerplateName(rawValue: 1 << 12)
  /// Actions and ratings of each item.
  static let controls = BoilerplateName(rawValue: 1 << 13)

  /// Text visible from some window width, which overrides `screenReaderOnly`.
  static let visibleAtSomeWidth = BoilerplateName(rawValue: 1 << 14)

  /// An invitation to sign up, to pay or to donate.
  static let appeal = BoilerplateName(rawValue: 1 << 15)
  /// A link for editing a section, or another control of the site beside a heading or caption.
  static let inlineControl = BoilerplateName(rawValue: 1 << 16)

  /// The number of names that lead to the removal of blocks (`PageBlocks.withoutElements`); the
  /// ones after it have rules of their own.
  static let removableCount = 14
}
