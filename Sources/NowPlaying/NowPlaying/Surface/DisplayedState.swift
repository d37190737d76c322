/// The values that a surface shows, as they were read back from the surface. A field that the surface cannot show or
/// report is nil. Such a field is not compared (P12).
public struct DisplayedState: Hashable, Sendable {
  /// The first line.
  public var title: String?
  /// The second line.
  public var subtitle: String?
  /// The third line.
  public var detail: String?
  /// The net duration, without advertisements.
  public var duration: Duration?
  /// The status of playback.
  public var status: PlaybackStatus?
  /// The net elapsed time at the moment of reading.
  public var elapsed: Duration?
  /// The volume level.
  public var volume: VolumeLevel?
  /// The number of the track on the album; 0 if the content has no such number.
  public var trackNumber: Int?
  /// The repeat mode.
  public var repeatMode: MediaCommand.RepeatMode?
  /// True for any shuffle mode except off.
  public var isShuffled: Bool?

  public init(
    title: String? = nil, subtitle: String? = nil, detail: String? = nil, duration: Duration? = nil,
    status: PlaybackStatus? = nil, elapsed: Duration? = nil, volume: VolumeLevel? = nil,
    trackNumber: Int? = nil, repeatMode: MediaCommand.RepeatMode? = nil, isShuffled: Bool? = nil
  ) {
    self.title = title
    self.subtitle = subtitle
    self.detail = detail
    self.duration = duration
    self.status = status
    self.elapsed = elapsed
    self.volume = volume
    self.trackNumber = trackNumber
    self.repeatMode = repeatMode
    self.isShuffled = isShuffled
  }

  /// The values that a surface should show for a state at a moment. If the content has no text for a line, the line is
  /// an empty text.
  public init(of state: NowPlayingState, at now: MonotonicInstant) {
    self.init(
      title: state.lines.title ?? "", subtitle: state.lines.subtitle ?? "",
      detail: state.lines.detail ?? "", duration: state.duration?.length, status: state.status,
      elapsed: state.elapsed(at: now), volume: state.volume.level,
      trackNumber: max(0, state.content?.metadata.number(.trackNumber) ?? 0),
      repeatMode: state.repeatMode, isShuffled: state.shuffleMode != .off)
  }

  /// The name of each field, and its value as text.
  var fields: [(name: String, text: String?)] {
    [
      ("title", title), ("subtitle", subtitle), ("detail", detail),
      ("duration", duration?.clockText), ("status", status?.rawValue),
      ("elapsed", elapsed?.clockText), ("volume", volume?.description),
      ("track number", trackNumber?.description), ("repeat", repeatMode?.rawValue),
      ("shuffled", isShuffled?.description),
    ]
  }
}

/// A field whose shown value differs from the value that the surface should show.
public struct DisplayDifference: Hashable, Sendable, CustomStringConvertible {
  /// The name of the field.
  public let field: String
  /// The value that the surface should show.
  public let expected: String
  /// The value that the surface shows.
  public let shown: String

  /// The difference as text: `title: “a” is shown as “b”`.
  public var description: String { "\(field): “\(expected)” is shown as “\(shown)”" }
}

extension DisplayedState {
  /// Maximum difference between two elapsed times that count as equal. A surface shows whole seconds, and its report
  /// arrives with a delay.
  public static let elapsedTolerance = Duration.seconds(2)
  /// Maximum difference between two durations that count as equal. Durations are rounded to seconds on their way to the
  /// surface and back.
  public static let durationTolerance = Duration.seconds(1)

  /// The fields in which `shown` differs from the expected state `self`.
  public func differences(from shown: DisplayedState) -> [DisplayDifference] {
    zip(fields, shown.fields).compactMap { expected, seen in
      guard let shownText = seen.text else { return nil }
      let isSame =
        switch expected.name {
        case "elapsed": Self.near(elapsed, shown.elapsed, Self.elapsedTolerance)
        case "duration": Self.near(duration, shown.duration, Self.durationTolerance)
        default: expected.text == shownText
        }
      guard !isSame else { return nil }
      return DisplayDifference(
        field: expected.name, expected: expected.text ?? "nothing", shown: shownText)
    }
  }

  private static func near(_ one: Duration?, _ other: Duration?, _ tolerance: Duration) -> Bool {
    guard let one, let other else { return one == other }
    return (one - other).magnitude <= tolerance
  }
}
