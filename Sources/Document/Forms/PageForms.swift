package import DOM
import Algorithms

/// The forms of a page and their controls.
///
/// All data is flat: controls refer to their form and their choices by index. Empty if the page
/// shows no control.
package struct PageForms: Sendable, Equatable {
  /// The forms in document order.
  package var forms: [Form] = []
  /// All controls, including those that are not shown, in document order.
  package var controls: [Control] = []
  /// The choices of all `select` and `datalist` elements; `Control.choices` are ranges of this
  /// array.
  package var choices: [Choice] = []
  /// The positions of the shown controls, in the order of `Document.text`.
  package var controlSpans: [ControlSpan] = []

  package init() {}

  /// A form.
  package struct Form: Sendable, Equatable {
    /// The default submission of the form.
    package var submission = SubmissionAttributes()
    /// The `accept-charset` attribute as written in the page, or empty.
    package var acceptedCharsets = ""
    /// Whether the form is submitted without validation (`novalidate`).
    package var skipsValidation = false
  }

  /// The submission attributes of a form or a button; a button overrides its form.
  package struct SubmissionAttributes: Sendable, Equatable {
    /// The URL reference as written in the page, without surrounding white space; nil if not
    /// declared.
    package var action: String?
    /// The method, or nil if not declared.
    package var method: Method?
    /// The encoding of the form data, or nil if not declared.
    package var encoding: FormEncoding?
  }

  /// A form submission method (HTML standard, section 4.10.18.6).
  package enum Method: Sendable, Equatable {
    case get, post
    /// Closes the dialog without submitting.
    case dialog
  }

  /// A form control.
  package struct Control: Sendable, Equatable {
    package var kind: Kind
    /// Index in `PageForms.forms`; nil outside forms.
    package var form: OptionalIndex = nil
    /// The name under which the control is submitted; without a name it is not submitted.
    package var name = ""
    /// The name under which the direction of the text is submitted (`dirname`), or empty.
    package var directionName = ""
    /// Whether the text is written from right to left; nil if its first letter decides
    /// (`dir=auto`).
    package var isRightToLeft: Bool? = false
    /// The initial value; for a checkbox, radio button or button, the submitted value.
    package var value = ""
    /// The accessible label of the control (`aria-label`, `placeholder`, `title`), or empty.
    package var accessibleLabel = ""
    /// The text of the control's `label` element, or empty.
    package var labelElementText = ""
    /// The `placeholder` text that is shown while the control is empty; an empty string if there is
    /// none.
    package var placeholder = ""
    /// Whether a checkbox or radio button is initially checked. At most one radio button of a group
    /// is checked.
    package var isInitiallyChecked = false
    /// Whether the control is disabled: it can neither be changed nor is it submitted.
    package var isDisabled = false
    package var isReadOnly = false
    /// Whether a value is required.
    package var isRequired = false
    /// The required syntax of the text.
    package var syntax = Syntax.any
    /// The step between valid numbers; nil if any number is valid.
    package var step: Step?
    /// The regular expression that the whole text must match, or empty.
    package var pattern = ""
    /// The description of `pattern` (`title`), or empty.
    package var patternDescription = ""
    /// For a button, whether it submits the form without validation (`formnovalidate`).
    package var skipsValidation = false
    /// Maximum length in UTF-16 code units; nil if not declared.
    package var maxLength: Int?
    /// Minimum length in UTF-16 code units of a text that the user enters; nil if not declared.
    package var minLength: Int?
    /// The `size` attribute, at most 1000; 0 if not declared.
    package var columns = 0
    /// Range in `PageForms.choices`; for a text field, of the values that its `datalist` suggests.
    package var choices: Range<Int32> = 0..<0
    /// For a button, the attributes that override those of its form.
    package var submission = SubmissionAttributes()

    package enum Kind: Sendable, Hashable {
      /// A single-line text field, also for numbers, e-mail addresses and dates.
      case text
      /// A single-line text field whose text is hidden.
      case password
      case hidden
      case checkbox, radio
      /// A file picker; no file is ever uploaded.
      case file
      /// A multi-line text field.
      case textArea
      /// A list of choices, one or several of which can be selected.
      case select(isMultiple: Bool)
      /// A button that submits the form; an image button also submits coordinates.
      case submit(isImage: Bool)
      /// A button that resets the form.
      case reset
      /// A button with an effect only through scripts.
      case scriptButton
    }

    /// The required syntax of a text.
    package enum Syntax: Sendable, Equatable {
      case any
      /// An e-mail address, or several separated by commas.
      case email(isMultiple: Bool)
      /// A number, with optional inclusive bounds.
      case number(from: Double?, to: Double?)
      /// A date or time, with optional inclusive bounds.
      case date(DateSyntax, from: String?, to: String?)
      /// An absolute URL.
      case url
    }

    /// The valid numbers: those that differ from `base` by a multiple of `size`.
    package struct Step: Sendable, Equatable {
      package var size: Double
      package var base: Double
    }

    /// Whether the control is a single-line text field.
    package var isSingleLineText: Bool { kind == .text || kind == .password }

    /// Whether the control is a button.
    package var isButton: Bool { isSubmit || kind == .reset || kind == .scriptButton }

    /// Whether the control submits its form.
    package var isSubmit: Bool {
      if case .submit = kind { true } else { false }
    }

    /// Whether the user can interact with the control.
    package var isInteractive: Bool { !isDisabled && kind != .hidden && kind != .scriptButton }
  }

  /// A choice of a `select`, or a suggestion of a `datalist`.
  package struct Choice: Sendable, Equatable {
    /// The displayed text, on one line.
    package var label: String
    /// The submitted value.
    package var value: String
    /// The label of the `optgroup` that contains the choice, or empty.
    package var group = ""
    /// Whether the choice is initially selected.
    package var isInitiallySelected = false
    /// Whether the choice cannot be selected.
    package var isDisabled = false
  }

  /// The position of a shown control.
  package struct ControlSpan: Sendable, Equatable {
    /// The offset of the first byte of the control in `Document.text`.
    package var start: UInt32
    /// The offset after the last byte of the control.
    package var end: UInt32
    /// Index in `PageForms.controls`.
    package var control: Int32
    /// The number of `Document.links` before the control.
    package var precedingLinkCount: Int32
  }

  /// Returns the index in `controlSpans` of the first one that ends after an offset, or
  /// `controlSpans.count`.
  package func indexOfFirstSpan(endingAfter offset: UInt32) -> Int {
    controlSpans.partitioningIndex { $0.end > offset }
  }

  /// Returns the position of a control, or nil if it is not shown.
  package func controlSpan(of control: Int32) -> ControlSpan? {
    controlSpans.first { $0.control == control }
  }

  /// Returns the indices of the controls of a form in document order.
  package func controls(of form: Int) -> [Int32] {
    controls.indices.filter { controls[$0].form.value == form }.map(Int32.init)
  }

  /// Returns the default button of a form, which Enter in a text field activates: its first submit
  /// button (HTML standard, section 4.10.22.2); nil if it has none.
  package func defaultButton(of form: Int) -> Int32? {
    controls(of: form).first { controls[Int($0)].isSubmit }
  }
}
