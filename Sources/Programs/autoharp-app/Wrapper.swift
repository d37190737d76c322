import EventLoop
import NowPlayingClient

/// The source that PROGRAM is: its session and its stream, its start and its end.
///
/// Used on the thread of the application. Nothing blocks but ``shutDown()``.
final class Wrapper {
  /// The life of PROGRAM.
  private enum Phase {
    /// It does not run.
    case idle
    case running(RunningProgram)
    /// It is being ended. If it is wanted then, it is started again.
    case ending(RunningProgram)
    /// It has ended unexpectedly, and is started again at the next tick of the timer.
    case waiting
    /// It has ended. Its last frames were not heard.
    case heardOut(next: Restarts.Decision, status: Int32)
  }

  private let options: Options
  /// The path of PROGRAM.
  private let path: String
  private let application: Application
  private let player: StreamPlayer
  /// The room of the stream if no frames wait.
  private let emptyRoom: Int
  private let session: MediaSession<OfferedSession>
  private var playback: Playback
  private var restarts: Restarts
  private var phase = Phase.idle
  /// PROGRAM since its last start.
  private var program: RunningProgram?
  private var assembler: FrameAssembler
  private var splitter = LineSplitter()
  private var schedule = TitleSchedule()
  private var lineFaults = MessageLimiter()
  private var problems = MessageLimiter()
  /// The item that was enqueued last.
  private var latest: (content: MusicContent, frame: Int, time: Duration)
  /// Frames before this one were heard, or are never heard.
  private var heard = 0
  /// True if the content of the stream has ended, so that a new start begins a new part of the stream.
  private var hasFinished = false
  private var pending: [(number: Int, reply: CommandReply)] = []
  private var lastNumber = 0
  private var restartTimer: TimerSource?
  private var silenceTimer: TimerSource?
  private var hasOpened = false
  /// True while the unit has not answered a claim.
  private var isClaiming = false

  /// The most commands that wait for an answer. The unit waits for two seconds.
  private static let mostPending = 16
  /// The most frames that are read at once.
  private static let mostFrames = 8192

  init(_ options: Options, path: String, _ application: Application) throws {
    self.options = options
    self.path = path
    self.application = application
    player = StreamPlayer(options.format.sound(options.kind))
    emptyRoom = player.room
    playback = Playback(kind: options.kind, wish: options.start == .now ? .play : .pause)
    restarts = Restarts(options.restart)
    assembler = FrameAssembler(options.format)
    latest = (MusicContent(ProgramLine.Title(), options), 0, .zero)
    let offered = OfferedSession(application.id, player, options.commands)
    session = MediaSession(offered, application: application)
    offered.wrapper = self
    try application.audioSession.setCategory(.playback)
    try application.audioSession.setActive(true)
    restartTimer = TimerSource(application.loop) { [weak self] in self?.start() }
    silenceTimer = TimerSource(application.loop) { [weak self] in
      self?.playback.flows = false
      self?.update()
    }
    listen()
    enqueue(latest.content, at: 0, time: .zero)
    if options.start == .now { start() }
    update()
  }

  private func listen() {
    player.onRoom = { [weak self] in self?.pump() }
    player.onHeard = { [weak self] frame, _ in
      self?.heard = frame
      self?.finishIfHeard()
    }
    player.onReopened = { [weak self] _, next in
      // The frames before it are lost.
      self?.heard = next
      self?.finishIfHeard()
    }
    session.onOpen = { [weak self] in self?.opened($0) }
    session.onInstruction = { [weak self] in
      self?.playback.follow($0)
      self?.update()
    }
    session.onStatus = { [weak self] in self?.statusChanged($0) }
    application.onConnection = { obstacle in
      reportError(obstacle.map { "waiting for the unit: \($0)" } ?? "connected to the unit")
    }
    application.onProblem = { [weak self] in self?.report($0.description) }
  }

  private func report(_ problem: String) {
    guard let suppressed = problems.take(at: .now()) else { return }
    reportError(suppressed > 0 ? "\(problem) (and \(suppressed) other problems)" : problem)
  }

  // MARK: The unit

  private func opened(_ welcome: SessionWelcome) {
    // After a restart, the unit knows what people wanted.
    if welcome.hasPlayed {
      playback.wish = .play
    } else if hasOpened, playback.isWanted {
      playback.wish = .pause
    }
    hasOpened = true
    isClaiming = false
    startIfWanted()
    update()
  }

  private func statusChanged(_ status: SessionStatus) {
    playback.isHeard = status.isPrimary && status.hold == nil
    update()
  }

  /// Publishes the state, and reads the frames of PROGRAM or not.
  private func update() {
    player.state = playback.state
    switch phase {
    case .running(let program): program.isRead = wantsFrames
    case .idle, .ending, .waiting, .heardOut: break
    }
  }

  /// Frames that are thrown away after a seek are read also during a pause. So PROGRAM can continue.
  private var wantsFrames: Bool {
    (playback.reads || schedule.isSkipping) && framesWanted > 0
  }

  private var framesWanted: Int {
    if options.kind == .live { return Self.mostFrames }
    return min(schedule.isSkipping ? schedule.framesToSkip : player.room, Self.mostFrames)
  }

  // MARK: Commands

  /// Carries out a command, or passes it on to PROGRAM.
  func perform(_ request: MediaRequest, _ reply: CommandReply) {
    switch request.kind {
    case .play:
      playback.wish = .play
      startIfWanted()
    case .pause: playback.wish = .pause
    case .stop: stop()
    default: break
    }
    update()
    guard options.commands.contains(request.kind), case .running(let program) = phase else {
      let isOwn = [.play, .pause, .stop].contains(request.kind)
      return reply(isOwn ? .success : .failed(Refusal(.failed, "the program does not run")))
    }
    lastNumber += 1
    guard program.write(commandLine(request, number: lastNumber)) else {
      return reply(.failed(Refusal(.failed, "the program does not read its commands")))
    }
    // A reply that is released without an answer tells the unit that there is none.
    if pending.count == Self.mostPending { pending.removeFirst() }
    pending.append((lastNumber, reply))
  }

  private func stop() {
    playback.wish = .stop
    player.stop()
    heard = player.nextFrame
    finishIfHeard()
    if options.start == .play, case .running(let program) = phase { end(program) }
  }

  private func answered(_ answer: ProgramLine.Answer) {
    guard let index = pending.firstIndex(where: { $0.number == answer.number }) else { return }
    let reply = pending.remove(at: index).reply
    reply(answer.failure.map { .failed(Refusal(.failed, $0)) } ?? .success)
  }

  // MARK: The start and the end of PROGRAM

  private func startIfWanted() {
    guard playback.wish == .play else { return }
    switch phase {
    case .idle, .waiting: start()
    case .running, .ending, .heardOut: break
    }
  }

  private func start() {
    phase = .idle
    restartTimer?.stop()
    session.condition = .ready
    guard playback.isWanted, !application.isStopping else { return }
    let program: RunningProgram
    do {
      program = try RunningProgram(
        application.loop, path: path, Array(options.program.dropFirst()), options.format,
        takesCommands: !options.commands.isEmpty)
    } catch {
      reportError("\(options.program[0]) cannot be started: \(error)")
      return ended(126, after: .zero)
    }
    self.program = program
    phase = .running(program)
    assembler = FrameAssembler(options.format)
    splitter = LineSplitter()
    schedule = TitleSchedule()
    program.onFrames = { [weak self] in self?.pump() }
    program.onLines = { [weak self] in
      self?.readLines(program, unread: 0)
      self?.update()
    }
    program.onEnd = { [weak self] in self?.exited(program) }
    let content = MusicContent(ProgramLine.Title(), options)
    if hasFinished {
      flush(to: content, time: .zero)
    } else if player.nextFrame > 0 {
      enqueue(content, at: player.nextFrame, time: .zero)
    }
    hasFinished = false
    update()
  }

  /// Ends PROGRAM because of *stop*.
  private func end(_ program: RunningProgram) {
    phase = program.status == nil ? .ending(program) : .idle
    pending = []
    program.endReading()
    program.end()
  }

  private func exited(_ program: RunningProgram) {
    switch phase {
    case .running: pump()
    case .ending:
      phase = .idle
      startIfWanted()
      update()
    case .idle, .waiting, .heardOut: break
    }
  }

  /// PROGRAM has ended, and its frames were read.
  private func framesEnded(_ program: RunningProgram, _ status: Int32) {
    readLines(program, unread: 0)
    program.endReading()
    if assembler.partialBytes > 0 {
      reportError("\(assembler.partialBytes) bytes at the end are no whole frame")
    }
    ended(status, after: program.age)
  }

  private func ended(_ status: Int32, after time: Duration) {
    pending = []
    // The signal that ends this program can also end PROGRAM.
    guard !application.isStopping else { return phase = .idle }
    let next = restarts.ended(status, after: time)
    switch next {
    case .again(let delay):
      reportError("the program has ended with status \(status)")
      guard playback.isWanted else { return phase = .idle }
      phase = .waiting
      session.condition = .waiting("\(options.name) has ended, and is started again.")
      restartTimer?.set(after: delay)
    case .contentEnded, .exit:
      phase = .heardOut(next: next, status: status)
      if options.kind == .track { player.finish() }
      finishIfHeard()
    }
    update()
  }

  /// Ends the content when its last frame was heard. The unit does not report that of a live stream.
  private func finishIfHeard() {
    guard case .heardOut(let next, let status) = phase,
      options.kind == .live || heard >= player.nextFrame
    else { return }
    phase = .idle
    hasFinished = true
    playback.wish = .stop
    update()
    if next == .exit { application.stop(status) }
  }

  /// Ends PROGRAM. Blocks for less than two seconds.
  func shutDown() { program?.endNow() }

  // MARK: Frames and lines

  /// Reads frames of PROGRAM, as many as there is room for.
  private func pump() {
    guard case .running(let program) = phase else { return }
    repeat {
      guard wantsFrames else { return program.isRead = false }
      program.isRead = true
      switch program.readFrames(max(1, assembler.byteCount(of: framesWanted))) {
      case .bytes(let bytes):
        let frames = assembler.frames(bytes)
        // A line can be about a frame that was written after it. So it is handled before the frame.
        let count = frames.count / options.format.soundFrameBytes
        readLines(program, unread: count)
        take(frames, count)
      case .end where program.status == nil:
        // The program runs on without its standard output.
        return program.isRead = false
      case .nothing, .end:
        if let status = program.status { return framesEnded(program, status) }
        return
      }
    } while program.status != nil
  }

  private func take(_ frames: [UInt8], _ count: Int) {
    guard count > 0 else { return }
    if options.kind == .live {
      silenceTimer?.set(after: Playback.silence)
      playback.frameArrived()
      // What waits is older than now.
      if !playback.keeps, player.room < emptyRoom { flush(to: latest.content, time: .zero) }
    }
    let taken = schedule.take(count, keeps: playback.keeps, next: player.nextFrame)
    for placed in taken.titles { place(placed) }
    let written = frames.withUnsafeBytes {
      player.write(.init(rebasing: $0[(taken.dropped * options.format.soundFrameBytes)...]))
    }
    if written < count - taken.dropped { schedule.lostFrames() }
    update()
  }

  /// - Parameter unread: frames that were read from the pipe and not taken.
  private func readLines(_ program: RunningProgram, unread: Int) {
    guard case .bytes(let bytes) = program.readLines() else { return }
    splitter.add(bytes) { line in
      do throws(ProgramLine.Fault) {
        guard let line else {
          throw ProgramLine.Fault("it has more than \(LineSplitter.limit) bytes")
        }
        guard !line.isEmpty else { return }
        try follow(ProgramLine(line), program, unread)
      } catch {
        guard let suppressed = lineFaults.take(at: .now()) else { return }
        let others = suppressed > 0 ? " (and \(suppressed) other lines)" : ""
        reportError("a line of descriptor 3 is skipped: \(error.message)\(others)")
      }
    }
  }

  private func follow(
    _ line: ProgramLine, _ program: RunningProgram, _ unread: Int
  ) throws(ProgramLine.Fault) {
    // The number of the next frame that PROGRAM writes.
    let next =
      schedule.taken + unread
      + (program.waitingBytes + assembler.partialBytes) / options.format.frameBytes
    if let flush = line.flush {
      let first = if case .below(let frame) = flush { frame } else { next }
      schedule.skip(to: first)
      var content = latest.content
      // The title of the first frame that is kept is shown at once, also while no frame is read because of a pause.
      if let title = line.title, line.frame ?? next <= first {
        content = MusicContent(title, options)
      }
      let present = content.id == latest.content.id ? player.currentTime : .zero
      self.flush(to: content, time: line.time.map { .seconds($0) } ?? present)
    }
    if let title = line.title,
      let placed = try schedule.add(title, at: line.frame ?? next, next: player.nextFrame)
    {
      place(placed)
    }
    if let answer = line.answer { answered(answer) }
    switch line.condition {
    case .ready: session.condition = .ready
    case .waiting(let sentence, let remedy):
      session.condition = .waiting(sentence, remedy: remedy)
    case .failed(let sentence, let remedy): session.condition = .failed(sentence, remedy: remedy)
    case nil: break
    }
    if line.isClaimedByPerson { claim() }
  }

  /// A person has started playback. The source plays after the answer: if it played before, the unit could pause it.
  private func claim() {
    guard session.isOpen, !isClaiming else { return }
    isClaiming = true
    session.claim(.person) { [weak self] _ in
      guard let self else { return }
      isClaiming = false
      playback.wish = .play
      startIfWanted()
      update()
    }
  }

  // MARK: Content

  private func place(_ placed: TitleSchedule.Placed) {
    let content = MusicContent(placed.title, options)
    var time = placed.title.time.map { Duration.seconds($0) }
    // Further facts about the same content do not change its position.
    if time == nil, content.id == latest.content.id {
      time =
        latest.time + .seconds(Double(placed.frame - latest.frame) / Double(options.format.rate))
    }
    enqueue(content, at: placed.frame, time: max(.zero, time ?? .zero))
  }

  private func enqueue(_ content: MusicContent, at frame: Int, time: Duration) {
    guard player.enqueue(StreamItem(content, time: time), at: frame) else {
      return report("there are too many titles; one is left out")
    }
    latest = (content, frame, time)
  }

  /// Throws away what was not heard. The next frame has this content.
  private func flush(to content: MusicContent, time: Duration) {
    player.seek(to: StreamItem(content, time: time))
    latest = (content, player.nextFrame, time)
    heard = player.nextFrame
  }
}
