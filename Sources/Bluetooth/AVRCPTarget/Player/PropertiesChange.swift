package import NowPlaying

/// What has to be sent so that BlueZ has the true properties: what BlueZ has and what is true in, changed
/// properties in their order out. It decides nothing else and keeps nothing, so each rule is a row of a test.
///
/// The rules come from what BlueZ makes of each word (C4 of the facts; media.c, avrcp.c):
/// - Metadata sets BlueZ's position to 0 and notifies the phone, also where nothing differs. So it
///   goes out only if something that BlueZ reads differs, and no position 0 goes behind it.
/// - Any other position notifies the phone of a seek, as if the music were wound. So it goes out only
///   if BlueZ is wrong, and behind a status: a phone that asked to be told of the status is told
///   once, and asks anew. So what it is told is the status, which is true, and what it reads
///   then is the new position. Where the status is the old one, it is written in the other spelling,
///   which BlueZ takes for another.
/// - A position without a length, or beyond it, tells the phone that the track is over. So there
///   is none without a length.
/// - Within one dictionary: metadata, status, position.
/// - Stopped is at 0.
package enum PropertiesChange {
  /// BlueZ's clock may be so far from the truth before it is told. The way to it takes a few
  /// milliseconds, a loaded board some tens; nobody sees a tenth of a second.
  package static let tolerance = Duration.milliseconds(100)

  /// The properties that make `picture` true; none where it is.
  /// - Parameter elapsed: where playback is, without advertisements; nil where it has no place.
  package static func changes(
    from picture: PlayerSnapshot, to playerProperties: PlayerProperties, elapsed: Duration?,
    at now: MonotonicInstant
  ) -> [PlayerProperty] {
    let told = picture.playerProperties
    var properties: [PlayerProperty] = []
    var next = picture
    if let metadata = metadata(from: picture, to: playerProperties) {
      properties.append(.metadata(metadata))
      next.take(.metadata(metadata), at: now)
    }
    let position = position(of: playerProperties, elapsed, where: next, at: now)
    if playerProperties.status != told.status {
      properties.append(.status(playerProperties.status))
    } else if position != nil {
      properties.append(.status(playerProperties.status, picture.spelling.other))
    }
    if let position { properties.append(.position(position)) }
    if playerProperties.isShuffled != told.isShuffled {
      properties.append(.shuffle(playerProperties.isShuffled))
    }
    if playerProperties.loop != told.loop { properties.append(.loop(playerProperties.loop)) }
    for flag in PlayerProperties.Flag.allCases
    where playerProperties.flags.contains(flag) != told.flags.contains(flag) {
      properties.append(.flag(flag, playerProperties.flags.contains(flag)))
    }
    return properties
  }

  /// What a player is registered with: all that BlueZ reads, in the order that it needs. Repeat and
  /// shuffle can be set by a phone only if they are there from the beginning.
  package static func registration(
    _ playerProperties: PlayerProperties, elapsed: Duration?, at now: MonotonicInstant
  ) -> [PlayerProperty] {
    var picture = PlayerSnapshot(at: now)
    var properties: [PlayerProperty] = []
    if let track = playerProperties.track {
      properties.append(.metadata(track))
      picture.take(.metadata(track), at: now)
    }
    properties.append(.status(playerProperties.status))
    if let position = position(of: playerProperties, elapsed, where: picture, at: now) {
      properties.append(.position(position))
    }
    properties += [.shuffle(playerProperties.isShuffled), .loop(playerProperties.loop)]
    return properties
      + PlayerProperties.Flag.allCases.map { .flag($0, playerProperties.flags.contains($0)) }
  }

  /// Nothing to play is a track without a title; before the first track, it is no track.
  private static func metadata(from picture: PlayerSnapshot, to playerProperties: PlayerProperties)
    -> PlayerProperties.Track?
  {
    let track = playerProperties.track ?? PlayerProperties.Track(title: "")
    if !picture.hasTrack { return playerProperties.track }
    return track == picture.playerProperties.track ? nil : track
  }

  private static func position(
    of playerProperties: PlayerProperties, _ elapsed: Duration?, where picture: PlayerSnapshot,
    at now: MonotonicInstant
  ) -> Duration? {
    let believed = picture.position(at: now)
    if playerProperties.status == .stopped { return believed == .zero ? nil : .zero }
    // While a key seeks, BlueZ's clock stands; where it has come to is said when it is let go.
    let isSeeking =
      playerProperties.status == .forwardSeek || playerProperties.status == .reverseSeek
    guard let elapsed, picture.duration != nil,
      !isSeeking || picture.playerProperties.status != playerProperties.status
    else { return nil }
    return (elapsed - believed).magnitude > tolerance ? elapsed : nil
  }
}

extension Duration {
  var magnitude: Duration { self < .zero ? .zero - self : self }
}
