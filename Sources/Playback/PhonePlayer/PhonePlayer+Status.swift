package import A2DPStream
package import AudioEngine
internal import Bluez
internal import PhoneLink

extension PhonePlayer {
  /// A connected phone, for reports.
  package struct Status {
    package let address: String
    package let name: String
    /// The path of the device in BlueZ.
    package let device: String
    /// The stream. Nil if the phone does not stream.
    package let stream: Stream?
    /// True if the phone tells what its player does.
    package let hasPlayer: Bool
    /// True if the phone tells the position of its player.
    package let hasPosition: Bool
    /// What the player does, as the phone says it.
    package let status: String?
    /// True if the stream is dropped, because the phone must be silent.
    package let isSilenced: Bool
  }

  /// A stream, for reports.
  package struct Stream {
    package let configuration: SBCConfiguration
    package let report: StreamReader.Report
    package let counts: LiveInput.Counts
    /// The lead in seconds: the level that is compared with the target, as soon as it is known.
    package let lead: Double
    package let isMusic: Bool
    /// True if the engine plays the stream.
    package let isPlayed: Bool
  }

  /// The connected phones, by name.
  package var statuses: [Status] {
    sources.values.sorted { ($0.reading.name, $0.device) < ($1.reading.name, $1.device) }.map(
      status)
  }

  private func status(_ source: PhoneSource) -> Status {
    let player = source.reading.player
    return Status(
      address: source.reading.address, name: source.reading.name, device: source.device,
      stream: source.stream.reader.map { stream($0, source) }, hasPlayer: player != nil,
      hasPosition: source.reading.position != nil, status: player?.status?.rawValue,
      isSilenced: source.stream.reader != nil && source.audible == nil)
  }

  private func stream(_ reader: StreamReader, _ source: PhoneSource) -> Stream {
    Stream(
      configuration: reader.stream.configuration, report: reader.report,
      counts: reader.input.counts, lead: reader.report.level ?? reader.input.lead,
      isMusic: source.isMusic,
      isPlayed: reader.stream.id == played)
  }
}
