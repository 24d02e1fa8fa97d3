/// Stores an optional value outside the value that has this property.
///
/// For a large value that is rare or seldom used: the code that copies and destroys a value repeats
/// all fields of its parts, in each type that contains them. Each change copies the value once.
@propertyWrapper package enum Indirect<Wrapped> {
  case none
  indirect case some(Wrapped)

  @inlinable package init(wrappedValue: Wrapped? = nil) {
    self = wrappedValue.map { .some($0) } ?? .none
  }

  @inlinable package var wrappedValue: Wrapped? {
    get {
      switch self {
      case .none: nil
      case .some(let value): value
      }
    }
    set { self = Indirect(wrappedValue: newValue) }
  }
}

extension Indirect: Sendable where Wrapped: Sendable {}
extension Indirect: Equatable where Wrapped: Equatable {}
