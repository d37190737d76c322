internal import BusMethods
internal import EventLoop
internal import NowPlaying
internal import Reports

/// Encodes refusals as D-Bus errors. The arguments of the error are the sentence, the code and the remedy, in this
/// order. If there is no remedy, the third argument is empty.
enum RefusalCoding {
  /// - Parameter sentence: the text of the error. Nil to use the sentence of the refusal.
  static func error(_ name: String, _ refusal: Refusal, sentence: String? = nil) -> BusErrorReply {
    BusErrorReply(
      name, sentence ?? refusal.sentence, details: [refusal.code.rawValue, refusal.remedy ?? ""])
  }

  /// Decodes an error. Older daemons and libsystemd itself send only a sentence.
  static func refusal(_ name: String, _ sentence: String, _ details: [String]) -> Refusal {
    refusal(
      sentence: sentence.isEmpty ? name : sentence, code: details.first ?? "",
      remedy: details.dropFirst().first ?? "", otherwise: code(ofError: name))
  }

  /// Encodes a refusal as a part of a state.
  static func value(_ refusal: Refusal) -> BusValue {
    var fields = WireBuilder()
    fields.add("code", .string(refusal.code.rawValue))
    fields.add("sentence", WireText.identity(refusal.sentence))
    fields.add("remedy", refusal.remedy.map(WireText.identity))
    return fields.value
  }

  static func refusal(_ fields: WireFields) throws(WireError) -> Refusal {
    refusal(
      sentence: try fields.required("sentence", fields.text("sentence")),
      code: try fields.text("code") ?? "", remedy: try fields.text("remedy") ?? "",
      otherwise: .unspecified)
  }

  /// Decodes the texts of a refusal. The texts come from another process, so they are truncated to the limits of the
  /// wire.
  /// - Parameter otherwise: the code of the refusal if `code` is not valid.
  static func refusal(
    sentence: String, code: String, remedy: String, otherwise: Refusal.Code
  ) -> Refusal {
    Refusal(
      Refusal.Code(rawValue: code) ?? otherwise, WireText.identityText(sentence),
      remedy: remedy.isEmpty ? nil : BusText.harmless(remedy, limit: WireText.identity))
  }

  private static func code(ofError name: String) -> Refusal.Code {
    switch name {
    case AnswerCoding.errorName(.noSuchContent()): .noSuchContent
    case AnswerCoding.errorName(.nothingPlaying): .nothingPlaying
    case BusErrorName.accessDenied: .notAllowed
    case BusErrorName.invalidArguments: .invalidArguments
    case BusErrorName.limitsExceeded: .tooManyCalls
    case BusErrorName.unknownObject, BusErrorName.unknownInterface, BusErrorName.unknownMethod:
      .unknownMethod
    case BusErrorName.failed, ControlError.failedName: .failed
    default: .unspecified
    }
  }
}
