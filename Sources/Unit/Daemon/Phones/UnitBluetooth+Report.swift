internal import A2DPStream
internal import AVRCPTarget
internal import AudioEngine
internal import Bluez
internal import NowPlaying
internal import PhoneLink
internal import PhonePlayer
internal import Reports

// Reports about the phones that are sources of sound, for `bt` and `diagnose`.
extension UnitBluetooth {
  /// A section for each connected phone.
  var phoneSections: [FactsReport.Section] {
    phones.statuses.map { phone in
      let stream = phone.stream.map(Self.facts) ?? [.init("stream", "none")]
      return FactsReport.Section(
        "phone \(phone.name)",
        [
          .init("address", phone.address),
          .init("player", phone.hasPlayer ? phone.status ?? "no status yet" : "none"),
          .init("volume", volumeWords(phone)),
        ] + stream + (phone.isSilenced ? [.init("sound", "dropped: the phone must be silent")] : [])
      )
    }
  }

  private func volumeWords(_ phone: PhonePlayer.Status) -> String {
    guard let step = volume(of: phone) else { return "not linked: the phone changes its samples" }
    return "linked, \(VolumeLevel(step: step, of: 127))"
  }

  private func volume(of phone: PhonePlayer.Status) -> Int? {
    client.transports.first { $0.devicePath == phone.device }?.volume
  }

  private static func facts(_ stream: PhonePlayer.Stream) -> [FactsReport.Fact] {
    let configuration = stream.configuration
    let packets = stream.report.packets
    let drift = stream.report.driftPPM.map { "\(Int($0.rounded())) ppm" } ?? "below the tolerance"
    return [
      .init(
        "codec",
        "SBC \(configuration.rate) Hz, \(configuration.channels) channels, bitpool up to "
          + "\(configuration.bitpools.upperBound)"),
      .init("sound", stream.isPlayed ? "heard" : stream.isMusic ? "not heard" : "a prompt"),
      .init(
        "lead",
        "\(milliseconds(stream.lead)) of \(milliseconds(stream.report.target)) ms"
          + (stream.report.isResampled ? ", resampled" : ", not resampled")),
      .init("clock", drift),
      .init("packets", "\(packets.packets), lost \(packets.lost), late \(packets.late)"),
      // The number of lost packets in such a gap is unknown, because the phone may restart its numbers.
      .init("longer gaps", "\(packets.jumps)"),
      .init(
        "holes", "\(stream.counts.underruns)", stream.counts.underruns == 0 ? .good : .note),
      .init("dropped frames", "\(stream.counts.dropped)"),
      .init(
        "damaged", "\(packets.damaged) SBC frames, \(packets.refused) packets",
        packets.damaged + packets.refused == 0 ? .good : .note),
    ]
  }

  private static func milliseconds(_ seconds: Double) -> Int { Int((seconds * 1000).rounded()) }

  // MARK: Diagnosis

  typealias Finding = DiagnosisReport.Finding

  /// What `diagnose` finds about phones as sources: one check for each complaint of drivers.
  var phoneFindings: [Finding] {
    guard case .ready = client.service else { return [] }
    var findings: [Finding] = []
    if !link.isRegistered {
      findings.append(
        Finding(
          "phone.no-endpoint", "phones", .bad,
          "bluetoothd does not offer the unit as a loudspeaker",
          meaning: "no phone can play through the unit",
          remedy: "see 'log'; bluetoothd must have its plug-in a2dp"))
    }
    if !target.options.reconnects, !target.state.bondedPhones.isEmpty {
      findings.append(
        Finding(
          "phone.no-dialling", "phones", .note, "the unit connects to no phone by itself",
          meaning: "each phone has to be connected by hand",
          remedy: "'dial-phones = yes' connects phones at the start"))
    }
    let statuses = phones.statuses
    if statuses.filter({ $0.stream != nil }).count > 1 {
      findings.append(
        Finding(
          "phone.several-streams", "phones", .note, "several phones stream",
          meaning: "only the one that started last is heard"))
    }
    if statuses.contains(where: { $0.stream != nil }),
      client.adapters.contains(where: \.isDiscovering)
    {
      findings.append(
        Finding(
          "phone.searching", "phones", .note,
          "bluetoothd searches for devices while a phone streams",
          meaning: "the search takes the controller, so the sound may stutter",
          remedy: "end the program that searches; the unit itself does not search now"))
    }
    return findings + statuses.flatMap(findings(about:))
  }

  private func findings(about phone: PhonePlayer.Status) -> [Finding] {
    var findings: [Finding] = []
    func add(
      _ code: String, _ grade: Grade, _ found: String, _ meaning: String? = nil,
      _ remedy: String? = nil
    ) {
      findings.append(Finding(code, phone.name, grade, found, meaning: meaning, remedy: remedy))
    }
    if !phone.hasPlayer {
      add(
        "phone.no-player", .note, "the phone tells nothing about its player",
        "no titles, and keys of the unit do not reach the phone",
        "disconnect and connect the phone; its remote control may have been refused")
    } else if !phone.hasPosition {
      add(
        "phone.no-position", .note, "the phone tells no position",
        "the screen shows no progress")
    }
    if volume(of: phone) == nil {
      add(
        "phone.no-volume", .note, "the phone has no absolute volume",
        "the volume keys of the phone change its sound, and not the volume of the unit",
        "set the volume of the phone to its maximum")
    }
    if phone.isSilenced, phone.status == "playing" {
      add(
        "phone.disobeys", .note, "the phone was told to pause, and plays on",
        "its sound is dropped", "press play at the unit, or pause on the phone")
    }
    guard let stream = phone.stream else { return findings }
    let packets = stream.report.packets
    if stream.counts.underruns > 0 || packets.lost + packets.jumps > 0 {
      add(
        "phone.stutter", .note,
        "\(stream.counts.underruns) holes, \(packets.lost) lost packets, \(packets.jumps) longer gaps "
          + "in this stream",
        "the link is disturbed: distance, Wi-Fi in the same band, or a weak controller",
        "see the signal in 'bt phones'; use Wi-Fi at 5 GHz on the phone")
    }
    if packets.damaged + packets.refused > 0 {
      add(
        "phone.damaged", .note,
        "\(packets.damaged + packets.refused) parts of the stream are damaged",
        "short silence in their places")
    }
    if let drift = stream.report.driftPPM, drift.magnitude > 300 {
      add(
        "phone.clock", .note, "the clocks differ by \(Int(drift.rounded())) ppm",
        "the clock of the phone or of the sound card is far from its rate")
    }
    if findings.isEmpty { add("phone.good", .good, "streams without holes") }
    return findings
  }
}
