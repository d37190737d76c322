/// The names of languages, each in the language itself, as a listener of this language knows it.
enum LanguageName {
  /// The name of the language with a BCP 47 tag. A tag without a name here stays as it is. A file can also state a name
  /// instead of a code, such as `English`, which stays as it is too.
  static func of(_ tag: String) -> String {
    let primary = tag.prefix { $0 != "-" }.lowercased()
    return names[primary] ?? tag
  }

  private static let names = [
    "ar": "العربية", "ca": "Català", "cs": "Čeština", "cy": "Cymraeg", "da": "Dansk",
    "de": "Deutsch", "el": "Ελληνικά", "en": "English", "es": "Español", "et": "Eesti",
    "eu": "Euskara", "fi": "Suomi", "fr": "Français", "ga": "Gaeilge", "he": "עברית",
    "hr": "Hrvatski", "hu": "Magyar", "is": "Íslenska", "it": "Italiano", "ja": "日本語",
    "ko": "한국어", "la": "Latina", "lt": "Lietuvių", "lv": "Latviešu", "nb": "Norsk",
    "nl": "Nederlands", "no": "Norsk", "pl": "Polski", "pt": "Português", "ro": "Română",
    "ru": "Русский", "sk": "Slovenčina", "sl": "Slovenščina", "sr": "Српски",
    "sv": "Svenska", "tr": "Türkçe", "uk": "Українська", "zh": "中文",
  ]
}
