internal import CALSA
internal import Glibc

/// A deep buffer that is rewritten: its numbers, and the descriptors that wake the output thread.
struct DeepBuffer {
  let bufferFrames: Int
  /// Number of frames that are written together.
  let writeFrames: Int
  let rate: Int
  /// Frames that the device plays within this number of frames are not taken back.
  var safeguard: Int
  /// One eventfd of the output thread, which ``ALSASink`` sets before it waits, and the descriptors of the PCM.
  let descriptors: UnsafeMutablePointer<pollfd>
  let descriptorCount: Int
  /// The memory of `snd_pcm_status`.
  let status: OpaquePointer

  init(pcm: OpaquePointer, bufferFrames: Int, rate: Int, step: Int) {
    self.bufferFrames = bufferFrames
    self.rate = rate
    writeFrames = min(4096, max(64, bufferFrames / 16))
    // The step is half as large again, because a larger one may come. 1.33 ms are for frames that the card has read in
    // advance (the value of PulseAudio).
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
