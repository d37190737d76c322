/// An object that others can call: interfaces as data, and closures that do what they say.
///
/// One object can be published to any number of connections; it knows none of them.
public final class BusObject {
  /// Where it is found.
  public let path: String
  /// What it has.
  public let interfaces: [BusInterface]
  /// Does a method that one of the interfaces has, with arguments of its types. It answers through
  /// the call, now or later.
  public var onCall: (MethodCall) -> Void
  /// The value of a property that one of the interfaces has, of its type; nil where there is none
  /// just now: it is left out of `GetAll` then.
  public var onGet: (_ interface: String, _ property: String) -> BusValue?
  /// Writes a property that may be written, with a value of its type. Whether anything is emitted is
  /// its business.
  public var onSet: (PropertyWrite) throws(BusErrorReply) -> Void

  /// An object that is not published yet.
  public init(
    path: String, interfaces: [BusInterface],
    onCall: @escaping (MethodCall) -> Void = { $0.fail(BusErrorName.failed, "not done here") },
    onGet: @escaping (_ interface: String, _ property: String) -> BusValue? = { _, _ in nil },
    onSet: @escaping (PropertyWrite) throws(BusErrorReply) -> Void = {
      write throws(BusErrorReply) in
      throw BusErrorReply(BusErrorName.propertyReadOnly, write.property)
    }
  ) {
    self.path = path
    self.interfaces = interfaces
    self.onCall = onCall
    self.onGet = onGet
    self.onSet = onSet
  }
}

/// A property that somebody writes.
public struct PropertyWrite {
  /// Of the property.
  public let interface: String
  /// Which.
  public let property: String
  /// Of its type.
  public let value: BusValue
  /// Who wants it.
  public let call: MethodCall
}

/// No, with the name of an error and words.
public struct BusErrorReply: Error, Equatable {
  /// `org.autoharp.Error.NotPlaying`
  public let name: String
  /// For people.
  public let message: String
  /// What else the error carries, as further arguments.
  public let details: [String]

  /// An error for the caller.
  public init(_ name: String, _ message: String, details: [String] = []) {
    self.name = name
    self.message = message
    self.details = details
  }
}
