internal import CDRM
internal import ScreenLayout

/// A display that is connected to a graphics card, with the connector, the CRTC and the plane through which the card
/// shows pictures on the display.
struct Output: Equatable {
  let connector: UInt32
  /// The kernel's name of the connector, for messages. An example is `HDMI-A-1`.
  let name: String
  let crtc: UInt32
  /// The plane; nil if the card does not support atomic mode setting.
  let plane: UInt32?
  let size: PixelSize
  /// The physical size that the display reports; 0 if the display reports no size.
  let millimetres: PixelExtent
  /// The fields of the mode that `==` compares.
  let timing: [UInt32]

  struct PixelExtent: Equatable {
    let width: Int
    let height: Int
  }

  static func == (one: Output, other: Output) -> Bool {
    one.connector == other.connector && one.crtc == other.crtc && one.plane == other.plane
      && one.timing == other.timing && one.millimetres == other.millimetres
  }

  /// The first connected display of the graphics card, in the preferred mode of the display. Throws `nothingConnected`
  /// if no display is connected. Blocks up to 0.1 s for each connector of a real card.
  /// - Returns: the output, and its mode in libdrm's form.
  static func find(on card: Card) throws(KMSError) -> (output: Output, mode: drmModeModeInfo) {
    guard let resources = drmModeGetResources(card.descriptor) else { throw .nothingConnected }
    defer { drmModeFreeResources(resources) }
    for index in 0..<Int(resources.pointee.count_connectors) {
      // This call reads the EDID of the display, which takes up to 0.1 s on real hardware.
      guard
        let connector = drmModeGetConnector(card.descriptor, resources.pointee.connectors[index])
      else { continue }
      defer { drmModeFreeConnector(connector) }
      // Some connectors cannot detect a display, for example with the cable of an old panel. Their state is `unknown`.
      // Such a connector is used if it has modes.
      guard connector.pointee.connection != DRM_MODE_DISCONNECTED,
        let mode = bestMode(connector),
        let crtc = crtc(for: connector, of: resources, on: card)
      else { continue }
      var plane: UInt32?
      if card.isAtomic {
        plane = primaryPlane(ofCrtcAt: crtc.index, on: card)
        if plane == nil { continue }
      }
      let output = Output(
        connector: connector.pointee.connector_id, name: name(of: connector), crtc: crtc.id,
        plane: plane,
        size: PixelSize(width: Int(mode.hdisplay), height: Int(mode.vdisplay)),
        millimetres: PixelExtent(
          width: Int(connector.pointee.mmWidth), height: Int(connector.pointee.mmHeight)),
        timing: [
          mode.clock, UInt32(mode.hdisplay), UInt32(mode.htotal), UInt32(mode.vdisplay),
          UInt32(mode.vtotal), mode.flags,
        ])
      return (output, mode)
    }
    throw .nothingConnected
  }

  private static func bestMode(_ connector: drmModeConnectorPtr) -> drmModeModeInfo? {
    let count = Int(connector.pointee.count_modes)
    guard count > 0 else { return nil }
    // If no mode is preferred, the first mode is used, because the first mode is the largest.
    for index in 0..<count
    where connector.pointee.modes[index].type & UInt32(DRM_MODE_TYPE_PREFERRED) != 0 {
      return connector.pointee.modes[index]
    }
    return connector.pointee.modes[0]
  }

  /// The CRTC that already drives the connector. If no CRTC drives the connector yet, the first CRTC that can drive it.
  private static func crtc(
    for connector: drmModeConnectorPtr, of resources: drmModeResPtr, on card: Card
  ) -> (id: UInt32, index: Int)? {
    let all = (0..<Int(resources.pointee.count_crtcs)).map { resources.pointee.crtcs[$0] }
    if let encoder = drmModeGetEncoder(card.descriptor, connector.pointee.encoder_id) {
      defer { drmModeFreeEncoder(encoder) }
      if let index = all.firstIndex(of: encoder.pointee.crtc_id) { return (all[index], index) }
    }
    for number in 0..<Int(connector.pointee.count_encoders) {
      guard
        let encoder = drmModeGetEncoder(card.descriptor, connector.pointee.encoders[number])
      else { continue }
      defer { drmModeFreeEncoder(encoder) }
      for index in all.indices where encoder.pointee.possible_crtcs & (1 << UInt32(index)) != 0 {
        return (all[index], index)
      }
    }
    return nil
  }

  private static func primaryPlane(ofCrtcAt index: Int, on card: Card) -> UInt32? {
    guard let planes = drmModeGetPlaneResources(card.descriptor) else { return nil }
    defer { drmModeFreePlaneResources(planes) }
    for number in 0..<Int(planes.pointee.count_planes) {
      let id = planes.pointee.planes[number]
      guard let plane = drmModeGetPlane(card.descriptor, id) else { continue }
      defer { drmModeFreePlane(plane) }
      let formats = (0..<Int(plane.pointee.count_formats)).map { plane.pointee.formats[$0] }
      guard plane.pointee.possible_crtcs & (1 << UInt32(index)) != 0,
        formats.contains(cdrm_xrgb8888),
        card.properties(of: id, DRM_MODE_OBJECT_PLANE)["type"]?.value
          == UInt64(DRM_PLANE_TYPE_PRIMARY)
      else { continue }
      return id
    }
    return nil
  }

  private static func name(of connector: drmModeConnectorPtr) -> String {
    let kind = drmModeGetConnectorTypeName(connector.pointee.connector_type)
    return (kind.map { String(cString: $0) } ?? "display")
      + "-\(connector.pointee.connector_type_id)"
  }
}
