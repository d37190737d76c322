package import BusMethods

/// A method of the control socket: its arguments and results, the rights that it needs, and its timeout.
///
/// `optimize.sil.specialize.generic.never` forbids the compiler to specialize the generic code of the control socket.
/// Otherwise each program would contain 0.1 MB of copies of this code, one for each method.
package final class ControlMethod<Arguments, Results>: Sendable {
  let method: BusMethod<Arguments, Results>
  package let row: ControlRow
  /// If no answer arrives within this time, the call fails with ``ControlError/noAnswer``.
  package let timeout: Duration
  let also: AdditionalRight<Arguments>?

  /// - Parameters:
  ///   - name: the name of the interface without the prefix `org.autoharp.`, followed by a dot and the name of the
  ///     method, such as `Library1.GetPage`.
  ///   - timeout: the default is longer than the time within which a source must answer a command.
  @_semantics("optimize.sil.specialize.generic.never")
  package init(
    _ name: String, _ right: AccessRight, also: AdditionalRight<Arguments>? = nil,
    timeout: Duration = .seconds(5), takes: Fields<Arguments>, returns: Fields<Results>
  ) {
    method = BusMethod(name, takes: takes, returns: returns)
    row = ControlRow(method: method.row, right: right, also: also?.right)
    self.timeout = timeout
    self.also = also
  }
}

extension ControlMethod where Results == Void {
  /// Creates a method without results.
  package convenience init(
    _ name: String, _ right: AccessRight, also: AdditionalRight<Arguments>? = nil,
    timeout: Duration = .seconds(5), takes: Fields<Arguments>
  ) {
    self.init(
      name, right, also: also, timeout: timeout, takes: takes, returns: .none)
  }
}

extension ControlMethod where Arguments == Void {
  /// Creates a method without arguments.
  package convenience init(_ name: String, _ right: AccessRight, returns: Fields<Results>) {
    self.init(name, right, takes: .none, returns: returns)
  }
}

extension ControlMethod where Arguments == Void, Results == Void {
  /// Creates a method without arguments and without results.
  package convenience init(_ name: String, _ right: AccessRight) {
    self.init(name, right, takes: .none, returns: .none)
  }
}

/// A right that some calls of a method need in addition.
package struct AdditionalRight<Arguments>: Sendable {
  let right: AccessRight
  /// Returns true if a call with these arguments needs the right. Nil if the handler of the method decides this.
  let isNeeded: (@Sendable (Arguments) -> Bool)?

  /// The right is needed only by calls for whose arguments `isNeeded` returns true.
  static func when(
    _ right: AccessRight, _ isNeeded: @escaping @Sendable (Arguments) -> Bool
  ) -> Self { Self(right: right, isNeeded: isNeeded) }

  /// The arguments alone do not decide whether the right is needed. If it is, the handler calls
  /// ``ControlCaller/require(_:)``.
  static func ifHandlerRequires(_ right: AccessRight) -> Self { Self(right: right, isNeeded: nil) }
}

/// A method of the control socket without its Swift types: its names, D-Bus types and rights.
package struct ControlRow: Equatable, Sendable {
  package let method: MethodRow
  /// The right that each call needs.
  package let right: AccessRight
  /// A right that some calls need in addition.
  package let also: AccessRight?
}

/// A value that clients read and follow: three methods and a signal.
package final class FollowedValue<Value>: Sendable {
  let subject: Subject
  package let get: ControlMethod<Void, Value>
  package let subscribe: ControlMethod<Void, Value>
  package let unsubscribe: ControlMethod<Void, Void>
  package let changed: BusSignal<Value>

  @_semantics("optimize.sil.specialize.generic.never")
  init(
    _ interface: String, _ subject: Subject, get: String, changed: String, _ value: Fields<Value>
  ) {
    self.subject = subject
    self.get = ControlMethod("\(interface).\(get)", .look, returns: value)
    subscribe = ControlMethod("\(interface).Subscribe", .look, returns: value)
    unsubscribe = ControlMethod("\(interface).Unsubscribe", .look)
    self.changed = BusSignal("\(interface).\(changed)", carries: value)
  }

  var rows: [ControlRow] { [get.row, subscribe.row, unsubscribe.row] }
}

/// What a client can follow: a value with its own method `Subscribe`, or a subject of ``Unit1/follow``.
enum Subject: Hashable {
  case nowPlaying, phones, library, sources, settings
  case unit(UnitSubject)
}

/// A subject of ``Unit1/follow``. The raw values are sent on the wire.
package enum UnitSubject: String, CaseIterable, Sendable {
  case log, trace, notices, focus, vehicle
}
