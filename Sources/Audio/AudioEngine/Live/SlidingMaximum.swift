/// The largest value of the last two minutes, in memory of a fixed size.
///
/// A bucket holds the largest value of 10 s, and 12 buckets are kept. So a value counts for 110 … 120 s.
struct SlidingMaximum {
  private static let bucketSeconds = 10.0
  private var buckets = InlineArray<12, Double>(repeating: 0)
  /// The number of the newest bucket, counted from the time 0.
  private var newest = 0

  /// Adds `value`, and returns the largest value of the last two minutes. `seconds` must not decrease.
  mutating func add(_ value: Double, at seconds: Double) -> Double {
    let present = Int(seconds / Self.bucketSeconds)
    let first = max(newest + 1, present - buckets.count + 1)
    for number in stride(from: first, through: present, by: 1) { self[number] = 0 }
    newest = max(newest, present)
    self[newest] = max(self[newest], value)
    var largest = 0.0
    for index in buckets.indices { largest = max(largest, buckets[index]) }
    return largest
  }

  private subscript(number: Int) -> Double {
    get { buckets[number % buckets.count] }
    set { buckets[number % buckets.count] = newValue }
  }
}
