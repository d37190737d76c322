public import NowPlaying

/// Messages about the unit, in the language of the people in the car.
public enum Phrase: Hashable, Sendable, CaseIterable {
  /// The source is the unit itself or a stick.
  case music
  case radio
  /// What to do if nothing plays.
  case plugIn
  /// The stick with the music was pulled.
  case mediumGone
  /// The sound card was removed.
  case outputGone
  case outputBack
  /// The file has no supported format, or is damaged.
  case cannotPlay
  /// The storage is being checked. Changes are kept in memory meanwhile.
  case storageChecking
  /// The storage has no errors any more. It is used from the next start on.
  case storageChecked
  case storageRepaired
  /// Changes are lost when the power is cut.
  case storageNotSaving
  /// A command was not carried out.
  case notPossible
  case phoneConnected
  case phoneGone
  case pairingFailed
  /// Phones can find this unit now.
  case pairingOpen

  /// The phrase in this language; English if there is no translation.
  public func text(_ language: LanguageTag) -> String {
    let all = Self.texts[self] ?? []
    let place = Self.languages.firstIndex(of: LocalizedWords.primary(language)) ?? 0
    return place < all.count ? all[place] : ""
  }

  private static let languages = ["en", "de", "fr", "ar", "he"]

  private static let texts: [Phrase: [String]] = [
    .music: ["Music", "Musik", "Musique", "موسيقى", "מוזיקה"],
    .radio: ["Radio", "Radio", "Radio", "راديو", "רדיו"],
    .plugIn: [
      "Plug in a stick with music.", "Einen Stick mit Musik einstecken.",
      "Branchez une clé avec de la musique.", "أدخل ذاكرة USB عليها موسيقى.",
      "חברו התקן USB עם מוזיקה.",
    ],
    .mediumGone: [
      "Stick removed", "Stick entfernt", "Clé retirée", "أُزيلت الذاكرة", "ההתקן הוצא",
    ],
    .outputGone: [
      "No sound output", "Keine Tonausgabe", "Pas de sortie audio", "لا يوجد مخرج صوت",
      "אין פלט שמע",
    ],
    .outputBack: [
      "Sound is back", "Ton ist wieder da", "Le son est revenu", "عاد الصوت", "השמע חזר",
    ],
    .cannotPlay: [
      "Cannot be played", "Nicht abspielbar", "Lecture impossible", "لا يمكن تشغيله",
      "לא ניתן לנגן",
    ],
    .storageChecking: [
      "Checking the storage", "Speicher wird geprüft", "Vérification du stockage",
      "جارٍ فحص وحدة التخزين", "בודק את האחסון",
    ],
    .storageChecked: [
      "Storage back at next start", "Speicher ab nächstem Start", "Stockage au prochain démarrage",
      "التخزين متاح عند التشغيل التالي", "האחסון יחזור בהפעלה הבאה",
    ],
    .storageRepaired: [
      "Storage was repaired", "Speicher wurde repariert", "Stockage réparé", "أُصلحت وحدة التخزين",
      "האחסון תוקן",
    ],
    .storageNotSaving: [
      "Storage faulty: nothing is saved", "Speicher gestört: nichts wird gesichert",
      "Stockage en panne : rien n’est enregistré", "عطل في التخزين: لا يُحفظ شيء",
      "תקלה באחסון: דבר לא נשמר",
    ],
    .notPossible: [
      "Not possible now", "Jetzt nicht möglich", "Impossible maintenant", "غير ممكن الآن",
      "לא אפשרי כעת",
    ],
    .phoneConnected: [
      "Phone connected", "Telefon verbunden", "Téléphone connecté", "اتصل الهاتف", "הטלפון מחובר",
    ],
    .phoneGone: [
      "Phone disconnected", "Telefon getrennt", "Téléphone déconnecté", "انفصل الهاتف",
      "הטלפון נותק",
    ],
    .pairingOpen: [
      "Pair on the phone now", "Jetzt am Telefon koppeln", "Jumelez depuis le téléphone",
      "أقرن من الهاتف الآن", "צמדו עכשיו מהטלפון",
    ],
    .pairingFailed: [
      "Pairing failed", "Koppeln fehlgeschlagen", "Échec du jumelage", "فشل الإقران",
      "הצימוד נכשל",
    ],
  ]
}
