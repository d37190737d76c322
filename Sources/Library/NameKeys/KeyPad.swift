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

  // MARK: For a screen

  /// The scripts whose letters a screen can show on the keys.
  public enum Script: Sendable {
    case latin, greek, cyrillic, arabic, hebrew

    /// The script of a language, by the first subtag of BCP 47.
    public init(language: String) {
      switch language {
      case "el": self = .greek
      case "ru", "uk", "be", "bg", "sr", "mk", "kk", "mn": self = .cyrillic
      case "ar", "fa", "ur", "ps", "sd", "ug", "ckb": self = .arabic
      case "he", "yi": self = .hebrew
      default: self = .latin
      }
    }
  }

  /// The texts of the keys 1 … 9. Each letter of a text is on its key.
  public static func labels(_ script: Script) -> [String] {
    switch script {
    case .latin: ["#", "ABC", "DEF", "GHI", "JKL", "MNO", "PQRS", "TUV", "WXYZ"]
    case .greek: ["#", "ΑΒΓ", "ΔΕΖ", "ΗΘΙ", "ΚΛΜ", "ΝΞΟ", "ΠΡΣ", "ΤΥΦ", "ΧΨΩ"]
    case .cyrillic: ["#", "АБВГ", "ДЕЖЗ", "ИЙКЛ", "МНОП", "РСТУ", "ФХЦЧ", "ШЩЪЫ", "ЬЭЮЯ"]
    case .arabic: ["#", "بتةث", "اء", "سشصض", "دذرز", "جحخ", "نهوي", "فقكلم", "طظعغ"]
    case .hebrew: ["#", "דהו", "אבג", "מנ", "יכל", "זחט", "רשת", "צק", "סעפ"]
    }
  }

  /// What pressed keys stand for in a name: the beginnings of the words that they find, in small letters without
  /// accents. `0` stands between two words. Nil if the name has no such words.
  public static func text(of presses: String, in name: String) -> String? {
    let words = SearchWords(FoldedName(name)).words.map { Array($0.unicodeScalars) }
    var texts: [String] = []
    for press in presses.split(separator: "0") {
      let keys = press.utf8.map { $0 &- 0x30 }
      let word = words.first { word in
        word.count >= keys.count && zip(word, keys).allSatisfy { key(of: $0) == $1 }
      }
      guard let word else { return nil }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: word.prefix(keys.count))
      texts.append(String(text))
    }
    return texts.isEmpty ? nil : texts.joined(separator: " ")
  }
}
