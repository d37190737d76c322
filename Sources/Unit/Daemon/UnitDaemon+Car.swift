internal import CarLines
internal import EventLoop
internal import HeadUnit
package import NowPlaying
package import Reports
internal import Settings
internal import SystemClock

// What the wires of the car cause.
extension UnitDaemon {
  func listenToCar() {
    car.ignitionTimer = TimerSource(loop) { [weak self] in
      guard let self else { return }
      perform(car.ignition.expire(at: .now()))
    }
    car.onChange = { [weak self] in self?.take($0) }
    car.onFailure = { [weak self] in self?.log(.carLineFailed, "\($0): \($1)", at: .now()) }
    car.start()
    useCarSettings()
  }

  /// Uses the lines of new settings.
  func useCarSettings() {
    car.ignition.delay = settings.ignitionOffDelay
    car.use(settings, keys)
    followAttenuation()
    changeParked {
      $0.setting = settings.parked
      if settings.parkingLine != nil { _ = $0.tell(car.isActive(.parking)) }
    }
  }

  private func take(_ wire: CarWires.Wire) {
    switch wire {
    case .headlights: turns.request()
    case .reverse:
      followAttenuation()
      turns.request()
    case .parking: changeParked { _ = $0.tell(car.isActive(.parking)) }
    case .ignition: perform(car.ignition.take(isOn: car.isActive(.ignition), at: .now()))
    }
  }

  /// Lowers or silences the sound while the reverse gear is engaged, and lowers it while a client requests this.
  func followAttenuation() {
    let isEngaged = car.isActive(.reverse) == true
    let attenuation: SoundAttenuation =
      switch settings.reverse {
      case .lower where isEngaged: .lowered
      case .mute where isEngaged: .silent
      case .lower, .mute, .none: .none
      }
    unit.setAttenuation(max(attenuation, holds.isDucked ? .lowered : .none))
  }

  /// The wires that are configured, and whether the car is parked.
  var carFacts: [FactsReport.Fact] {
    let wires = car.facts(settings)
    let isParked = unitSettings.parked.isParked
    guard settings.parkingLine != nil || isParked != nil else { return wires }
    let parked = isParked.map { $0 ? "yes" : "no" } ?? "unknown"
    return wires + [.init("parked", parked)]
  }

  // MARK: Ignition

  private func perform(_ action: Ignition.Action?) {
    let now = MonotonicInstant.now()
    switch action {
    case .pause:
      log(.ignitionOff, "the ignition is off; the unit powers down in \(delayText)", at: now)
      car.ignitionInterruption = unit.center.beginInterruption(.other("ignition"), at: now)
      memory.saveSoon()
      savedClock?.save()
    case .resume:
      log(.ignitionOn, "the ignition is on again", at: now)
      if let interruption = car.ignitionInterruption {
        unit.center.endInterruption(interruption, shouldResume: true, at: now)
      }
      car.ignitionInterruption = nil
    case .powerDown:
      memory.saveSoon()
      car.notePowerDown(settings.ignitionLine)
      if let refusal = power(.poweroff) {
        car.notePowerDown(nil)
        car.ignition.powerDownFailed(at: now)
        log(.ignitionFailed, "\(refusal)", at: now)
      }
    case nil: break
    }
    car.ignitionTimer?.set(at: car.ignition.deadline?.awake)
    if action != nil { turns.request() }
  }

  private var delayText: String {
    "\(settings.ignitionOffDelay.components.seconds) s"
  }

  // MARK: Parked

  package func setParked(_ isParked: Bool?) -> Refusal? {
    guard settings.parkingLine == nil else {
      return Refusal(
        .parkedConfigured, "a line tells whether the car is parked",
        remedy: "remove 'parking-line' from the configuration")
    }
    var isPermitted = true
    changeParked { isPermitted = $0.tell(isParked) }
    if isPermitted { return nil }
    return Refusal(
      .parkedConfigured, "the configuration says whether the car is parked",
      remedy: "set 'parked = line'")
  }

  private func changeParked(_ change: (inout ParkedState) -> Void) {
    change(&unitSettings.parked)
    turns.request()
  }

  package var vehicle: VehicleState {
    VehicleState(
      headlightsAreOn: car.isActive(.headlights), isParked: unitSettings.parked.isParked,
      isReversing: car.isActive(.reverse))
  }
}
