package import EventLoop

// Calls about phones that are sources of sound.
extension BluezClient {
  /// Registers an endpoint for A2DP.
  package func registerEndpoint(
    _ path: String, on adapter: String, _ properties: KeyValuePairs<String, BusValue>,
    _ completion: @escaping Completion
  ) {
    call(
      BluezNames.path(ofAdapter: adapter), BluezNames.media, "RegisterEndpoint",
      [.objectPath(path), .properties(properties)], then: completion)
  }

  /// The socket of a stream. Each read of it returns one packet.
  package struct Stream {
    package let socket: BusDescriptor
    /// Largest packet that arrives, in bytes.
    package let packetBytes: Int
  }

  /// Acquires the stream of a transport that is pending.
  package func acquire(
    _ transport: String, _ completion: @escaping (Result<Stream, BusError>) -> Void
  ) {
    bus?.call(
      BluezNames.service, transport, BluezNames.transport, "TryAcquire", timeout: .seconds(4)
    ) { result in
      completion(
        result.flatMap { body in
          guard let socket = body.values.first?.descriptor, body.values.count == 3,
            let size = body.values[1].integer
          else { return .failure(.wrongType(BusTypeError(expected: "hqq", found: "", index: 0))) }
          return .success(Stream(socket: socket, packetBytes: size))
        })
    }
  }

  /// Sends a command to a player of a phone. The answer says only that the command was sent.
  package func command(
    _ name: String, player path: String, _ completion: @escaping Completion
  ) {
    call(path, BluezNames.mediaPlayer, name, timeout: .seconds(4), then: completion)
  }

  /// Sets a setting of a player of a phone: `Repeat` or `Shuffle`.
  package func set(
    _ setting: String, _ value: String, ofPlayer path: String, _ completion: @escaping Completion
  ) {
    setProperty(
      path, BluezNames.mediaPlayer, setting, .string(value), timeout: .seconds(4), then: completion)
  }

  /// Reads the position of a player of a phone, in milliseconds. BlueZ computes it from the last one that
  /// the phone has sent.
  package func readPosition(ofPlayer path: String, _ completion: @escaping (Int?) -> Void) {
    bus?.call(
      BluezNames.service, path, BluezNames.properties, "Get",
      [.string(BluezNames.mediaPlayer), .string("Position")], timeout: .seconds(4)
    ) { result in
      completion(BluezMediaPlayer.number((try? result.get())?.values.first))
    }
  }

  /// Reports the delay between the arrival of a frame and the moment when it is heard.
  /// - Parameter delay: in tenths of a millisecond.
  package func setDelay(_ delay: Int, ofTransport path: String) {
    setProperty(
      path, BluezNames.transport, "Delay", .uint16(UInt16(clamping: delay))
    ) { _ in
      // A phone that has not configured delay reporting has no use for it.
    }
  }
}
