package import EventLoop

/// A method of a D-Bus interface as one typed declaration. The server, the client, the introspection, and the tests
/// that check the pages in `docs`, use the same declaration.
package final class BusMethod<Arguments, Results>: Sendable {
  package let row: MethodRow
  package let takes: Fields<Arguments>
  package let returns: Fields<Results>

  /// - Parameter name: the interface without `org.autoharp.`, a dot, and the name of the method, such as
  ///   `Library1.GetPage`.
  package init(_ name: String, takes: Fields<Arguments>, returns: Fields<Results>) {
    let (interface, member) = splitName(name)
    row = MethodRow(
      interface: interface, name: member, arguments: takes.list, optional: takes.optional,
      results: returns.list)
    self.takes = takes
    self.returns = returns
  }
}

/// The names and D-Bus types of a method, without its Swift types.
package struct MethodRow: Equatable, Sendable {
  package let interface: String
  package let name: String
  package let arguments: [BusInterface.Argument]
  /// The number of last arguments that a caller can leave out.
  package let optional: Int
  package let results: [BusInterface.Argument]

  /// The interface, a dot, and the name.
  package var fullName: String { "\(interface).\(name)" }
  package var declaration: BusInterface.Method {
    .init(name, arguments, optional: optional, returns: results)
  }
}

/// A signal of a D-Bus interface as one typed declaration.
package final class BusSignal<Values>: Sendable {
  package let interface: String
  package let name: String
  package let carries: Fields<Values>

  /// - Parameter name: the interface without `org.autoharp.`, a dot, and the name of the signal, such as
  ///   `Unit1.LogLine`.
  package init(_ name: String, carries: Fields<Values>) {
    let (interface, member) = splitName(name)
    self.interface = interface
    self.name = member
    self.carries = carries
  }

  package var declaration: BusInterface.Signal { .init(name, carries.list) }
}

private func splitName(_ name: String) -> (interface: String, member: String) {
  let parts = name.split(separator: ".")
  precondition(parts.count == 2, "'\(name)' is not INTERFACE.NAME")
  return ("org.autoharp.\(parts[0])", String(parts[1]))
}
