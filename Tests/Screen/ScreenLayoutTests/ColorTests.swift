import Foundation
import ScreenLayout
import Testing

@Suite struct ColorTests {
  @Test func luminanceAndContrast_followWCAG() {
    #expect(RGB.white.contrast(with: .black) == 21)
    #expect(abs(RGB(0x777777).contrast(with: .white) - 4.478) < 0.001)
    for byte in 0...255 {
      let value = Double(byte) / 255
      let expected = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      #expect(abs(RGB(value, value, value).luminance - expected) < 1e-9)
    }
  }

  @Test func lightnessChromaHue_areReversible() {
    for degrees in stride(from: 0.0, to: 360, by: 7) {
      let hue = degrees * .pi / 180
      let color = OKLab(lightness: 0.6, chroma: 0.1, hue: hue)
      #expect(abs(color.a - 0.1 * cos(hue)) < 1e-9)
      #expect(abs(color.b - 0.1 * sin(hue)) < 1e-9)
    }
  }

  @Test func cover_givesGroundGlowAndAccent() {
    // A blue cover with a red corner.
    let sample =
      Array(repeating: RGB(0x1030A0), count: 80) + Array(repeating: RGB(0xE02020), count: 20)
    let night = Palette(CoverColors(sample: sample), .night)
    #expect(night.groundStart.b < 0, "blue")
    #expect(night.glow.a > 0, "red")
    let accent = night[.accent].rgb
    #expect(accent.red > accent.blue)
  }

  @Test func paperWhite_isIgnored() {
    let sample =
      Array(repeating: RGB(0xF8F6F2), count: 70) + Array(repeating: RGB(0x107040), count: 30)
    #expect(Palette(CoverColors(sample: sample), .night).groundStart.a < -0.01, "green, not white")
  }

  @Test func emptyAndGreyCovers_haveNoHue() {
    #expect(CoverColors(sample: []) == .neutral)
    let grey = Palette(CoverColors(sample: [RGB(0x808080)]), .day)
    let accent = grey[.accent].rgb
    #expect(abs(accent.red - accent.blue) < 0.02)
  }

  @Test func warmCovers_haveLowChroma_andSimilarHuesSimilarGrounds() {
    var last: OKLab?
    for degrees in stride(from: 0.0, through: 360, by: 1) {
      let cover = OKLab(lightness: 0.6, chroma: 0.15, hue: degrees * .pi / 180).rgb
      let ground = Palette(CoverColors(sample: [cover]), .night).groundStart
      if (55.0...110).contains(degrees) {
        #expect((ground.a * ground.a + ground.b * ground.b).squareRoot() < 0.045, "\(degrees)°")
      }
      if let last {
        let distance = hypot(ground.a - last.a, ground.b - last.b)
        #expect(distance < 0.012, "\(degrees)°: a jump of \(distance)")
      }
      last = ground
    }
  }
}
