internal import BusMethods
internal import EventLoop

/// Reads the fields of an `a{sv}` by name. A field that is absent is read as nil, and a field of the wrong type is an
/// error. Unknown names are ignored, because another version of the program can send them.
struct WireFields {
  private let fields: [String: BusValue]
  private let path: String

  init(_ value: BusValue, _ path: String) throws(WireError) {
    guard let entries = value.entries else {
      throw WireError(path, "expected a{sv}, found \(value.unwrapped.signature)", .wrongType)
    }
    var fields: [String: BusValue] = [:]
    for entry in entries {
      guard let name = entry.key.text else {
        throw WireError(path, "a key is not a string", .wrongType)
      }
      if fields[name] == nil { fields[name] = entry.value.unwrapped }
    }
    self.fields = fields
    self.path = path
  }

  func path(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

  func has(_ name: String) -> Bool { fields[name] != nil }

  /// The value of a field, of any type.
  func value(_ name: String) -> BusValue? { fields[name] }

  private func read<Value>(
    _ name: String, _ expected: String, _ convert: (BusValue) -> Value?
  ) throws(WireError) -> Value? {
    guard let value = fields[name] else { return nil }
    guard let result = convert(value) else {
      throw WireError(path(of: name), "expected \(expected), found \(value.signature)", .wrongType)
    }
    return result
  }

  /// Returns the value of a required field. Throws if the field is absent.
  func required<Value>(_ name: String, _ value: Value?) throws(WireError) -> Value {
    guard let value else { throw WireError(path(of: name), "missing", .missing) }
    return value
  }

  func text(_ name: String) throws(WireError) -> String? { try read(name, "a string") { $0.text } }
  func flag(_ name: String) throws(WireError) -> Bool? { try read(name, "b") { $0.flag } }
  func integer(_ name: String) throws(WireError) -> Int? {
    try read(name, "an integer") { $0.integer }
  }
  func texts(_ name: String) throws(WireError) -> [String]? { try read(name, "as") { $0.texts } }
  func elements(_ name: String) throws(WireError) -> [BusValue]? {
    try read(name, "an array") { if case .bytes = $0 { nil } else { $0.elements } }
  }

  /// A finite number of type `d`.
  func number(_ name: String) throws(WireError) -> Double? {
    guard let number = try read(name, "d", { $0.number }) else { return nil }
    guard number.isFinite else {
      throw WireError(path(of: name), "\(number) is not a finite number")
    }
    return number
  }

  /// An array of finite numbers of type `ad`.
  func numbers(_ name: String) throws(WireError) -> [Double]? {
    try read(name, "ad") { value in
      guard let elements = value.elements else { return nil }
      let numbers = elements.compactMap(\.number).filter(\.isFinite)
      return numbers.count == elements.count ? numbers : nil
    }
  }

  /// A duration in nanoseconds, as an integer of any width.
  func duration(_ name: String) throws(WireError) -> Duration? {
    try integer(name).map { .nanoseconds($0) }
  }

  /// A duration that is sent in nanoseconds, converted to whole milliseconds.
  func milliseconds(_ name: String) throws(WireError) -> Int64? {
    try integer(name).map { Int64(clamping: $0 / 1_000_000) }
  }

  /// An array of durations in nanoseconds.
  func durations(_ name: String) throws(WireError) -> [Duration]? {
    try read(name, "ax") { value in
      guard let elements = value.elements else { return nil }
      let times = elements.compactMap(\.integer).map { Duration.nanoseconds($0) }
      return times.count == elements.count ? times : nil
    }
  }

  /// A required text that must be one of the values of an enumeration.
  func choice<Value: RawRepresentable>(_ name: String) throws(WireError) -> Value
  where Value.RawValue == String {
    let word = try required(name, text(name))
    guard let value = Value(rawValue: word) else { throw unknown(name, word) }
    return value
  }

  /// The error for a text that is not one of the permitted words.
  func unknown(_ name: String, _ word: String) -> WireError {
    WireError(path(of: name), "unknown word '\(BusText.harmless(word, limit: 100))'")
  }

  /// A nested dictionary.
  func fields(_ name: String) throws(WireError) -> WireFields? {
    guard let value = fields[name] else { return nil }
    return try WireFields(value, path(of: name))
  }

  /// An array of dictionaries. At most `limit` elements are read.
  func list(_ name: String, limit: Int) throws(WireError) -> [WireFields] {
    var result: [WireFields] = []
    for (index, element) in try (elements(name) ?? []).prefix(limit).enumerated() {
      result.append(try WireFields(element, "\(path(of: name))[\(index)]"))
    }
    return result
  }
}

/// Builds an `a{sv}`. Fields that are nil are omitted.
struct WireBuilder {
  private var entries: [(String, BusValue)] = []

  mutating func add(_ name: String, _ value: BusValue?) {
    if let value { entries.append((name, value)) }
  }

  var value: BusValue { .properties(entries) }
}

extension BusValue {
  /// A value of type `x` in whole nanoseconds. A duration of more than about 292 years does not fit and is limited to
  /// this.
  static func time(_ duration: Duration) -> BusValue { .int64(duration.wholeNanoseconds) }

  static func times(_ durations: [Duration]) -> BusValue {
    .array(of: "x", durations.map { .time($0) })
  }

  /// A value of type `aa{sv}`.
  static func list(_ values: [BusValue]) -> BusValue { .array(of: "a{sv}", values) }

  /// A value of type `t`.
  static func count(_ number: Int) -> BusValue { .uint64(UInt64(clamping: max(0, number))) }
}
