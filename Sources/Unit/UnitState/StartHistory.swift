/// The latest starts of the daemon, and how each of them went: so that one which dies again and
/// again can say why, and can try something else than what it died of.
public struct StartHistory: Hashable, Sendable {
  /// One run of the daemon.
  public struct Start: Hashable, Sendable {
    /// How far a run came.
    public enum Progress: UInt8, Hashable, Sendable, CaseIterable {
      /// It began. The next start finds this where it died soon after.
      case began
      /// It had run for long enough that what ends it is no fault of starting: power is cut at every
      /// stop of the car.
      case steady
      /// It was asked to stop, and did.
      case stopped
    }

    /// Counted from 1; after the largest number it stays there.
    public internal(set) var number: UInt32
    /// How far it came.
    public internal(set) var progress = Progress.began
    /// Why it died, as far as somebody knew; at most ``maximumReasonBytes``.
    public internal(set) var reason = ""
  }

  /// Starts that are remembered.
  public static let maximumCount = 8
  /// Bytes of a reason.
  public static let maximumReasonBytes = 120

  /// Bytes of ``boot``.
  static let maximumBootBytes = 64

  /// Names the boot of the machine that the last start was in; empty where that is not known.
  public internal(set) var boot = ""
  /// Oldest first.
  public internal(set) var starts: [Start] = []

  /// None yet.
  public init() {}

  /// A run begins.
  ///
  /// A run that died with its machine has not failed: a starter motor takes the power away for a
  /// moment, and somebody may turn the key three times.
  ///
  /// - Parameters:
  ///   - reason: why the one before died, where it died without its machine. What was said of it
  ///     already stays.
  ///   - boot: names this boot of the machine; at most 64 bytes; empty where it is not known.
  public mutating func begin(reasonOfLast reason: String = "", boot: String = "") {
    let isSameBoot = boot.isEmpty || self.boot.isEmpty || boot == self.boot
    if let last = starts.indices.last, starts[last].progress != .stopped {
      if !isSameBoot { starts[last].progress = .steady }
      if starts[last].reason.isEmpty { noteReason(isSameBoot ? reason : "the power was cut") }
    }
    self.boot = boot.utf8.count <= Self.maximumBootBytes ? boot : ""
    let number = starts.last.map { $0.number == .max ? .max : $0.number + 1 } ?? 1
    starts = (starts + [Start(number: number)]).suffix(Self.maximumCount)
  }

  /// The current run is over its beginning, or at its end.
  public mutating func reach(_ progress: Start.Progress) {
    guard let last = starts.indices.last else { return }
    starts[last].progress = progress
  }

  /// The current run is dying of this. Cut off after ``maximumReasonBytes``.
  public mutating func noteReason(_ reason: String) {
    guard let last = starts.indices.last else { return }
    starts[last].reason = Self.cut(reason)
  }

  /// How many runs before the current one died at their beginning, one after the other, as far as
  /// is remembered.
  public var failuresInARow: Int {
    starts.dropLast().reversed().prefix { $0.progress == .began }.count
  }

  /// At the end of a character.
  static func cut(_ text: String) -> String {
    var count = 0
    return String(
      text.prefix { character in
        count += character.utf8.count
        return count <= maximumReasonBytes
      })
  }
}
