import EventLoop
import Glibc
import NowPlaying
import SystemClock
import TestKit
import Testing

@testable import Control
@testable import NowPlayingClient

/// The streams and covers of the client library, seen from the unit's ends of their sockets.
@Suite struct StreamPlayerTests {
  private static let format = SoundFormat(rate: 8000, channels: 2, samples: .s16)

  /// A packet as the unit receives it.
  private struct Packet: Equatable {
    let first: UInt64
    let samples: [Int16]
  }

  /// Takes all packets that wait in the unit's end number `end` of the last session.
  private func packets(_ client: ClientBench, _ end: Int = 0) -> [Packet] {
    guard let ends = client.sessions.last?.ends, ends.indices.contains(end) else { return [] }
    var packets: [Packet] = []
    var bytes = [UInt8](repeating: 0, count: 40_000)
    while true {
      let count = recv(ends[end], &bytes, bytes.count, Int32(MSG_DONTWAIT))
      guard count >= 16 else { return packets }
      packets.append(
        bytes[..<count].withUnsafeBytes { packet in
          #expect(packet.loadUnaligned(as: UInt64.self) == 0)
          return Packet(
            first: packet.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
            samples: stride(from: 16, to: count, by: 2).map {
              packet.loadUnaligned(fromByteOffset: $0, as: Int16.self)
            })
        })
    }
  }

  private func item(_ id: String, at time: Duration = .zero, rate: Double = 1) -> StreamItem {
    StreamItem(
      MusicContent(
        id: id, songTitle: id, artistName: "", albumName: "", duration: nil,
        artwork: Artwork(id: "cover-\(id)", bytes: [0xFF, 0xD8, 0xFF, 1, 2])),
      time: time, rate: rate)
  }

  private func marks(_ client: ClientBench) -> [SoundMark] {
    client.calls.compactMap { if case .mark(let mark, _) = $0 { mark } else { nil } }
  }

  /// Frames whose samples count from `start` on.
  private func frames(_ start: Int, _ count: Int) -> [Int16] {
    (start * 2..<(start + count) * 2).map { Int16(truncatingIfNeeded: $0) }
  }

  @Test func framesAndMarks_arriveExactly() throws {
    let client = try ClientBench()
    let player = StreamPlayer(Self.format)
    // Frames and items can be written before the stream is open.
    player.enqueue(item("a"))
    #expect(player.write(frames(0, 500)) == 500)
    let session = try client.session(players: [player])
    player.enqueue(item("b", at: .seconds(3), rate: 1.5), at: 700)
    #expect(player.write(frames(500, 400)) == 400)
    player.rate = 2
    player.finish()
    try client.turn { client.calls.contains(.finish(1, 900)) && marks(client).count == 3 }
    let received = packets(client)
    #expect(received.flatMap(\.samples) == frames(0, 900))
    // Packets of 20 ms, each with the number of its first frame.
    #expect(received.map(\.first) == [0, 160, 320, 480, 500, 660, 820])
    #expect(marks(client).map(\.frame) == [0, 700, 900])
    #expect(marks(client).map { $0.content?.id } == ["a", "b", "b"])
    #expect(marks(client).map(\.rate) == [1, 1.5, 2])
    #expect(marks(client)[2].time == .seconds(3) + .seconds(200 * 1.5 / 8000))
    #expect(
      client.publications.last?.playback == .streams(.playing(rate: 2), players: [1], leader: 1))
    withExtendedLifetime(session) {}
  }

  @Test func write_takesWhatFits_andSaysWhenThereIsRoomAgain() throws {
    let client = try ClientBench()
    let player = StreamPlayer(Self.format)
    #expect(player.room == 1600)
    #expect(player.write(frames(0, 2000)) == 1600)
    #expect(player.room == 0 && player.write(frames(0, 1)) == 0 && player.nextFrame == 1600)
    var isCalled = false
    player.onRoom = { isCalled = true }
    let session = try client.session(players: [player])
    try client.turn { isCalled }
    var written = 1600
    // The socket takes only so much while the unit does not read.
    while player.room > 0 { written += player.write(frames(written, 1000)) }
    isCalled = false
    try client.app.process()
    #expect(!isCalled)
    var received: [Int16] = []
    try client.turn {
      received += packets(client).flatMap(\.samples)
      return isCalled
    }
    written += player.write(frames(written, 10))
    try client.turn {
      received += packets(client).flatMap(\.samples)
      return received.count >= written * 2
    }
    #expect(received == frames(0, written))
    withExtendedLifetime(session) {}
  }

  @Test func seek_throwsAwayWhatWasNotHeard() throws {
    let client = try ClientBench()
    let player = StreamPlayer(Self.format)
    player.enqueue(item("a"))
    let session = try client.session(players: [player])
    player.write(frames(0, 800))
    client.sessions.last?.port.send(
      HeardFrame(stream: 1, frame: 400, at: MonotonicInstant(awake: .seconds(1))))
    try client.turn { player.currentTime == .milliseconds(50) }
    player.seek(to: .seconds(30))
    #expect(player.currentTime == .seconds(30) && player.nextFrame == 800)
    // The unit has thrown the old frames away before it gets a new one.
    _ = packets(client)
    player.write(frames(800, 10))
    #expect(packets(client).isEmpty)
    try client.turn { marks(client).count == 2 }
    let order = client.calls.filter {
      switch $0 {
      case .flush, .mark: true
      default: false
      }
    }
    #expect(order.dropFirst().first == .flush(1, 800))
    var received: [Packet] = []
    try client.turn {
      received += packets(client)
      return !received.isEmpty
    }
    #expect(received == [Packet(first: 800, samples: frames(800, 10))])
    #expect(marks(client)[1].time == .seconds(30) && marks(client)[1].content?.id == "a")
    // A report about a frame from before the seek changes nothing.
    var heard: [Int] = []
    player.onHeard = { frame, _ in heard.append(frame) }
    let port = try #require(client.sessions.last?.port)
    port.send(HeardFrame(stream: 1, frame: 500, at: MonotonicInstant(awake: .seconds(2))))
    port.send(HeardFrame(stream: 1, frame: 1600, at: MonotonicInstant(awake: .seconds(3))))
    try client.turn { !heard.isEmpty }
    #expect(heard == [1600] && player.currentTime == .seconds(30) + .milliseconds(100))
    withExtendedLifetime(session) {}
  }

  @Test func items_areLimited_andMakeRoomWhenTheyAreHeard() throws {
    let client = try ClientBench()
    let player = StreamPlayer(Self.format)
    let session = try client.session(players: [player])
    for number in 0...StreamPlayer.maximumItems {
      #expect(player.enqueue(item("\(number)"), at: number * 10))
    }
    #expect(!player.enqueue(item("more"), at: 1_000_000))
    try client.turn { marks(client).count == StreamPlayer.maximumItems + 1 }
    #expect(marks(client).map(\.frame) == (0...StreamPlayer.maximumItems).map { $0 * 10 })
    client.sessions.last?.port.send(
      HeardFrame(stream: 1, frame: 25, at: MonotonicInstant(awake: .seconds(1))))
    try client.turn { player.currentItem?.content?.id == "2" }
    #expect(player.enqueue(item("more"), at: 1_000_000))
    #expect(client.problems.isEmpty)
    withExtendedLifetime(session) {}
  }

  @Test func restartedUnit_countsFromZero_andTheProgramGoesOn() throws {
    let client = try ClientBench()
    let player = StreamPlayer(Self.format)
    player.enqueue(item("a"))
    player.enqueue(item("b"), at: 1000)
    let session = try client.session(players: [player])
    player.write(frames(0, 400))
    client.sessions.last?.port.send(
      HeardFrame(stream: 1, frame: 240, at: MonotonicInstant(awake: .seconds(1))))
    try client.turn { player.currentTime == .milliseconds(30) }
    var reopened: [[Int]] = []
    player.onReopened = { reopened.append([$0, $1]) }
    try client.bench.restart()
    try client.turn { client.sessions.count == 2 && marks(client).count == 2 }
    #expect(reopened == [[240, 400]])
    player.write(frames(400, 100))
    let received = packets(client)
    #expect(received.map(\.first) == [0])
    #expect(received.flatMap(\.samples) == frames(400, 100))
    #expect(marks(client).map(\.frame) == [0, 600])
    #expect(marks(client).map(\.time) == [.milliseconds(50), .zero])
    #expect(marks(client).map { $0.content?.id } == ["a", "b"])
    try client.turn { !client.publications.isEmpty }
    client.sessions.last?.port.send(
      HeardFrame(stream: 1, frame: 80, at: MonotonicInstant(awake: .seconds(2))))
    try client.turn { player.currentTime == .milliseconds(60) }
    withExtendedLifetime(session) {}
  }

  @Test func streamThatIsRefused_isReported_andTheRestIsPublished() throws {
    let client = try ClientBench()
    let session = try client.session()
    client.bench.unit.fakeApps?.refusal = Refusal(.failed, "no socket")
    let player = StreamPlayer(Self.format)
    session.addPlayer(player)
    try client.turn { !client.problems.isEmpty }
    client.bench.unit.fakeApps?.refusal = nil
    session.nowPlayingInfoCenter.nowPlayingInfo = NowPlayingInfo(title: "Song")
    try client.turn { client.publications.last?.content?.lines().title == "Song" }
    #expect(client.publications.last?.playback == .snapshot(nil))
    #expect(client.problems.first?.code == .failed)
  }

  // MARK: Covers

  @Test func cover_isWrittenIntoThePipe() throws {
    let client = try ClientBench()
    let folder = try TemporaryFolder()
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47] + (0..<200).map { UInt8($0) }
    try folder.write("cover.png", png)
    let session = try client.session()
    session.nowPlayingInfoCenter.nowPlayingInfo = NowPlayingInfo(
      title: "a", artwork: Artwork(id: "png", file: folder.path("cover.png")))
    try client.turn { client.publications.last?.content?.artwork?.id == "png" }
    let port = try #require(client.sessions.last?.port)
    port.send(WantedArtwork(7, "a", "png", 300, 300))
    var bytes = [UInt8](repeating: 0, count: 1000)
    try client.turn {
      guard let end = client.sessions.last?.ends.first else { return false }
      return recv(end, &bytes, bytes.count, Int32(MSG_DONTWAIT)) == png.count
    }
    #expect(Array(bytes[..<png.count]) == png && client.calls.contains(.artwork(7, .png)))
    // The program closes its end.
    try client.turn {
      recv(client.sessions.last!.ends[0], &bytes, bytes.count, Int32(MSG_DONTWAIT)) == 0
    }
    // A cover of the item of a stream; a cover that is not known; a file that does not exist; a file of another type.
    let player = StreamPlayer(Self.format)
    player.enqueue(item("b"))
    session.addPlayer(player)
    port.send(WantedArtwork(8, "b", "cover-b", 0, 0))
    try client.turn { client.calls.contains(.artwork(8, .jpeg)) }
    port.send(WantedArtwork(9, "a", "other", 0, 0))
    try client.turn { client.calls.contains(.artwork(9, nil)) }
    #expect(client.problems.isEmpty)
    session.artworkArrived(10, .file(folder.path("missing")))
    session.artworkArrived(11, .bytes(Array("GIF89a".utf8)))
    session.artworkArrived(12, .file("/dev/zero"))
    session.artworkArrived(13, .bytes([UInt8](repeating: 0, count: ArtworkPicture.limit + 1)))
    try client.turn { client.calls.contains(.artwork(13, nil)) }
    #expect(client.problems.count == 4)
  }

  @Test func coverThatTheUnitDoesNotRead_endsWithThePipe() throws {
    let client = try ClientBench()
    let session = try client.session()
    let large = ArtworkPicture.bytes([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 1, count: 3 << 20))
    session.artworkArrived(1, large)
    try client.turn { session.transferCount == 1 }
    try client.app.process()
    #expect(session.transferCount == 1)
    // The signal that the kernel sends to a writer would end this process.
    shutdown(try #require(client.sessions.last?.ends.first), Int32(SHUT_RDWR))
    try client.turn { session.transferCount == 0 }
    #expect(client.problems.isEmpty)
  }

  @Test func player_canMoveToAnotherSession() throws {
    let client = try ClientBench()
    let player = StreamPlayer(Self.format)
    player.enqueue(item("a"))
    var session: NowPlayingSession? = try client.session(players: [player])
    player.write(frames(0, 80))
    session = nil
    let other = NowPlayingSession(players: [player], name: "other", application: client.app)
    player.write(frames(80, 80))
    try client.turn { client.sessions.count == 2 && marks(client).count == 1 }
    #expect(packets(client).map(\.first) == [0] && marks(client).map(\.time) == [.milliseconds(10)])
    #expect(client.publications.count <= 1 && session == nil)
    withExtendedLifetime(other) {}
  }

  @Test func itemsWithInvalidValues_areLimited() throws {
    let client = try ClientBench()
    let player = StreamPlayer(Self.format)
    let session = try client.session(players: [player])
    player.enqueue(StreamItem(nil, time: .seconds(-5), rate: .nan, defaultRate: .infinity), at: -3)
    player.rate = .infinity
    player.seek(to: StreamItem(nil, time: .seconds(Int64.max), rate: -1))
    try client.turn { marks(client).count == 1 }
    #expect(marks(client).first?.rate == 1 && player.currentTime == .nanoseconds(Int64.max))
    client.sessions.last?.port.send(
      HeardFrame(stream: 1, frame: .max, at: MonotonicInstant(awake: .seconds(1))))
    var frame: Int?
    player.onHeard = { heard, _ in frame = heard }
    try client.turn { frame != nil }
    #expect(frame == SoundMark.frameLimit && client.problems.isEmpty)
    withExtendedLifetime(session) {}
  }
}
