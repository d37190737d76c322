public import Control
public import NowPlaying

/// What is heard from a frame of a stream on.
public struct StreamItem {
  /// The content. Nil if the content stays as it is.
  public var content: (any MediaContentRepresentable)?
  /// The position in the content, with advertisements.
  public var time: Duration
  /// How fast the content advances while its frames are heard at the normal speed. Above 0, at most ``maximumRate``.
  public var rate: Double
  /// The normal rate. Above 0, at most ``maximumRate``.
  public var defaultRate: Double

  public init(
    _ content: (any MediaContentRepresentable)?, time: Duration = .zero, rate: Double = 1,
    defaultRate: Double = 1
  ) {
    self.content = content
    self.time = time
    self.rate = rate
    self.defaultRate = defaultRate
  }

  /// The highest rate.
  public static let maximumRate = 100.0

  /// The same item with values that the unit takes.
  var valid: StreamItem {
    var item = self
    item.time = min(max(time, .zero), .nanoseconds(Int64.max))
    if !(rate > 0) { item.rate = 1 }
    if !(defaultRate > 0) { item.defaultRate = 1 }
    item.rate = min(item.rate, Self.maximumRate)
    item.defaultRate = min(item.defaultRate, Self.maximumRate)
    return item
  }
}

extension MediaContent {
  /// A kind of content that the unit does not know becomes generic content.
  init(_ content: any MediaContentRepresentable) {
    switch content {
    case let content as MusicContent: self = .music(content)
    case let content as RadioContent: self = .radio(content)
    case let content as GenericContent: self = .generic(content)
    default:
      let lines = content.lines(for: .undefined)
      var generic = GenericContent(
        id: content.id, title: lines.title ?? "", subtitle: lines.subtitle, type: content.type,
        duration: content.duration, artwork: content.artwork)
      generic.adTimeRanges = content.adTimeRanges
      generic.isPlaceholder = content.isPlaceholder
      generic.collectionID = content.collectionID
      generic.isExplicit = content.isExplicit
      self = .generic(generic)
    }
  }
}

/// A sample of a frame: `Int16`, `Int32` (24 bits, left-justified) or `Float`.
public protocol SoundSample: BitwiseCopyable {
  /// The format whose frames have these samples.
  static var samples: SoundFormat.Samples { get }
}

extension Int16: SoundSample {
  /// 16 bits.
  public static var samples: SoundFormat.Samples { .s16 }
}

extension Int32: SoundSample {
  /// 32 bits.
  public static var samples: SoundFormat.Samples { .s32 }
}

extension Float: SoundSample {
  /// Floating point.
  public static var samples: SoundFormat.Samples { .f32 }
}
