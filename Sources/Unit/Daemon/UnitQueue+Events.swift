internal import EventLoop
internal import Files
internal import Reports
internal import SystemClock
internal import UnitState

// The saved queue and the saved places arrive, and their stores report.
extension UnitQueue {
  /// Begins to follow the stores.
  func listen(_ loop: EventLoop) throws(SystemError) {
    if !isHeld {
      sources = [
        try DescriptorSource(loop, descriptor: store.openingDescriptor) { [weak self] _ in
          guard let self else { return }
          if let place = takeSaved() { restored = place }
          turns.request()
        },
        try DescriptorSource(loop, descriptor: places.store.openingDescriptor) { [weak self] _ in
          guard let self else { return }
          places.takeSaved()
          turns.request()
        },
      ]
    }
    for store in [store, places.store] {
      sources.append(
        try DescriptorSource(loop, descriptor: store.noticeDescriptor) { [log, turns] _ in
          for notice in store.takeNotices() {
            log(LogEvent(notice.kind), "the queue: \(notice.text)", at: .now())
          }
          turns.request()
        })
    }
  }

  /// The file at which to continue, once, if the queue was restored and its file is not the one of the last run.
  func takePlace() -> FilePlace? {
    defer { restored = nil }
    return restored
  }
}
