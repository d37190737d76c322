import NowPlayingClient

/// A source of tones for an Autoharp unit: "tracks" of a minute, with titles, a progress bar and commands.
final class ToneGenerator {
  let notes = [("Concert A", 440.0), ("Middle C", 261.63), ("Low E", 82.41)]
  let rate = 48_000
  let player: StreamPlayer
  let session: NowPlayingSession
  var note = 0
  var phase = 0.0
  /// The first frame of the next track.
  var end = 0

  init() throws {
    player = StreamPlayer(SoundFormat(rate: rate, channels: 1, samples: .f32))
    session = NowPlayingSession(players: [player])
    let commands = session.remoteCommandCenter
    commands.playCommand.addTarget { [unowned self] _ in
      player.play()
      return .success
    }
    commands.pauseCommand.addTarget { [unowned self] _ in
      player.pause()
      return .success
    }
    commands.nextTrackCommand.addTarget { [unowned self] _ in change(by: 1) }
    commands.previousTrackCommand.addTarget { [unowned self] _ in change(by: -1) }
    try AudioSession.shared.setCategory(.playback)
    try AudioSession.shared.setActive(true)
    player.enqueue(track())
    player.onRoom = { [unowned self] in fill() }
    // The unit has restarted while the tones played, or this program was started for the first time.
    session.onOpen = { [unowned self] in if $0.hasPlayed { player.play() } else { player.pause() } }
  }

  /// The present note, as the content of the next minute of frames.
  func track() -> StreamItem {
    end = player.nextFrame + 60 * rate
    return StreamItem(
      MusicContent(
        id: "note-\(note)", songTitle: notes[note].0, artistName: "\(notes[note].1) Hz",
        albumName: "Tones", duration: .finite(.seconds(60))))
  }

  func change(by step: Int) -> RemoteCommandHandlerStatus {
    note = (note + step + notes.count) % notes.count
    player.seek(to: track())
    return .success
  }

  /// The unit takes the frames as it plays them. So the stream is filled whenever it has room.
  func fill() {
    while player.room > 0 {
      if player.nextFrame == end {
        note = (note + 1) % notes.count
        player.enqueue(track())
      }
      let step = notes[note].1 / Double(rate)
      player.write(
        (0..<min(player.room, end - player.nextFrame)).map { _ in
          phase = (phase + step).truncatingRemainder(dividingBy: 1)
          return Float(abs(phase - 0.5) - 0.25)  // a triangle wave at a quarter of full scale
        })
    }
  }
}

Application.shared.id = "tone"
Application.shared.name = "Tones"
let tones = try ToneGenerator()
try Application.shared.run()
