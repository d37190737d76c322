/// The codes by which tags of files name a language.
enum LanguageCode {
  /// The BCP 47 tag for the language in a tag of a file, such as `TLAN`. BCP 47 uses the code with two letters if there
  /// is one. A text that is not a code stays as it is, for example `English`.
  static func tag(_ text: String) -> String {
    let code = text.lowercased()
    guard (2...3).contains(code.utf8.count), code.utf8.allSatisfy({ (0x61...0x7A).contains($0) })
    else { return text }
    return twoLetters[code] ?? code
  }

  /// The codes of ISO 639-2 with their codes of ISO 639-1. Some languages have two codes in ISO 639-2.
  private static let twoLetters = [
    "afr": "af", "alb": "sq", "ara": "ar", "arm": "hy", "baq": "eu", "bel": "be", "ben": "bn",
    "bos": "bs", "bul": "bg", "cat": "ca", "ces": "cs", "chi": "zh", "cym": "cy", "cze": "cs",
    "dan": "da", "deu": "de", "dut": "nl", "ell": "el", "eng": "en", "epo": "eo", "est": "et",
    "eus": "eu", "fas": "fa", "fin": "fi", "fra": "fr", "fre": "fr", "geo": "ka", "ger": "de",
    "gle": "ga", "glg": "gl", "gre": "el", "heb": "he", "hin": "hi", "hrv": "hr", "hun": "hu",
    "hye": "hy", "ice": "is", "ind": "id", "isl": "is", "ita": "it", "jpn": "ja", "kat": "ka",
    "kor": "ko", "lat": "la", "lav": "lv", "lit": "lt", "mac": "mk", "may": "ms", "mkd": "mk",
    "msa": "ms", "nld": "nl", "nno": "nn", "nob": "nb", "nor": "no", "per": "fa", "pol": "pl",
    "por": "pt", "ron": "ro", "rum": "ro", "rus": "ru", "slk": "sk", "slo": "sk", "slv": "sl",
    "spa": "es", "sqi": "sq", "srp": "sr", "swa": "sw", "swe": "sv", "tam": "ta", "tha": "th",
    "tur": "tr", "ukr": "uk", "urd": "ur", "vie": "vi", "wel": "cy", "yid": "yi", "zho": "zh",
  ]
}
