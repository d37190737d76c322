import CPango
import NowPlaying
import ScreenLayout
import ScreenSamples
import Testing

@testable import ScreenPainter

/// The pixels of a picture, for comparison. Each pixel has the bytes blue, green and red.
struct PixelBuffer: Equatable {
  let width: Int
  let height: Int
  var bytes: [UInt8]

  init(_ surface: Surface) {
    width = surface.width
    height = surface.height
    bytes = surface.withBytes { source, stride in
      [UInt8](unsafeUninitializedCapacity: surface.width * surface.height * 3) { target, count in
        count = target.count
        // `while` loops and operators without overflow checks are fast in a debug build too.
        var at = 0
        for y in 0..<surface.height {
          var from = y &* stride
          let end = from &+ surface.width &* 4
          while from < end {
            target[at] = source[from]
            target[at &+ 1] = source[from &+ 1]
            target[at &+ 2] = source[from &+ 2]
            at = at &+ 3
            from = from &+ 4
          }
        }
      }
    }
  }

  /// The pixels at which a channel differs by more than `tolerance`.
  func differences(from other: PixelBuffer, over tolerance: Int) -> [PixelPoint] {
    var result: [PixelPoint] = []
    var index = 0
    while index < min(bytes.count, other.bytes.count) {
      if abs(Int(bytes[index]) &- Int(other.bytes[index])) > tolerance {
        result.append(PixelPoint(x: index / 3 % width, y: index / 3 / width))
      }
      index = index &+ 1
    }
    return result
  }

  /// The mean of the differences of all channels.
  func meanDifference(from other: PixelBuffer) -> Double {
    var sum = 0
    for index in 0..<min(bytes.count, other.bytes.count) {
      sum &+= abs(Int(bytes[index]) &- Int(other.bytes[index]))
    }
    return Double(sum) / Double(max(bytes.count, 1))
  }
}

extension Surface {
  /// Reads a PNG file with Cairo.
  convenience init(pngFile path: String) throws {
    let read = try #require(cairo_image_surface_create_from_png(path))
    defer { cairo_surface_destroy(read) }
    try #require(cairo_surface_status(read) == CAIRO_STATUS_SUCCESS, "\(path)")
    let width = Int(cairo_image_surface_get_width(read))
    let height = Int(cairo_image_surface_get_height(read))
    self.init(.opaque, width: width, height: height)
    draw { context in
      cairo_set_source_surface(context.cairo, read, 0, 0)
      cairo_paint(context.cairo)
    }
  }

  /// A copy with a quarter of the width and height. Each of its pixels is the mean of sixteen pixels. In the copy,
  /// another version of a font changes little, but missing or moved parts are visible.
  func quartered() -> Surface {
    let small = Surface(.opaque, width: width / 4, height: height / 4)
    withBytes { source, sourceStride in
      small.withBytes { target, stride in
        for y in 0..<small.height {
          for x in 0..<small.width {
            for channel in 0..<3 {
              var sum = 0
              for index in 0..<16 {
                sum += Int(
                  source[(y * 4 + index / 4) * sourceStride + (x * 4 + index % 4) * 4 + channel])
              }
              target[y * stride + x * 4 + channel] = UInt8((sum + 8) / 16)
            }
          }
        }
      }
    }
    return small
  }
}

extension SampleScene {
  /// Paints the sample with its covers.
  func painted(_ change: (inout ScreenContext) -> Void = { _ in }) -> (Painter, Scene) {
    var context = context
    change(&context)
    let painter = Painter(
      size: context.panel.size, fonts: FontFamilies(language: context.language.description))
    let scene = scene(on: painter, context)
    painter.show(scene)
    return (painter, scene)
  }

  /// Gives the covers of the sample to a painter, and returns the scene for this painter.
  func scene(on painter: Painter, _ context: ScreenContext? = nil) -> Scene {
    var context = context ?? self.context
    for cover in covers where painter.pictures.colors(of: cover.rawValue) == nil {
      let image = SampleCovers.images[cover]!  // `images` contains all covers.
      painter.pictures.set(image, for: cover.rawValue)
      painter.pictures.setThumbnail(image, for: cover.rawValue)
    }
    context.colors = cover.flatMap { painter.pictures.colors(of: $0.rawValue) } ?? .neutral
    return NowPlayingLayout.scene(state, context, measure: painter.shaper)
  }
}

/// The pictures of all sample covers. The pictures are painted once for all tests. They are small, because a debug
/// build paints slowly.
enum SampleCovers {
  static let images = Dictionary(
    uniqueKeysWithValues: SampleCover.allCases.map { ($0, $0.image(side: 48)) })
}
