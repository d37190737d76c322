internal import Glibc

/// The linear gain for a gain in decibels. 0 dB gives exactly 1, so that no sample changes.
public func linearGain(decibels: Double) -> Float {
  decibels == 0 ? 1 : Float(pow(10, decibels / 20))
}
