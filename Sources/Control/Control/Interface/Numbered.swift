internal import BusMethods
internal import EventLoop

/// A value, and the number of the session or stream that it belongs to.
package struct Numbered<Value: Sendable>: Sendable {
  package var number: Int
  package var value: Value

  package init(_ number: Int, _ value: Value) {
    self.number = number
    self.value = value
  }
}

extension Numbered: Equatable where Value: Equatable {}

extension Fields {
  static func ofSession<Part: Sendable>(
    _ start: Part, _ rest: @escaping @Sendable (inout FieldCoder, inout Part) throws -> Void
  ) -> Fields where Value == Numbered<Part> { numbered("session", start, rest) }

  static func ofStream<Part: Sendable>(
    _ start: Part, _ rest: @escaping @Sendable (inout FieldCoder, inout Part) throws -> Void
  ) -> Fields where Value == Numbered<Part> { numbered("stream", start, rest) }

  private static func numbered<Part: Sendable>(
    _ name: String, _ start: Part,
    _ rest: @escaping @Sendable (inout FieldCoder, inout Part) throws -> Void
  ) -> Fields where Value == Numbered<Part> {
    .record(Numbered(0, start)) { field, numbered in
      try field(name, &numbered.number, .count)
      try rest(&field, &numbered.value)
    }
  }
}

extension WireType<BusDescriptor> {
  static var descriptor: Self {
    Self("h", { .descriptor($0) }) { value, name in
      guard let descriptor = value.descriptor else { throw WireError(name, "missing", .missing) }
      return descriptor
    }
  }
}
