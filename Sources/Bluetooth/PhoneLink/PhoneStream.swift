package import A2DPStream
package import EventLoop

/// A stream of sound from a phone.
package struct PhoneStream {
  /// Identifies the stream: BlueZ's path of its transport, and a number that increases with each stream.
  package struct ID: Hashable, Sendable {
    package let transport: String
    package let number: Int
  }

  package let id: ID
  /// How the phone codes the sound.
  package let configuration: SBCConfiguration
  /// The socket. Each read returns one packet. The socket does not show the end of the stream; ``PhoneLink`` reports
  /// it.
  package let socket: BusDescriptor
  /// Largest packet that arrives, in bytes.
  package let packetBytes: Int
}
