/// The nine keys of a search: each key has three or four letters, as on a telephone.
public enum KeyPad {
  /// The letters of the keys 2 … 9, in each script.
  private static let rows: [[String]] = [
    ["abc", "def", "ghi", "jkl", "mno", "pqrs", "tuv", "wxyz"],
    ["αβγ", "δεζ", "ηθι", "κλμ", "νξο", "πρσ", "τυφ", "χψω"],
    ["абвгґ", "деёжзє", "иійїклј", "мнопљњ", "рстуќћ", "фхцчџ", "шщъы", "ьэюяѕђѓ"],
    ["بتةث", "اءآأإؤئ", "سشصض", "دذرز", "جحخ", "نهوي", "فقكلم", "طظعغ"],
    ["דהו", "אבג", "מםנן", "יכךל", "זחט", "רשת", "צץק", "סעפף"],
  ]

  /// The key of each character up to ``lastLetter``; 0 for characters that are on no key.
  private static let keys: [UInt8] = {
    var keys = [UInt8](repeating: 0, count: lastLetter + 1)
    for row in rows {
      for (number, letters) in row.enumerated() {
        for letter in letters.unicodeScalars { keys[Int(letter.value)] = UInt8(number + 2) }
      }
    }
    return keys
  }()
  /// All letters of the keys are before the end of the Arabic block.
  private static let lastLetter = 0x6FF

  /// The key of a folded character. A digit of a number is its own key. Nil if the character is on no key.
  static func key(of scalar: Unicode.Scalar) -> UInt8? {
    if scalar.value <= lastLetter, keys[Int(scalar.value)] != 0 { return keys[Int(scalar.value)] }
    return scalar.digit
  }
}
