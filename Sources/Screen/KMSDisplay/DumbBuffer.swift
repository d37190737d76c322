internal import CDRM
internal import Glibc
internal import ScreenDisplay
internal import ScreenLayout

/// A dumb buffer: memory that the graphics card can show and into which the processor draws. No GPU is needed.
final class DumbBuffer {
  let memory: Framebuffer
  /// The kernel's identifier of the DRM framebuffer of this memory.
  let framebuffer: UInt32
  /// The region in which this buffer is older than the newest picture.
  var outdated: Region

  private let card: Card
  private let handle: UInt32
  private let byteCount: Int

  /// Creates a black buffer.
  init(_ size: PixelSize, on card: Card) throws(KMSError) {
    var handle: UInt32 = 0
    var stride: UInt32 = 0
    var bytes: UInt64 = 0
    let made = drmModeCreateDumbBuffer(
      card.descriptor, UInt32(size.width), UInt32(size.height), 32, 0, &handle, &stride, &bytes)
    guard made == 0 else { throw KMSError("drmModeCreateDumbBuffer", errno) }
    var framebuffer: UInt32 = 0
    var offset: UInt64 = 0
    var handles = [handle, 0, 0, 0]
    var strides = [stride, 0, 0, 0]
    var offsets: [UInt32] = [0, 0, 0, 0]
    guard
      drmModeAddFB2(
        card.descriptor, UInt32(size.width), UInt32(size.height), cdrm_xrgb8888, &handles,
        &strides, &offsets, &framebuffer, 0) == 0
    else {
      let error = KMSError("drmModeAddFB2", errno)
      drmModeDestroyDumbBuffer(card.descriptor, handle)
      throw error
    }
    guard drmModeMapDumbBuffer(card.descriptor, handle, &offset) == 0,
      let mapped = mmap(
        nil, Int(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, card.descriptor, off_t(offset)),
      mapped != MAP_FAILED
    else {
      let error = KMSError("drmModeMapDumbBuffer", errno)
      drmModeRmFB(card.descriptor, framebuffer)
      drmModeDestroyDumbBuffer(card.descriptor, handle)
      throw error
    }
    memset(mapped, 0, Int(bytes))
    memory = Framebuffer(bytes: mapped, stride: Int(stride), size: size)
    byteCount = Int(bytes)
    self.framebuffer = framebuffer
    self.handle = handle
    self.card = card
    outdated = Region()
  }

  deinit {
    munmap(memory.bytes, byteCount)
    drmModeRmFB(card.descriptor, framebuffer)
    drmModeDestroyDumbBuffer(card.descriptor, handle)
  }
}
