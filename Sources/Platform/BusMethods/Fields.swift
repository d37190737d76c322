package import EventLoop

/// The fields of a message: the arguments or the results of a method, or the values of a signal. All fields together
/// are one Swift value.
///
/// The declarations of this module are classes to keep the programs small. For a structure with closures, the compiler
/// would generate code for each copy.
package final class Fields<Value>: Sendable {
  /// The names and D-Bus types.
  package let list: [BusInterface.Argument]
  /// The number of optional fields. The optional fields are the last fields. An older program does not send them.
  let optional: Int
  private let decode: @Sendable ([BusValue]) throws -> Value
  /// Converts a Swift value to D-Bus values, in the order of ``list``.
  package let write: @Sendable (Value) -> [BusValue]

  fileprivate init(
    list: [BusInterface.Argument], optional: Int,
    decode: @escaping @Sendable ([BusValue]) throws -> Value,
    write: @escaping @Sendable (Value) -> [BusValue]
  ) {
    self.list = list
    self.optional = optional
    self.decode = decode
    self.write = write
  }

  /// Reads received values. Values after the known fields are ignored, because a newer program can send more fields.
  /// - Throws: ``WireError`` if a value is missing or has another type; also the errors of a ``WireType``.
  package func read(_ values: [BusValue]) throws -> Value {
    let expected = list.dropLast(optional).map(\.signature).joined()
    let found = values.map(\.signature).joined()
    guard found.hasPrefix(expected) else {
      throw WireError("types", "expected \(expected), found \(found)", .wrongType)
    }
    return try decode(values)
  }
}

extension Fields<Void> {
  /// No fields.
  package static var none: Fields<Void> {
    Fields(list: [], optional: 0, decode: { _ in }, write: { _ in [] })
  }
}

extension Fields where Value: Sendable {
  /// One field, whose value is the Swift value.
  package static func one(_ name: String, _ type: WireType<Value>) -> Fields<Value> {
    Fields(
      list: [.init(name, type.signature)], optional: 0,
      decode: { try type.decode($0[0], name) }, write: { [type.encode($0)] })
  }

  /// Several fields, which are the properties of a record.
  /// - Parameters:
  ///   - start: the value of the record before its fields are read.
  ///   - fields: passes each field to the coder, in the order of the message. The coder lists, writes or reads the
  ///     field, so one line of code declares a field for all three tasks. To list the fields, the closure runs with
  ///     `start`. The closure must throw only if the coder reads.
  package static func record(
    _ start: Value, _ fields: @escaping @Sendable (inout FieldCoder, inout Value) throws -> Void
  ) -> Fields<Value> {
    let listed = FieldCoder.list { coder in
      var record = start
      try fields(&coder, &record)
    }
    return Fields(
      list: listed.list, optional: listed.optional,
      decode: { values in
        var record = start
        try FieldCoder.read(values) { try fields(&$0, &record) }
        return record
      },
      write: { record in
        FieldCoder.write { coder in
          var record = record
          try fields(&coder, &record)
        }
      })
  }
}
