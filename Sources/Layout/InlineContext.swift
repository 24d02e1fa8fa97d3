import Document
import DOM

/// The context that determines the style, the targets and the annotations of inline text.
struct InlineContext {
  let input: LayoutInput
  /// The role of text whose runs specify none.
  var defaultRole = TextRole.text
  /// The style added to all text.
  var addedStyle = InlineStyle()
  /// The target of text whose runs specify none: inside a summary, the disclosure that it toggles;
  /// otherwise nil.
  var defaultTarget: PageLayout.Target?
  /// The number of each link, indexed like `Document.links`; empty if numbers are not shown.
  var linkNumbers: [Int32] = []
  /// The width of a line in columns.
  var width = Int.max
  /// The column at which the first field of a form row begins; 0 if it follows its label directly.
  var fieldColumn = 0

  init(_ input: LayoutInput) { self.input = input }

  /// Whether a number, a status marker or a URL is added to links.
  var annotatesLinks: Bool {
    !linkNumbers.isEmpty || !input.options.linkStatuses.isEmpty
      || input.options.linkNumbers == .inline
  }

  /// Returns the target that a run activates; nil if there is none.
  @inline(__always)
  func target(of run: Document.Run) -> PageLayout.Target? {
    if let link = run.link.value { return .link(Int32(link)) }
    guard defaultTarget == nil, let image = run.image.value else { return defaultTarget }
    return target(ofImage: Int32(image))
  }

  /// Returns the target of an image outside a link, if such images can be selected; nil otherwise.
  func target(ofImage image: Int32) -> PageLayout.Target? {
    input.areImagesTargets.indices.contains(Int(image)) && input.areImagesTargets[Int(image)]
      ? .image(image) : nil
  }

  /// Returns where the URL of a link is inserted into the last run of the link: before the line
  /// feeds of preformatted text at its end.
  func endOfLinkText(of run: Document.Run) -> Int {
    guard run.link != nil, input.options.linkNumbers == .inline else { return Int(run.end) }
    var end = Int(run.end)
    while end > Int(run.start), input.document.text[end - 1] == 0x0A { end -= 1 }
    return end
  }

  /// Returns the style of a run.
  @inline(__always)
  func style(of run: Document.Run) -> TextStyle {
    let inline = run.style.union(addedStyle)
    if run.link != nil { return TextStyle(.link, inlineStyle: inline) }
    if defaultRole == .heading { return TextStyle(.heading, inlineStyle: inline) }
    if run.style.contains(.code) { return TextStyle(.code, inlineStyle: inline) }
    return TextStyle(defaultRole, inlineStyle: inline)
  }
}
