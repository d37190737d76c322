internal import EventLoop
internal import Reports
internal import SystemClock
internal import UnitState

extension StateStore {
  /// Handles the events of the store of the queue or of the recent lists: logs the notices of the store, and requests a
  /// turn after each event.
  /// - Parameters:
  ///   - loss: the event for a file without valid contents.
  ///   - name: what the file contains.
  ///   - read: called when the file was read, and after each save. Nil in safe mode: then the file is not used.
  func events(
    _ loop: EventLoop, _ turns: Turns, _ loss: LogEvent, _ name: String, log: UnitLog,
    read: (() -> Void)?
  ) throws(SystemError) -> [DescriptorSource] {
    var sources: [DescriptorSource] = []
    if let read {
      sources.append(
        try DescriptorSource(loop, descriptor: openingDescriptor) { _ in
          read()
          turns.request()
        })
    }
    sources.append(
      try DescriptorSource(loop, descriptor: noticeDescriptor) { [self] _ in
        for notice in takeNotices() {
          let event = notice.kind == .damaged ? loss : LogEvent(notice.kind)
          log(event, "\(name): \(notice.text)", at: .now())
        }
        turns.request()
      })
    return sources
  }
}
