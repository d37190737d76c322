import NowPlayingClient

/// The session of PROGRAM, as the library reads it.
final class OfferedSession: MediaSessionRepresentable {
  let id: String
  var content: (any MediaContentRepresentable)? { nil }
  let players: [StreamPlayer]
  private let offers: [CommandOffer]
  weak var wrapper: Wrapper?

  init(_ id: String, _ player: StreamPlayer, _ commands: [CommandKind]) {
    self.id = id
    players = [player]
    let own: [CommandKind] = [.play, .pause, .stop]
    offers = (own + commands.filter { !own.contains($0) }).map { CommandOffer(ofProgram: $0) }
  }

  var commands: [MediaCommand] {
    offers.map { offer in
      .forwarded(offer) { [weak wrapper] request, reply in
        wrapper?.perform(request, reply) ?? reply(.failed(Refusal(.failed, "the app ends")))
      }
    }
  }
}
