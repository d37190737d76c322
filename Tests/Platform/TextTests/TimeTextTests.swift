import Testing

@testable import Text

@Suite struct TimeTextTests {
  @Test(
    arguments: [
      (0.0, "0:00"), (0.999, "0:00"), (5, "0:05"), (59.999, "0:59"), (60, "1:00"), (83.4, "1:23"),
      (599, "9:59"), (3599, "59:59"), (3600, "1:00:00"), (3723.5, "1:02:03"),
      (360_000, "100:00:00"), (-1, "0:00"), (-0.0, "0:00"), (.nan, "0:00"),
      (.infinity, "277777777777:46:40"),
    ] as [(Double, String)])
  func clock(_ seconds: Double, _ text: String) {
    #expect(TimeText.clock(seconds) == text)
  }

  @Test(arguments: [
    (1, "1 Hz"), (999, "999 Hz"), (1000, "1 kHz"), (8000, "8 kHz"), (11_025, "11.025 kHz"),
    (22_050, "22.05 kHz"), (35_467, "35.467 kHz"), (44_100, "44.1 kHz"), (96_000, "96 kHz"),
    (352_800, "352.8 kHz"), (655_350, "655.35 kHz"), (1_000_001, "1000.001 kHz"),
  ])
  func kilohertz(_ hertz: Int, _ text: String) {
    #expect(TimeText.kilohertz(hertz) == text)
  }

  @Test(
    arguments: [
      (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (1550, "1.6 kB"),
      (9949, "9.9 kB"), (9950, "10 kB"), (348_120, "348 kB"), (999_499, "999 kB"),
      (999_500, "1.0 MB"), (1_234_567, "1.2 MB"), (4_000_000_000, "4.0 GB"),
      (2_500_000_000_000, "2.5 TB"), (Int64.max, "9223372 TB"),
    ] as [(Int64, String)])
  func bytes(_ count: Int64, _ text: String) {
    #expect(TimeText.bytes(count) == text)
  }

  @Test(
    arguments: [
      (0.0, "0.0 dB"), (-0.0, "0.0 dB"), (-3.5, "−3.5 dB"), (2, "+2.0 dB"), (-0.04, "0.0 dB"),
      (0.96, "+1.0 dB"), (-60, "−60.0 dB"), (-.infinity, "−∞ dB"), (.infinity, "+∞ dB"),
      (.nan, "? dB"),
    ] as [(Double, String)])
  func decibels(_ value: Double, _ text: String) {
    #expect(TimeText.decibels(value) == text)
  }

  @Test func decibels_decimals() {
    #expect(TimeText.decibels(-7.42, decimals: 2) == "−7.42 dB")
    #expect(TimeText.decibels(-7.05, decimals: 2) == "−7.05 dB")
    #expect(TimeText.decibels(12, decimals: 0) == "+12 dB")
  }
}
