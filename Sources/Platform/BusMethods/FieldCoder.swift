internal import EventLoop

/// Lists, writes or reads the fields of a record (``Fields/record(_:_:)``).
package struct FieldCoder {
  private enum Task { case list, write, read }

  /// The `a{sv}` field that was begun last. The next options and flags belong to this field.
  private struct Options {
    var name = ""
    var written: [(String, BusValue)] = []
    var received: BusValue?
  }

  private let task: Task
  private(set) var list: [BusInterface.Argument] = []
  /// The number of optional fields. The optional fields are the last fields. An older program does not send them.
  private(set) var optional = 0
  private var written: [BusValue] = []
  /// The received values that were not read yet.
  private var unread: ArraySlice<BusValue> = []
  private var options = Options()

  private init(_ task: Task) { self.task = task }

  /// True if received values are read into the record.
  package var isReading: Bool { task == .read }

  /// Lists, writes or reads the next field.
  /// - Parameter isOptional: true if an older program does not send the field. If the field is absent, `value` stays as
  ///   it is. Only the last fields can be optional.
  package mutating func callAsFunction<Value>(
    _ name: String, _ value: inout Value, _ type: WireType<Value>, isOptional: Bool = false
  ) throws {
    switch task {
    case .list: add(name, type.signature, isOptional)
    case .write: written.append(type.encode(value))
    case .read: if let found = try next(name, isOptional) { value = try type.decode(found, name) }
    }
  }

  /// Begins a field with type `a{sv}`. The caller then passes each of its values with ``option(_:_:_:)`` or
  /// ``flag(_:_:isUsually:)``.
  package mutating func options(_ name: String) throws {
    options = Options(name: name)
    switch task {
    case .list: add(name, "a{sv}", false)
    case .write: written.append(.properties([]))
    case .read: options.received = try next(name, false)
    }
  }

  /// Writes or reads a value of the current `a{sv}`. A nil value is left out.
  package mutating func option<Value>(
    _ name: String, _ value: inout Value?, _ type: WireType<Value>
  ) throws {
    switch task {
    case .list: break
    case .write:
      guard let value else { return }
      options.written.append((name, type.encode(value)))
      written[written.count - 1] = .properties(options.written)
    case .read:
      guard let found = options.received?[name] else { return }
      let field = "\(options.name).\(name)"
      guard Self.kind(of: found.signature) == Self.kind(of: type.signature) else {
        throw WireError(field, "expected \(type.signature), found \(found.signature)", .wrongType)
      }
      value = try type.decode(found, field)
    }
  }

  /// Writes or reads a flag of the current `a{sv}`. A flag with its usual value is left out.
  package mutating func flag(
    _ name: String, _ value: inout Bool, isUsually usual: Bool = false
  ) throws {
    var other: Bool? = value == usual ? nil : value
    try option(name, &other, .flag)
    value = other ?? usual
  }

  /// The type for a comparison of types. All integer types are equal, because an `a{sv}` can contain an integer of any
  /// width.
  private static func kind(of signature: String) -> String {
    ["y", "n", "q", "i", "u", "x", "t"].contains(signature) ? "integer" : signature
  }

  private mutating func add(_ name: String, _ signature: String, _ isOptional: Bool) {
    precondition(isOptional || optional == 0, "\(name) follows an optional field")
    list.append(.init(name, signature))
    if isOptional { optional += 1 }
  }

  private mutating func next(_ name: String, _ isOptional: Bool) throws -> BusValue? {
    if unread.isEmpty, !isOptional { throw WireError(name, "missing", .missing) }
    return unread.popFirst()
  }

  static func list(_ fields: (inout FieldCoder) throws -> Void) -> FieldCoder {
    var coder = FieldCoder(.list)
    // Only reading throws.
    try? fields(&coder)
    return coder
  }

  static func write(_ fields: (inout FieldCoder) throws -> Void) -> [BusValue] {
    var coder = FieldCoder(.write)
    try? fields(&coder)
    return coder.written
  }

  static func read(
    _ values: [BusValue], _ fields: (inout FieldCoder) throws -> Void
  ) throws {
    var coder = FieldCoder(.read)
    coder.unread = values[...]
    try fields(&coder)
  }
}
