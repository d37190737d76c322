// A phone that streams music to a daemon on this machine, for measurements. The program simulates bluetoothd on a
// private bus. The socket for the packets is of the same kind as for a real phone, so the daemon does the same work for
// each packet. The program reads these lines:
//
//   stream  begins to stream
//   ppm N   lets the clock of the phone run faster by N parts per million
//
// The argument is a file with the music: 16-bit stereo frames at 44.1 kHz. The program repeats the music. The program
// first writes the address of the bus. It exits at the end of the input.

import A2DPStream
import Bluez
import EventLoop
import Foundation
import NowPlaying
import SystemClock
import TestKit

/// A joint stereo stream at 44.1 kHz with 16 blocks and 8 subbands, as phones use it.
let configuration: [UInt8] = [0x21, 0x15, 2, 53]
let framesInPacket = 7
let address = ClientBench.phone

/// The SBC frames of the music, and the duration of a packet. The frames are encoded before the first packet, because
/// encoding takes time and would delay the packets.
func frames(of file: String) throws -> (frames: [[UInt8]], seconds: Double) {
  let encoder = try SBCEncoder(configuration)
  let length = encoder.configuration.framesPerSBCFrame
  let samples = try Data(contentsOf: URL(fileURLWithPath: file)).withUnsafeBytes {
    Array($0.bindMemory(to: Int16.self))
  }
  let frames = (0..<samples.count / 2 / length).map { number in
    encoder.frame { samples[2 * (number * length + $0) + $1] }.bytes
  }
  return (frames, Double(length * framesInPacket) / Double(encoder.configuration.rate))
}

/// Sends packets when they are due.
final class PacketStream {
  private let bluez: FakeBluez
  private let frames: [[UInt8]]
  private let period: Double
  private var sequence = 0
  /// When the next packet is due.
  private(set) var due: MonotonicInstant?
  var ppm = 0.0

  init(_ bluez: FakeBluez, file: String) throws {
    self.bluez = bluez
    (frames, period) = try StreamingPhone.frames(of: file)
  }

  func begin() {
    bluez.configure(address, configuration) { [self] isAccepted in
      guard isAccepted else { fatalError("the unit refuses the stream") }
      bluez.startStream(address)
      bluez.addPlayer(address, with: ["Status": .string("playing")])
      due = .now()
    }
  }

  func sendDue() {
    while let due, due <= .now() {
      let first = sequence * framesInPacket
      let parts = (first..<first + framesInPacket).map { frames[$0 % frames.count] }
      // Until the unit has acquired the stream, there is no socket. Packets that are sent before this time are lost.
      _ = bluez.sendPacket(address, mediaPacket(sequence, parts))
      sequence += 1
      self.due = due.advanced(by: .seconds(period / (1 + ppm / 1e6)))
    }
  }
}

/// Prints a line without buffering.
func writeLine(_ line: String) {
  print(line)
  fflush(nil)
}

let loop = EventLoop()
let bus = try PrivateBus()
let bluez = try FakeBluez(loop, address: bus.address)
bluez.addAdapter()
bluez.addDevice(
  address, name: "Ann's", uuids: [FakeBluez.source, FakeBluez.target], isConnected: true)
let stream = try PacketStream(bluez, file: CommandLine.arguments[1])
writeLine(bus.address)

var rest: [UInt8] = []
var isOpen = true
let input = try DescriptorSource(loop, descriptor: STDIN_FILENO) { _ in
  var bytes = [UInt8](repeating: 0, count: 4096)
  let count = read(STDIN_FILENO, &bytes, bytes.count)
  guard count > 0 else { return isOpen = false }
  rest += bytes[..<count]
  while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
    let words = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
    rest.removeFirst(end + 1)
    switch (words.first, words.last.flatMap { Double($0) }) {
    case ("stream", _): stream.begin()
    case ("ppm", let ppm?): stream.ppm = ppm
    default: writeLine("not understood: \(words.joined(separator: " "))")
    }
  }
}
while isOpen {
  stream.sendDue()
  let wait = stream.due.map { max(.zero, $0.wholeTime(since: .now())) }
  _ = try loop.step(timeout: wait)
}
