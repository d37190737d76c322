internal import EventLoop
internal import NowPlaying
internal import Reports

/// A weak reference to the port of a shared surface. The surface's clients own the port.
struct WeakPort {
  weak var port: SurfacePort?
}

// Finds the port through which a client's commands enter.
extension ControlServer {
  /// - Parameter name: the name of a shared surface, for a client that is not a surface itself.
  func port(of client: ServedClient, from name: String?, at now: MonotonicInstant) throws
    -> SurfacePort
  {
    if let surface = client.surface { return surface }
    let id = try name.map { try surfaceID($0) } ?? Self.sharedSurface
    if let port = client.sharedPorts[id] { return port }
    if let port = sharedPorts[id]?.port {
      client.sharedPorts[id] = port
      return port
    }
    try requireFree(id, now)
    let port = unit.center.connect(SurfaceDescription(id: id), at: now) { _ in }
    sharedPorts[id] = WeakPort(port: port)
    client.sharedPorts[id] = port
    return port
  }

  func surfaceID(_ name: String) throws -> SurfaceID {
    guard !name.isEmpty, name.utf8.count <= 64, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else {
      throw RefusalCoding.error(
        BusErrorName.invalidArguments,
        Refusal(
          .invalidArguments, "the name of a surface has 1 to 64 ASCII characters, without spaces"))
    }
    return SurfaceID(name)
  }

  /// Throws if a surface with this name exists already.
  func requireFree(_ id: SurfaceID, _ now: MonotonicInstant) throws {
    if unit.center.inspection(at: now).surfaces.contains(where: { $0.id == id }) {
      throw Refusal(.surfaceTaken, "a surface '\(id)' is already registered")
    }
  }
}
