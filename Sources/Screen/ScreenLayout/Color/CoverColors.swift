/// The main colours of a cover: the dominant colour, which colours the background of the screen, a second colour, and
/// an accent that stands out.
public struct CoverColors: Hashable, Sendable {
  /// The side of a square sample, in pixels. A sample of this size is large enough to find the colours.
  public static let sampleSide = 24

  let dominant: OKLab
  let second: OKLab
  let accent: OKLab

  /// The colours that are used before a cover is known: a slate blue.
  public static let neutral = CoverColors(
    dominant: OKLab(lightness: 0.4, chroma: 0.03, hue: 4.5),
    second: OKLab(lightness: 0.4, chroma: 0.03, hue: 4.5),
    accent: OKLab(lightness: 0.7, chroma: 0.07, hue: 4.2))

  private init(dominant: OKLab, second: OKLab, accent: OKLab) {
    self.dominant = dominant
    self.second = second
    self.accent = accent
  }

  /// Sorts the pixels of `sample` into twelve bins of hues and one bin for pixels without a hue. Chooses the colours
  /// from the means of these bins. `sample` can have any number of pixels. A cover that is reduced to 24 × 24 pixels is
  /// enough. An empty sample gives ``neutral``.
  public init(sample: [RGB]) {
    let bins = Self.bins(sample)
    guard let ground = bins.first else {
      self = .neutral
      return
    }
    dominant = ground.mean
    let others = bins.dropFirst().first {
      $0.share > 0.04 && $0.mean.chroma > 0.03
        && Angle.between($0.mean.hue, ground.mean.hue) > 0.35
    }
    second = others?.mean ?? ground.mean
    accent = bins.max { $0.shine < $1.shine }?.mean ?? ground.mean
  }

  private struct Bin {
    var count = 0.0
    var sum = OKLab(0, 0, 0)
    var chromaSum = 0.0
    var share = 0.0

    var mean: OKLab { OKLab(sum.lightness / count, sum.a / count, sum.b / count) }
    var meanChroma: Double { chromaSum / count }
    /// The bin with the highest weight gives the dominant colour. White has a lower weight, because it is usually the
    /// paper of the cover and not a part of the picture.
    var weight: Double {
      share * (0.35 + 1.5 * meanChroma) * (mean.lightness > 0.86 ? 0.35 : 1)
    }
    /// The bin with the highest value gives the accent. Even a small spot can have the highest value.
    var shine: Double {
      let isUseful = mean.lightness > 0.35 && mean.lightness < 0.92
      return min(share, 0.25).squareRoot() * meanChroma * (isUseful ? 1 : 0.5)
    }
  }

  private static func bins(_ sample: [RGB]) -> [Bin] {
    var bins = [Bin](repeating: Bin(), count: 13)
    for pixel in sample {
      let color = OKLab(pixel)
      let chroma = color.chroma
      let index = chroma < 0.03 ? 12 : min(11, Int(color.hue / Angle.turn * 12))
      bins[index].count += 1
      bins[index].chromaSum += chroma
      bins[index].sum = OKLab(
        bins[index].sum.lightness + color.lightness, bins[index].sum.a + color.a,
        bins[index].sum.b + color.b)
    }
    for index in bins.indices { bins[index].share = bins[index].count / Double(sample.count) }
    // The order is stable. Of two bins with equal weight, the bin with the smaller hue comes first.
    return bins.enumerated().filter { $0.element.count > 0 }
      .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
      .map(\.element)
  }
}
