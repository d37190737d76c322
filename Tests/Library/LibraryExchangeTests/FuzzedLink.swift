import EventLoop
import LibraryModel
import TestKit

@testable import LibraryExchange

/// Connects to a library process that an attacker controls. An input decides what this process answers, and which
/// signals it sends. The fuzz target and the tests use this class.
final class FuzzedLink {
  private let folder: String
  private let loop = EventLoop()
  private let link: LibraryLink
  private let hostile: HostileLibrary
  private var answered = 0
  /// Number of accepted answers.
  private(set) var accepted = 0
  private(set) var faults = 0

  /// - Parameter folder: a folder for the socket.
  init(in folder: String) throws {
    self.folder = folder
    link = LibraryLink(loop)
    try link.listen(at: folder + "/library")
    hostile = try HostileLibrary(loop, path: folder + "/library")
    link.onFault = { [unowned self] _, reason in
      faults += 1
      require(!reason.isEmpty && reason.utf8.count < 1024, reason)
    }
    link.onReport = { [unowned self] in link.report.map(Self.check) }
    try wait { hostile.calls["SetVolumes"] == 1 }
  }

  /// Runs up to 64 steps of an input. Stops when the input or the connection ends.
  func run(_ input: inout FuzzInput) throws {
    for _ in 0..<64 where !input.isEmpty && !hostile.isEnded { try step(&input) }
    require(faults <= LibraryTrust.maximumFaults + 1, "\(faults) faults")
  }

  private func wait(_ condition: () -> Bool) throws {
    let end = EventClock.monotonic.now + 120_000_000_000
    while !condition() {
      require(EventClock.monotonic.now < end, "no answer within 2 min")
      try loop.step(timeout: .milliseconds(100))
    }
  }

  private func step(_ input: inout FuzzInput) throws {
    let choice = input.byte()
    if choice % 16 >= 11 {
      let values = LibrarySamples.report().map { changed($0, &input) }
      hostile.emit(values, choice % 16 == 15 ? input.text() : "Changed")
      try loop.step(timeout: .zero)
      return
    }
    let members = LibrarySamples.good.keys.sorted()
    let member = members[Int(choice) % members.count]
    hostile.answers[member] = (LibrarySamples.good[member] ?? []).map { changed($0, &input) }
    let before = answered
    ask(member)
    try wait { answered > before || hostile.isEnded }
  }

  // MARK: Questions

  private func take<Value>(
    _ check: @escaping (Value) -> Void
  ) -> (Result<Value, LibraryFailure>) -> Void {
    { [unowned self] result in
      answered += 1
      guard case .success(let value) = result else { return }
      accepted += 1
      check(value)
    }
  }

  private func ask(_ member: String) {
    let path: [UInt8] = [0x61]
    switch member {
    case "GetPage":
      let request = RowsRequest(.albums, cursor: "f.1", limit: 2)
      link.ask(
        LibraryProcess1.getRows, request,
        take { batch in
          Self.check(batch.rows, limit: 2)
          require(batch.next != request.cursor && batch.previous != request.cursor)
          require(batch.count >= 0 && batch.position >= 0)
        })
    case "GetLetters":
      link.ask(
        LibraryProcess1.getLetters, HeadingsRequest(of: .albums),
        take { require($0.count <= 2000) })
    case "Search":
      link.ask(LibraryProcess1.search, SearchRequest("a"), take { Self.check($0.rows, limit: 100) })
    case "FindSimilar":
      link.ask(
        LibraryProcess1.findSimilar, SimilarRequest("a"), take { Self.check($0.rows, limit: 1) })
    case "GetTracks":
      link.ask(
        LibraryProcess1.getTracks, TracksRequest(.node(.songs)),
        take { batch in
          require((0...10_000).contains(batch.count) && batch.tracks.count <= batch.count)
          require(batch.chosen == 0 || (0..<batch.count).contains(batch.chosen))
          require((0...1 << 53).contains(batch.revision) && batch.list == .node(.songs))
          batch.tracks.forEach(Self.check)
        })
    case "GetNeighbour":
      link.ask(
        LibraryProcess1.getNeighbour, NeighbourRequest(of: .album(1), in: nil, isNext: true),
        take { if case .own? = $0 { require(false, "a playlist of the unit") } })
    case "GetEntries":
      link.ask(
        LibraryProcess1.getEntries, SongReference(volume: "v", path: path),
        take { require($0.count <= 8 && $0.allSatisfy { $0.id >= 0 }) })
    case "FindMoved":
      link.ask(
        LibraryProcess1.findMoved, MovedRequest(volume: "v", paths: [path, path]),
        take { moved in
          require((0...2).contains(moved.examined) && moved.files.count <= 2)
          for file in moved.files {
            require((0..<2).contains(file.index))
            Self.check(file.track)
          }
        })
    case "GetProblems":
      link.ask(LibraryProcess1.getProblems, 0, take { $0.forEach { Self.check(path: $0.path) } })
    case "GetDoubts":
      link.ask(LibraryProcess1.getDoubts, (), take { require($0.parts.count <= 4) })
    default:
      link.ask(
        LibraryProcess1.getThumbnail, RowReference(kind: .album, id: 1),
        take { require($0.count <= 16 << 10) })
    }
  }

  // MARK: What is accepted

  private static func check(_ rows: [LibraryRow], limit: Int) {
    require(rows.count <= limit, "\(rows.count) rows")
    for row in rows {
      require(row.id >= 0 && row.count >= 0 && row.year >= 0)
      require((0...4_000_000_000).contains(row.milliseconds), "\(row.milliseconds)")
      check(texts: [row.title, row.artist, row.detail, row.artwork])
      require(RowReference(identifier: row.identifier) != nil)
    }
  }

  private static func check(_ track: LibraryTrack) {
    check(path: track.reference.path)
    check(texts: [track.title, track.artist, track.album])
    require((0...4_000_000_000).contains(track.milliseconds), "\(track.milliseconds)")
    require(track.reference.volume.utf8.count <= 4160)
  }

  private static func check(path: [UInt8]) {
    require(!path.isEmpty && path.count <= 4096 && !path.contains(0) && path[0] != 0x2F)
  }

  private static func check(texts: [String?]) {
    for text in texts { require((text ?? "").utf8.count <= 1024) }
  }

  private static func check(_ report: LibraryReport) {
    require(report.volumes.count <= 256)
    // The daemon adds up the numbers of songs of all volumes. The sums must not overflow.
    let state = LibraryState(
      report, volumes: report.volumes.map { VolumeState(kind: .stick, report: $0, path: nil) })
    require(state.songs >= 0 && state.revision >= 0 && report.volumes.allSatisfy { $0.folder >= 0 })
  }
}

/// The texts that an input can choose: words that the library uses, and unusual or long texts.
let sampleWords = [
  "", " ", "album", "song", "own", "own:1", "album:1", "song:7fffffffffffffff", "songs", "albums",
  "ready", "reading", "listing", "absent", "sortNames", "f.1", "f.2", "..", "\u{202E}\u{0}\n",
  String(repeating: "Ж", count: 700), String(repeating: "e\u{301}", count: 700),
]
