/// The name of the option for private reading.
enum PrivateOption: String, CaseIterable {
  case isPrivate = "private"
}
