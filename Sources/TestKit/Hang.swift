/// The time after which a wait of a test counts as a hang. Only a hang reaches it, and not a busy machine.
public enum Hang {
  /// The time.
  public static let limit = Duration.seconds(300)
  /// The time in milliseconds.
  public static let milliseconds = Int(limit / .milliseconds(1))
}
