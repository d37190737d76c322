internal import BusMethods
package import EventLoop

/// The D-Bus interfaces of the control socket. `docs/control.md` lists these interfaces in tables, and a test compares
/// the tables with the code. An incompatible change increases the number in the name of an interface. New methods,
/// signals and names in an `a{sv}` do not increase the number.
package enum ControlInterface {
  /// The D-Bus path of the only object.
  package static let path = "/org/autoharp"
  /// The prefix of Autoharp's error names, for refusals and failures.
  package static let errorPrefix = "org.autoharp.Error."

  /// All interfaces, in the order of `docs/control.md`.
  package static let all = [
    NowPlaying1.interface, Commands1.interface, Surface1.interface, Library1.interface,
    Sources1.interface, Session1.interface, Sound1.interface, Bluetooth1.interface,
    Settings1.interface, Unit1.interface,
  ]
}

/// An interface with the rows of its methods.
package struct MethodTable: Sendable {
  package let rows: [ControlRow]
  package let declaration: BusInterface

  package init(_ name: String, _ rows: [ControlRow], signals: [BusInterface.Signal] = []) {
    self.rows = rows
    declaration = BusInterface(
      "org.autoharp.\(name)", methods: rows.map(\.method.declaration), signals: signals)
    precondition(
      rows.allSatisfy { $0.method.interface == declaration.name }, "a row of another interface")
  }

  package var name: String { declaration.name }
}
