package import BusMethods
package import EventLoop
package import NowPlaying
internal import Text

/// The sessions of programs that are sources. A session ends with the connection that has opened it. The signals are
/// sent only to this connection.
package enum Session1 {
  package static let interface = MethodTable(
    "Session1",
    [
      open.row, close.row, setActive.row, publish.row, claim.row, answer.row, setTemplate.row,
      setButtonPicture.row, giveArtwork.row, giveNoArtwork.row,
    ],
    signals: [
      command.declaration, instruction.declaration, screenConnected.declaration,
      artworkWanted.declaration, status.declaration,
    ])

  /// Opens a session. The answer has the number of the session.
  package static let open: ControlMethod<SessionOpening, Numbered<SessionWelcome>> = .init(
    "Session1.Open", .publish,
    takes: .record(SessionOpening("")) { field, opening in
      try field("id", &opening.id, .sessionID)
      var options = SessionCoding.options(of: opening)
      try field("options", &options, .properties)
      if field.isReading { try SessionCoding.read(options, into: &opening) }
    },
    returns: .ofSession(SessionWelcome()) { field, welcome in
      var unit = SessionCoding.value(of: welcome)
      try field("unit", &unit, .properties)
      if field.isReading { welcome = try SessionCoding.welcome(unit) }
    })

  /// Ends a session. If the value is true, the sessions that were silenced because of this session may resume.
  package static let close: ControlMethod<Numbered<Bool>, Void> = .init(
    "Session1.Close", .publish,
    takes: .ofSession(true) { field, notifies in try field("notify", &notifies, .flag) })

  /// Activates or deactivates the audio session (E2).
  package static let setActive: ControlMethod<Numbered<Bool>, DeactivationAnswer> = .init(
    "Session1.SetActive", .publish,
    takes: .ofSession(true) { field, isActive in try field("active", &isActive, .flag) },
    returns: .record(.done) { field, answer in
      var word = answer == .done ? "done" : "stillPlaying"
      try field("answer", &word, .text)
      answer = word == "done" ? .done : .stillPlaying
    })

  /// Publishes the complete description of the source (P4).
  package static let publish: ControlMethod<Numbered<SessionPublication>, Void> = .init(
    "Session1.Publish", .publish,
    takes: .ofSession(SessionPublication()) { field, publication in
      var description = SessionCoding.value(of: publication)
      try field("description", &description, .properties)
      if field.isReading { publication = try SessionCoding.publication(description) }
    })

  /// Requests to become Now Playing (E5).
  package static let claim: ControlMethod<Numbered<ClaimReason>, PrimaryAnswer> = .init(
    "Session1.Claim", .publish,
    takes: .ofSession(.automatic) { field, reason in
      try field("reason", &reason, .listedWord)
    },
    returns: .record(.granted) { field, answer in
      var (word, missing): (String, [String]) =
        switch answer {
        case .granted: ("granted", [])
        case .alreadyPrimary: ("alreadyPrimary", [])
        case .refused(let parts): ("refused", parts.map(\.rawValue))
        }
      try field("answer", &word, .text)
      try field("missing", &missing, .texts)
      if field.isReading {
        answer =
          word == "granted"
          ? .granted
          : word == "alreadyPrimary" ? .alreadyPrimary : .refused(SessionCoding.missing(missing))
      }
    })

  /// Answers a command. The texts after the word are those of ``Commands1/send``.
  package static let answer: ControlMethod<Numbered<Numbered<CommandAnswer>>, Void> = .init(
    "Session1.Answer", .publish,
    takes: .ofSession(Numbered(0, .success)) { field, answer in
      var texts = AnswerCoding.texts(of: answer.value)
      try field("number", &answer.number, .count)
      try field("answer", &texts[0], .text)
      try field("words", &texts[1], .text, isOptional: true)
      try field("code", &texts[2], .text, isOptional: true)
      try field("remedy", &texts[3], .text, isOptional: true)
      if field.isReading {
        guard ["success", "noSuchContent", "failed"].contains(texts[0]) else {
          throw WireError("answer", "expected success, noSuchContent or failed")
        }
        answer.value = AnswerCoding.answer(texts)
      }
    })

  /// Sets the template. The number is that of ``screenConnected``, or 0 for a change at another time (T1).
  package static let setTemplate: ControlMethod<Numbered<Numbered<PublishedTemplate>>, Void> =
    .init(
      "Session1.SetTemplate", .publish,
      takes: .ofSession(Numbered(0, PublishedTemplate())) { field, template in
        var value = TemplateCoding.value(of: template.value)
        try field("number", &template.number, .count)
        try field("template", &value, .properties)
        if field.isReading {
          template.value = try TemplateCoding.published(try WireFields(value, "template"))
        }
      })

  /// Sets the picture of the image buttons with a name (T3). An empty format and no bytes remove it.
  package static let setButtonPicture: ControlMethod<Numbered<NamedPicture>, Void> = .init(
    "Session1.SetButtonPicture", .publish,
    takes: .ofSession(NamedPicture("", nil)) { field, named in
      var (format, bytes) = (named.picture?.format.rawValue ?? "", named.picture?.bytes ?? [])
      try field("name", &named.name, .text)
      try field("format", &format, .text)
      try field("bytes", &bytes, .bytes)
      if field.isReading { named.picture = try NamedPicture.picture(format, bytes) }
      guard (1...WireText.word).contains(named.name.utf8.count) || !field.isReading else {
        throw WireError("name", "expected 1 to \(WireText.word) bytes")
      }
    })

  /// Requests a pipe for the picture of ``artworkWanted``. The app writes the file and closes the pipe.
  package static let giveArtwork: ControlMethod<Numbered<GivenArtwork>, BusDescriptor> = .init(
    "Session1.GiveArtwork", .publish,
    takes: .ofSession(GivenArtwork(0, .jpeg)) { field, given in
      try field("ticket", &given.ticket, .count)
      try field("type", &given.type, .artworkType)
    },
    returns: .one("target", .descriptor))

  /// Answers ``artworkWanted``: there is no picture.
  package static let giveNoArtwork: ControlMethod<Numbered<Int>, Void> = .init(
    "Session1.GiveNoArtwork", .publish,
    takes: .ofSession(0) { field, ticket in try field("ticket", &ticket, .count) })

  // MARK: Signals

  /// A command for the app. Nil for a command that this program does not know.
  package static let command: BusSignal<Numbered<Numbered<CommandRequest?>>> = .init(
    "Session1.Command",
    carries: .ofSession(Numbered<CommandRequest?>(0, nil)) { field, command in
      var (word, arguments) = command.value.map(RequestCoding.value) ?? ("", .properties([]))
      try field("number", &command.number, .count)
      try field("command", &word, .text)
      try field("arguments", &arguments, .properties)
      if field.isReading { command.value = try? RequestCoding.request(word, arguments) }
    })

  /// Nil for an instruction that this program does not know.
  package static let instruction: BusSignal<Numbered<AppInstruction?>> = .init(
    "Session1.Instruction",
    carries: .ofSession(nil) { field, instruction in
      var (kind, details) = SessionCoding.values(of: instruction)
      try field("kind", &kind, .text)
      try field("details", &details, .properties)
      if field.isReading { instruction = try SessionCoding.instruction(kind, details) }
    })

  package static let screenConnected: BusSignal<Numbered<ConnectedScreen>> = .init(
    "Session1.ScreenConnected",
    carries: .ofSession(ConnectedScreen(number: 0, name: "")) { field, screen in
      var surface = SessionCoding.value(of: screen)
      try field("number", &screen.number, .count)
      try field("surface", &surface, .properties)
      if field.isReading { screen = try SessionCoding.screen(surface, number: screen.number) }
    })

  package static let artworkWanted: BusSignal<Numbered<WantedArtwork>> = .init(
    "Session1.ArtworkWanted",
    carries: .ofSession(WantedArtwork()) { field, wanted in
      try field("ticket", &wanted.ticket, .count)
      try field("content", &wanted.content, .identity)
      try field("artwork", &wanted.artwork, .identity)
      try field("width", &wanted.width, .number())
      try field("height", &wanted.height, .number())
    })

  package static let status: BusSignal<Numbered<SessionStatus>> = .init(
    "Session1.Status",
    carries: .ofSession(SessionStatus()) { field, status in
      var value = SessionCoding.value(of: status)
      try field("status", &value, .properties)
      if field.isReading { status = try SessionCoding.status(value) }
    })
}

package struct NamedPicture: Equatable, Sendable {
  package var name: String
  /// Nil to remove the picture.
  package var picture: ButtonPicture?

  package init(_ name: String, _ picture: ButtonPicture?) {
    self.name = name
    self.picture = picture
  }

  fileprivate static func picture(_ format: String, _ bytes: [UInt8]) throws -> ButtonPicture? {
    if format.isEmpty, bytes.isEmpty { return nil }
    guard let format = ButtonPicture.Format(rawValue: format) else {
      throw WireError("format", "expected svgPath or png")
    }
    guard let picture = ButtonPicture(format, bytes) else {
      throw WireError("bytes", "expected 1 to \(ButtonPicture.limit) bytes")
    }
    return picture
  }
}

package struct GivenArtwork: Equatable, Sendable {
  package var ticket: Int
  /// ``MetadataItem/DataType/jpeg`` or ``MetadataItem/DataType/png``.
  package var type: MetadataItem.DataType

  package init(_ ticket: Int, _ type: MetadataItem.DataType) {
    self.ticket = ticket
    self.type = type
  }
}

package struct WantedArtwork: Equatable, Sendable {
  package var ticket = 0
  /// The identities of the content and of its cover.
  package var content = ""
  package var artwork = ""
  /// The largest size that is useful, in pixels. 0 for any size.
  package var width = 0
  package var height = 0

  package init() {}

  package init(_ ticket: Int, _ content: String, _ artwork: String, _ width: Int, _ height: Int) {
    self.ticket = ticket
    self.content = content
    self.artwork = artwork
    self.width = width
    self.height = height
  }

  package init(_ request: ArtworkRequest) {
    let isAny = request.size == .largest
    self.init(
      request.ticket, request.contentID, request.artworkID, isAny ? 0 : request.size.width,
      isAny ? 0 : request.size.height)
  }
}

extension WireType<String> {
  /// The identity of a session: the identity of an app, or this identity, a dot and a name.
  fileprivate static var sessionID: Self {
    Self("s", { .string($0) }) { value, name in
      let text = value.text ?? ""
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      guard 1...2 ~= parts.count, parts.allSatisfy(\.isIdentifier) else {
        throw WireError(
          name, "expected small letters, digits and '-', as in 'webradio' or 'webradio.prompts'")
      }
      return text
    }
  }

  fileprivate static var identity: Self {
    Self("s", WireText.identity) { value, _ in value.text ?? "" }
  }
}

extension WireType<[String]> {
  fileprivate static var texts: Self {
    Self("as", { .strings($0) }) { value, _ in value.texts ?? [] }
  }
}

extension WireType<MetadataItem.DataType> {
  fileprivate static var artworkType: Self {
    Self("s", { .string("image/\($0.rawValue)") }) { value, name in
      switch value.text {
      case "image/jpeg": .jpeg
      case "image/png": .png
      default: throw WireError(name, "expected image/jpeg or image/png")
      }
    }
  }
}
