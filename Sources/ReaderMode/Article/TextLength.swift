struct TextLength {
  /// The number of characters, with runs of white space counted once.
  var characterCount: Int32 = 0
  /// The number of commas of any script.
  var commaCount: Int32 = 0
}
