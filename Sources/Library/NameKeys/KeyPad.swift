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

  private static let keys: [Unicode.Scalar: UInt8] = {
    var keys: [Unicode.Scalar: UInt8] = [:]
    for row in rows {
      for (number, letters) in row.enumerated() {
        for letter in letters.unicodeScalars { keys[letter] = UInt8(number + 2) }
      }
    }
    return keys
  }()

  /// The keys of a folded word, as digits: `moon` is `6666`. A digit of a number is its own key. Nil if
  /// a character is on no key.
  static func digits(of word: String) -> String? {
    var digits = ""
    for scalar in word.unicodeScalars {
      guard let key = keys[scalar] ?? scalar.digit else { return nil }
      digits += String(key)
    }
    return digits
  }
}
