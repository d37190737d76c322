internal import Bluez
internal import NowPlaying
internal import PhoneLink

// What the session of a phone publishes.
extension PhoneSource {
  func description(_ number: Int) -> SessionDescription {
    SessionDescription(content: content(number), playback: .snapshot(snapshot), commands: commands)
  }

  private func content(_ number: Int) -> MediaContent {
    let id = "phone-\(reading.address)-\(number)"
    let track = reading.player?.track ?? .init()
    let duration = track.duration.map { MediaDuration.finite(.milliseconds($0)) }
    guard track.title != nil || track.artist != nil || track.album != nil else {
      var content = GenericContent(
        id: id, title: reading.name, subtitle: reading.player?.name, duration: duration)
      if let name = reading.player?.name { content.metadata.append(MetadataItem(.appName, name)) }
      return .generic(content)
    }
    var items: MetadataItems = [MetadataItem(.title, track.title ?? reading.name)]
    let texts: [(MetadataIdentifier, String?)] = [
      (.artist, track.artist), (.albumName, track.album), (.genre, track.genre),
      (.appName, reading.player?.name),
    ]
    for (identifier, text) in texts {
      if let text { items.append(MetadataItem(identifier, text)) }
    }
    if let number = track.number { items.append(MetadataItem(.trackNumber, number)) }
    if let count = track.count { items.append(MetadataItem(.trackCount, count)) }
    return .music(MusicContent(id: id, metadata: items, duration: duration))
  }

  /// The phone counts on while the machine is suspended. While it seeks, no position is known.
  private var snapshot: MediaPlaybackSnapshot {
    let now = clock()
    let position = reading.position
    func snapshot(
      _ state: MediaPlaybackSnapshot.PlaybackState, knowsPosition: Bool = true
    ) -> MediaPlaybackSnapshot {
      MediaPlaybackSnapshot(
        state: state, elapsedTime: knowsPosition ? position?.time : nil,
        timestamp: position?.at ?? now, advancesInSuspend: true)
    }
    switch reading.player?.status {
    case .seekingForward where isPlaying:
      return snapshot(.playing(rate: Self.seekRate), knowsPosition: false)
    case .seekingBackward where isPlaying:
      return snapshot(.playing(rate: -Self.seekRate), knowsPosition: false)
    default: return snapshot(isPlaying ? .playing() : .paused)
    }
  }

  /// A phone does not tell how fast it seeks.
  private static let seekRate = 4.0
}
