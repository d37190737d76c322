/// The format of a stream of frames: its rate, its channels and the resolution of its samples.
///
/// Decoded samples always have four bytes each and are interleaved, with the channels in ALSA's order. The type is
/// `Int32`, left-justified (a 16-bit sample is in the upper 16 bits), or `Float`.
public struct StreamFormat: Equatable, Sendable {
  /// Frames per second, 1 … 4 294 967 295 Hz.
  public var sampleRate: Int
  /// The loudspeaker of each channel, in ALSA's order.
  public var layout: ChannelLayout
  /// The resolution of the samples.
  public var encoding: SampleEncoding

  /// Creates a format.
  public init(sampleRate: Int, layout: ChannelLayout, encoding: SampleEncoding) {
    self.sampleRate = sampleRate
    self.layout = layout
    self.encoding = encoding
  }

  /// Samples per frame.
  public var channels: Int { layout.count }
}

/// The coding of a sample, and the number of its significant bits.
public enum SampleEncoding: Equatable, Sendable {
  /// Two's complement with `bits` significant bits (4 … 32), left-justified in an `Int32`.
  case integer(bits: Int)
  /// IEEE 754 binary32. Full scale is ±1. The output of a decoder can exceed full scale.
  case float
}

/// A loudspeaker. The raw value is its bit in WAVEFORMATEXTENSIBLE's channel mask. FLAC and WAV interleave channels in
/// the order of these bits.
public enum ChannelPosition: Int, Equatable, Sendable, CaseIterable {
  /// In front of the listeners, on their left.
  case frontLeft = 0
  /// In front of the listeners, on their right.
  case frontRight = 1
  /// In front of the listeners, in the middle. Mono has only this channel.
  case frontCenter = 2
  /// The subwoofer, at any position. It plays effects below about 120 Hz, not the bass of the other channels.
  case lowFrequency = 3
  /// Behind the listeners, on their left. In 5.1 and quadro, this is the left surround channel.
  case rearLeft = 4
  /// Behind the listeners, on their right. In 5.1 and quadro, this is the right surround channel.
  case rearRight = 5
  /// Between ``frontLeft`` and ``frontCenter``.
  case frontLeftOfCenter = 6
  /// Between ``frontRight`` and ``frontCenter``.
  case frontRightOfCenter = 7
  /// Behind the listeners, in the middle.
  case rearCenter = 8
  /// Beside the listeners, on their left.
  case sideLeft = 9
  /// Beside the listeners, on their right.
  case sideRight = 10

  /// ALSA's name, as in `speaker-test -m` and `snd_pcm_chmap_print`.
  public var alsaName: String {
    switch self {
    case .frontLeft: "FL"
    case .frontRight: "FR"
    case .frontCenter: "FC"
    case .lowFrequency: "LFE"
    case .rearLeft: "RL"
    case .rearRight: "RR"
    case .frontLeftOfCenter: "FLC"
    case .frontRightOfCenter: "FRC"
    case .rearCenter: "RC"
    case .sideLeft: "SL"
    case .sideRight: "SR"
    }
  }

  /// Rank in ALSA's standard maps (`snd_pcm_std_chmaps` of the kernel): FL FR RL RR FC LFE SL SR. Loudspeakers that
  /// these maps do not contain come last.
  fileprivate var alsaRank: Int {
    switch self {
    case .frontLeft: 0
    case .frontRight: 1
    case .rearLeft: 2
    case .rearRight: 3
    case .frontCenter: 4
    case .lowFrequency: 5
    case .sideLeft: 6
    case .sideRight: 7
    case .rearCenter: 8
    case .frontLeftOfCenter: 9
    case .frontRightOfCenter: 10
    }
  }
}

/// The loudspeakers of one frame, in the order of its samples.
public struct ChannelLayout: Equatable, Sendable {
  /// One position per channel. Mono is a single ``ChannelPosition/frontCenter``.
  public let positions: [ChannelPosition]

  /// Samples per frame, 1 … 8.
  public var count: Int { positions.count }

  /// Creates a layout from 1 … 8 different positions, in the given order.
  public init(_ positions: [ChannelPosition]) {
    precondition((1...8).contains(positions.count) && Set(positions).count == positions.count)
    self.positions = positions
  }

  /// One channel.
  public static let mono = ChannelLayout([.frontCenter])
  /// Left and right.
  public static let stereo = ChannelLayout([.frontLeft, .frontRight])

  /// The same loudspeakers in ALSA's order.
  public var alsaOrdered: ChannelLayout {
    ChannelLayout(positions.sorted { $0.alsaRank < $1.alsaRank })
  }

  /// The same loudspeakers in the order of WAV and FLAC.
  public var waveOrdered: ChannelLayout {
    ChannelLayout(positions.sorted { $0.rawValue < $1.rawValue })
  }

  /// WAVEFORMATEXTENSIBLE's dwChannelMask.
  public var waveMask: UInt32 {
    positions.reduce(0) { $0 | 1 << UInt32($1.rawValue) }
  }

  /// For each channel of `self`, the index of the same loudspeaker in `other`. Both layouts must contain the same
  /// loudspeakers.
  public func permutation(from other: ChannelLayout) -> [Int] {
    positions.map { position in
      guard let index = other.positions.firstIndex(of: position) else {
        preconditionFailure("the layouts have different loudspeakers")
      }
      return index
    }
  }

  /// The name of the layout: `mono`, `stereo`, `5.1` and so on.
  public var name: String {
    switch positions.count {
    case 1: return "mono"
    case 2: return "stereo"
    default:
      let low = positions.contains(.lowFrequency) ? 1 : 0
      return "\(positions.count - low).\(low)"
    }
  }

  /// The layout that RFC 9639, section 9.1.3 (channels bits of the frame header), defines for this number of channels.
  static func flac(channels: Int) -> ChannelLayout {
    switch channels {
    case 1: .mono
    case 2: .stereo
    case 3: ChannelLayout([.frontLeft, .frontRight, .frontCenter])
    case 4: ChannelLayout([.frontLeft, .frontRight, .rearLeft, .rearRight])
    case 5: ChannelLayout([.frontLeft, .frontRight, .frontCenter, .rearLeft, .rearRight])
    case 6:
      ChannelLayout([
        .frontLeft, .frontRight, .frontCenter, .lowFrequency, .rearLeft, .rearRight,
      ])
    case 7:
      ChannelLayout([
        .frontLeft, .frontRight, .frontCenter, .lowFrequency, .rearCenter, .sideLeft, .sideRight,
      ])
    default:
      ChannelLayout([
        .frontLeft, .frontRight, .frontCenter, .lowFrequency, .rearLeft, .rearRight, .sideLeft,
        .sideRight,
      ])
    }
  }

  /// The layout that the tag WAVEFORMATEXTENSIBLE_CHANNEL_MASK states (RFC 9639, section 8.6.2). It is used instead of
  /// ``flac(channels:)``. Nil if `mask` does not contain exactly `channels` bits, or contains an unknown bit.
  static func flac(mask: UInt32, channels: Int) -> ChannelLayout? {
    let positions = ChannelPosition.allCases.filter { mask & (1 << UInt32($0.rawValue)) != 0 }
    guard positions.count == channels, mask.nonzeroBitCount == channels else { return nil }
    return ChannelLayout(positions)
  }

  /// The layout that the Vorbis I specification, section 4.3.9, defines for this number of channels.
  static func vorbis(channels: Int) -> ChannelLayout {
    switch channels {
    case 1: .mono
    case 2: .stereo
    case 3: ChannelLayout([.frontLeft, .frontCenter, .frontRight])
    case 4: ChannelLayout([.frontLeft, .frontRight, .rearLeft, .rearRight])
    case 5: ChannelLayout([.frontLeft, .frontCenter, .frontRight, .rearLeft, .rearRight])
    case 6:
      ChannelLayout([
        .frontLeft, .frontCenter, .frontRight, .rearLeft, .rearRight, .lowFrequency,
      ])
    case 7:
      ChannelLayout([
        .frontLeft, .frontCenter, .frontRight, .sideLeft, .sideRight, .rearCenter, .lowFrequency,
      ])
    default:
      ChannelLayout([
        .frontLeft, .frontCenter, .frontRight, .sideLeft, .sideRight, .rearLeft, .rearRight,
        .lowFrequency,
      ])
    }
  }
}

extension StreamFormat {
  /// The format as text for messages, for example `44100 Hz, 16 bits, 2 channels`.
  var summary: String {
    switch encoding {
    case .integer(let bits): "\(sampleRate) Hz, \(bits) bits, \(channels) channels"
    case .float: "\(sampleRate) Hz, \(channels) channels"
    }
  }
}
