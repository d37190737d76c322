import EventLoop
import Foundation
import LibraryExchange
import LibraryModel
import TestKit
import Testing

/// Measures `autoharp-library` and `autoharp-cover` with many albums. Runs only if `AUTOHARP_COVERS` contains the
/// number of albums. `AUTOHARP_PROGRAMS` is the folder of the two programs.
@Suite struct CoverBenchmark {
  private static let variables = ProcessInfo.processInfo.environment
  private static let albums = variables["AUTOHARP_COVERS"].flatMap { Int($0) } ?? 0

  @Test(.enabled(if: albums > 0, "AUTOHARP_COVERS is not set"))
  func albumsWithPicturesOf500Pixels() throws {
    let bench = try CoverBench()
    var bytes = 0
    for number in 0..<Self.albums {
      let picture = try CoverBench.jpeg(number)
      bytes += picture.count
      try bench.song("a/\(number)/1.flac", picture: picture)
    }
    print("\(bytes / Self.albums) bytes of a picture")
    for round in 1...2 { try measure(bench, round) }
    print("\(bench.bytes / Self.albums) bytes stored for each album")
  }

  private func measure(_ bench: CoverBench, _ round: Int) throws {
    let loop = EventLoop()
    let socket = bench.folder.path("socket \(round)")
    let link = LibraryLink(loop)
    try link.listen(at: socket)
    var ready: Int64?
    link.onReport = {
      guard let report = link.report, report.volumes.first?.condition == .ready else { return }
      if ready == nil { ready = EventClock.monotonic.now }
    }
    link.setVolumes([
      LibraryVolume(identity: "id a", label: "a", path: bench.path("a"))
    ])
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: Self.variables["AUTOHARP_PROGRAMS"] ?? "")
      .appendingPathComponent("autoharp-library")
    process.arguments = [
      "serve", "--socket", socket, "--database", bench.folder.path("library"),
    ]
    try process.run()
    try loop.turn(until: { ready != nil })
    // If the report of the library has not changed for two seconds, all thumbnails are complete.
    var (revision, changed) = (Int64(-1), EventClock.monotonic.now)
    let start = ready ?? 0
    var peak = 0
    while EventClock.monotonic.now - changed < 2_000_000_000 {
      if link.report?.revision != revision {
        revision = link.report?.revision ?? -1
        changed = EventClock.monotonic.now
      }
      try loop.step(timeout: .milliseconds(50))
      peak = max(peak, bench.bytes)
    }
    let folder = "/proc/\(process.processIdentifier)"
    let status = try String(contentsOfFile: folder + "/status", encoding: .utf8)
    let times = try String(contentsOfFile: folder + "/stat", encoding: .utf8).split(separator: " ")
    print("at most \(peak) bytes of thumbnails")
    print(
      "\((changed - start) / 1_000_000) ms after the scan;",
      "CPU with the scan \(times[13]) + \(times[14]) ticks, decoders \(times[15]) + \(times[16]);",
      status.split(separator: "\n").filter { $0.hasPrefix("VmHWM") || $0.hasPrefix("RssAnon") })
    process.terminate()
    process.waitUntilExit()
  }
}
