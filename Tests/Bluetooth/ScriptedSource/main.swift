// A source without sound that a test controls. It uses the product's own Bluetooth code on the
// system bus. With this program, a test can produce cases that the sources of the product do not
// have: the cover of the current track changes, and the content has advertisements. For each line
// of input, the program writes one line of output. These are the lines of input:
//
//   track TITLE SECONDS [BEGIN+SECONDS]...   plays another track from its start; each pair is an
//                                            advertisement
//   nothing                                  there is no track
//   cover NAME                               gives the current track another cover
//   seek SECONDS                             moves to a gross time, which includes advertisements
//   play, pause
//   elapsed                                  the elapsed time (net) in seconds
//
// The program exits at the end of the input.

import AVRCPTarget
import Bluez
import EventLoop
import Glibc
import NowPlaying
import Reports
import SystemClock

final class ScriptedSource {
  private var session: MediaSession?
  private var content: MusicContent? = MusicContent(
    id: "start", songTitle: "Start", artistName: "", albumName: "", duration: nil)
  private var isPlaying = false
  private var position = Duration.zero
  private var since = MonotonicInstant.now()
  private var seeks = 0
  private let center: NowPlayingCenter

  init(in center: NowPlayingCenter) {
    self.center = center
    let now = MonotonicInstant.now()
    session = center.openSession("scripted", didConnect: { _, _ in }, instruct: { _ in }, at: now)
    session?.activate(at: now)
    publish()
  }

  /// Executes a line and returns the answer. Nil if the line is not valid.
  func execute(_ line: Substring) -> String? {
    let words = line.split(separator: " ")
    switch (words.first, words.count) {
    case ("track", 3...):
      guard let seconds = Double(words[2]) else { return nil }
      let title = String(words[1])
      content = MusicContent(
        id: title, songTitle: title, artistName: "Script", albumName: "",
        duration: .finite(.seconds(seconds)))
      content?.adTimeRanges = words[3...].compactMap(advertisement)
      go(to: .zero)
    case ("nothing", 1):
      content = nil
      go(to: .zero)
    case ("cover", 2): content?.artwork = Artwork(id: String(words[1])) { _ in .none }
    case ("seek", 2):
      guard let seconds = Double(words[1]) else { return nil }
      go(to: .seconds(seconds))
      seeks += 1
    case ("play", 1), ("pause", 1): play(words[0] == "play")
    case ("elapsed", 1):
      return "\((center.state.elapsed(at: .now()) ?? .zero) / .seconds(1))"
    default: return nil
    }
    publish()
    return "done"
  }

  private func advertisement(_ text: Substring) -> AdTimeRange? {
    let numbers = text.split(separator: "+").compactMap { Double($0) }
    guard numbers.count == 2 else { return nil }
    return AdTimeRange(start: .seconds(numbers[0]), duration: .seconds(numbers[1]))
  }

  private var positionNow: Duration {
    isPlaying ? position + MonotonicInstant.now().awakeTime(since: since) : position
  }

  private func go(to position: Duration) {
    self.position = position
    since = .now()
  }

  private func play(_ plays: Bool) {
    go(to: positionNow)
    isPlaying = plays
  }

  /// A session without commands would not be eligible to become Now Playing.
  private var commands: [MediaCommand] {
    func command(_ plays: Bool) -> MediaCommand.Handler {
      { [weak self] reply in
        self?.play(plays)
        self?.publish()
        reply(.success, at: .now())
      }
    }
    return [.play(command(true)), .pause(command(false))]
  }

  private func publish() {
    session?.publish(
      SessionDescription(
        content: content.map { .music($0) },
        playback: .snapshot(
          MediaPlaybackSnapshot(
            state: isPlaying ? .playing() : .paused, elapsedTime: position, timestamp: since,
            seekNumber: seeks)), commands: commands),
      at: .now())
  }
}

/// Prints a line without buffering.
func writeLine(_ line: String) {
  print(line)
  fflush(nil)
}

let loop = EventLoop()
let center = NowPlayingCenter(volume: Volume(level: VolumeLevel(step: 64, of: 127)))
let source = ScriptedSource(in: center)
let client = BluezClient(loop, bus: .system)
let target = AVRCPTarget(client, center, seed: 1, clock: { .now() })
client.onLog = { writeLine("log: \($0.rawValue): \($1)") }
client.start()

var rest: [UInt8] = []
let input = try DescriptorSource(loop, descriptor: STDIN_FILENO) { _ in
  var bytes = [UInt8](repeating: 0, count: 4096)
  let count = read(STDIN_FILENO, &bytes, bytes.count)
  guard count > 0 else { return loop.exit() }
  rest += bytes[..<count]
  while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
    let line = String(decoding: rest[..<end], as: UTF8.self)
    rest.removeFirst(end + 1)
    writeLine(source.execute(line[...]) ?? "not understood: \(line)")
  }
}
exit(try loop.run())
