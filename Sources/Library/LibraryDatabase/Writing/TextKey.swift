internal import Glibc

/// A text as the key of a dictionary. Two keys are equal if their bytes are equal. A `String` as the key would compare
/// Unicode normal forms, which takes many times longer.
struct TextKey: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: TextKey, right: TextKey) -> Bool {
    var (left, right) = (left.text, right.text)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        guard left.count == right.count, let bytes = left.baseAddress,
          let others = right.baseAddress
        else { return left.count == right.count }
        return memcmp(bytes, others, left.count) == 0
      }
    }
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
