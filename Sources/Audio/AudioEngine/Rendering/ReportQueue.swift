/// Reports to the control thread that wait until their frame is handed over or heard.
///
/// ``RenderState/reports`` counts the reports that were added. So if the renderer goes back to an earlier state, the
/// reports that were added after this state are forgotten. Used by the output thread only, below the real-time line.
/// The type contains a raw pointer for the reason that ``FrameRing`` gives.
struct ReportQueue: @unchecked Sendable {
  private static let capacity = 256

  struct Report {
    /// The output frame to which the report belongs.
    var frame = 0
    var event = StreamEvent(kind: .end, position: 0)
  }

  private let reports: UnsafeMutablePointer<Report>
  /// Number of reports that were passed on.
  private(set) var passed = 0

  init() {
    reports = .allocate(capacity: Self.capacity)
    reports.initialize(repeating: Report(), count: Self.capacity)
  }

  func deallocate() { reports.deallocate() }

  /// Adds a report. `count` is the number of reports that were added before.
  @_noLocks func add(_ event: StreamEvent, at frame: Int, count: inout Int) {
    // If the control thread has left hundreds of events unread, the queue has no room. Then only the newest of the
    // further reports is kept. Playback continues.
    if count &- passed < 256 { count &+= 1 }
    reports[(count &- 1) & 255] = Report(frame: frame, event: event)
  }

  /// The oldest report that was not passed on; nil if there is none. `count` is the number of reports that were added.
  /// It is below ``passed`` if the renderer has gone back to a state before a report that was passed on. Such a report
  /// is added again, and not passed on again.
  @_noLocks func first(of count: Int) -> Report? {
    passed >= count ? nil : reports[passed & 255]
  }

  /// Call this after the report that ``first(of:)`` returned was passed on.
  @_noLocks mutating func removeFirst() { passed &+= 1 }
}
