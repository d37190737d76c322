import EventLoop
import LocalPlayer
import NowPlaying
import SystemClock
import TestKit
import Testing

@testable import Daemon

/// When a request for a list is answered.
@Suite struct ListReplyTests {
  private final class Owner: ListOwner {
    let listSession = LocalSource.sessionID
    let loop: EventLoop
    var reply: ListReply?

    init(_ loop: EventLoop) { self.loop = loop }

    func perform(_ request: ListRequest, _ command: CommandReply) {
      reply = ListReply(command, loop)
    }
  }

  private let loop = EventLoop()
  private let center = NowPlayingCenter(volume: Volume(level: VolumeLevel(thousandths: 400)))
  private let owner: Owner
  private let port: SurfacePort

  init() {
    owner = Owner(loop)
    center.add(listOwner: owner)
    port = center.connect(SurfaceDescription(id: "test"), at: .now()) { _ in }
  }

  private func send(_ answers: @escaping (CommandAnswer) -> Void) -> Int {
    port.send(.list(.playSource("stick")), on: .text, at: .now(), answer: answers)
  }

  /// A slow stick must not give an error and then the music.
  @Test func songsThatComeLate_areAcceptedBeforeTheySound() throws {
    var answers: [CommandAnswer] = []
    let number = send { answers.append($0) }
    try loop.turn { !answers.isEmpty }
    #expect(answers == [.success])
    #expect(center.trace[number]?.verdict == .deferred)
    owner.reply?.refuse(Refusal(.failed, "late"))
    #expect(answers == [.success])
  }

  @Test func refusalInTime_isARefusal() {
    var answers: [CommandAnswer] = []
    let number = send { answers.append($0) }
    owner.reply?.refuse(Refusal(.sourceAbsent, "not there"))
    #expect(answers.map(\.refusal?.code) == [.sourceAbsent])
    #expect(center.trace[number]?.verdict == .accepted(LocalSource.sessionID))
  }
}
