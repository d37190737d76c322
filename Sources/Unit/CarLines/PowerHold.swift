package import EventLoop
package import GPIO

/// Keeps the power supply of the unit on with a GPIO line. The line is active from the start of the daemon until the
/// unit has powered down.
///
/// The line must stay active after the end of the daemon, because the daemon can crash, and because it ends before the
/// unit has powered down. So the service manager keeps a copy of the line's descriptor, also for the next run of the
/// daemon. The program `release-power` makes the line inactive at the end of a power-down.
///
/// - Thread: the control thread. No method blocks.
package final class PowerHold {
  /// The name of a descriptor of which the service manager keeps a copy, and the descriptor.
  package typealias Kept = (name: String, descriptor: Int32)

  private enum State {
    case none
    /// The line cannot be used. This object will try again.
    case waiting(GPIOLineChoice)
    case holding(GPIOLineChoice, Int32)
  }

  /// Called if the line cannot be used, with the reason as a sentence for the operator. Not called again as long as the
  /// reason stays the same.
  package var onFailure: ((String) -> Void)? {
    get { retry?.onFailure }
    set { retry?.onFailure = newValue }
  }

  private let access: PowerHoldAccess
  private var state = State.none
  private var kept: [Kept]
  private var retry: LineRetry?

  package init(
    _ loop: EventLoop, _ access: PowerHoldAccess, retryInterval: Duration = .seconds(5)
  ) {
    self.access = access
    kept = access.kept()
    retry = LineRetry(loop, firstWait: retryInterval) { [weak self] in self?.tryAgain() }
  }

  /// True while the line is active.
  package var isHolding: Bool { if case .holding = state { true } else { false } }

  /// Uses this line from now on. If `choice` is nil, no line is used. A line that was used before becomes inactive.
  /// Does nothing if the line is the same as before.
  package func choose(_ choice: GPIOLineChoice?) {
    guard choice != self.choice || !kept.isEmpty else { return }
    if choice != self.choice { release() }
    for (name, descriptor) in kept.filter({ $0.name != choice.map(Self.name) }) {
      giveUp(descriptor, name)
    }
    let ours = kept.first { $0.name == choice.map(Self.name) }
    kept = []
    retry?.reset()
    guard let choice else { return access.note(nil) }
    if let ours { return hold(choice, ours.descriptor) }
    open(choice)
  }

  private var choice: GPIOLineChoice? {
    switch state {
    case .none: nil
    case .waiting(let choice), .holding(let choice, _): choice
    }
  }

  private func tryAgain() { if case .waiting(let choice) = state { open(choice) } }

  private func open(_ choice: GPIOLineChoice) {
    state = .waiting(choice)
    do throws(GPIOError) {
      let descriptor = try access.open(choice)
      access.keep(Self.name(choice), descriptor)
      hold(choice, descriptor)
    } catch {
      retry?.failed(error.message)
    }
  }

  private func hold(_ choice: GPIOLineChoice, _ descriptor: Int32) {
    // If the last run of the daemon requested the line, and its chip was removed since, this call fails.
    guard access.set(descriptor, true) == 0 else {
      giveUp(descriptor, Self.name(choice))
      state = .waiting(choice)
      retry?.failed("\(choice.address.text) cannot be switched")
      return
    }
    state = .holding(choice, descriptor)
    access.note(choice)
  }

  private func release() {
    if case .holding(let choice, let descriptor) = state {
      giveUp(descriptor, Self.name(choice))
    }
    state = .none
  }

  /// Makes the line inactive and releases it. The level is set first, because the chip can keep it after the release of
  /// the line.
  private func giveUp(_ descriptor: Int32, _ name: String) {
    _ = access.set(descriptor, false)
    access.drop(name, descriptor)
  }

  /// The name of a line's descriptor for the service manager. The service manager permits printable ASCII without a
  /// colon, at most 255 bytes.
  static func name(_ choice: GPIOLineChoice) -> String {
    let text = choice.description.unicodeScalars.map {
      (0x20..<0x7F).contains($0.value) && $0 != ":" ? Character($0) : "_"
    }
    return String(("power-hold " + String(text)).prefix(255))
  }
}
