public import AudioCodecs
public import AudioEngine

/// A sink that a test steps by hand and that keeps what it was given.
///
/// Not thread-safe: a test owns it.
public final class CapturingSink: AudioSink, @unchecked Sendable {
  /// One setting up of the device, and the frames that followed.
  public struct Take {
    /// What was asked for.
    public let wanted: StreamFormat
    /// What was answered.
    public let device: DeviceFormat
    /// Bytes in the device's format.
    public var bytes: [UInt8] = []

    /// The frames as 16-bit samples.
    public var samples16: [Int16] { bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) } }
    /// The frames as 32-bit samples.
    public var samples32: [Int32] { bytes.withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) } }
  }

  /// Every setting up so far.
  public private(set) var takes: [Take] = []
  /// Frames that the next run takes before it returns.
  public var budget = 0
  /// Fill up with silence, as a sound card must.
  public var pads = false
  /// What the device says it still holds, in frames.
  public var deviceDelay = 0
  /// How often the device was closed.
  public private(set) var closeCount = 0
  /// Failures for the next calls of `open`.
  public var openFailures: [SinkError] = []
  /// How the next run ends, where not by itself.
  public var runFailure: Int32?
  /// Turns what is wanted into what the device does.
  public var device: (StreamFormat) -> DeviceFormat

  private static let periodFrames = 64

  /// A device that takes anything as `samples`.
  public init(samples: DeviceSamples = .s32) {
    device = { wanted in
      DeviceFormat(
        sampleRate: wanted.sampleRate, layout: wanted.layout, samples: samples, periodFrames: 64,
        bufferFrames: 128)
    }
  }

  /// See ``AudioSink/name``.
  public var name: String { "capture" }

  /// See ``AudioSink/open(_:)``.
  public func open(_ wanted: StreamFormat) throws(SinkError) -> DeviceFormat {
    if !openFailures.isEmpty { throw openFailures.removeFirst() }
    let format = device(wanted)
    takes.append(Take(wanted: wanted, device: format))
    return format
  }

  /// Takes at most `budget` frames, and stops early where nothing is there.
  public func run(_ renderer: Renderer) -> SinkExit {
    if let code = runFailure {
      runFailure = nil
      return .failed(code)
    }
    guard let last = takes.indices.last else { return .left }
    let frameBytes = takes[last].device.frameBytes
    var buffer = [UInt8](repeating: 0, count: Self.periodFrames * frameBytes)
    while budget > 0, !renderer.mustLeave {
      let wanted = min(budget, Self.periodFrames)
      var count = 0
      let (pads, delay) = (pads, deviceDelay)
      buffer.withUnsafeMutableBytes { memory in
        let out = memory.baseAddress!
        // What a sound card's sink does in its loop, and nothing of what a test adds.
        RealTimeSection.run {
          count = renderer.render(into: out, frames: wanted, pads: pads)
          renderer.handedOver(deviceDelay: delay)
        }
      }
      takes[last].bytes += buffer[..<(count * frameBytes)]
      budget -= count
      if count < wanted { break }
    }
    return .left
  }

  /// Counts.
  public func close(draining: Bool) { closeCount += 1 }
}
