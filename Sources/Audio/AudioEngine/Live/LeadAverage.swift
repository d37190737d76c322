/// The average of the lead of a ``LiveInput`` over about one second.
///
/// Packets arrive in bursts. So the leads of each slot of 100 ms are averaged first, with the same weight for each
/// packet.
struct LeadAverage {
  private static let slotSeconds = 0.1
  /// Number of slots of the average.
  private static let slots = 10

  /// The average; nil before the first second is complete.
  var value: Double? { count < Self.slots ? nil : average }
  private var average = 0.0
  /// Number of slots so far, at most ``slots``.
  private var count = 0
  /// The present slot: its first time, the sum of its leads, and their number.
  private var start: Double?
  private var sum = 0.0
  private var leads = 0.0

  /// Adds a lead. If it completes a slot, returns the length of the slot in seconds.
  mutating func add(_ lead: Double, at seconds: Double) -> Double? {
    let begin = start ?? seconds
    start = begin
    sum += lead
    leads += 1
    guard seconds - begin >= Self.slotSeconds else { return nil }
    count = min(count + 1, Self.slots)
    average += (sum / leads - average) / Double(count)
    (start, sum, leads) = (seconds, 0, 0)
    return seconds - begin
  }
}
