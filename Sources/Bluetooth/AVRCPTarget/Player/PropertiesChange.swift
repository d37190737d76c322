package import NowPlaying

/// Computes the properties to send so that BlueZ's state becomes the true state. The input is BlueZ's state and the
/// true state. The output is the changed properties, in the order in which they must be sent. This type stores no
/// state, so a test of a rule needs only an input and the expected output.
///
/// The rules follow from the way BlueZ handles each property (media.c and avrcp.c of BlueZ):
/// - Metadata sets BlueZ's position to 0 and notifies the phone, even if nothing has changed. So metadata is sent only
///   if something that BlueZ reads has changed. After metadata, no position 0 needs to be sent.
/// - If the same track starts again, its metadata is sent again. BlueZ then notifies phones that the track has reached
///   its start, which is true, and phones read the track and the position. Without the metadata, a phone that itself
///   uses BlueZ keeps the old position: BlueZ as a controller ignores a status that has not changed, and reads the
///   position only with a new track or a new status (avrcp.c, `avrcp_status_changed`).
/// - Each position that is sent makes BlueZ notify the phone of a seek, as if a person had moved to another position.
///   So a position is sent only if BlueZ's position is wrong. A status is always sent directly before the position. A
///   phone that has subscribed to the status gets one notification with the true status, subscribes again, and reads
///   the new position. If the status has not changed, it is written in the other ``StatusVariant``. BlueZ treats this
///   as a change.
/// - A position without a length, or beyond the length, means to the phone that the track has ended. So no position is
///   sent without a length.
/// - Order within one dictionary: metadata, status, position.
/// - The position of a stopped player is 0.
package enum PropertiesChange {
  /// A correction is sent if BlueZ's clock differs by more than this time. A signal to BlueZ takes a few milliseconds,
  /// or some tens of milliseconds on a loaded board. People do not notice a tenth of a second.
  package static let tolerance = Duration.milliseconds(100)
  /// If the position jumps backwards by more than this time, to a position below ``restartTime``, the track has started
  /// again. A correction of BlueZ's clock is a smaller jump, because it follows before the clock is wrong by more than
  /// a second.
  package static let restartJump = Duration.seconds(2)
  /// After a restart of the track, the position is less than this time.
  package static let restartTime = Duration.seconds(1)

  /// The properties to send so that BlueZ's state becomes `playerProperties`. Empty if nothing differs.
  /// - Parameter elapsed: the position without advertisements. Nil if there is no position.
  package static func changes(
    from snapshot: PlayerSnapshot, to playerProperties: PlayerProperties, elapsed: Duration?,
    at now: MonotonicInstant
  ) -> [PlayerProperty] {
    let sent = snapshot.playerProperties
    var properties: [PlayerProperty] = []
    var next = snapshot
    if playerProperties.track != sent.track
      || restarts(playerProperties, elapsed, where: snapshot, at: now)
    {
      properties.append(.metadata(playerProperties.track))
      next.apply(.metadata(playerProperties.track), at: now)
    }
    let position = position(of: playerProperties, elapsed, where: next, at: now)
    if playerProperties.status != sent.status {
      properties.append(.status(playerProperties.status))
    } else if position != nil {
      properties.append(.status(playerProperties.status, snapshot.statusVariant.other))
    }
    if let position { properties.append(.position(position)) }
    if playerProperties.isShuffled != sent.isShuffled {
      properties.append(.shuffle(playerProperties.isShuffled))
    }
    if playerProperties.loop != sent.loop { properties.append(.loop(playerProperties.loop)) }
    for flag in PlayerProperties.Flag.allCases
    where playerProperties.flags.contains(flag) != sent.flags.contains(flag) {
      properties.append(.flag(flag, playerProperties.flags.contains(flag)))
    }
    return properties
  }

  /// The properties for a registration: all that BlueZ reads, in the required order. A phone can set repeat and shuffle
  /// only if both are present at the registration.
  package static func registration(
    _ playerProperties: PlayerProperties, elapsed: Duration?, at now: MonotonicInstant
  ) -> [PlayerProperty] {
    var snapshot = PlayerSnapshot(at: now)
    var properties: [PlayerProperty] = []
    if let track = playerProperties.track {
      properties.append(.metadata(track))
      snapshot.apply(.metadata(track), at: now)
    }
    properties.append(.status(playerProperties.status))
    if let position = position(of: playerProperties, elapsed, where: snapshot, at: now) {
      properties.append(.position(position))
    }
    properties += [.shuffle(playerProperties.isShuffled), .loop(playerProperties.loop)]
    return properties
      + PlayerProperties.Flag.allCases.map { .flag($0, playerProperties.flags.contains($0)) }
  }

  /// True if the track has started again since BlueZ received its position.
  private static func restarts(
    _ playerProperties: PlayerProperties, _ elapsed: Duration?, where snapshot: PlayerSnapshot,
    at now: MonotonicInstant
  ) -> Bool {
    guard let elapsed, snapshot.duration != nil,
      playerProperties.status == .playing || playerProperties.status == .paused
    else { return false }
    return elapsed < restartTime && snapshot.position(at: now) - elapsed > restartJump
  }

  private static func position(
    of playerProperties: PlayerProperties, _ elapsed: Duration?, where snapshot: PlayerSnapshot,
    at now: MonotonicInstant
  ) -> Duration? {
    let current = snapshot.position(at: now)
    if playerProperties.status == .stopped { return current == .zero ? nil : .zero }
    // While a person holds a seek key, BlueZ's clock stands still. The new position is sent when the key is released.
    let isSeeking =
      playerProperties.status == .forwardSeek || playerProperties.status == .reverseSeek
    guard let elapsed, snapshot.duration != nil,
      !isSeeking || snapshot.playerProperties.status != playerProperties.status
    else { return nil }
    return (elapsed - current).magnitude > tolerance ? elapsed : nil
  }
}

extension Duration {
  var magnitude: Duration { self < .zero ? .zero - self : self }
}
