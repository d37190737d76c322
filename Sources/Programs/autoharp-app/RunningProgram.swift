import EventLoop
import Glibc
import NowPlayingClient

/// PROGRAM while it runs, and its pipes. It leads a process group. When this object ends it, all programs of the group
/// are ended.
///
/// Used on the thread of the loop. The start blocks for a few milliseconds.
final class RunningProgram {
  enum Received {
    case bytes([UInt8])
    /// No bytes wait.
    case nothing
    /// All programs that could write have closed the pipe.
    case end
  }

  /// The time after SIGTERM at which the group is killed.
  private static let patience = Duration.milliseconds(1500)

  private let loop: EventLoop
  private let pid: pid_t
  /// Its standard output, and its descriptor 3.
  private let frames: BusDescriptor
  private let lines: BusDescriptor
  /// Its standard input. Nil if it is /dev/null.
  private let commands: BusDescriptor?
  private var framesSource: DescriptorSource?
  private var linesSource: DescriptorSource?
  private var exitSource: ChildSource?
  private var timer: TimerSource?
  /// The status that the program ended with: 128 and the number of the signal if a signal ended it. Nil while it runs.
  private(set) var status: Int32?
  private let startTime = MonotonicInstant.now()
  /// True if no program of the group is left. After that, the number of the group can belong to other programs.
  private var isOver = false

  /// Called while bytes of frames wait, and at their end.
  var onFrames: (() -> Void)?
  /// Called while lines wait.
  var onLines: (() -> Void)?
  /// Called once, when the program has ended.
  var onEnd: (() -> Void)?

  /// Starts a program.
  /// - Parameters:
  ///   - path: the path of the program.
  ///   - takesCommands: true if it gets commands on its standard input.
  init(
    _ loop: EventLoop, path: String, _ arguments: [String], _ format: PCMFormat,
    takesCommands: Bool
  ) throws(SystemError) {
    self.loop = loop
    let output = try BusDescriptor.pipe()
    let third = try BusDescriptor.pipe()
    let input: (reading: BusDescriptor, writing: BusDescriptor)? =
      takesCommands ? try BusDescriptor.pipe() : nil
    // The program waits for its commands.
    if let input { _ = fcntl(input.reading.number, F_SETFL, 0) }
    // If the size is refused, the pipe keeps its usual size.
    _ = fcntl(output.reading.number, Self.setPipeSize, Int32(clamping: format.pipeBytes))
    input?.writing.setNonBlocking()
    (frames, lines, commands) = (output.reading, third.reading, input?.writing)
    pid = try Spawn.start(
      path, arguments, input: input?.reading.number, output: output.writing.number,
      error: STDERR_FILENO, third: third.writing.number, leadsGroup: true,
      inheritsEnvironment: true)
    do throws(SystemError) {
      exitSource = try ChildSource(loop, pid: pid) { [weak self] in self?.exited($0) }
      framesSource = try DescriptorSource(loop, descriptor: frames.number) { [weak self] _ in
        self?.onFrames?()
      }
      linesSource = try DescriptorSource(loop, descriptor: lines.number) { [weak self] _ in
        self?.onLines?()
      }
    } catch {
      endNow()
      throw error
    }
  }

  deinit { closeSources() }

  /// `F_SETPIPE_SZ`, which glibc declares only with `_GNU_SOURCE`.
  private static let setPipeSize: Int32 = 1031

  /// How long the program runs.
  var age: Duration { MonotonicInstant.now().awakeTime(since: startTime) }

  // MARK: Its pipes

  /// While this property is false, ``onFrames`` is not called.
  var isRead: Bool {
    get { framesSource?.isEnabled ?? false }
    set { framesSource?.isEnabled = newValue }
  }

  func readFrames(_ count: Int) -> Received { Self.read(frames, count) }

  /// The bytes of frames that wait in the pipe.
  var waitingBytes: Int {
    var count: Int32 = 0
    return ioctl(frames.number, UInt(FIONREAD), &count) == 0 ? Int(max(0, count)) : 0
  }

  func readLines() -> Received {
    guard linesSource != nil else { return .nothing }
    let received = Self.read(lines, 1 << 16)
    if case .end = received { closeLines() }
    return received
  }

  private static func read(_ pipe: BusDescriptor, _ count: Int) -> Received {
    var code: Int32 = 0
    var end = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { memory, written in
      let got = Glibc.read(pipe.number, memory.baseAddress, count)
      code = errno
      written = max(0, got)
      end = got == 0
    }
    if !bytes.isEmpty { return .bytes(bytes) }
    return end || code != EAGAIN && code != EINTR ? .end : .nothing
  }

  /// Writes a line to the standard input of the program. Returns false if the program does not read it.
  func write(_ line: [UInt8]) -> Bool {
    // A line is shorter than PIPE_BUF, so it is written whole or not at all.
    guard let commands else { return false }
    return line.withUnsafeBytes { commands.write($0) } == .bytes(line.count)
  }

  private func closeLines() {
    linesSource?.cancel()
    linesSource = nil
  }

  /// No handler is called any more.
  private func closeSources() {
    closeLines()
    framesSource?.cancel()
    framesSource = nil
  }

  // MARK: Its end

  private func exited(_ ending: ChildSource.Ending) {
    switch ending {
    case .exited(let status): self.status = status
    case .killed(let signal): status = 128 + signal
    }
    // The other programs of its group end with it.
    end()
    let callback = onEnd
    onEnd = nil
    callback?()
  }

  /// Ends the group: with SIGTERM, and soon after that with SIGKILL.
  func end() {
    signal(SIGTERM)
    // A stopped program handles the signal only when it continues.
    signal(SIGCONT)
    isOver = isOver || status != nil && !isGroupAlive
    guard !isOver, timer == nil else { return }
    // The timer keeps this object until the group is killed.
    timer = TimerSource(loop) { [self] in
      signal(SIGKILL)
      isOver = status != nil
      timer = nil
    }
    timer?.set(after: Self.patience)
  }

  /// Throws away what the program still writes, so that it is not kept from ending.
  func endReading() {
    closeSources()
    onFrames = nil
    onLines = nil
  }

  /// Ends the group, and blocks until it has ended, for less than two seconds.
  func endNow() {
    guard !isOver else { return }
    exitSource?.cancel()
    signal(SIGTERM)
    signal(SIGCONT)
    let deadline = MonotonicInstant.now().advanced(by: Self.patience)
    while !hasEnded, MonotonicInstant.now() < deadline { usleep(10_000) }
    signal(SIGKILL)
    while status == nil, waitpid(pid, nil, 0) < 0, errno == EINTR {}
    isOver = true
  }

  private var hasEnded: Bool {
    if status == nil {
      var code: Int32 = 0
      guard waitpid(pid, &code, WNOHANG) != 0 else { return false }
      status = 0
    }
    return !isGroupAlive
  }

  private var isGroupAlive: Bool { kill(-pid, 0) == 0 }

  private func signal(_ number: Int32) { if !isOver { kill(-pid, number) } }
}
