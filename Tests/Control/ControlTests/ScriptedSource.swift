import Control
import NowPlaying
import SystemClock

/// A source without sound: it has tracks, carries out commands, and records them.
final class ScriptedSource {
  private(set) var session: MediaSession!
  private weak var center: NowPlayingCenter?
  private var index = 0
  private var rate = 0.0
  private var position = Duration.zero
  private var seeks = 0
  private var repeatMode = MediaCommand.RepeatMode.off
  private var shuffleMode = MediaCommand.ShuffleMode.off
  /// Names of the commands that were carried out.
  private(set) var performed: [String] = []
  /// If set, commands get this answer and change nothing.
  var failure: CommandAnswer?
  /// If true, the source does not answer commands, but keeps their replies in `replies`.
  var keepsReplies = false
  private(set) var replies: [CommandReply] = []
  var tracks: [MediaContent]
  private let now: () -> MonotonicInstant

  init(
    in center: NowPlayingCenter, tracks: [MediaContent]? = nil,
    clock: @escaping () -> MonotonicInstant = MonotonicInstant.now
  ) {
    self.center = center
    now = clock
    self.tracks = []
    self.tracks = tracks ?? (1...4).map { song("track \($0)", number: $0) }
    session = center.openSession(
      "local",
      didConnect: { _, template in
        template.updateNowPlayingButtons([.shuffle(), .repeat()])
        template.isUpNextButtonEnabled = true
        template.isAlbumArtistButtonEnabled = true
      },
      instruct: { [weak self] instruction in
        switch instruction {
        case .pause: self?.setRate(0)
        case .resume: self?.setRate(1)
        case .duck, .unduck: break
        }
      }, at: now())
    session.activate(at: now())
    publish()
  }

  func publish() {
    session.publish(
      SessionDescription(
        content: tracks.isEmpty ? nil : tracks[index],
        playback: .snapshot(
          MediaPlaybackSnapshot(
            state: rate == 0 ? .paused : .playing(rate: rate), elapsedTime: position,
            timestamp: now(), seekNumber: seeks)),
        commands: commands,
        upNext: tracks.dropFirst(index + 1).map {
          UpNextItem(id: $0.id, title: $0.lines().title ?? "", artist: $0.lines().subtitle)
        }), at: now())
  }

  func setRate(_ rate: Double) {
    self.rate = rate
    publish()
  }

  func go(to index: Int) {
    self.index = min(max(0, index), tracks.count - 1)
    position = .zero
    seeks += 1
    publish()
  }

  private func seek(to target: Duration) {
    position = target
    seeks += 1
    publish()
  }

  private func handle(_ name: String, _ reply: CommandReply, _ work: () -> Void = {}) {
    performed.append(name)
    if keepsReplies { return replies.append(reply) }
    if failure == nil { work() }
    reply(failure ?? .success, at: now())
  }

  private static let languages = [
    LanguageOption(id: "de", kind: .audible, language: "de", name: "Deutsch"),
    LanguageOption(id: "en", kind: .legible, language: "en", name: "English"),
  ]

  private var commands: [MediaCommand] {
    [
      .play { [unowned self] in handle("play", $0) { setRate(1) } },
      .pause { [unowned self] in handle("pause", $0) { setRate(0) } },
      .togglePlayPause { [unowned self] in handle("toggle", $0) },
      .stop { [unowned self] in handle("stop", $0) { setRate(0) } },
      .next { [unowned self] in
        guard index + 1 < tracks.count else {
          return $0(.noSuchContent(), at: now())
        }
        handle("next", $0) { go(to: index + 1) }
      },
      .previous { [unowned self] in handle("previous", $0) { go(to: index - 1) } },
      .skipForward(preferredIntervals: [.seconds(15), .seconds(30)]) {
        [unowned self] interval, reply in
        handle("ahead \(interval)", reply)
      },
      .skipBackward { [unowned self] interval, reply in handle("back \(interval)", reply) },
      .seekForward(
        beginAction: { [unowned self] in handle("forward begins", $0) },
        endAction: { [unowned self] in handle("forward ends", $0) }),
      .seekBackward(
        beginAction: { [unowned self] in handle("backward begins", $0) },
        endAction: { [unowned self] in handle("backward ends", $0) }),
      .seekToPosition { [unowned self] position, reply in
        handle("to \(position)", reply) { seek(to: position) }
      },
      .changePlaybackRate(supported: [0.5, 1, 2]) { [unowned self] rate, reply in
        handle("rate \(rate)", reply)
      },
      .changeRepeatMode(current: repeatMode) { [unowned self] mode, reply in
        handle("repeat \(mode)", reply) {
          repeatMode = mode
          publish()
        }
      },
      .changeShuffleMode(current: shuffleMode, supported: [.off, .items]) {
        [unowned self] mode, reply in
        handle("shuffle \(mode)", reply) {
          shuffleMode = mode
          publish()
        }
      },
      .stars(maximum: 5, current: 3) { [unowned self] stars, reply in
        handle("stars \(stars)", reply)
      },
      .like(isActive: true, title: "Love") { [unowned self] isOn, reply in
        handle("like \(isOn)", reply)
      },
      .dislike(isActive: false) { [unowned self] isOn, reply in handle("dislike \(isOn)", reply) },
      .bookmark(isActive: false) { [unowned self] isOn, reply in
        handle("bookmark \(isOn)", reply)
      },
      .enableLanguageOption(available: Self.languages, enabled: ["en"]) {
        [unowned self] id, reply in
        handle("language \(id)", reply)
      },
      .disableLanguageOption(available: Self.languages) { [unowned self] id, reply in
        handle("no language \(id)", reply)
      },
      .playQueueItem { [unowned self] id, reply in handle("play \(id)", reply) },
      .moveQueueItem { [unowned self] id, other, revision, reply in
        handle("move \(id) before \(other ?? "-") at \(revision)", reply)
      },
      .removeQueueItem { [unowned self] id, revision, reply in
        handle("remove \(id) at \(revision)", reply)
      },
      .clearQueue { [unowned self] in handle("clear at \($0)", $1) },
      .undoQueue { [unowned self] in handle("undo at \($0)", $1) },
    ]
  }
}

/// A song of four minutes. It has a cover, except if its number is 3.
func song(_ id: String, number: Int = 1) -> MediaContent {
  var content = MusicContent(
    id: id, songTitle: "Song \(number)", artistName: "The Artists", albumName: "An Album",
    duration: .finite(.seconds(240)),
    artwork: Artwork(id: "cover of \(id)") { request in
      guard number != 3 else { return .none }
      return .ready(
        ArtworkRepresentation(
          reference: "/covers/\(request.artworkID).jpeg", dataType: .jpeg,
          size: request.size.fitted(original: ArtworkSize(width: 600, height: 600)),
          originalSize: ArtworkSize(width: 600, height: 600)))
    })
  content.metadata.append(MetadataItem(.trackNumber, number))
  return .music(content)
}
