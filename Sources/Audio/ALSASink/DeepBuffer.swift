internal import CALSA
internal import Glibc

/// The sizes of a deep buffer that is rewritten, and the descriptors that wake the output thread.
struct DeepBuffer {
  let bufferFrames: Int
  /// The largest number of frames that are written with one call.
  let writeFrames: Int
  let rate: Int
  /// The number of frames that the device plays next and that are not taken back, because the device can already have
  /// read these frames.
  var safeguard: Int
  /// First the eventfd of the output thread, which ``ALSASink`` sets at the start of its loop; then the descriptors of
  /// the PCM.
  let descriptors: UnsafeMutablePointer<pollfd>
  let descriptorCount: Int
  /// Memory for the result of `snd_pcm_status`.
  let status: OpaquePointer

  init(pcm: OpaquePointer, bufferFrames: Int, rate: Int, step: Int) {
    self.bufferFrames = bufferFrames
    self.rate = rate
    writeFrames = min(4096, max(64, bufferFrames / 16))
    // The safeguard is 1.5 times the measured step, because the device can make a larger step later. The 1.33 ms are
    // added for frames that the card has read in advance (the value of PulseAudio).
    safeguard = step * 3 / 2 + rate * 133 / 100_000
    let count = max(0, Int(snd_pcm_poll_descriptors_count(pcm)))
    descriptorCount = count + 1
    descriptors = .allocate(capacity: count + 1)
    descriptors.initialize(repeating: pollfd(), count: count + 1)
    descriptors[0].events = Int16(POLLIN)
    snd_pcm_poll_descriptors(pcm, descriptors + 1, UInt32(count))
    status = OpaquePointer(
      UnsafeMutableRawPointer.allocate(byteCount: snd_pcm_status_sizeof(), alignment: 16))
  }

  func deallocate() {
    descriptors.deallocate()
    UnsafeMutableRawPointer(status).deallocate()
  }
}
