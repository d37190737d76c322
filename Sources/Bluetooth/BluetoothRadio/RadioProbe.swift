package import EventLoop
internal import Glibc

/// Asks a controller who it is and how well it hears its links: once, and then it is over.
///
/// Control thread; waits for nothing. The controller is asked on a socket that is closed with the
/// last answer: while one is open, the kernel hands it a copy of each event.
package final class RadioProbe {
  /// bluetoothd may be asking it, too; a controller that says nothing for so long does not.
  package static let patience = Duration.seconds(2)

  private let descriptor: Int32
  private let features: [UInt8]
  private let links: [RadioLink]
  private var open: Int
  private var reading = RadioReading()
  private var readable: DescriptorSource?
  private var timer: TimerSource?
  private var then: ((RadioReading) -> Void)?

  /// Asks.
  /// - Parameters:
  ///   - adapter: 0 for `hci0`.
  ///   - then: called once, never at once, with what was answered until ``patience`` ran out.
  /// - Throws: where it cannot be asked.
  package init(
    _ loop: EventLoop, adapter: Int, access: any RadioAccess = KernelRadio(),
    then: @escaping (RadioReading) -> Void
  ) throws(SystemError) {
    let descriptor = try access.open(adapter)
    self.descriptor = descriptor
    self.then = then
    features = access.features(descriptor, adapter)
    links = access.links(descriptor, adapter)
    // Those that are there, whatever is answered about them.
    for link in links { reading.links[link.address] = LinkReading(isLowEnergy: link.isLowEnergy) }
    let questions =
      [ControllerQuestion.version.packet()]
      + links.flatMap { link in
        // The other kind has no such question.
        let isClassic = !link.isLowEnergy
        return [ControllerQuestion.signal.packet(handle: link.handle)]
          + (isClassic ? [ControllerQuestion.quality.packet(handle: link.handle)] : [])
      }
    open = questions.count
    for question in questions where write(descriptor, question, question.count) != question.count {
      open -= 1
    }
    timer = TimerSource(loop, accuracy: .milliseconds(20)) { [weak self] in self?.finish() }
    timer?.set(after: open > 0 ? Self.patience : .zero)
    do {
      readable = try DescriptorSource(loop, descriptor: descriptor) { [weak self] _ in self?.read()
      }
    } catch {
      timer?.cancel()
      close(descriptor)
      throw error
    }
  }

  deinit { end() }

  /// Ends it without a result.
  package func cancel() {
    then = nil
    end()
  }

  private func read() {
    var bytes = [UInt8](repeating: 0, count: 260)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count > 0 else {
      let isForNow = count < 0 && (errno == EAGAIN || errno == EINTR)
      // The controller was pulled.
      if !isForNow { finish() }
      return
    }
    guard let answer = ControllerAnswer(bytes[..<count]) else { return }
    take(answer)
    // Answers to others are seen, too; one to bluetoothd may end this early, with something unknown.
    if open <= 0 { finish() }
  }

  private func take(_ answer: ControllerAnswer) {
    switch answer {
    case .version(let version, let manufacturer):
      guard reading.details == nil else { return }
      reading.details = ControllerDetails(
        manufacturer: manufacturer, version: version, featureBits: features)
    case .signal(let handle, let signal):
      guard let link = link(handle), reading.links[link.address]?.signal == nil else { return }
      // 127 is low energy's word for not known.
      if !link.isLowEnergy || signal != 127 { reading.links[link.address]?.signal = Int(signal) }
    case .quality(let handle, let quality):
      guard let link = link(handle), reading.links[link.address]?.quality == nil else { return }
      reading.links[link.address]?.quality = Int(quality)
    case .refusal: break
    }
    open -= 1
  }

  private func link(_ handle: UInt16) -> RadioLink? { links.first { $0.handle == handle } }

  private func finish() {
    let then = then
    self.then = nil
    end()
    then?(reading)
  }

  private func end() {
    guard let readable else { return }
    self.readable = nil
    readable.cancel()
    timer?.cancel()
    timer = nil
    close(descriptor)
  }
}
