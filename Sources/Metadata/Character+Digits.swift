extension Character {
  /// Whether the character is a digit of some script. Ideographs such as 一 are numeric, too, but
  /// occur in names.
  var isDigit: Bool {
    switch unicodeScalars.first?.properties.numericType {
    case .decimal, .digit: true
    case .numeric, nil: false
    @unknown default: false
    }
  }
}
