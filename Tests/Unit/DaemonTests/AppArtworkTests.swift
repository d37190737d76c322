import Control
import EventLoop
import Foundation
import NowPlaying
import TestKit
import Testing

/// Covers that a program writes into a pipe (rules A1 to A5 of docs/now-playing.md).
@Suite(.enabled(if: PacedPCM.obstacle == nil, Comment(rawValue: PacedPCM.obstacle ?? "")))
struct AppArtworkTests {
  private let bench: AppBench
  private let app: SocketApp

  init() throws {
    bench = try AppBench()
    app = try SocketApp(bench, "radio", tag: nil)
    try show("one")
    try bench.choose("radio")
  }

  private func show(_ id: String) throws {
    app.publication.content = .music(
      MusicContent(
        id: id, metadata: [MetadataItem(.title, id)], duration: .finite(.seconds(60)),
        artwork: Artwork(id: "cover \(id)") { _ in .none }))
    app.publish(.paused)
    try bench.turn { bench.state.content?.id == id }
  }

  /// A surface asks for the cover. Returns the ticket that the app got, and the answer of the surface when it has come.
  private func ask(_ size: Int) throws -> (ticket: Int, answer: () -> ArtworkAnswer?) {
    let asked = app.wanted.count
    var answer: ArtworkAnswer?
    bench.screen.call(
      NowPlaying1.getArtwork,
      CoverRequest(bench.state.content?.id ?? "", size: ArtworkSize(width: size, height: size))
    ) { answer = try? $0.get() }
    try bench.turn { app.wanted.count > asked }
    return (app.wanted.last!.ticket, { answer })
  }

  /// Calls `GiveArtwork`. Nil if it is refused.
  private func give(_ ticket: Int) throws -> BusDescriptor? {
    try? bench.answer {
      _ = app.client.call(
        Session1.giveArtwork, Numbered(app.session, GivenArtwork(ticket, .png)), $0)
    }.get()
  }

  /// Writes as much as the unit takes. Returns the number of bytes.
  private func write(_ bytes: [UInt8], to pipe: BusDescriptor) throws -> Int {
    pipe.setNonBlocking()
    var written = 0
    var isOpen = true
    try bench.turn {
      bytes.withUnsafeBytes {
        switch pipe.write(UnsafeRawBufferPointer(rebasing: $0[written...])) {
        case .bytes(let count): written += count
        case .full: break
        case .end: isOpen = false
        }
      }
      return !isOpen || written == bytes.count
    }
    return written
  }

  @Test func A1_A4_coverOfAnApp_isAnsweredOnce_inTheSizeOfTheSurface() throws {
    let (ticket, answer) = try ask(100)
    #expect(try give(ticket + 1) == nil)
    var pipe = try give(ticket)
    // A second pipe for the same request is refused.
    #expect(try give(ticket) == nil)
    let bytes = GeneratedPNG.halves(400, 200).bytes
    #expect(try write(bytes, to: try #require(pipe)) == bytes.count)
    pipe = nil
    try bench.turn { answer() != nil }
    guard case .image(let picture)? = answer() else {
      Issue.record("no picture")
      return
    }
    #expect(picture.originalSize == ArtworkSize(width: 400, height: 200))
    #expect(picture.size == ArtworkSize(width: 100, height: 50))
    #expect(try give(ticket) == nil)
    #expect(bench.daemon.end() == 0)
  }

  @Test func A2_A3_A5_lateWrongOrHangingCoverOfAnApp_givesThePlaceholder_andNeverTheOldCover()
    throws
  {
    // A picture that is too large, and one of another kind.
    for bytes in [[UInt8](repeating: 7, count: 5 << 20), Array("GIF89a".utf8) + [0, 0, 0, 0]] {
      let (ticket, answer) = try ask(100 + bytes.count % 50)
      var pipe = try give(ticket)
      let written = try write(bytes, to: try #require(pipe))
      #expect(written < 5 << 20)
      pipe = nil
      try bench.turn { answer() != nil }
      #expect(answer() == .placeholder)
    }
    // The app has no picture.
    let (none, answerOfNone) = try ask(10)
    try bench.done { app.client.call(Session1.giveNoArtwork, Numbered(app.session, none), $0) }
    try bench.turn { answerOfNone() != nil }
    #expect(answerOfNone() == .placeholder)
    // The app begins to write, and hangs. The next content ends the wait at once.
    let (hung, answerOfHung) = try ask(20)
    let pipe = try #require(try give(hung))
    let bytes = GeneratedPNG.halves(60, 40).bytes
    #expect(try write(Array(bytes.prefix(50)), to: pipe) == 50)
    let states = bench.states.count
    try show("two")
    try bench.turn { answerOfHung() != nil }
    #expect(answerOfHung() == .superseded)
    #expect(bench.states.count == states + 1)
    #expect(bench.state.artwork == .artwork(id: "cover two"))
    #expect(try give(hung) == nil)
    // The reader has gone, so the rest cannot be written.
    #expect(try write([UInt8](repeating: 0, count: 1 << 20), to: pipe) < 1 << 20)
    #expect(bench.daemon.isRunning)
    #expect(bench.daemon.end() == 0)
  }
}
