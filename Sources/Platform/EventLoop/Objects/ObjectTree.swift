internal import CSystemd

/// The published objects by path. One tree can serve any number of connections.
///
/// The tree answers calls itself and does not register vtables with sd-bus. A vtable belongs to one connection, so a
/// thousand peers would need a thousand copies of each vtable. sd-bus also keeps pointers to a vtable and its texts, so
/// their memory must not move. In this tree, interfaces are values, and all answers are checked against the interfaces
/// in one place. The tree sends no signals by itself. Every answer to a peer counts towards the limits of this peer.
public final class ObjectTree {
  private var objects: [String: BusObject] = [:]

  /// Creates an empty tree.
  public init() {}

  /// Publishes an object. The new object replaces an object with the same path.
  /// - Throws: if the path is not valid.
  public func add(_ object: BusObject) throws(BusError) {
    guard sd_bus_object_path_is_valid(object.path) > 0 else {
      throw .notSendable("'\(object.path)' is not an object path")
    }
    objects[object.path] = object
  }

  /// Removes an object. Calls that the object has already received can still be answered.
  public func remove(path: String) { objects[path] = nil }

  /// The object at a path.
  public subscript(path: String) -> BusObject? { objects[path] }

  /// Handles a received call.
  func handle(_ message: BusMessage, on bus: Bus) {
    // The arguments are decoded only if their types match the types of the method. So a large array that no method
    // accepts is not decoded and needs no memory.
    var arguments = BodyReader([])
    func call(_ interface: String, results: String?) -> MethodCall {
      MethodCall(message, arguments, interface: interface, results: results, on: bus)
    }

    if bus.openCalls >= bus.limits.openCalls {
      return call("", results: nil).fail(
        BusErrorName.limitsExceeded, "\(bus.limits.openCalls) calls are waiting for an answer")
    }
    func decode() -> Bool {
      do throws(BusError) {
        arguments = try message.body()
        return true
      } catch {
        call("", results: nil).fail(BusErrorName.invalidArguments, error.description)
        return false
      }
    }
    if let standard = StandardCall(message, isPeer: bus.credentials != nil) {
      guard decode() else { return }
      return standard.answer(call(message.interface, results: nil), self, bus)
    }
    guard let object = objects[message.path] else {
      return call("", results: nil).fail(
        BusErrorName.unknownObject, "no object \(message.path)")
    }
    // A caller is permitted to omit the interface. Then all interfaces of the object are searched.
    let named = message.interface
    let interfaces = object.interfaces.filter { named.isEmpty || $0.name == named }
    if interfaces.isEmpty {
      return call("", results: nil).fail(
        BusErrorName.unknownInterface, "\(message.path) has no interface \(named)")
    }
    for interface in interfaces {
      guard let method = interface.methods.first(where: { $0.name == message.member }) else {
        continue
      }
      guard method.takes(message.signature) else {
        return call(interface.name, results: nil).fail(
          BusErrorName.invalidArguments,
          "\(method.name) takes '\(method.arguments.signature)', not '\(message.signature)'")
      }
      guard decode() else { return }
      return object.onCall(call(interface.name, results: method.results.signature))
    }
    call("", results: nil).fail(
      BusErrorName.unknownMethod, "\(message.path) has no method \(message.member)")
  }

  /// The names of the nodes directly below a path, sorted.
  func children(of path: String) -> [String] {
    let prefix = path == "/" ? "/" : path + "/"
    let names = objects.keys.filter { $0.hasPrefix(prefix) && $0 != path }
      .compactMap { $0.dropFirst(prefix.count).split(separator: "/").first.map(String.init) }
    return Set(names).sorted()
  }
}
