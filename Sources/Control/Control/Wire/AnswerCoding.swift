internal import BusMethods
internal import EventLoop
internal import NowPlaying

/// Encodes the answer to a command: a word, and the sentence, code and remedy of a refusal.
enum AnswerCoding {
  /// Returns four texts: the word, the sentence, the code and the remedy. A text that does not exist is empty.
  static func texts(of answer: CommandAnswer) -> [String] {
    let refusal = answer.refusal
    return [
      word(answer), WireText.lineText(refusal?.sentence ?? ""), refusal?.code.rawValue ?? "",
      WireText.lineText(refusal?.remedy ?? ""),
    ]
  }

  private static func word(_ answer: CommandAnswer) -> String {
    switch answer {
    case .success: "success"
    case .noSuchContent: "noSuchContent"
    case .nothingPlaying: "nothingPlaying"
    case .failed: "failed"
    }
  }

  /// - Parameter texts: the result of ``texts(of:)``. An older daemon sends only two texts.
  static func answer(_ texts: [String]) -> CommandAnswer {
    func text(_ index: Int) -> String { index < texts.count ? texts[index] : "" }
    func refusal(otherwise code: Refusal.Code) -> Refusal {
      RefusalCoding.refusal(
        sentence: text(1), code: text(2), remedy: text(3), otherwise: code)
    }
    return switch text(0) {
    case "success": .success
    case "noSuchContent": .noSuchContent(refusal(otherwise: .noSuchContent))
    case "nothingPlaying": .nothingPlaying
    default: .failed(refusal(otherwise: .failed))
    }
  }

  /// The error for a short command, a method without results. Nil if the command succeeded.
  static func error(_ answer: CommandAnswer) -> BusErrorReply? {
    answer.refusal.map {
      RefusalCoding.error(errorName(answer), $0, sentence: answer.description)
    }
  }

  static func errorName(_ answer: CommandAnswer) -> String {
    switch answer {
    case .success, .failed: ControlError.failedName
    case .noSuchContent: "org.autoharp.Error.NoSuchContent"
    case .nothingPlaying: "org.autoharp.Error.NothingPlaying"
    }
  }

  // MARK: Covers

  static func values(_ answer: ArtworkAnswer) -> (word: String, picture: BusValue) {
    switch answer {
    case .placeholder: return ("placeholder", .properties([]))
    case .superseded: return ("superseded", .properties([]))
    case .image(let picture):
      var fields = WireBuilder()
      fields.add("reference", WireText.identity(picture.reference))
      fields.add("type", .string("image/\(picture.dataType.rawValue)"))
      fields.add("width", .int32(Int32(clamping: picture.size.width)))
      fields.add("height", .int32(Int32(clamping: picture.size.height)))
      fields.add("originalWidth", .int32(Int32(clamping: picture.originalSize.width)))
      fields.add("originalHeight", .int32(Int32(clamping: picture.originalSize.height)))
      return ("image", fields.value)
    }
  }

  static func artwork(_ word: String, _ value: BusValue) throws(WireError) -> ArtworkAnswer {
    guard word == "image" else { return word == "superseded" ? .superseded : .placeholder }
    let fields = try WireFields(value, "artwork")
    let type: MetadataItem.DataType
    switch try fields.text("type") {
    case "image/jpeg": type = .jpeg
    case "image/png": type = .png
    case let other: throw WireError("artwork.type", "unsupported type '\(other ?? "")'")
    }
    func size(_ width: String, _ height: String) throws(WireError) -> ArtworkSize {
      ArtworkSize(
        width: try fields.required(width, fields.integer(width)),
        height: try fields.required(height, fields.integer(height)))
    }
    return .image(
      ArtworkRepresentation(
        reference: try fields.required("reference", fields.text("reference")), dataType: type,
        size: try size("width", "height"),
        originalSize: try size("originalWidth", "originalHeight")))
  }

  // MARK: What a surface shows

  static func value(of facts: DisplayedState) -> BusValue {
    var fields = WireBuilder()
    fields.add("title", facts.title.map(WireText.line))
    fields.add("subtitle", facts.subtitle.map(WireText.line))
    fields.add("detail", facts.detail.map(WireText.line))
    fields.add("duration", facts.duration.map { .time($0) })
    fields.add("status", facts.status.map { .string($0.rawValue) })
    fields.add("elapsed", facts.elapsed.map { .time($0) })
    fields.add("volume", facts.volume.map { .int32(Int32(clamping: $0.thousandths)) })
    fields.add("trackNumber", facts.trackNumber.map { .int32(Int32(clamping: $0)) })
    fields.add("repeatMode", facts.repeatMode.map { .string($0.rawValue) })
    fields.add("isShuffled", facts.isShuffled.map { .boolean($0) })
    return fields.value
  }

  static func displayedState(_ value: BusValue) throws(WireError) -> DisplayedState {
    let fields = try WireFields(value, "shown")
    return DisplayedState(
      title: try fields.text("title"), subtitle: try fields.text("subtitle"),
      detail: try fields.text("detail"), duration: try fields.duration("duration"),
      status: try fields.text("status").flatMap { PlaybackStatus(rawValue: $0) },
      elapsed: try fields.duration("elapsed"),
      volume: try fields.integer("volume").map { VolumeLevel(thousandths: $0) },
      trackNumber: try fields.integer("trackNumber"),
      repeatMode: try fields.text("repeatMode").flatMap { MediaCommand.RepeatMode(rawValue: $0) },
      isShuffled: try fields.flag("isShuffled"))
  }

  /// Replaces texts that were changed on the wire. ``WireText`` truncates long texts and replaces some characters. If a
  /// surface reports such a changed text, the result contains the original text of the state, so that both can be
  /// compared.
  static func restored(_ facts: DisplayedState, from state: NowPlayingState) -> DisplayedState {
    func text(_ shown: String?, _ own: String?) -> String? {
      shown == own.map(WireText.lineText) ? own : shown
    }
    var facts = facts
    facts.title = text(facts.title, state.lines.title)
    facts.subtitle = text(facts.subtitle, state.lines.subtitle)
    facts.detail = text(facts.detail, state.lines.detail)
    return facts
  }

  /// True if this word means ``SurfaceGuard/Verdict/settling``.
  static func isSettling(_ word: String) -> Bool { word == self.word(.settling) }

  static func word(_ verdict: SurfaceGuard.Verdict) -> String {
    switch verdict {
    case .nothingExpected: "nothingExpected"
    case .same: "same"
    case .settling: "settling"
    case .repair: "repair"
    case .leave: "leave"
    case .selfPublished: "notOurs"
    }
  }
}
