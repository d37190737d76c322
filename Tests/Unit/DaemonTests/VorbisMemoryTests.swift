import Foundation
import Reports
import TestKit
import Testing

/// Vorbis files increase the memory of a process by at most 32 MB, whatever sizes their headers request.
@Suite struct VorbisMemoryTests {
  /// The limit in KB.
  private static let limit = 32 * 1024

  @Test func probeAndServe_largeHeaders_useAtMost32MB() throws {
    let home = try ServeProcess.Home(["start = play"])
    let small = GeneratedVorbisSetup().file()
    try home.folder.write("small.ogg", small)
    let names = try write(home.folder)
    try expectProbe(home.folder, names)
    try expectServe(home, small: small, names)
  }

  /// Compares the memory peaks of two processes: one process reads a small file, and the other process reads all files.
  private func expectProbe(_ folder: TemporaryFolder, _ names: [String]) throws {
    let idle = try peakOfProbe([folder.path("small.ogg")])
    let all = try peakOfProbe(names.map { folder.path($0) }) - idle
    guard all > Self.limit else { return }
    for name in names {
      let growth = try peakOfProbe([folder.path(name)]) - idle
      #expect(growth <= Self.limit, "\(name)")
    }
    #expect(all <= Self.limit)
  }

  /// One daemon plays all files. The first and the last file are small.
  private func expectServe(_ home: ServeProcess.Home, small: [UInt8], _ names: [String]) throws {
    let count = names.count + 2
    try home.folder.write("music/00 small.ogg", small)
    try home.folder.write("music/99 small.ogg", small)
    let daemon = try ServeProcess(home)
    defer { daemon.end() }
    #expect(daemon.waits(for: .trackStarted, "1/\(count) ") != nil, "\(daemon.log)")
    let idle = try peak(of: daemon)
    #expect(daemon.waits(for: .trackStarted, "\(count)/\(count) ") != nil, "\(daemon.log)")
    #expect(try peak(of: daemon) - idle <= Self.limit)
    for name in names where name.hasSuffix("allowed.ogg") {
      #expect(daemon.logged(.trackStarted, name), "\(name)")
    }
  }

  // MARK: Files

  /// For each field of the header, writes a file with the largest allowed count, if there is a limit, and a file with
  /// the count `most`. Also writes a chained stream of these files, and two files with large tags. Returns the names of
  /// the files.
  private func write(_ folder: TemporaryFolder) throws -> [String] {
    var names: [String] = []
    func write(_ name: String, _ bytes: [UInt8]) throws {
      names.append("music/\(10 + names.count) \(name).ogg")
      try folder.write(names.last ?? "", bytes)
    }
    var chain: [UInt8] = []
    for term in GeneratedVorbisTerm.all {
      // Links with long headers are left out of the chain, because they would only make the test slow.
      let isLink = term.setup(term.allowed ?? term.most).packet.count < 100_000
      for (words, count) in [("allowed", term.allowed), ("most", term.most)] {
        guard let setup = count.map(term.setup) else { continue }
        try write("\(term.name), \(words)", setup.file())
        if isLink { chain += setup.file(serial: Int32(names.count)) }
      }
    }
    try write("chain", chain)
    let plain = GeneratedVorbisSetup()
    try write("empty tags", plain.file(comments: GeneratedVorbisSetup.comments(empty: 5_000_000)))
    let long = Array("TITLE=".utf8) + Array(repeating: UInt8(ascii: "a"), count: 30_000_000)
    try write("long tag", plain.file(comments: GeneratedVorbisSetup.comments(long: long)))
    return names
  }

  // MARK: Measuring

  /// The peak memory of `probe`, in KB. Linux does not reset the peak of a process at exec, and the peak of this test
  /// is high. So another, small program starts `probe`.
  private func peakOfProbe(_ files: [String]) throws -> Int {
    let script = """
      import os, sys
      child = os.fork()
      if child == 0:
          os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
          os.execv(sys.argv[1], sys.argv[1:])
      print(os.wait4(child, 0)[2].ru_maxrss)
      """
    let output = try Tools.run(
      "python3", ["-c", script, ServeProcess.program.path, "probe", "--verify"] + files)
    return try #require(Int(String(decoding: output, as: UTF8.self).dropLast()))
  }

  /// The peak memory of the daemon, in KB.
  private func peak(of daemon: ServeProcess) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(daemon.pid)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(
      line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
  }
}
