internal import EventLoop

/// The properties of an A2DP transport in BlueZ at one moment.
package struct BluezTransport: Equatable {
  /// Whether the phone streams.
  package enum State: String {
    /// The phone does not stream.
    case idle
    /// The phone has begun to stream, and the transport is not acquired yet. Without an acquisition, bluetoothd ends
    /// the stream after 5 s.
    case pending
    /// The transport is acquired.
    case active
  }

  /// A change that ``BluezClient`` reports in an event.
  package enum Property: String, CaseIterable {
    case volume = "Volume"
    case state = "State"
  }

  package let path: String
  /// The volume, 0 to 127. Nil if the phone does not support absolute volume.
  package let volume: Int?
  /// Nil if BlueZ reports an unknown state.
  package let state: State?
  /// True if the phone is the source of the sound, false if it is a loudspeaker.
  package let isSource: Bool
  /// The codec: 0 for SBC.
  package let codec: Int?
  /// The configuration of the codec, as the phone has sent it.
  package let configuration: [UInt8]

  /// Returns nil if there is no transport with this path.
  init?(_ path: String, in monitor: BluezMonitor?) {
    guard let properties = monitor?[path, BluezNames.transport] else { return nil }
    self.path = path
    volume = properties["Volume"]?.integer
    state = properties["State"]?.text.flatMap(State.init(rawValue:))
    // The UUID is the role of the unit: *sink* if the phone is the source.
    isSource = properties["UUID"]?.text.flatMap(BluezFeature.init(uuid:)) == .sink
    codec = properties["Codec"]?.integer
    configuration = properties["Configuration"]?.byteArray ?? []
  }

  /// Object path of the device to which this transport belongs, such as `/org/bluez/hci0/dev_…`.
  package var devicePath: String { BluezDevice.path(ofPart: path) }
}
