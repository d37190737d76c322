internal import CSystemd

/// The methods that every object has (`Peer`, `Introspectable`, `Properties`). An accepted connection also answers some
/// methods of a bus, because client libraries call these methods first.
enum StandardCall {
  case ping, machineID, introspect, get, getAll, set
  case hello, matches, listNames, noNames

  init?(_ message: BusMessage, isPeer: Bool) {
    let (interface, member) = (message.interface, message.member)
    switch (interface, member) {
    case ("org.freedesktop.DBus.Peer", "Ping"): self = .ping
    case ("org.freedesktop.DBus.Peer", "GetMachineId"): self = .machineID
    case ("org.freedesktop.DBus.Introspectable", "Introspect"): self = .introspect
    case ("org.freedesktop.DBus.Properties", "Get"): self = .get
    case ("org.freedesktop.DBus.Properties", "GetAll"): self = .getAll
    case ("org.freedesktop.DBus.Properties", "Set"): self = .set
    case ("org.freedesktop.DBus", "Hello") where isPeer: self = .hello
    case ("org.freedesktop.DBus", "AddMatch") where isPeer,
      ("org.freedesktop.DBus", "RemoveMatch") where isPeer:
      self = .matches
    case ("org.freedesktop.DBus", "ListNames") where isPeer: self = .listNames
    case ("org.freedesktop.DBus", "ListActivatableNames") where isPeer: self = .noNames
    default: return nil
    }
  }

  func answer(_ call: MethodCall, _ tree: ObjectTree, _ bus: Bus) {
    switch self {
    case .ping, .matches: call.reply()
    case .hello: call.reply([.string(bus.peerName)])
    case .listNames: call.reply([.strings(["org.freedesktop.DBus", bus.peerName])])
    case .noNames: call.reply([.strings([])])
    case .machineID: answerMachineID(call)
    case .introspect:
      let (object, children) = (tree[call.path], tree.children(of: call.path))
      if object == nil, children.isEmpty, call.path != "/" { return unknownObject(call) }
      call.reply([.string(Introspection.text(object, children))])
    case .get, .getAll, .set:
      guard let object = tree[call.path] else { return unknownObject(call) }
      do {
        try access(object, call)
      } catch let error as BusErrorReply {
        call.fail(error)
      } catch {
        call.fail(BusErrorName.invalidArguments, "\(error)")
      }
    }
  }

  private func unknownObject(_ call: MethodCall) {
    call.fail(BusErrorName.unknownObject, "no object \(call.path)")
  }

  private func answerMachineID(_ call: MethodCall) {
    var id = sd_id128_t()
    var text = [CChar](repeating: 0, count: 33)
    guard sd_id128_get_machine(&id) >= 0, sd_id128_to_string(id, &text) != nil else {
      return call.fail(BusErrorName.failed, "this machine has no machine ID")
    }
    call.reply([.string(text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) })])
  }

  private func access(_ object: BusObject, _ call: MethodCall) throws {
    var arguments = call.arguments
    let name = try arguments.string()
    let interfaces = object.interfaces.filter { name.isEmpty || $0.name == name }
    if case .getAll = self {
      try arguments.end()
      // Every object has the standard interfaces. So `GetAll` for such an interface is valid, but gives no properties.
      if interfaces.isEmpty, !Introspection.standardNames.contains(name) {
        throw BusErrorReply(BusErrorName.unknownInterface, "no interface \(name)")
      }
      let values = interfaces.flatMap { interface in
        interface.properties.compactMap { property in
          property.access == .write
            ? nil : value(object, interface, property).map { (property.name, $0) }
        }
      }
      return call.reply([.properties(values)])
    }

    let property = try arguments.string()
    let new = self == .set ? try arguments.variant() : nil
    try arguments.end()
    if interfaces.isEmpty {
      throw BusErrorReply(BusErrorName.unknownInterface, "no interface \(name)")
    }
    for interface in interfaces {
      guard let found = interface.properties.first(where: { $0.name == property }) else { continue }
      if let new {
        try write(object, interface, found, new, call)
        return call.reply()
      }
      if found.access == .write {
        throw BusErrorReply(BusErrorName.accessDenied, "\(property) is write-only")
      }
      guard let value = value(object, interface, found) else {
        throw BusErrorReply(BusErrorName.unknownProperty, "\(property) has no value now")
      }
      return call.reply([.variant(value)])
    }
    throw BusErrorReply(BusErrorName.unknownProperty, "no property \(property)")
  }

  /// The value of a property. Nil if the value does not have the declared type, because a reader would misinterpret
  /// such a value.
  private func value(
    _ object: BusObject, _ interface: BusInterface, _ property: BusInterface.Property
  ) -> BusValue? {
    let value = object.onGet(interface.name, property.name)
    return value?.signature == property.signature ? value : nil
  }

  private func write(
    _ object: BusObject, _ interface: BusInterface, _ property: BusInterface.Property,
    _ new: BusValue, _ call: MethodCall
  ) throws {
    if property.access == .read {
      throw BusErrorReply(BusErrorName.propertyReadOnly, "\(property.name) is read-only")
    }
    let found = new.signature
    if found != property.signature {
      throw BusErrorReply(
        BusErrorName.invalidArguments,
        "\(property.name) has type '\(property.signature)', not '\(found)'")
    }
    try object.onSet(
      PropertyWrite(interface: interface.name, property: property.name, value: new, call: call))
  }
}
