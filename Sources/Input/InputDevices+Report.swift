internal import Files
internal import NowPlaying

// The report of the input devices.
extension InputDevices {
  /// The devices, their state and the last presses.
  package var report: InputReport {
    var report = InputReport(problem: folder.problem, lastPress: lastPress, unknown: unknown)
    func number(_ name: String) -> Int { NumberedNames.number(of: name, "event") ?? 0 }
    let order = nodes.keys.sorted { number($0) < number($1) }
    for name in order {
      switch nodes[name]?.state {
      case .open(let device):
        report.devices.append(
          .init(
            node: name, name: device.description.name, bus: device.description.busName,
            isPassThrough: device.description.role == .passThrough, presses: device.presses,
            known: known(device.description)))
      case .unused(let description, let why): report.unused.append((name, description.name, why))
      case .refused(let why): report.refused.append((name, why))
      case .opening, .removed, nil: break
      }
    }
    return report
  }

  private func known(_ description: DeviceDescription) -> Int {
    let turns = description.isPointer ? [] : description.turns.map { InputCode.turn($0) }
    return (description.keys.map { InputCode.key($0) } + turns).count { code in
      switch table.meaning(of: code, on: description.name) {
      case nil, .key(.nothing), .turn(.nothing): false
      default: true
      }
    }
  }
}
