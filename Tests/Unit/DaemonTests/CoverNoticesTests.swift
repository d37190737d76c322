import Artwork
import Control
import EventLoop
import Foundation
import NowPlaying
import Reports
import TestKit
import Testing

@testable import Daemon

/// Covers that cannot be used are logged.
@Suite struct CoverNoticesTests {
  private func at(_ seconds: Int) -> MonotonicInstant {
    MonotonicInstant(awake: .seconds(seconds))
  }

  @Test func limited_eachKindOfNotice_hasItsEventAndSeverity() {
    let log = UnitLog { _ in }
    let notices = [
      CoverNotice(file: "/a", subject: .musicFile, reason: .refused(.unreadable("no"))),
      CoverNotice(file: "/b", subject: .folderImage, reason: .refused(.empty)),
      CoverNotice(file: "/c", subject: .folder, reason: .tooMany(limit: 8)),
      CoverNotice(file: "/d", subject: .embedded(index: 0, type: "media"), reason: .address),
      CoverNotice(
        file: "/e", subject: .folderImage, reason: .mislabelled(declared: "e.png", actual: .jpeg)),
      CoverNotice(file: "/f", subject: .cache, reason: .refused(.unreadable("cannot be opened"))),
    ]
    for notice in notices { log.limited(notice, at: at(1)) }
    #expect(
      log.lines.map(\.text) == [
        "cover.skipped: /a: no", "cover.skipped: /b: is empty",
        "cover.skipped: /c: its folder has more entries than the limit of 8",
        "cover.skipped: /d: picture 1 (media) is a web address, not a picture",
        "cover.mislabelled: /e: is JPEG, but is declared as e.png",
        "cover.not-stored: /f: the cache of covers cannot be opened",
      ])
    #expect(log.lines.map(\.severity) == [.info, .info, .info, .info, .info, .warning])
  }

  /// If many files of an album have the same fault, one line in a minute is logged.
  @Test func limited_sameFaultInManyFiles_isOneLineInAMinute() {
    let log = UnitLog { _ in }
    for second in 0..<60 {
      let gif = CoverNotice(
        file: "/\(second)", subject: .folderImage, reason: .refused(.otherKind("a GIF")))
      log.limited(gif, at: at(second))
    }
    #expect(log.lines.map(\.text).count == 1)
    let large = CoverNotice(
      file: "/x", subject: .folderImage, reason: .refused(.tooLarge(width: 9000, height: 1)))
    log.limited(large, at: at(59))
    #expect(log.lines.last?.text == "cover.skipped: /x: has 9000×1 pixels, more than the limit")
    let webp = CoverNotice(
      file: "/y", subject: .folderImage, reason: .refused(.otherKind("a WebP")))
    log.limited(webp, at: at(60))
    #expect(log.lines.count == 3)
    #expect(log.lines.last?.text.hasSuffix("(and 59 times before)") == true)
  }

  /// A client requests the cover of the track that plays.
  @Test func serve_pictureThatCannotBeUsed_isLogged() throws {
    let home = try ServeProcess.Home(["start = play"])
    try home.folder.write("gif", Array("GIF89a".utf8))
    try GeneratedMusic(channels: 1, rate: 8000, frames: 8000 * 600).flac(
      home.folder, "music/a.flac", ["--picture=3|image/gif||1x1x8|\(home.folder.path("gif"))"])
    let daemon = try ServeProcess(home)
    defer { daemon.end() }
    #expect(daemon.waits(for: .trackStarted, "1/1 ") != nil, "\(daemon.log)")
    let loop = EventLoop()
    var policy = ClientPolicy()
    policy.serviceName = nil
    let client = ControlClient(loop, path: home.socket, policy: policy)
    client.start()
    try loop.turn { client.state == .connected }
    var state: NowPlayingState?
    client.call(NowPlaying1.state.get) { state = try? $0.get() }
    try loop.turn { state != nil }
    let content = try #require(state?.content?.id)
    var answer: ArtworkAnswer?
    client.call(NowPlaying1.getArtwork, CoverRequest(content, size: .largest)) {
      answer = try? $0.get()
    }
    try loop.turn { answer != nil }
    #expect(answer == .placeholder)
    let line = daemon.waits(for: .coverSkipped, "picture 1 (front cover) is a GIF")
    #expect(line != nil, "\(daemon.log)")
  }
}
