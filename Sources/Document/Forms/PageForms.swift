/// The forms of a page: what can be filled in, what it is called, and where it goes.
///
/// Everything is flat: controls refer to their form, and their choices, by index. A page that shows no
/// control has none of it.
package struct PageForms: Sendable, Equatable {
  /// The forms in the order of the page.
  package var forms: [Form] = []
  /// All controls, also those that are not shown, in the order of the page.
  package var controls: [Control] = []
  /// What the selects of the page offer; `Control.choices` are ranges of it.
  package var choices: [Choice] = []
  /// Where controls are shown, in the order of `Document.text`.
  package var spans: [Span] = []

  package init() {}

  /// A form.
  package struct Form: Sendable, Equatable {
    /// Where and how it is sent.
    package var submission = Submission()
    /// The encodings that the server takes (`accept-charset`), as the page has it, or empty.
    package var charsets = ""
    /// Whether it is sent whatever is filled in (`novalidate`).
    package var isUnchecked = false
  }

  /// Where and how a form is sent, as far as an element says it: a button may say it anew.
  package struct Submission: Sendable, Equatable {
    /// The reference as the page has it, without white space around it, or nil.
    package var action: String?
    /// The method, or nil.
    package var method: Method?
    /// How what was filled in is written, or nil.
    package var encoding: FormEncoding?
  }

  /// How a form is sent (HTML standard, section 4.10.18.6).
  package enum Method: Sendable, Equatable {
    case get, post
    /// It is not sent: it closes a dialogue.
    case dialog
  }

  /// Something that can be filled in, chosen or pressed.
  package struct Control: Sendable, Equatable {
    /// What it is.
    package var kind: Kind
    /// Index in `PageForms.forms`, or -1.
    package var form: Int32 = -1
    /// The name under which it is sent; without one it is not.
    package var name = ""
    /// What stands in it at first, and what a box that is checked or a button sends.
    package var value = ""
    /// What it is called beside the text around it (`aria-label`, `placeholder`, `title`), or empty.
    package var label = ""
    /// The words of its `label` element, or empty.
    package var caption = ""
    /// What is shown in it as long as it is empty, or empty.
    package var placeholder = ""
    /// Whether a box is checked at first; of the radio buttons of a group one is.
    package var isChecked = false
    /// Whether it can neither be changed nor is sent.
    package var isDisabled = false
    /// Whether it cannot be changed.
    package var isReadOnly = false
    /// Whether it must be filled in.
    package var isRequired = false
    /// What its text must be.
    package var syntax = Syntax.any
    /// Of a button, whether it sends the form whatever is filled in (`formnovalidate`).
    package var isUnchecked = false
    /// The most UTF-16 units that may be typed, or nil.
    package var maximumLength: Int?
    /// Columns that the page wants for it, 0 if it does not say.
    package var columns = 0
    /// Indices in `PageForms.choices`.
    package var choices: Range<Int32> = 0..<0
    /// What a button says of how its form is sent.
    package var submission = Submission()

    /// The kinds of control.
    package enum Kind: Sendable, Hashable {
      /// A line of text, whatever it is to be: a number, an address, a date.
      case text
      /// A line of text that is not to be seen.
      case password
      /// What the page sends along.
      case hidden
      case checkbox, radio
      /// A file, of which none is sent.
      case file
      /// Several lines of text.
      case area
      /// A list of choices, of which one or several are taken.
      case select(isMultiple: Bool)
      /// A button that sends the form; an image sends where it was clicked, too.
      case submit(isImage: Bool)
      /// A button that makes the form what it was at first.
      case reset
      /// A button that only a script gives a meaning.
      case button
    }

    /// What a text must be.
    package enum Syntax: Sendable, Equatable {
      case any
      /// An address of e-mail, or several with commas.
      case email(isMultiple: Bool)
      /// A number, within bounds.
      case number(from: Double?, to: Double?)
    }

    /// Whether a line of text is typed into it.
    package var isLine: Bool { kind == .text || kind == .password }

    /// Whether it is pressed.
    package var isButton: Bool { isSubmit || kind == .reset || kind == .button }

    /// Whether it sends its form.
    package var isSubmit: Bool {
      if case .submit = kind { true } else { false }
    }

    /// Whether a person can do something with it.
    package var isActive: Bool { !isDisabled && kind != .hidden && kind != .button }
  }

  /// One choice of a select.
  package struct Choice: Sendable, Equatable {
    /// What is shown, on one line.
    package var label: String
    /// What is sent.
    package var value: String
    /// What the choices of its group are called, or empty.
    package var group = ""
    /// Whether it is taken at first.
    package var isSelected = false
    /// Whether it cannot be taken.
    package var isDisabled = false
  }

  /// Where a control is shown.
  package struct Span: Sendable, Equatable {
    /// First byte in `Document.text`.
    package var start: UInt32
    /// Byte past the last one.
    package var end: UInt32
    /// Index in `PageForms.controls`.
    package var control: Int32
    /// How many of `Document.links` come before it.
    package var links: Int32
  }

  /// The index in `spans` of the first one that ends behind an offset, or `spans.count`.
  package func firstSpan(endingBehind offset: UInt32) -> Int {
    var low = 0
    var high = spans.count
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].end <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Where a control is shown, or nil.
  package func span(of control: Int32) -> Span? { spans.first { $0.control == control } }

  /// The controls of a form, in the order of the page.
  package func controls(of form: Int32) -> [Int32] {
    controls.indices.filter { controls[$0].form == form && form >= 0 }.map(Int32.init)
  }

  /// The button that is pressed by who only presses Enter: the first one of the form that sends it
  /// (HTML standard, section 4.10.22.2), or nil.
  package func defaultButton(of form: Int32) -> Int32? {
    controls(of: form).first { controls[Int($0)].isSubmit }
  }
}
