package import EventLoop

/// The arguments or the results of a method, or the values of a signal. All fields together are one Swift value.
///
/// The declarations of this module are classes, because each copy of a structure with closures would be code in each
/// program.
package final class Fields<Value>: Sendable {
  /// The names and D-Bus types.
  package let list: [BusInterface.Argument]
  /// How many of the last fields an older program does not send.
  private let optional: Int
  private let decode: @Sendable ([BusValue]) throws -> Value
  /// The D-Bus values of a Swift value, in the order of ``list``.
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

  /// Reads received values. Values after the known ones are ignored, because a newer program may send them.
  /// - Throws: ``WireError`` if a value is missing or has another type, and what a ``WireType`` throws.
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
  ///   - start: the record before its fields are read.
  ///   - fields: passes each field to the coder, in the order of the message. The coder lists, writes or reads it, so
  ///     each field stands in one line. It also runs with the start value, to list the fields. Only reading may throw.
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
