internal import BusMethods
package import LibraryModel

/// The volumes and the phones. In the texts for the driver, a volume or a phone is called *source*.
package enum Sources1 {
  package static let interface = MethodTable(
    "Sources1", sources.rows + [choose.row, rescan.row, readAnew.row, forget.row],
    signals: [sources.changed.declaration])

  package static let sources: FollowedValue<[VolumeState]> = .init(
    "Sources1", .sources, get: "GetSources", changed: "Changed", .one("sources", .volumes))

  /// Plays a volume or a phone from the position at which it last stopped.
  package static let choose: ControlMethod<String, Void> = .init(
    "Sources1.Choose", .play, timeout: .seconds(10), takes: .one("source", .text))

  /// Searches a volume for new and changed files. An empty text means all volumes.
  package static let rescan: ControlMethod<String, Void> = .init(
    "Sources1.Rescan", .sources, takes: .one("source", .text))

  /// Reads all files of a volume again.
  package static let readAnew: ControlMethod<String, Void> = .init(
    "Sources1.ReadAnew", .sources, takes: .one("source", .text))

  /// Removes an absent volume from the library.
  package static let forget: ControlMethod<String, Void> = .init(
    "Sources1.Forget", .sources, takes: .one("source", .text))
}
