internal import Reports

// The checks of the display and its touch screen.
extension UnitChecks {
  var screen: [Finding] {
    let readings = kernelReadings
    let connected = readings.connectors.filter(\.isUsable)
    let names = { (list: [KernelReadings.Connector]) in
      list.map { $0.name + ($0.mode.map { " \($0)" } ?? "") }.joined(separator: ", ")
    }
    if let lost = lostDisplay { return [lost] }
    if isShown {
      let shown = Finding(
        "screen.shown", "screen", .good,
        connected.isEmpty ? "a screen is connected" : names(connected))
      return [shown] + (darkness.map { [$0] } ?? [])
    }
    if connected.isEmpty { return [noDisplay] }
    // Without the image, another program can show the screen.
    let isFault = snapshot.machine.runsImage && !isStarting
    return [
      Finding(
        "screen.not-shown", "screen", isFault ? .bad : .note,
        "a display is connected (\(names(connected))), and the screen does not show anything",
        remedy: isFault ? "'service restart screen'; 'log screen' shows more" : nil)
    ]
  }

  private var noDisplay: Finding {
    let connectors = kernelReadings.connectors.map(\.name).joined(separator: ", ")
    let touch = kernelReadings.touchScreens.isEmpty ? ", and no touch screen was found" : ""
    if !connectors.isEmpty {
      return Finding(
        "screen.disconnected", "screen", .note, "no display is connected to \(connectors)\(touch)",
        remedy: "if the unit has a display, check its cable and its supply")
    }
    // On a desktop, the screen is a window.
    if !snapshot.machine.runsImage {
      return Finding("screen.none", "screen", .note, "the machine has no connector for a display")
    }
    return Finding(
      "screen.absent", "screen", .note, "the machine has no connector for a display\(touch)",
      remedy: "if the unit has a display, check its plug; 'log kernel' shows its driver")
  }

  /// The screen never sets its light to 0. A light that is not the screen's can be at 0, and a desktop can switch off
  /// its lights.
  private var darkness: Finding? {
    let lights = kernelReadings.backlights.filter { $0.maximum > 1 }
    guard snapshot.machine.runsImage, let light = lights.first,
      lights.allSatisfy({ $0.brightness == 0 })
    else { return nil }
    return Finding(
      "screen.dark", "screen", .note, "the backlight \(light.name) is at 0 of \(light.maximum)",
      meaning: "the screen is black", remedy: "'service restart screen' sets it again")
  }

  private var isShown: Bool {
    switch snapshot.screen {
    case .shows, .standsStill: true
    case .none, .lost, .ended: false
    }
  }

  /// The display was there in this run, and the kernel does not see it any more. Without the image, another program can
  /// show the screen.
  private var lostDisplay: Finding? {
    let connectors = kernelReadings.connectors
    guard snapshot.machine.runsImage, !connectors.contains(where: \.isUsable) else {
      return nil
    }
    switch snapshot.screen {
    case .none: return nil
    case .ended, .shows, .standsStill: if connectors.isEmpty { return nil }
    case .lost: break
    }
    let names = connectors.map(\.name).joined(separator: ", ")
    return Finding(
      "screen.lost", "screen", .bad,
      names.isEmpty
        ? "the display is gone, with its connector"
        : "the display at \(names) is gone",
      meaning: "nothing is shown",
      remedy: "check its cable and its supply; 'reboot' searches for it again")
  }

  var touch: [Finding] {
    let names = kernelReadings.touchScreens
    if names.isEmpty, !snapshot.lostPointers.isEmpty {
      let lost = snapshot.lostPointers.sorted().joined(separator: ", ")
      return [
        Finding(
          "touch.lost", "touch", .bad, "\(lost) was there, and is gone",
          meaning: "the screen cannot be touched", remedy: "check its cable and its supply")
      ]
    }
    return [
      names.isEmpty
        ? Finding(
          "touch.none", "touch", .note, "no touch screen was found",
          remedy: "check the touch cable; 'devices' lists what the kernel sees")
        : Finding("touch.found", "touch", .good, names.joined(separator: ", "))
    ]
  }
}
