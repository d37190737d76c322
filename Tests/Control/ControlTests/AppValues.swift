import NowPlaying
import TestKit

@testable import Control

/// Values of apps. No field has its default value.
enum AppValues {
  static var opening: SessionOpening {
    var opening = SessionOpening("radio.prompts")
    opening.name = "Radio"
    opening.audio = [.mixWithOthers, .duckOthers]
    opening.isSpoken = true
    opening.resumes = true
    opening.template.buttons = [
      .init(kind: .image("heart"), isEnabled: false, isSelected: true),
      .init(kind: .playbackRate, isEnabled: true, isSelected: false),
    ]
    opening.template.upNext = .title("Later")
    opening.template.isAlbumArtistEnabled = true
    return opening
  }

  static var publication: SessionPublication {
    var publication = SessionPublication()
    publication.content = content
    publication.playback = .streams(.playing(rate: 1.5), players: [4, 5], leader: 5)
    publication.commands = [
      CommandOffer(.play, isEnabled: false),
      CommandOffer(.skipForward, parameters: .intervals([.seconds(15)])),
      CommandOffer(.changePlaybackRate, parameters: .rates([1, 2])),
    ]
    publication.upNext = [
      UpNextItem(id: "b", title: "c", artist: "d", duration: .seconds(9), artworkID: "e")
    ]
    publication.isSelfPublished = true
    publication.condition = .failed(.init("no network", remedy: "wait"))
    return publication
  }

  static var content: MediaContent {
    var content = MusicContent(
      id: "a", songTitle: "b", artistName: "c", albumName: "d", duration: .finite(.seconds(9)),
      artwork: Artwork(id: "e") { _ in .none })
    content.adTimeRanges = [AdTimeRange(start: .seconds(1), duration: .seconds(2))]
    content.isPlaceholder = true
    content.collectionID = "f"
    content.isExplicit = true
    return .music(content)
  }

  static let format = SoundFormat(.live, rate: 48_000, channels: 1, samples: .f32)
  static var mark: SoundMark {
    SoundMark(frame: 4, content: content, time: .seconds(5), rate: 1.5, defaultRate: 2)
  }
  static let instructions: [AppInstruction] = [
    .pause(.interruption(.other("tunnel"))), .pause(.takenOver), .pause(.outputLost),
    .pause(.silenced), .pause(.audioSessionInactive), .resume,
    .duck(Ducking(decibels: -6, down: .seconds(1), up: .seconds(2))),
    .unduck(Ducking(decibels: -6, down: .seconds(1), up: .seconds(2))),
  ]
  static let status = SessionStatus(
    isPrimary: true, hold: .interruption(.call), missing: [.noContent, .noCommandEnabled],
    language: "de-at")
}

/// Random values of apps that a program can send.
struct RandomApp {
  var random: SeededRandom

  init(_ seed: UInt64) { random = SeededRandom(seed) }

  mutating func pick<Value>(_ values: [Value]) -> Value { values[random.below(values.count)] }

  mutating func text() -> String {
    String((0..<random.below(12)).map { _ in pick(Array("aäß漢 .-{}\u{7}")) })
  }

  private mutating func maybe<Value>(_ value: (inout RandomApp) -> Value) -> Value? {
    random.chance(50) ? value(&self) : nil
  }

  mutating func time() -> Duration {
    .nanoseconds(pick([0, 1, -1, Int64.max, Int64.min, Int64(random.below(1 << 40))]))
  }

  mutating func playbackState() -> MediaPlaybackSnapshot.PlaybackState {
    pick([
      .playing(rate: pick([1, -3, 0.5, 100])), .paused, .buffering, .interrupted, .stopped,
    ])
  }

  private mutating func duration() -> MediaDuration? {
    pick([nil, .live, .continuous, .finite(max(.zero, time()))])
  }

  mutating func content() -> MediaContent {
    let artwork = maybe { Artwork(id: $0.text()) { _ in .none } }
    let (id, length) = (text(), duration())
    var metadata = MetadataItems()
    for _ in 0..<random.below(6) {
      let identifier = MetadataIdentifier(pick(["title", "artist", "trackNumber", text()]))
      metadata.append(
        random.chance(70)
          ? MetadataItem(identifier, text(), language: pick(["und", "de", "en-gb"]))
          : MetadataItem(identifier, pick([0, Int.min, Int.max])))
    }
    let ranges = (0..<random.below(4)).map { _ in AdTimeRange(start: time(), duration: time()) }
    let (isPlaceholder, collection) = (random.chance(50), maybe { $0.text() })
    let isExplicit = maybe { $0.random.chance(50) }
    switch random.below(3) {
    case 0:
      var content = MusicContent(
        id: id, metadata: metadata, type: pick([.audio, .video]), duration: length,
        artwork: artwork)
      content.adTimeRanges = ranges
      content.isPlaceholder = isPlaceholder
      content.collectionID = collection
      content.isExplicit = isExplicit
      return .music(content)
    case 1:
      var content = RadioContent(id: id, stationName: "", duration: length, artwork: artwork)
      content.metadata = metadata
      content.adTimeRanges = ranges
      content.isPlaceholder = isPlaceholder
      content.collectionID = collection
      content.isExplicit = isExplicit
      return .radio(content)
    default:
      var content = GenericContent(id: id, title: "", duration: length, artwork: artwork)
      content.metadata = metadata
      content.adTimeRanges = ranges
      content.isPlaceholder = isPlaceholder
      content.collectionID = collection
      content.isExplicit = isExplicit
      return .generic(content)
    }
  }

  mutating func offers() -> [CommandOffer] {
    CommandKind.allCases.filter { _ in random.chance(50) }.map { kind in
      let parameters: CommandOffer.Parameters =
        switch kind {
        case .skipForward, .skipBackward: .intervals([.seconds(1 + random.below(60))])
        case .changePlaybackRate: .rates([pick([0.5, 1, 2])])
        case .changeRepeatMode: .repeatMode(pick([.off, .one, .all]), supported: [.off, .one])
        case .changeShuffleMode: .shuffleMode(pick([.off, .items]), supported: [.off])
        case .stars: .rating(maximum: 5, current: maybe { Double($0.random.below(6)) })
        case .like, .dislike, .bookmark:
          .feedback(isActive: random.chance(50), title: maybe { $0.text() })
        case .enableLanguageOption, .disableLanguageOption:
          .languages(
            [.init(id: text(), kind: pick([.audible, .legible]), language: "de", name: text())],
            enabled: [text()])
        default: .none
        }
      return CommandOffer(kind, isEnabled: random.chance(50), parameters: parameters)
    }
  }

  mutating func template() -> PublishedTemplate {
    var template = PublishedTemplate()
    template.buttons = (0..<random.below(PublishedTemplate.maximumButtons + 1)).map { _ in
      TemplateState.Button(
        kind: pick([
          .image(text()), .shuffle, .repeat, .addToLibrary, .more, .playbackRate, .stars,
        ]), isEnabled: random.chance(50), isSelected: random.chance(50))
    }
    template.upNext = pick([.off, .systemTitle, .title(text())])
    template.isAlbumArtistEnabled = random.chance(50)
    return template
  }

  mutating func opening() -> SessionOpening {
    var opening = SessionOpening(pick(["a", "web-radio", "a1.b2"]))
    opening.name = maybe { $0.text() }
    opening.audio = pick([[], .mixWithOthers, [.mixWithOthers, .duckOthers]])
    opening.isSpoken = random.chance(50)
    opening.resumes = random.chance(50)
    opening.template = template()
    return opening
  }

  mutating func publication() -> SessionPublication {
    var publication = SessionPublication()
    publication.content = maybe { $0.content() }
    switch random.below(3) {
    case 0: publication.playback = .snapshot(nil)
    case 1:
      publication.playback = .snapshot(
        MediaPlaybackSnapshot(
          state: playbackState(), defaultPlaybackRate: pick([1, 2.5]),
          elapsedTime: maybe { $0.time() },
          timestamp: MonotonicInstant(awake: time(), suspended: time()),
          seekNumber: pick([0, Int.max, Int.min]), advancesInSuspend: random.chance(50)))
    default:
      let players = Set((0..<4).map { _ in random.below(9) }).sorted()
      publication.playback = .streams(playbackState(), players: players, leader: pick(players))
    }
    publication.commands = offers()
    publication.upNext = (0..<random.below(21)).map { number in
      UpNextItem(
        id: "\(number)", title: text(), artist: maybe { $0.text() },
        duration: maybe { $0.time() }, artworkID: maybe { $0.text() })
    }
    publication.isSelfPublished = random.chance(50)
    publication.condition = pick([
      .ready, .waiting(.init(text())), .failed(.init(text(), remedy: text())),
    ])
    return publication
  }
}
