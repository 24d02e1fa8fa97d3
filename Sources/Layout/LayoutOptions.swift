import Document

/// The options of a layout.
package struct LayoutOptions: Sendable, Equatable {
  /// The available width in columns, from 20 to 500.
  package var width: Int
  /// The maximum width of running text, in columns; tables and code may use all of `width`.
  package var textWidth: Int
  /// Whether to center the text column in `width` (on the screen, but not in dumps).
  package var isCentered: Bool
  /// Whether to use ASCII substitutes for all glyphs that the layout itself adds.
  package var isASCII: Bool
  /// The substitution for characters that the terminal lacks; nil if it has all characters.
  package var substitution: CharacterSubstitution?
  /// The widths of characters. If ambiguous characters are wide, the glyphs that the layout adds
  /// are ASCII, because borders must be one column wide.
  package var widths = DisplayWidth()
  /// Whether navigation before the main content is hidden unless it is opened; otherwise it is
  /// always shown.
  package var foldsNavigation: Bool
  /// Whether disclosures (`details`) and folds hide their content unless they are open; otherwise
  /// it is always shown.
  package var foldsDetails: Bool
  /// The folds whose state is not the initial one, numbered as in `PageLayout.Target.fold`.
  package var toggledFolds: Set<Int32> = []
  /// Whether the layout or the terminal reorders bidirectional text.
  package var bidiOrdering = BidiOrdering.off
  /// A line from offread itself above the page; empty if there is none. The text must be safe to
  /// write to a terminal.
  package var notice = ""
  /// Whether and where link numbers are shown.
  package var linkNumbers: LinkNumbers
  /// The status of each link, indexed like `Document.links`; empty to show no status.
  package var linkStatuses: [LinkStatus]
  /// The URL to show for each link, indexed like `Document.links`; if empty, the link targets are
  /// shown as written in the page.
  package var linkTargets: [String]
  /// The state of each control, indexed like `PageForms.controls`; if empty, forms cannot be filled
  /// in and controls are shown as text.
  package var controlAppearances: [ControlAppearance] = []
  /// Whether to wrap lines of code that are too wide; otherwise they extend beyond `width`.
  package var wrapsCode: Bool
  /// Whether comments, strings, numbers and keywords in code have roles of their own.
  package var highlightsCode = true
  /// Whether images outside links are targets as well.
  package var makesImagesTargets = false
  /// The space reserved for block images; nil to reserve none.
  package var imageSpace: ImageSpace?
  /// Whether `PageLayout.sourceSpans` is recorded, so that passages of the document can be shown.
  package var recordsSources = false
  /// Whether block images are omitted.
  package var hidesImages = false
  /// Whether to lay out for screen readers and braille: table cells follow each other on separate
  /// lines, and decorative glyphs are omitted.
  package var isLinear: Bool

  package init(
    width: Int, textWidth: Int? = nil, isCentered: Bool = false, isASCII: Bool = false,
    foldsNavigation: Bool = false, foldsDetails: Bool = false,
    linkNumbers: LinkNumbers = .none, linkStatuses: [LinkStatus] = [], linkTargets: [String] = [],
    wrapsCode: Bool = true,
    isLinear: Bool = false
  ) {
    self.width = width
    self.textWidth = textWidth ?? width
    self.isCentered = isCentered
    self.isASCII = isASCII
    self.foldsNavigation = foldsNavigation
    self.foldsDetails = foldsDetails
    self.linkNumbers = linkNumbers
    self.linkStatuses = linkStatuses
    self.linkTargets = linkTargets
    self.wrapsCode = wrapsCode
    self.isLinear = isLinear
  }

  /// Whether the glyphs that the layout adds are ASCII.
  package var usesASCIIGlyphs: Bool { isASCII || widths.ambiguousWidth > 1 }

  /// The state of a control.
  package struct ControlAppearance: Sendable, Equatable {
    /// The text shown for the control, which is not broken; nil for the text in the document.
    package var text: String?
    /// Whether the control is a target, so that the user can select it.
    package var isTarget: Bool
    /// Whether the control is a button, shown as `< Send >` where the document has `[Send]`.
    package var isButton: Bool
    /// Whether the control is a check box or radio button, which is not underlined.
    package var isCheckable = false
    /// The range of a placeholder in `text`, in bytes.
    package var placeholderRange = 0..<0

    package init(text: String?, isTarget: Bool, isButton: Bool = false) {
      self.text = text
      self.isTarget = isTarget
      self.isButton = isButton
    }
  }

  /// Whether and where link numbers are shown.
  package enum LinkNumbers: String, CaseIterable, Sendable, Equatable {
    /// No numbers or URLs are added.
    case none
    /// `[1]` is added before the text of the link, and a list of the URLs at the end of the page.
    case numbers
    /// The URL is added after the text of the link.
    case inline
  }

  /// The status of a link's target, shown beside the link.
  package enum LinkStatus: UInt8, Sendable, Equatable {
    /// No marker is shown.
    case none
    /// The target is saved (●).
    case saved
    /// The target is not saved (○).
    case notSaved
    /// The target is queued (◷).
    case queued
  }
}
