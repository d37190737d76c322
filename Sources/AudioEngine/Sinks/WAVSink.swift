public import AudioCodecs
internal import Glibc

/// Writes WAV files as fast as it can, bit for bit what was decoded: for checking.
///
/// A WAV file has one format. When the format changes, a further file is begun (`out.wav`, then
/// `out-2.wav`), as converting would defeat the purpose. Vorbis, which has no bits of its own, is
/// written with 16.
public final class WAVSink: AudioSink, @unchecked Sendable {
  /// One write of the file: 64 KB of CD sound.
  private static let periodFrames = 16384

  private let path: String
  private let wake: WakeUp
  private var fileCount = 0
  private var descriptor: Int32 = -1
  private var layout = WAVLayout(StreamFormat(sampleRate: 1, layout: .mono, encoding: .float))
  private var dataBytes: Int64 = 0
  private var buffer = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)

  /// - Parameters:
  ///   - path: of the first file; an existing one is replaced.
  ///   - wake: see ``attach(_:)``.
  public init(path: String) {
    self.path = path
    wake = WakeUp()
  }

  deinit { buffer.deallocate() }

  /// See ``AudioSink/name``.
  public var name: String { "wav:\(path)" }

  /// Signalled by the engine when there are frames; this sink has no other clock.
  public var dataWake: WakeUp? { wake }

  /// A file goes on only for frames that look the same in it.
  public func accepts(_ format: StreamFormat, openedFor opened: StreamFormat) -> Bool {
    WAVLayout(format) == WAVLayout(opened)
  }

  /// Begins the next file.
  public func open(_ wanted: StreamFormat) throws(SinkError) -> DeviceFormat {
    layout = WAVLayout(wanted)
    fileCount += 1
    let file = fileCount == 1 ? path : numbered(path, fileCount)
    descriptor = Glibc.open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw SinkError("\(file): \(systemWords(errno))") }
    dataBytes = 0
    let header = layout.header(dataBytes: 0)
    guard write(header) else { throw SinkError("\(file): \(systemWords(errno))") }
    let format = DeviceFormat(
      sampleRate: wanted.sampleRate, layout: wanted.layout, samples: layout.samples,
      periodFrames: Self.periodFrames, bufferFrames: Self.periodFrames)
    buffer.deallocate()
    buffer = .allocate(byteCount: Self.periodFrames * format.frameBytes, alignment: 16)
    return format
  }

  /// See ``AudioSink/run(_:)``. A file has no deadline, so nothing here is real-time.
  public func run(_ renderer: Renderer) -> SinkExit {
    while true {
      let count = renderer.render(into: buffer, frames: Self.periodFrames, pads: false)
      if count > 0 {
        let bytes = layout.pack(buffer, frames: count)
        guard write(UnsafeRawBufferPointer(start: buffer, count: bytes)) else {
          return .failed(errno)
        }
        dataBytes += Int64(bytes)
      }
      renderer.handedOver(deviceDelay: 0)
      if renderer.mustLeave { return .left }
      if count == 0 { renderer.waitForFrames(wake) }
    }
  }

  /// Completes the file's header.
  public func close(draining: Bool) {
    guard descriptor >= 0 else { return }
    if dataBytes & 1 == 1 { _ = write([0]) }
    if lseek(descriptor, 0, SEEK_SET) == 0 { _ = write(layout.header(dataBytes: dataBytes)) }
    _ = Glibc.close(descriptor)
    descriptor = -1
  }

  private func write(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { write($0) } }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = Glibc.write(
        descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if written < 0 {
        if errno == EINTR { continue }
        return false
      }
      rest = rest.dropFirst(written)
    }
    return true
  }

  private func numbered(_ path: String, _ number: Int) -> String {
    path.hasSuffix(".wav") ? "\(path.dropLast(4))-\(number).wav" : "\(path)-\(number)"
  }
}

/// How frames look in a WAV file: integers of whole bytes, left-justified (as `flac -d` writes
/// them), channels in the order of the mask.
struct WAVLayout: Equatable {
  private let sampleRate: Int
  private let channels: ChannelLayout
  /// Bits that mean something.
  private let bits: Int
  /// Bytes of one sample in the file.
  private let sampleBytes: Int

  init(_ format: StreamFormat) {
    sampleRate = format.sampleRate
    channels = format.layout
    if case .integer(let bits) = format.encoding { self.bits = bits } else { bits = 16 }
    sampleBytes = (bits + 7) / 8
  }

  /// What the renderer makes, before `pack`.
  var samples: DeviceSamples {
    switch sampleBytes {
    case 1, 2: .s16
    case 3: .s24Packed
    default: .s32
    }
  }

  /// Rearranges rendered frames in place; returns their bytes in the file.
  func pack(_ buffer: UnsafeMutableRawPointer, frames: Int) -> Int {
    let count = channels.count
    let rendered = samples.bytes
    let order = channels.waveOrdered.permutation(from: channels)
    if order != Array(0..<count) {
      withUnsafeTemporaryAllocation(byteCount: count * rendered, alignment: 4) { frame in
        for index in 0..<frames {
          let start = buffer + index * count * rendered
          frame.baseAddress!.copyMemory(from: start, byteCount: count * rendered)
          for (to, from) in order.enumerated() {
            (start + to * rendered).copyMemory(
              from: frame.baseAddress! + from * rendered, byteCount: rendered)
          }
        }
      }
    }
    if sampleBytes == 1 {
      // WAV's 8-bit samples are unsigned.
      let from = buffer.assumingMemoryBound(to: Int16.self)
      for index in 0..<frames * count {
        let sample = UInt8(truncatingIfNeeded: from[index] >> 8) ^ 0x80
        buffer.storeBytes(of: sample, toByteOffset: index, as: UInt8.self)
      }
    }
    return frames * count * sampleBytes
  }

  /// RIFF header; extensible where plain PCM cannot say what the frames are. A size that does
  /// not fit in 32 bits is written as the largest, which readers take for "to the end".
  func header(dataBytes: Int64) -> [UInt8] {
    let isExtensible = channels.count > 2 || bits != sampleBytes * 8 || bits > 16
    let formatBytes = isExtensible ? 40 : 16
    let padded = dataBytes + dataBytes & 1
    var out: [UInt8] = []
    func text(_ text: StaticString) { text.withUTF8Buffer { out += $0 } }
    func number32(_ value: Int64) {
      let value = UInt32(clamping: value)
      out += (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    func number16(_ value: Int) {
      out += (0..<2).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    let frameBytes = channels.count * sampleBytes
    text("RIFF")
    number32(4 + 8 + Int64(formatBytes) + 8 + padded)
    text("WAVEfmt ")
    number32(Int64(formatBytes))
    number16(isExtensible ? 0xFFFE : 1)
    number16(channels.count)
    number32(Int64(sampleRate))
    number32(Int64(sampleRate) * Int64(frameBytes))
    number16(frameBytes)
    number16(sampleBytes * 8)
    if isExtensible {
      number16(22)
      number16(bits)
      number32(Int64(channels == .mono ? 4 : channels.waveMask))
      // KSDATAFORMAT_SUBTYPE_PCM.
      out += [1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    text("data")
    number32(dataBytes)
    return out
  }
}
