/// The keys for a search by digits, as on a telephone: each of the keys 2 … 9 stands for several letters.
public enum KeyPad {
  /// For each script, the letters of the keys 2 … 9.
  private static let rows: [[String]] = [
    ["abc", "def", "ghi", "jkl", "mno", "pqrs", "tuv", "wxyz"],
    ["αβγ", "δεζ", "ηθι", "κλμ", "νξο", "πρσ", "τυφ", "χψω"],
    ["абвгґ", "деёжзє", "иійїклј", "мнопљњ", "рстуќћ", "фхцчџ", "шщъы", "ьэюяѕђѓ"],
    ["بتةث", "اءآأإؤئ", "سشصض", "دذرز", "جحخ", "نهوي", "فقكلم", "طظعغ"],
    ["דהו", "אבג", "מםנן", "יכךל", "זחט", "רשת", "צץק", "סעפף"],
  ]

  /// The key of each character up to ``lastLetter``. 0 if the character is not on a key.
  private static let keys: [UInt8] = {
    var keys = [UInt8](repeating: 0, count: lastLetter + 1)
    for row in rows {
      for (number, letters) in row.enumerated() {
        for letter in letters.unicodeScalars { keys[Int(letter.value)] = UInt8(number + 2) }
      }
    }
    return keys
  }()
  /// The last character of the Arabic block, which is the last block with letters of the keys.
  private static let lastLetter = 0x6FF

  /// The key of a folded character. A digit is on the key with the same number. Nil if the character is not on a key.
  static func key(of scalar: Unicode.Scalar) -> UInt8? {
    if scalar.value <= lastLetter, keys[Int(scalar.value)] != 0 { return keys[Int(scalar.value)] }
    return scalar.digit
  }

  // MARK: For a screen

  /// The scripts of the letters that the screen shows on the keys.
  public enum Script: Sendable {
    case latin, greek, cyrillic, arabic, hebrew

    /// The script of a language. `language` is the first subtag of a BCP 47 tag.
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

  /// The labels of the keys 1 … 9. In some scripts, a label does not show all letters of its key.
  public static func labels(_ script: Script) -> [String] {
    switch script {
    case .latin: ["#", "ABC", "DEF", "GHI", "JKL", "MNO", "PQRS", "TUV", "WXYZ"]
    case .greek: ["#", "ΑΒΓ", "ΔΕΖ", "ΗΘΙ", "ΚΛΜ", "ΝΞΟ", "ΠΡΣ", "ΤΥΦ", "ΧΨΩ"]
    case .cyrillic: ["#", "АБВГ", "ДЕЖЗ", "ИЙКЛ", "МНОП", "РСТУ", "ФХЦЧ", "ШЩЪЫ", "ЬЭЮЯ"]
    case .arabic: ["#", "بتةث", "اء", "سشصض", "دذرز", "جحخ", "نهوي", "فقكلم", "طظعغ"]
    case .hebrew: ["#", "דהו", "אבג", "מנ", "יכל", "זחט", "רשת", "צק", "סעפ"]
    }
  }

  /// The letters for which the pressed keys stand in `name`: the folded beginnings of the words that the keys match.
  /// The key `0` separates two words. Nil if the name does not contain matching words.
  public static func text(of presses: String, in name: String) -> String? {
    let words = SearchWords(FoldedName(name)).words.map { Array($0.unicodeScalars) }
    var texts: [String] = []
    for press in presses.split(separator: "0") {
      let keys = press.utf8.map { $0 &- 0x30 }
      let word = words.first { word in
        word.count >= keys.count && zip(word, keys).allSatisfy { key(of: $0) == $1 }
      }
      guard let word else {
        // A search leaves out a word for *and* that the name does not have.
        guard Conjunctions.digits.contains(String(press)) else { return nil }
        texts.append("&")
        continue
      }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: word.prefix(keys.count))
      texts.append(String(text))
    }
    return texts.contains { $0 != "&" } ? texts.joined(separator: " ") : nil
  }
}
