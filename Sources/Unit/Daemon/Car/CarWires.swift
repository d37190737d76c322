internal import AudioEngine
internal import CarLines
internal import EventLoop
internal import GPIO
internal import HeadUnit
internal import Input
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock

/// Handles the wires of the car at GPIO lines, and the rotary encoder. Decides what the unit does when the ignition is
/// switched off and on, how the reverse gear changes the sound, and whether the car is parked. Changes Now Playing only
/// by an interruption while the ignition is off.
///
/// - Thread: the control thread. No method blocks.
final class CarWires {
  /// A wire that shows a state of the car.
  enum Wire: String, CaseIterable {
    case headlights, reverse, parking, ignition
  }

  private let center: NowPlayingCenter
  private let memory: UnitMemory
  private let clock: SavedClock?
  private let machine: MachineControl
  private let turns: Turns
  private let log: UnitLog
  private var settings: Settings
  private var parked: ParkedState
  /// Decides what the unit does when the ignition is switched off and on.
  private(set) var ignition = Ignition(delay: .zero)
  /// The number of the interruption that lasts while the ignition is off.
  private var ignitionInterruption: Int?
  private var ignitionTimer: TimerSource?

  private let inputs: [Wire: InputLine]
  private let encoder: RotaryEncoder
  private let hold: PowerHold
  private let notes: ReleaseNotes?
  let button: InputLine
  /// Why a line could not be opened last, by the name of its fact.
  private var reasons: [String: String] = [:]
  /// Passes the events of the rotary encoder to ``UnitKeys``. Nil if no encoder is in use.
  private var feed: InputFeed?
  /// The level of the encoder's button at its last change. Nil if the level was unknown.
  private var buttonWasDown: Bool?

  /// A new level of a wire is used after it has lasted for this time, in milliseconds. The contacts of a relay bounce
  /// for a shorter time. If the driver flashes the headlights, each level lasts longer.
  private static let settle = 50
  /// A new level of the rotary encoder's button is used after it has lasted for this time, in milliseconds. The
  /// contacts of the button bounce for a shorter time than a relay.
  private static let buttonSettle = 5

  init(
    _ loop: EventLoop, _ access: CarLineAccess, _ settings: Settings, _ center: NowPlayingCenter,
    _ memory: UnitMemory, _ clock: SavedClock?, _ machine: MachineControl, _ turns: Turns,
    log: UnitLog
  ) {
    self.settings = settings
    self.center = center
    self.memory = memory
    self.clock = clock
    self.machine = machine
    self.turns = turns
    self.log = log
    parked = ParkedState(settings.parked)
    inputs = Dictionary(
      uniqueKeysWithValues: Wire.allCases.map {
        ($0, InputLine(loop, access.lines(Self.settle)))
      })
    encoder = RotaryEncoder(loop, access.pair)
    hold = PowerHold(loop, access.hold)
    notes = access.notes
    button = InputLine(loop, access.lines(Self.buttonSettle))
    ignitionTimer = TimerSource(loop) { [weak self] in
      guard let self else { return }
      perform(ignition.expire(at: .now()))
    }
  }

  /// True if the wire is active. Nil if the wire is not configured or cannot be read.
  func isActive(_ wire: Wire) -> Bool? { inputs[wire]?.isActive }

  /// Connects the callbacks of the lines. ``use(_:_:)`` opens the lines.
  func start() {
    // An earlier run that failed to power down can have left its note for `release-power`. Removes this note.
    notePowerDown(nil)
    for (wire, input) in inputs {
      input.onChange = { [weak self] in self?.changed(wire) }
      input.onFailure = { [weak self] in self?.failed(wire.rawValue, $0) }
    }
    hold.onFailure = { [weak self] in self?.failed("power hold", $0) }
    encoder.onFailure = { [weak self] in self?.failed("encoder", $0) }
    button.onFailure = { [weak self] in self?.failed("encoder button", $0) }
    encoder.onTurn = { [weak self] in self?.feed?.turn(Self.dial, steps: $0, time: $1) }
    button.onChange = { [weak self] in
      guard let self else { return }
      let wasDown = buttonWasDown
      buttonWasDown = button.isActive
      let isDown = button.isActive == true
      // If the button was already down when its line was opened, no press is reported.
      if isDown, wasDown != false { return }
      feed?.key(Self.push, isDown: isDown, time: Int64(EventClock.monotonic.now))
    }
  }

  /// Uses the lines of these settings from now on.
  ///
  /// - Parameter keys: gets the events of the rotary encoder.
  func use(_ settings: Settings, _ keys: UnitKeys) {
    self.settings = settings
    ignition.delay = settings.ignitionOffDelay
    hold.choose(settings.powerHoldLine)
    // All lines that change are released first, because two settings can exchange their lines.
    for (wire, input) in inputs where input.choice != settings.line(wire) { input.choose(nil) }
    for (wire, input) in inputs { input.choose(settings.line(wire)) }
    encoder.choose(settings.encoder)
    button.choose(settings.encoderButton)
    attachEncoder(to: settings.encoder != nil || settings.encoderButton != nil ? keys : nil)
    parked.setting = settings.parked
    if settings.parkingLine != nil { _ = parked.tell(isActive(.parking)) }
    turns.request()
  }

  private func failed(_ name: String, _ reason: String) {
    reasons[name] = reason
    log(.carLineFailed, "\(name): \(reason)", at: .now())
  }

  // MARK: What the wires cause

  private func changed(_ wire: Wire) {
    switch wire {
    case .headlights, .reverse: break
    case .parking: _ = parked.tell(isActive(.parking))
    case .ignition: perform(ignition.update(isOn: isActive(.ignition), at: .now()))
    }
    turns.request()
  }

  /// The state of the car that clients get.
  var vehicle: VehicleState {
    VehicleState(
      headlightsAreOn: isActive(.headlights), isParked: parked.isParked,
      isReversing: isActive(.reverse))
  }

  /// How the reverse gear lowers or silences the sound.
  var attenuation: SoundAttenuation {
    guard isActive(.reverse) == true else { return .none }
    return switch settings.reverse {
    case .lower: .lowered
    case .mute: .silent
    case .none: .none
    }
  }

  private func perform(_ action: Ignition.Action?) {
    let now = MonotonicInstant.now()
    switch action {
    case .pause:
      let delay = "\(settings.ignitionOffDelay.components.seconds) s"
      log(.ignitionOff, "the ignition is off; the unit powers down in \(delay)", at: now)
      ignitionInterruption = center.beginInterruption(.other("ignition"), at: now)
      memory.saveSoon()
      clock?.save()
    case .resume:
      log(.ignitionOn, "the ignition is on again", at: now)
      if let ignitionInterruption {
        center.endInterruption(ignitionInterruption, shouldResume: true, at: now)
      }
      ignitionInterruption = nil
    case .powerDown:
      memory.saveSoon()
      notePowerDown(settings.ignitionLine)
      if let refusal = machine.power(.poweroff) {
        notePowerDown(nil)
        ignition.powerDownFailed(at: now)
        log(.ignitionFailed, "\(refusal)", at: now)
      }
    case nil: break
    }
    ignitionTimer?.set(at: ignition.deadline?.awake)
    turns.request()
  }

  /// Stores whether the car is parked, as a client reports it. Refused if a wire or the configuration decides this
  /// instead.
  func setParked(_ isParked: Bool?) -> Refusal? {
    guard settings.parkingLine == nil else {
      return Refusal(
        .parkedConfigured, "a GPIO line reports whether the car is parked",
        remedy: "remove 'parking-line' from the configuration")
    }
    guard parked.tell(isParked) else {
      return Refusal(
        .parkedConfigured, "the configuration says whether the car is parked",
        remedy: "set 'parked = line'")
    }
    turns.request()
    return nil
  }

  /// Writes a note with the line of the ignition. With this note, `release-power` restarts the unit if the ignition is
  /// on again at the end of the power-down. If `ignition` is nil, removes the note: the unit does not power down.
  private func notePowerDown(_ ignition: GPIOLineChoice?) { notes?.write(.ignition, ignition) }

  // MARK: Encoder

  /// The codes of the kernel for `REL_DIAL` and `KEY_PLAYPAUSE`.
  private static let dial: UInt16 = 7
  private static let push: UInt16 = 164

  /// Adds the rotary encoder as an input device of `keys`. If `keys` is nil, removes the encoder.
  private func attachEncoder(to keys: UnitKeys?) {
    guard let keys else {
      feed = nil
      return
    }
    guard feed == nil else { return }
    var description = DeviceDescription(name: "Encoder")
    // The kernel's value of `BUS_HOST`.
    description.bus = 0x19
    description.turns = [Self.dial]
    description.keys = [Self.push]
    do throws(SystemError) {
      feed = try keys.attach(description, node: "encoder")
    } catch {
      failed("encoder", "\(error)")
    }
  }

  // MARK: Facts

  /// Findings about configured lines that cannot be used, for `diagnose`.
  var findings: [DiagnosisReport.Finding] {
    let failed = wireFacts.filter { $0.grade == .bad }
    if failed.isEmpty {
      let count = wireFacts.count
      return [
        .init("car.lines", "car", .good, count == 0 ? "no line is set" : "\(count) lines work")
      ]
    }
    return failed.map { fact in
      DiagnosisReport.Finding(
        "car.line-failed", "car", .bad, "\(fact.label): \(fact.value)",
        meaning: "the unit does not know what the wire says",
        remedy: "compare \(Self.keys(fact.label)) with the lines of the board")
    }
  }

  private func failure(_ name: String) -> FactsReport.Fact {
    .init(name, reasons[name] ?? "the line cannot be used", .bad)
  }

  /// The settings that choose the lines of a fact.
  private static func keys(_ name: String) -> String {
    switch name {
    case "encoder": "the keys 'encoder-line-a' and 'encoder-line-b'"
    case Wire.headlights.rawValue: "the key 'headlight-line'"
    default: "the key '\(name.split(separator: " ").joined(separator: "-"))-line'"
    }
  }

  /// The wires that are configured, and whether the car is parked, for `status`.
  var facts: [FactsReport.Fact] {
    guard settings.parkingLine != nil || parked.isParked != nil else { return wireFacts }
    let text = parked.isParked.map { $0 ? "yes" : "no" } ?? "unknown"
    return wireFacts + [.init("parked", text)]
  }

  private var wireFacts: [FactsReport.Fact] {
    var facts = Wire.allCases.filter { settings.line($0) != nil }.map { wire in
      switch isActive(wire) {
      case true?: FactsReport.Fact(wire.rawValue, "on")
      case false?: FactsReport.Fact(wire.rawValue, "off")
      case nil: failure(wire.rawValue)
      }
    }
    if settings.powerHoldLine != nil {
      facts.append(
        hold.isHolding
          ? .init("power hold", "on")
          : failure("power hold"))
    }
    if (settings.encoderFirst == nil) != (settings.encoderSecond == nil) {
      facts.append(
        .init("encoder", "it needs both encoder-line-a and encoder-line-b", .bad))
    }
    if settings.encoderButton != nil, button.isActive == nil {
      facts.append(failure("encoder button"))
    }
    if settings.encoder != nil {
      facts.append(
        encoder.isOpen
          ? .init("encoder", "ready")
          : failure("encoder"))
    }
    return facts
  }
}
