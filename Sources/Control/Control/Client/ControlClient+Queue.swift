internal import EventLoop
package import LibraryModel
package import Reports

// Calls about the queue. `ControlClient+Calls.swift` states when a completion is called.
extension ControlClient {
  /// Plays a list of the library, or one of its rows and what follows.
  @discardableResult
  package func play(
    _ list: TrackList, row: RowReference? = nil, _ mode: PlayMode,
    _ completion: @escaping Completion<Void>
  ) -> Ticket? {
    call(
      ControlInterface.library, "Play",
      [.string(list.text), .string(row?.identifier ?? ""), .string(mode.rawValue)],
      timeout: .seconds(10), then: completion
    ) { _ in }
  }

  /// Reads the lists that were left, the latest first.
  @discardableResult
  package func recent(
    limit: Int = RecentReport.limit, _ completion: @escaping Completion<[RecentReport]>
  ) -> Ticket? {
    call(
      ControlInterface.library, "GetRecent", [.uint32(UInt32(clamping: limit))], then: completion
    ) { try QueueCoding.recent($0[0]) }
  }

  /// Plays a source of music, where it was left.
  @discardableResult
  package func choose(_ source: String, _ completion: @escaping Completion<Void>) -> Ticket? {
    call(
      ControlInterface.sources, "Choose", [.string(source)], timeout: .seconds(10),
      then: completion
    ) { _ in }
  }

  /// Reads a part of the queue.
  @discardableResult
  package func queue(
    first: Int, limit: Int, _ completion: @escaping Completion<QueueReport>
  ) -> Ticket? {
    call(
      ControlInterface.library, "GetQueue",
      [.uint32(UInt32(clamping: first)), .uint32(UInt32(clamping: limit))], then: completion
    ) { try QueueCoding.report($0[0], rows: $0[1], $0[2]) }
  }

  /// Moves an entry of the queue before another one; nil for the end.
  @discardableResult
  package func moveQueueItem(
    _ entry: Int, before other: Int?, revision: Int, _ completion: @escaping Completion<Void>
  ) -> Ticket? {
    call(
      ControlInterface.library, "MoveQueueItem",
      [
        .count(revision), .string(QueueCoding.identity(entry)),
        .string(other.map(QueueCoding.identity) ?? ""),
      ], then: completion
    ) { _ in }
  }

  /// Removes an entry of the queue.
  @discardableResult
  package func removeQueueItem(
    _ entry: Int, revision: Int, _ completion: @escaping Completion<Void>
  ) -> Ticket? {
    call(
      ControlInterface.library, "RemoveQueueItem",
      [.count(revision), .string(QueueCoding.identity(entry))], then: completion
    ) { _ in }
  }

  /// Removes all entries of the queue but the current one.
  @discardableResult
  package func clearQueue(revision: Int, _ completion: @escaping Completion<Void>) -> Ticket? {
    call(ControlInterface.library, "ClearQueue", [.count(revision)], then: completion) { _ in }
  }

  /// Undoes the last edit of the queue.
  @discardableResult
  package func undoQueue(revision: Int, _ completion: @escaping Completion<Void>) -> Ticket? {
    call(ControlInterface.library, "UndoQueue", [.count(revision)], then: completion) { _ in }
  }
}
