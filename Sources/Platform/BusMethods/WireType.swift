package import EventLoop

/// Converts a Swift value to one D-Bus value, and back.
package final class WireType<Value>: Sendable {
  /// The D-Bus type, which is one complete type.
  package let signature: String
  package let encode: @Sendable (Value) -> BusValue
  /// Converts a value of this D-Bus type. Throws if the value is not permitted. `name` is the name of the field, for
  /// the error.
  package let decode: @Sendable (_ value: BusValue, _ name: String) throws -> Value

  /// Creates a type from its functions for encoding and decoding.
  package init(
    _ signature: String, _ encode: @escaping @Sendable (Value) -> BusValue,
    _ decode: @escaping @Sendable (_ value: BusValue, _ name: String) throws -> Value
  ) {
    self.signature = signature
    self.encode = encode
    self.decode = decode
  }

  /// Creates a type whose `read` function does not need the name of the field, because its errors already name a field.
  package convenience init(
    _ signature: String, _ encode: @escaping @Sendable (Value) -> BusValue,
    read: @escaping @Sendable (BusValue) throws -> Value
  ) { self.init(signature, encode) { value, _ in try read(value) } }
}

extension WireType<String> {
  package static var text: Self { Self("s", { .string($0) }) { value, _ in value.text ?? "" } }
}

extension WireType {
  /// An optional value that is encoded as a text. An empty text means nil.
  package static func orNil<Wrapped>(_ type: WireType<Wrapped>) -> Self where Value == Wrapped? {
    Self("s", { $0.map(type.encode) ?? .string("") }) { value, name in
      value.text == "" ? nil : try type.decode(value, name)
    }
  }
}

extension WireType<String?> {
  package static var textOrNil: Self { .orNil(.text) }
}

extension WireType<Bool> {
  package static var flag: Self { Self("b", { .boolean($0) }) { value, _ in value.flag ?? false } }
}

extension WireType<[UInt8]> {
  package static var bytes: Self {
    Self("ay", { .bytes($0) }) { value, _ in value.byteArray ?? [] }
  }
}

extension WireType<BusValue> {
  /// An `a{sv}` that is passed on unchanged. The receiver decodes it.
  package static var properties: Self { Self("a{sv}", { $0 }) { value, _ in value } }
}

extension WireType<Int> {
  /// A number of 64 bits that is not negative. A received number must fit into `Int`.
  package static var count: Self {
    Self("t", { .uint64(UInt64(max(0, $0))) }) { value, name in
      guard let number = value.integer else { throw WireError(name, "too large") }
      return number
    }
  }
  /// A number of 32 bits that is not negative.
  /// - Parameter limits: the permitted range. A received number outside the range is replaced by the nearest limit.
  package static func number(_ limits: ClosedRange<Int> = 0...Int(UInt32.max)) -> Self {
    Self("u", { .uint32(UInt32(clamping: $0)) }) { value, _ in
      min(max(value.integer ?? 0, limits.lowerBound), limits.upperBound)
    }
  }
}

extension WireType where Value: RawRepresentable<String> & Sendable {
  /// The raw value, as text. An unknown word is an error.
  package static var word: Self {
    Self("s", { .string($0.rawValue) }) { value, name in
      guard let word = Value(rawValue: value.text ?? "") else { throw WireError(name, "unknown") }
      return word
    }
  }
}

extension WireType where Value: RawRepresentable<String> & CaseIterable & Sendable {
  /// Like ``word``, but the error message lists the known words.
  package static var listedWord: Self {
    Self("s", { .string($0.rawValue) }) { value, name in
      let text = value.text ?? ""
      if let word = Value(rawValue: text) { return word }
      let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw WireError(
        name, "'\(BusText.harmless(text, limit: 100))' is unknown; expected one of: \(known)")
    }
  }
}

extension WireType {
  /// A set of words, as an array of texts.
  /// - Parameter ignoresUnknown: true to skip unknown words. Used for words from a daemon, because a newer daemon can
  ///   send words that this program does not know.
  package static func words<Word: RawRepresentable<String> & CaseIterable & Hashable & Sendable>(
    ignoresUnknown: Bool = false
  ) -> Self where Value == Set<Word> {
    Self("as", { .strings($0.map(\.rawValue).sorted()) }) { value, name in
      let words = (value.texts ?? []).map { Word(rawValue: $0) }
      guard ignoresUnknown || words.allSatisfy({ $0 != nil }) else {
        let known = Word.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        throw WireError(name, "only these are known: \(known)")
      }
      return Set(words.compactMap { $0 })
    }
  }
}
