internal import Bluez
internal import NowPlaying
internal import PhoneLink

// The commands of the session of a phone. They are sent to the addressed player (AVRCP) of the phone.
extension PhoneSource {
  var commands: [MediaCommand] {
    let transport: [MediaCommand] = [
      .play { [weak self] reply in self?.answer(reply) { $0.play($1) } },
      .pause { [weak self] reply in self?.answer(reply) { $0.silence($1) } },
    ]
    guard let player = reading.player else { return transport }
    return transport + moves + modes(player)
  }

  private var moves: [MediaCommand] {
    [
      .stop { [weak self] reply in self?.answer(reply) { $0.silence($1) } },
      .next { [weak self] reply in self?.send(.next, reply) },
      .previous { [weak self] reply in self?.send(.previous, reply) },
      .seekForward(
        beginAction: { [weak self] in self?.send(.seekForward, $0) },
        endAction: { [weak self] in self?.send(.endSeek, $0) }),
      .seekBackward(
        beginAction: { [weak self] in self?.send(.seekBackward, $0) },
        endAction: { [weak self] in self?.send(.endSeek, $0) }),
    ]
  }

  /// Repeat and shuffle, if the player has them.
  private func modes(_ player: BluezMediaPlayer) -> [MediaCommand] {
    var commands: [MediaCommand] = []
    if let repeats = player.repeats {
      commands.append(
        .changeRepeatMode(current: repeats.mode) { [weak self] mode, reply in
          self?.send(.setRepeat(BluezMediaPlayer.Repeat(mode)), reply)
        })
    }
    if let shuffle = player.shuffle {
      commands.append(
        .changeShuffleMode(current: shuffle == .off ? .off : .items, supported: [.off, .items]) {
          [weak self] mode, reply in
          self?.send(.setShuffle(mode == .off ? .off : .alltracks), reply)
        })
    }
    return commands
  }

  private func send(_ command: PhoneCommand, _ reply: CommandReply) {
    answer(reply) { $0.link.send(command, to: $0.device, $1) }
  }

  private func answer(
    _ reply: CommandReply, _ work: (PhoneSource, @escaping (Refusal?) -> Void) -> Void
  ) {
    work(self) { [clock] refusal in
      reply(refusal.map { .failed($0) } ?? .success, at: clock())
    }
  }
}

extension BluezMediaPlayer.Repeat {
  fileprivate var mode: MediaCommand.RepeatMode {
    switch self {
    case .off: .off
    case .singletrack: .one
    case .alltracks, .group: .all
    }
  }

  fileprivate init(_ mode: MediaCommand.RepeatMode) {
    switch mode {
    case .off: self = .off
    case .one: self = .singletrack
    case .all: self = .alltracks
    }
  }
}
