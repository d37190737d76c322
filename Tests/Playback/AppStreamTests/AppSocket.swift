import AppStream
import EventLoop
import Glibc

/// Both ends of the socket of a stream. The test is the app: it sends numbered frames whose samples tell their number.
final class AppSocket {
  let format: AppStreamFormat
  /// The unit's end.
  let unit: BusDescriptor
  private var app: Int32
  /// The number of the next frame to send.
  var next: Int64 = 0
  /// ``pump()`` sends the frames below this number.
  var wanted: Int64 = 0
  /// Number of frames in a packet.
  var packetFrames = 480

  init(_ format: AppStreamFormat) throws {
    self.format = format
    var pair: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | O_CLOEXEC, 0, &pair) == 0,
      let unit = BusDescriptor(duplicating: pair[0])
    else { throw Failure() }
    close(pair[0])
    self.unit = unit
    app = pair[1]
  }

  struct Failure: Error {}

  deinit { end() }

  /// Closes the end of the app, as if the app had died.
  func end() {
    if app >= 0 { close(app) }
    app = -1
  }

  /// Sends any bytes as one packet. Returns false if the socket is full.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    Glibc.send(app, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
      == bytes.count
  }

  /// Sends these frames in one packet.
  @discardableResult
  func send(_ frames: Range<Int64>) -> Bool {
    var packet = header(frames.lowerBound)
    packet.reserveCapacity(packet.count + frames.count * format.frameBytes)
    for frame in frames {
      for channel in 0..<format.channels { append(Self.sample(frame, channel), to: &packet) }
    }
    return send(packet)
  }

  func header(_ first: Int64, type: UInt32 = 0) -> [UInt8] {
    little(type) + little(UInt32(0)) + little(UInt64(bitPattern: first))
  }

  /// Sends frames until all wanted frames are sent or the socket is full.
  func pump() {
    while next < wanted {
      let end = min(next + Int64(packetFrames), wanted)
      guard send(next..<end) else { return }
      next = end
    }
  }

  private func append(_ sample: Int16, to packet: inout [UInt8]) {
    switch format.samples {
    case .s16: packet += little(sample)
    case .s32: packet += little(Int32(sample) << 16 | 0x1200)
    case .f32: packet += little((Float(sample) / 65536).bitPattern)
    }
  }

  /// The four bytes of a sample after decoding.
  static func decoded(_ frame: Int64, _ channel: Int, _ samples: AppStreamFormat.Samples) -> UInt32
  {
    let sample = sample(frame, channel)
    return switch samples {
    case .s16: UInt32(bitPattern: Int32(sample) << 16)
    case .s32: UInt32(bitPattern: Int32(sample) << 16 | 0x1200)
    case .f32: (Float(sample) / 65536).bitPattern
    }
  }

  /// The number of the frame with these samples after decoding. Any number if no frame has these samples.
  static func frame(_ left: UInt32, _ right: UInt32, _ samples: AppStreamFormat.Samples) -> Int64 {
    let words = [left, right].map { sample in
      samples == .f32
        ? Int64(exactly: Float(bitPattern: sample) * 65536) ?? 0 : Int64(sample >> 16)
    }
    return words[0] | (words[1] & 0x3FFF) << 15
  }

  /// The left channel has the lower 15 bits of the number, the right channel the rest.
  private static func sample(_ frame: Int64, _ channel: Int) -> Int16 {
    Int16(truncatingIfNeeded: channel == 0 ? frame & 0x7FFF : (frame >> 15 & 0x3FFF) | 0x4000)
  }

  private func little(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian, Array.init)
  }
}
