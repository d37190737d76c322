internal import CDRM
internal import Glibc
internal import ScreenLayout

/// Shows buffers on a display, through its graphics card (``Card``).
final class Scanout {
  /// The result of a request to show a buffer.
  enum Answer {
    /// The card shows the buffer at the next refresh, and then reports that the buffer is shown.
    case pending
    /// The buffer is already shown. No report follows.
    case done
  }

  let card: Card
  let output: Output

  private var mode: drmModeModeInfo
  private var modeBlob: UInt32 = 0
  private var planeProperties: [String: UInt32] = [:]
  private var crtcProperties: [String: UInt32] = [:]
  private var connectorProperties: [String: UInt32] = [:]
  /// False after a page flip has failed. Some cards without atomic mode setting support no page flips.
  private var canFlip = true

  init(_ card: Card, _ output: Output, _ mode: drmModeModeInfo) throws(KMSError) {
    self.card = card
    self.output = output
    self.mode = mode
    guard let plane = output.plane else { return }
    func ids(_ object: UInt32, _ kind: UInt32) -> [String: UInt32] {
      card.properties(of: object, kind).mapValues(\.id)
    }
    planeProperties = ids(plane, DRM_MODE_OBJECT_PLANE)
    crtcProperties = ids(output.crtc, DRM_MODE_OBJECT_CRTC)
    connectorProperties = ids(output.connector, DRM_MODE_OBJECT_CONNECTOR)
    let made = drmModeCreatePropertyBlob(
      card.descriptor, &self.mode, MemoryLayout<drmModeModeInfo>.size, &modeBlob)
    if made != 0 { throw KMSError("drmModeCreatePropertyBlob", -made) }
  }

  deinit {
    if modeBlob != 0 { drmModeDestroyPropertyBlob(card.descriptor, modeBlob) }
  }

  /// Sets the mode and shows this buffer. Blocks until the mode is set and the buffer is shown.
  func begin(with buffer: DumbBuffer) throws(KMSError) {
    guard let plane = output.plane else { return try setLegacyMode(buffer) }
    try withRequest { (request) throws(KMSError) in
      let size = output.size
      add(request, output.connector, connectorProperties, "CRTC_ID", UInt64(output.crtc))
      add(request, output.crtc, crtcProperties, "MODE_ID", UInt64(modeBlob))
      add(request, output.crtc, crtcProperties, "ACTIVE", 1)
      add(request, plane, planeProperties, "CRTC_ID", UInt64(output.crtc))
      add(request, plane, planeProperties, "FB_ID", UInt64(buffer.framebuffer))
      // `SRC_` values are positions in the buffer, in 1/65536 of a pixel. `CRTC_` values are positions on the display,
      // in pixels.
      for (name, value) in [("X", 0), ("Y", 0), ("W", size.width), ("H", size.height)] {
        add(request, plane, planeProperties, "SRC_\(name)", UInt64(value) << 16)
        add(request, plane, planeProperties, "CRTC_\(name)", UInt64(value))
      }
      try commit(request, UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET), userdata: 0)
    }
  }

  /// Shows a buffer.
  /// - Parameters:
  ///   - changed: rectangles of the panel. They contain all differences between this buffer and the buffer that is
  ///     shown.
  ///   - number: a number that the card returns in its report that this buffer is shown.
  func flip(to buffer: DumbBuffer, changed: [PixelRect], number: UInt) throws(KMSError) -> Answer {
    guard let plane = output.plane else { return try flipLegacy(to: buffer, number: number) }
    var clips = changed.map {
      drm_mode_rect(
        x1: Int32($0.x), y1: Int32($0.y), x2: Int32($0.maxX), y2: Int32($0.maxY))
    }
    var blob: UInt32 = 0
    if planeProperties["FB_DAMAGE_CLIPS"] != nil, !clips.isEmpty {
      // Without this property the card treats the whole buffer as changed.
      let bytes = clips.count * MemoryLayout<drm_mode_rect>.stride
      _ = drmModeCreatePropertyBlob(card.descriptor, &clips, bytes, &blob)
    }
    defer { if blob != 0 { drmModeDestroyPropertyBlob(card.descriptor, blob) } }
    try withRequest { (request) throws(KMSError) in
      add(request, plane, planeProperties, "FB_ID", UInt64(buffer.framebuffer))
      add(request, plane, planeProperties, "CRTC_ID", UInt64(output.crtc))
      if blob != 0 { add(request, plane, planeProperties, "FB_DAMAGE_CLIPS", UInt64(blob)) }
      let flags = UInt32(DRM_MODE_ATOMIC_NONBLOCK) | UInt32(DRM_MODE_PAGE_FLIP_EVENT)
      try commit(request, flags, userdata: number)
    }
    return .pending
  }

  // MARK: Atomic mode setting

  private func withRequest(
    _ body: (drmModeAtomicReqPtr) throws(KMSError) -> Void
  ) throws(KMSError) {
    guard let request = drmModeAtomicAlloc() else { throw .failed("drmModeAtomicAlloc", ENOMEM) }
    defer { drmModeAtomicFree(request) }
    try body(request)
  }

  private func add(
    _ request: drmModeAtomicReqPtr, _ object: UInt32, _ properties: [String: UInt32],
    _ name: String, _ value: UInt64
  ) {
    if let id = properties[name] { drmModeAtomicAddProperty(request, object, id, value) }
  }

  private func commit(
    _ request: drmModeAtomicReqPtr, _ flags: UInt32, userdata: UInt
  ) throws(KMSError) {
    var status: Int32
    repeat {
      status = drmModeAtomicCommit(
        card.descriptor, request, flags, UnsafeMutableRawPointer(bitPattern: userdata))
    } while status == -EINTR
    if status != 0 { throw KMSError("drmModeAtomicCommit", -status) }
  }

  // MARK: Legacy mode setting

  private func setLegacyMode(_ buffer: DumbBuffer) throws(KMSError) {
    var connector = output.connector
    let status = drmModeSetCrtc(
      card.descriptor, output.crtc, buffer.framebuffer, 0, 0, &connector, 1, &mode)
    if status != 0 { throw KMSError("drmModeSetCrtc", -status) }
  }

  private func flipLegacy(to buffer: DumbBuffer, number: UInt) throws(KMSError) -> Answer {
    if canFlip {
      let status = drmModePageFlip(
        card.descriptor, output.crtc, buffer.framebuffer, UInt32(DRM_MODE_PAGE_FLIP_EVENT),
        UnsafeMutableRawPointer(bitPattern: number))
      if status == 0 { return .pending }
      guard status == -EINVAL || status == -ENOSYS || status == -EOPNOTSUPP else {
        throw KMSError("drmModePageFlip", -status)
      }
      canFlip = false
    }
    try setLegacyMode(buffer)
    return .done
  }
}
