import NowPlayingClient
import Testing

@testable import autoharp_app

@Suite struct PlaybackTests {
  @Test func track_isReadOnlyWhileItPlays() {
    var playback = Playback(kind: .track, wish: .play)
    #expect(playback.state == .playing(rate: 1))
    #expect(playback.reads && playback.keeps)
    let states: [(Playback.Wish, MediaPlaybackSnapshot.PlaybackState)] = [
      (.pause, .paused), (.stop, .stopped), (.interrupted, .interrupted),
    ]
    for (wish, state) in states {
      playback.wish = wish
      #expect(playback.state == state)
      #expect(!playback.reads && playback.keeps)
    }
  }

  @Test func live_isAlwaysRead_andKeptOnlyWhileItIsHeard() {
    var playback = Playback(kind: .live, wish: .play)
    #expect(playback.state == .paused)
    playback.frameArrived()
    #expect(playback.state == .playing(rate: 1))
    #expect(playback.reads && !playback.keeps)
    playback.isHeard = true
    #expect(playback.keeps)
    playback.wish = .pause
    #expect(playback.reads && !playback.keeps)
    #expect(playback.state == .paused)
  }

  @Test func senderThatStartsAgainAfterABreak_endsAPause() {
    var playback = Playback(kind: .live, wish: .play)
    playback.frameArrived()
    playback.wish = .pause
    playback.frameArrived()
    #expect(playback.state == .paused)
    playback.flows = false
    playback.frameArrived()
    #expect(playback.state == .playing(rate: 1))
    playback.wish = .interrupted
    playback.flows = false
    playback.frameArrived()
    #expect(playback.state == .interrupted)
  }

  @Test func interruption_ends_butAnotherSourceEndsTheWish() {
    var playback = Playback(kind: .track, wish: .play)
    playback.follow(.pause(.interruption(.call)))
    #expect(playback.wish == .interrupted && playback.isWanted)
    playback.follow(.pause(.takenOver))
    #expect(playback.wish == .pause && !playback.isWanted)
    playback.follow(.resume)
    #expect(playback.wish == .play)
    for hold in [SessionHold.outputLost, .silenced, .audioSessionInactive] {
      playback.wish = .play
      playback.follow(.pause(hold))
      #expect(playback.wish == .interrupted)
    }
    playback.wish = .pause
    playback.follow(.pause(.outputLost))
    #expect(playback.wish == .pause)
    playback.wish = .stop
    playback.follow(.resume)
    #expect(playback.wish == .stop)
  }

  @Test func delay_doublesUpTo30Seconds_untilTheProgramRunsForSomeTime() {
    var restarts = Restarts(.failure)
    let delays = (0..<7).map { _ in restarts.ended(1, after: .seconds(9)) }
    #expect(delays == [1, 2, 4, 8, 16, 30, 30].map { .again(after: .seconds($0)) })
    #expect(restarts.ended(1, after: .seconds(10)) == .again(after: .seconds(1)))
    #expect(restarts.ended(0, after: .zero) == .contentEnded)
  }

  @Test func policy_decides() {
    var always = Restarts(.always)
    #expect(always.ended(0, after: .zero) == .again(after: .seconds(1)))
    var no = Restarts(.no)
    #expect(no.ended(0, after: .zero) == .exit)
    #expect(no.ended(3, after: .zero) == .exit)
  }

  @Test func messages_areLimitedToOneASecond() {
    var limiter = MessageLimiter()
    let start = MonotonicInstant.now()
    #expect(limiter.take(at: start) == 0)
    #expect(limiter.take(at: start) == nil)
    #expect(limiter.take(at: start.advanced(by: .milliseconds(999))) == nil)
    #expect(limiter.take(at: start.advanced(by: .seconds(1))) == 2)
    #expect(limiter.take(at: start.advanced(by: .seconds(2))) == 0)
  }
}
