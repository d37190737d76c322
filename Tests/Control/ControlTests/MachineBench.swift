import Console
import ConsoleLink
import Control
import Foundation
import NowPlaying
import Reports
import Synchronization
import TestKit
import Testing

/// A helper of the image: a server on a real socket that answers each request with a text.
final class FakeHelper: Sendable {
  private let listener: Int32
  private let answer: @Sendable (String) -> String
  private let readsBodies: Bool
  private let received = Mutex<[String]>([])
  private let receivedBodies = Mutex<[[UInt8]]>([])

  /// - Parameters:
  ///   - readsBodies: false to answer a request `write NAME BYTES` before its bytes are read.
  ///   - answer: called on a thread of its own with each request, without its line end.
  init(
    _ path: String, readsBodies: Bool = true, answer: @escaping @Sendable (String) -> String
  ) throws {
    self.readsBodies = readsBodies
    listener = try #require(UnixSocket.bound(to: path))
    self.answer = answer
    #expect(listen(listener, 8) == 0)
    Thread { [listener, weak self] in
      while true {
        let peer = accept(listener, nil, nil)
        guard peer >= 0, let self else { return }
        serve(peer)
      }
    }.start()
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  var requests: [String] { received.withLock { $0 } }
  /// The bytes that followed the requests `write NAME BYTES`. Fewer bytes if the client has closed the connection.
  var bodies: [[UInt8]] { receivedBodies.withLock { $0 } }

  private func serve(_ peer: Int32) {
    defer { close(peer) }
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while read(peer, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
    let request = String(decoding: bytes, as: UTF8.self)
    if readsBodies, request.hasPrefix("write "), let count = Int(request.split(separator: " ")[2]) {
      let body = readBody(peer, count)
      receivedBodies.withLock { $0.append(body) }
    }
    received.withLock { $0.append(request) }
    let text = Array(answer(request).utf8)
    var done = 0
    while done < text.count {
      let count = text[done...].withUnsafeBytes {
        send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      done += count
    }
  }

  private func readBody(_ peer: Int32, _ count: Int) -> [UInt8] {
    var body: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 5000)
    while body.count < count {
      let read = read(peer, &piece, min(piece.count, count - body.count))
      guard read > 0 else { break }
      body += piece[..<read]
    }
    return body
  }
}

/// A console without a daemon, and the files of an image in a temporary folder.
final class MachineBench {
  let folder: TemporaryFolder
  let backend: ControlBackend
  var events: [ConsoleEvent] = []

  /// - Parameters:
  ///   - journal: the shell script that stands for journalctl.
  ///   - socket: the socket of a daemon. Nil for a console without a daemon.
  init(
    _ folder: TemporaryFolder? = nil, journal: String = "true", socket: String? = nil,
    isOfImage: Bool = true, change: (inout MachineFiles) -> Void = { _ in }
  ) throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    var files = MachineFiles()
    files.serviceSocket = folder.path("service")
    files.freeSpaceSocket = folder.path("free-space")
    files.reportSocket = folder.path("stick-report")
    files.keptLogs = folder.path("log")
    files.media = folder.path("media")
    files.mounts = folder.path("mountinfo")
    files.sticks = folder.path("sticks")
    files.disks = folder.path("disks")
    files.cards = folder.path("cards")
    change(&files)
    for name in ["run", "sticks", "disks", "media"] { mkdir(folder.path(name), 0o755) }
    if isOfImage { try folder.write("run/state", Array("disk\n".utf8)) }
    var policy = Bench.policy
    policy.answerTimeout = .seconds(5)
    backend = ControlBackend(
      socket: socket ?? folder.path("missing"), version: "autoharp 9", policy: policy,
      journal: ["sh", "-c", journal, "sh"], powerRequest: nil,
      storageFiles: StorageFiles(
        folder: folder.path("run"), repair: folder.path("repair"), socket: folder.path("format")),
      machine: files, guide: Self.guide)
    backend.onEvent = { [unowned self] in events.append($0) }
  }

  private static let guide = SettingsGuide([
    .init(
      key: "phone-wait", standard: "30 s", permitted: "a time", meaning: "waits",
      isOfDriver: true),
    .init(key: "state-folder", standard: "", permitted: "a folder", meaning: "state"),
  ]) {
    FactsReport([
      .init(
        "configuration",
        [
          .init("phone-wait", "45 s  (driver)"),
          .init("state-folder", "/a (b)  (owner, /data/autoharp.conf:3)"),
        ])
    ])
  }

  func write(_ name: String, _ text: String) throws { try folder.write(name, Array(text.utf8)) }

  /// Waits as the console does, until the condition holds.
  func turn(until condition: () -> Bool, while others: () throws -> Void = {}) throws {
    let end = ContinuousClock.now + Hang.limit
    while !condition(), ContinuousClock.now < end {
      let time = backend.prepare()
      try others()
      if condition() { return }
      var entry = pollfd(fd: backend.descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, time < 0 ? 5 : 0) > 0 || time == 0 { backend.turn() }
    }
  }

  func ask(_ line: String, while others: () throws -> Void = {}) throws -> ConsoleReply {
    guard case .command(let command, _) = try Grammar.autoharp.parse(line) else {
      throw Missing()
    }
    var reply: ConsoleReply?
    backend.send(command) { reply = $0 }
    try turn(until: { reply != nil }, while: others)
    return try #require(reply)
  }

  func lines(_ line: String) throws -> [String] {
    try ask(line).lines(ReplyStyle(columns: 80))
  }

  func names(_ kind: NameRequest.Kind, _ beginning: String = "") throws -> [String] {
    var answer: NameAnswer?
    backend.lookUp(NameRequest(kind, beginning)) { answer = $0 }
    try turn { answer != nil }
    return answer?.names ?? []
  }

  private struct Missing: Error {}
}

extension ConsoleReply {
  /// The code of the message or of the refusal in the reply.
  var code: String? {
    switch self {
    case .done(let message): message?.code
    case .refused(let refusal): refusal.code.rawValue
    default: nil
    }
  }

  var remedy: String? { if case .refused(let refusal) = self { refusal.remedy } else { nil } }

  var log: LogReport? { if case .log(let report) = self { report } else { nil } }
}
