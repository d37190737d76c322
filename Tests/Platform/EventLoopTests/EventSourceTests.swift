import EventLoop
import Glibc
import TestKit
import Testing

@Suite struct EventSourceTests {
  private func pair() throws -> [Int32] {
    var pair: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    return pair
  }

  @Test func descriptor_reportsReadableWritableAndHungUp() throws {
    let loop = EventLoop()
    let pair = try pair()
    var seen: DescriptorSource.Events = []
    let source = try DescriptorSource(loop, descriptor: pair[0]) { seen = $0 }
    #expect(try !loop.step())
    write(pair[1], "x", 1)
    try loop.step()
    #expect(seen == .readable)
    source.wait(for: .writable)
    try loop.step()
    #expect(seen == .writable)
    source.wait(for: [])
    #expect(try !loop.step())
    close(pair[1])
    try loop.step()
    #expect(seen == .hungUp)
    source.cancel()
    #expect(try !loop.step())
    close(pair[0])
  }

  @Test func descriptorOfAFile_isAnError() throws {
    let loop = EventLoop()
    let ordinary = open("/etc/passwd", O_RDONLY)
    defer { close(ordinary) }
    #expect(throws: SystemError("sd_event_add_io", EPERM)) {
      try DescriptorSource(loop, descriptor: ordinary) { _ in }
    }
  }

  @Test func timer_isNeverEarly_andCanBeSetInItsHandler() throws {
    let loop = EventLoop()
    for clock in EventClock.allCases {
      var times: [Int64] = []
      var wanted: [Int64] = []
      var timer: TimerSource?
      timer = TimerSource(loop, clock: clock) {
        times.append(clock.now)
        if times.count == 3 { return }
        wanted.append(clock.now + 1_000_001)
        timer?.set(at: wanted.last!)
      }
      wanted.append(clock.now + 1_500_123)
      timer?.set(at: wanted[0])
      try loop.turn { times.count == 3 }
      #expect(zip(times, wanted).allSatisfy { $0 >= $1 })
      #expect(try !loop.step(timeout: .milliseconds(3)), "it fires once")
      timer?.cancel()
    }
  }

  @Test func timerThatIsStoppedOrFarAway_doesNotFire() throws {
    let loop = EventLoop()
    var fired = 0
    let timer = TimerSource(loop) { fired += 1 }
    #expect(try !loop.step())
    timer.set(after: .zero)
    timer.stop()
    #expect(try !loop.step())
    for far in [Duration.seconds(Int64.max), .seconds(1 << 40)] {
      timer.set(after: far)
      #expect(try !loop.step())
    }
    timer.set(at: .max)
    #expect(try !loop.step())
    timer.set(at: -5)
    try loop.turn { fired == 1 }
  }

  @Test func source_canBeCancelledInItsHandler() throws {
    let loop = EventLoop()
    let pair = try pair()
    var calls = 0
    var source: DescriptorSource?
    source = try DescriptorSource(loop, descriptor: pair[0], events: .writable) { _ in
      calls += 1
      source?.cancel()
    }
    try loop.step()
    #expect(try !loop.step())
    #expect(calls == 1)
    #expect(source?.isAlive == false)
    // The source is released in its own handler.
    source = try DescriptorSource(loop, descriptor: pair[0], events: .writable) { _ in
      calls += 1
      source = nil
    }
    try loop.step()
    #expect(try !loop.step())
    #expect(calls == 2)
    for end in pair { close(end) }
  }

  @Test func readySourceThatAnotherCancels_isNotCalled() throws {
    let loop = EventLoop()
    var seen: [Int] = []
    var timers: [TimerSource] = []
    for number in 0..<2 {
      timers.append(
        TimerSource(loop) {
          seen.append(number)
          timers[1 - number].cancel()
        })
    }
    for timer in timers { timer.set(at: 1) }
    try loop.step()
    #expect(try !loop.step())
    #expect(seen.count == 1)
  }

  @Test func sourceAndLoop_canBeReleasedInAnyOrder() throws {
    var loop: EventLoop? = EventLoop()
    let timer = TimerSource(loop!) {}
    timer.set(after: .zero)
    weak let released = loop
    loop = nil
    #expect(released == nil)
    timer.set(after: .seconds(1))
    timer.cancel()
  }

  @Test func blockedSignal_isAnEvent() throws {
    let loop = EventLoop()
    var seen: [String] = []
    // The test sends each signal to this thread only. A signal to the process could end the process, because the
    // threads of other tests do not block the signal.
    let sources = try [SIGTERM, SIGHUP].map { signal in
      try SignalSource(loop, signal: signal) { seen.append("\(signal)") }
    }
    #expect(try !loop.step())
    pthread_kill(pthread_self(), SIGHUP)
    try loop.turn { seen == ["\(SIGHUP)"] }
    pthread_kill(pthread_self(), SIGTERM)
    try loop.turn { seen == ["\(SIGHUP)", "\(SIGTERM)"] }
    for source in sources { source.cancel() }
  }

  @Test func child_reportsItsExitStatus() throws {
    let loop = EventLoop()
    for (command, ending) in [
      ("exit 3", ChildSource.Ending.exited(3)), ("kill -9 $$", .killed(SIGKILL)),
    ] {
      var pid: pid_t = 0
      let words = ["sh", "-c", command]
      var arguments = words.map { strdup($0) } + [nil]
      try #require(posix_spawn(&pid, "/bin/sh", nil, nil, &arguments, environ) == 0)
      for argument in arguments { free(argument) }
      var seen: ChildSource.Ending?
      let source = try ChildSource(loop, pid: pid) { seen = $0 }
      try loop.turn { seen != nil }
      #expect(seen == ending)
      #expect(!source.isAlive)
    }
    #expect(throws: SystemError.self) { try ChildSource(loop, pid: 0x3FFF_FFFF) { _ in } }
  }

  /// Counts its living instances.
  private final class Witness {
    nonisolated(unsafe) static var alive = 0
    init() { Self.alive += 1 }
    deinit { Self.alive -= 1 }
  }

  @Test func manySources_leakNothing() throws {
    let loop = EventLoop()
    let descriptors = Self.descriptorCount
    var fired = 0
    for _ in 0..<10_000 {
      let witness = Witness()
      let timer = TimerSource(loop) {
        withExtendedLifetime(witness) { fired += 1 }
      }
      timer.set(at: 1)
      loop.defer { withExtendedLifetime(witness) { fired += 1 } }
      try loop.step()
      try loop.step()
    }
    #expect(fired == 20_000)
    #expect(Witness.alive == 0)
    // Other tests open and close descriptors too. But a leak of 10 000 descriptors would be visible.
    #expect(Self.descriptorCount < descriptors + 9000)
  }

  private static var descriptorCount: Int {
    var count = 0
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    while readdir(folder) != nil { count += 1 }
    closedir(folder)
    return count
  }
}
