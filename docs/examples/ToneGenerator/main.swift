import NowPlayingClient

// A source of tones, for an Autoharp unit: three "tracks" of a minute, with titles, a progress bar and commands.

let rate = 48_000
let notes = [("Concert A", 440.0), ("Middle C", 261.63), ("Low E", 82.41)]
var note = 0
var phase = 0.0
/// The first frame of the next track.
var end = 0

let app = Application.shared
app.id = "tone"
app.name = "Tones"
let player = StreamPlayer(SoundFormat(rate: rate, channels: 1, samples: .f32))
let session = NowPlayingSession(players: [player])

/// Makes the present note the content of the frames from the next one on.
func item() -> StreamItem {
  end = player.nextFrame + 60 * rate
  return StreamItem(
    MusicContent(
      id: "note-\(note)", songTitle: notes[note].0, artistName: "\(notes[note].1) Hz",
      albumName: "Tones", duration: .finite(.seconds(60))))
}

func change(by step: Int) {
  note = (note + step + notes.count) % notes.count
  player.seek(to: item())
}

// The unit takes the sound as it plays it: fill the stream whenever there is room.
player.onRoom = {
  while player.room > 0 {
    if player.nextFrame >= end {
      if end > 0 { note = (note + 1) % notes.count }
      player.enqueue(item())
    }
    let count = min(player.room, end - player.nextFrame)
    let frames = (0..<count).map { _ in
      phase = (phase + notes[note].1 / Double(rate)).truncatingRemainder(dividingBy: 1)
      // A triangle wave at a quarter of full scale.
      return Float(abs(phase - 0.5) - 0.25)
    }
    if player.write(frames) < count { return }
  }
}

let commands = session.remoteCommandCenter
commands.playCommand.addTarget { _ in
  player.play()
  return .success
}
commands.pauseCommand.addTarget { _ in
  player.pause()
  return .success
}
commands.nextTrackCommand.addTarget { _ in
  change(by: 1)
  return .success
}
commands.previousTrackCommand.addTarget { _ in
  change(by: -1)
  return .success
}

try AudioSession.shared.setCategory(.playback)
try AudioSession.shared.setActive(true)
session.onOpen = { if $0.hasPlayed { player.play() } }
player.pause()
try app.run()
