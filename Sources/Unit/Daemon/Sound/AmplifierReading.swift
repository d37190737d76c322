internal import AudioEngine
internal import EventLoop

/// The state of the amplifier, as its device reports it.
enum AmplifierReading: Hashable, Sendable {
  case on
  case muted
  /// The device cannot be read. The value is the reason, as text.
  case unreadable(String)

  init(_ amplifier: any Amplifier) {
    do throws(SinkError) {
      self = try amplifier.isMuted() ? .muted : .on
    } catch {
      self = .unreadable(error.reason)
    }
  }
}

extension DeviceReader<AmplifierReading> {
  /// Reads the amplifier from its device.
  convenience init(_ loop: EventLoop, _ amplifier: any Amplifier) {
    self.init(loop, silent: .unreadable("the device does not answer")) {
      AmplifierReading(amplifier)
    }
  }
}
