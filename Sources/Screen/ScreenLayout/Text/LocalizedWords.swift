public import NowPlaying

/// The screen's own words in one language. The texts of the content come from the source.
public struct LocalizedWords: Hashable, Sendable {
  var upNext: String
  var nothingPlaying: String
  var pairPhone: String
  var noPhone: String
  var bluetoothOff: String
  var live: String
  var buffering: String
  var pausedForCall: String
  var pausedForReversing: String
  var pausedForAlarm: String
  var pausedElsewhere: String
  var sameCode: String
  var pairWithoutCode: String
  var accept: String
  var reject: String
  var playerAway: String
  var playerAwayDetail: String
  var listEmpty: String
  var listLimited: String
  var untitled: String
  private var pairWithBegin: String
  private var pairWithEnd: String

  func pairWith(_ peer: String) -> String { pairWithBegin + peer + pairWithEnd }
}

extension LocalizedWords {
  /// The words in this language; English if there is no translation.
  public init(_ language: LanguageTag) {
    switch Self.primary(language) {
    case "de": self = .german
    case "fr": self = .french
    case "ar": self = .arabic
    case "he", "iw": self = .hebrew
    default: self = .english
    }
  }

  /// True if the language is written from right to left. Then the screen is mirrored.
  public static func isRightToLeft(_ language: LanguageTag) -> Bool {
    ["ar", "he", "iw", "fa", "ur", "ps", "sd", "ug", "yi", "dv", "ckb"].contains(primary(language))
  }

  static func primary(_ language: LanguageTag) -> String {
    String(language.description.prefix { $0 != "-" })
  }

  static let english = LocalizedWords(
    upNext: "Up Next", nothingPlaying: "Nothing playing",
    pairPhone: "Pair a phone", noPhone: "No phone", bluetoothOff: "Bluetooth off",
    live: "LIVE", buffering: "Loading…", pausedForCall: "Paused for a phone call",
    pausedForReversing: "Paused while reversing", pausedForAlarm: "Paused for an alarm",
    pausedElsewhere: "Paused for a moment", sameCode: "Does the phone show the same code?",
    pairWithoutCode: "Only if you have just asked it to.", accept: "Accept", reject: "Reject",
    playerAway: "One moment", playerAwayDetail: "The player is starting. Nothing needs to be done.",
    listEmpty: "Nothing comes next", listLimited: "No more while driving", untitled: "Untitled",
    pairWithBegin: "Pair with ", pairWithEnd: "?")

  static let german = LocalizedWords(
    upNext: "Als Nächstes", nothingPlaying: "Keine Wiedergabe",
    pairPhone: "Telefon koppeln", noPhone: "Kein Telefon",
    bluetoothOff: "Bluetooth aus", live: "LIVE", buffering: "Lädt …",
    pausedForCall: "Angehalten: Anruf", pausedForReversing: "Angehalten: Rückwärtsgang",
    pausedForAlarm: "Angehalten: Wecker", pausedElsewhere: "Kurz angehalten",
    sameCode: "Zeigt das Telefon denselben Code?",
    pairWithoutCode: "Nur, wenn Sie es eben wollten.", accept: "Annehmen", reject: "Ablehnen",
    playerAway: "Einen Moment", playerAwayDetail: "Der Player startet. Es ist nichts zu tun.",
    listEmpty: "Danach kommt nichts", listLimited: "Mehr nicht während der Fahrt",
    untitled: "Ohne Titel",
    pairWithBegin: "Mit ", pairWithEnd: " koppeln?")

  static let french = LocalizedWords(
    upNext: "À suivre", nothingPlaying: "Aucune lecture",
    pairPhone: "Jumeler un téléphone",
    noPhone: "Aucun téléphone", bluetoothOff: "Bluetooth désactivé", live: "DIRECT",
    buffering: "Chargement…", pausedForCall: "En pause : appel",
    pausedForReversing: "En pause : marche arrière", pausedForAlarm: "En pause : alarme",
    pausedElsewhere: "En pause un instant", sameCode: "Le téléphone affiche-t-il le même code ?",
    pairWithoutCode: "Seulement si vous venez de le demander.", accept: "Accepter",
    reject: "Refuser", playerAway: "Un instant",
    playerAwayDetail: "Le lecteur démarre. Rien à faire.", listEmpty: "Rien à suivre",
    listLimited: "Pas plus en conduisant", untitled: "Sans titre", pairWithBegin: "Jumeler ",
    pairWithEnd: " ?")

  static let arabic = LocalizedWords(
    upNext: "التالي", nothingPlaying: "لا شيء قيد التشغيل",
    pairPhone: "إقران هاتف", noPhone: "لا يوجد هاتف",
    bluetoothOff: "البلوتوث متوقف", live: "مباشر", buffering: "جارٍ التحميل…",
    pausedForCall: "متوقف بسبب مكالمة", pausedForReversing: "متوقف أثناء الرجوع",
    pausedForAlarm: "متوقف بسبب منبّه", pausedElsewhere: "متوقف للحظة",
    sameCode: "هل يظهر الرمز نفسه على الهاتف؟", pairWithoutCode: "فقط إذا طلبت ذلك للتو.",
    accept: "قبول", reject: "رفض", playerAway: "لحظة واحدة",
    playerAwayDetail: "المشغّل قيد البدء. لا يلزم فعل شيء.", listEmpty: "لا شيء بعد ذلك",
    listLimited: "لا مزيد أثناء القيادة", untitled: "بلا عنوان", pairWithBegin: "إقران مع ",
    pairWithEnd: "؟")

  static let hebrew = LocalizedWords(
    upNext: "הבא בתור", nothingPlaying: "לא מתנגן דבר",
    pairPhone: "צימוד טלפון", noPhone: "אין טלפון", bluetoothOff: "בלוטות׳ כבוי",
    live: "שידור חי", buffering: "בטעינה…", pausedForCall: "מושהה בשל שיחה",
    pausedForReversing: "מושהה בנסיעה לאחור", pausedForAlarm: "מושהה בשל התראה",
    pausedElsewhere: "מושהה לרגע", sameCode: "האם הטלפון מציג אותו קוד?",
    pairWithoutCode: "רק אם ביקשתם זאת עכשיו.", accept: "אישור", reject: "דחייה",
    playerAway: "רק רגע", playerAwayDetail: "הנגן עולה. אין צורך לעשות דבר.",
    listEmpty: "אין דבר בהמשך", listLimited: "אין עוד בזמן נהיגה", untitled: "ללא שם",
    pairWithBegin: "לצמד עם ", pairWithEnd: "?")
}
