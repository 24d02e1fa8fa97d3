import DOM

/// A form submission: target, method and content.
package struct FormSubmission: Sendable, Equatable {
  /// The URL reference of the target as written in the page; nil for the URL of the page.
  package var action: String?
  /// The submission method.
  package var method: PageForms.Method
  /// The media type of the content.
  package var mediaType: String
  /// The encoded entries; with `get`, the query.
  package var content: [UInt8]
}

extension PageForms {
  /// Returns the submission of a form (HTML standard, section 4.10.22.3).
  /// - Parameters:
  ///   - form: Index of the form.
  ///   - button: Index of the button that submits it; nil without a button.
  ///   - values: The values that the user entered.
  ///   - pageEncoding: The name of the page's encoding, the default for the submission.
  /// - Returns: The encoded submission.
  package func submission(
    of form: Int, by button: Int32?, _ values: FormValues, pageEncoding: String
  ) -> FormSubmission {
    let formAttributes = forms[form].submission
    let buttonAttributes = button.map { controls[Int($0)].submission } ?? SubmissionAttributes()
    let action = buttonAttributes.action ?? formAttributes.action ?? ""
    let method = buttonAttributes.method ?? formAttributes.method ?? .get
    let written = buttonAttributes.encoding ?? formAttributes.encoding ?? .urlEncoded
    let charset = submissionEncoding(of: form, pageEncoding: pageEncoding)
    let (mediaType, content) = (method == .get ? .urlEncoded : written).encode(
      entries(of: form, by: button, values, charset: charset), charset: charset)
    return FormSubmission(
      action: action.isEmpty ? nil : action, method: method, mediaType: mediaType, content: content)
  }

  /// Returns the first known encoding in `accept-charset`, or else that of the page; UTF-8 if the
  /// encoding is unknown or not supported for writing ("picking an encoding for the form").
  private func submissionEncoding(of form: Int, pageEncoding: String) -> CharacterEncoding {
    let labels = forms[form].acceptedCharsets.utf8.split {
      $0 == 0x20 || $0 == UInt8(ascii: ",")
    }
    let named = labels.lazy.compactMap { CharacterEncoding(label: $0) }.first
    let charset = named ?? CharacterEncoding(label: pageEncoding.utf8) ?? .utf8
    return charset.canEncode ? charset : .utf8
  }

  /// Returns the entries to submit ("constructing the entry list").
  func entries(
    of form: Int, by button: Int32?, _ values: FormValues, charset: CharacterEncoding
  ) -> [FormEncoding.Entry] {
    var entries: [FormEncoding.Entry] = []
    for index in controls(of: form) {
      let control = controls[Int(index)]
      guard !control.isDisabled else { continue }
      switch control.kind {
      case .submit(isImage: true):
        guard index == button else { continue }
        let prefix = control.name.isEmpty ? "" : control.name + "."
        entries += [.init(prefix + "x", "0"), .init(prefix + "y", "0")]
        continue
      case .submit: guard index == button else { continue }
      case .reset, .scriptButton: continue
      case .checkbox, .radio: guard values.isChecked(index, in: self) else { continue }
      default: break
      }
      guard !control.name.isEmpty else { continue }
      switch control.kind {
      case .select:
        let chosen = values.selectedChoices(of: index, in: self).map { choices[Int($0)] }
        entries += chosen.filter { !$0.isDisabled }.map { .init(control.name, $0.value) }
      case .file: entries.append(.init(control.name, nil))
      case .hidden where control.name.lowercased() == "_charset_":
        entries.append(.init(control.name, charset.name))
      case .text, .password, .textArea:
        var text = values.text(of: index, in: self)
        if control.syntax == .email(isMultiple: false) { text = String(text[...].trimmingSpaces) }
        entries.append(.init(control.name, text))
        if !control.directionName.isEmpty {
          let isRightToLeft = control.isRightToLeft ?? text.beginsRightToLeft
          entries.append(.init(control.directionName, isRightToLeft ? "rtl" : "ltr"))
        }
      default: entries.append(.init(control.name, control.value))
      }
    }
    return entries
  }
}

extension Substring {
  /// The text without spaces at its start and end, as browsers submit an e-mail address.
  var trimmingSpaces: Substring {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}

extension String {
  /// Whether the first letter is of a script that is written from right to left.
  fileprivate var beginsRightToLeft: Bool {
    guard let letter = unicodeScalars.first(where: \.properties.isAlphabetic) else { return false }
    switch letter.value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      return true
    default: return false
    }
  }
}
