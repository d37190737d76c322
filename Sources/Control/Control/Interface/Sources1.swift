internal import BusMethods
package import LibraryModel

/// The places with music.
package enum Sources1 {
  package static let interface = MethodTable(
    "Sources1", sources.rows + [choose.row, rescan.row, readAnew.row, forget.row],
    signals: [sources.changed.declaration])

  package static let sources: FollowedValue<[MusicSource]> = .init(
    "Sources1", .sources, get: "GetSources", changed: "Changed", .one("sources", .sources))

  /// Plays a source of music, where it was left.
  package static let choose: ControlMethod<String, Void> = .init(
    "Sources1.Choose", .play, timeout: .seconds(10), takes: .one("source", .text))

  /// Looks for new and changed files of a source. An empty text stands for all sources.
  package static let rescan: ControlMethod<String, Void> = .init(
    "Sources1.Rescan", .sources, takes: .one("source", .text))

  /// Reads all files of a source again.
  package static let readAnew: ControlMethod<String, Void> = .init(
    "Sources1.ReadAnew", .sources, takes: .one("source", .text))

  /// Removes a source that is absent from the library.
  package static let forget: ControlMethod<String, Void> = .init(
    "Sources1.Forget", .sources, takes: .one("source", .text))
}
