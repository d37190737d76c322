internal import Bluez
internal import NowPlaying
internal import PhoneLink

// What the session of a phone publishes.
extension PhoneSource {
  /// - Parameter state: overrides what the phone says.
  func description(
    _ number: Int, state: MediaPlaybackSnapshot.PlaybackState? = nil
  ) -> SessionDescription {
    SessionDescription(
      content: content(number), playback: .snapshot(snapshot(state)), commands: commands)
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
  private func snapshot(_ state: MediaPlaybackSnapshot.PlaybackState?) -> MediaPlaybackSnapshot {
    let now = clock()
    let position = reading.position
    func snapshot(
      _ state: MediaPlaybackSnapshot.PlaybackState, knowsPosition: Bool = true
    ) -> MediaPlaybackSnapshot {
      MediaPlaybackSnapshot(
        state: state, elapsedTime: knowsPosition ? position?.time : nil,
        timestamp: position?.at ?? now, advancesInSuspend: true)
    }
    if let state { return snapshot(state) }
    if !isPlaying {
      let silent = silentState
      guard let frozen, frozen.number == position?.number else { return snapshot(silent) }
      return MediaPlaybackSnapshot(
        state: silent, elapsedTime: frozen.position, timestamp: now, advancesInSuspend: true)
    }
    switch reading.player?.status {
    case .seekingForward:
      return snapshot(.playing(rate: Self.seekRate), knowsPosition: false)
    case .seekingBackward:
      return snapshot(.playing(rate: -Self.seekRate), knowsPosition: false)
    default: return snapshot(.playing())
    }
  }

  /// What a phone that does not play does.
  private var silentState: MediaPlaybackSnapshot.PlaybackState {
    switch starting {
    case .connecting: .buffering
    case .none, .resuming: .paused
    }
  }

  /// A phone does not tell how fast it seeks.
  private static let seekRate = 4.0
}
