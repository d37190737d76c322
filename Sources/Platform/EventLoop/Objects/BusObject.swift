/// A D-Bus object: the declarations of its interfaces, and the closures that implement them.
///
/// One object can be published on any number of connections. The object has no references to these connections.
public final class BusObject {
  /// The path of the object.
  public let path: String
  /// The interfaces of the object, without the standard interfaces.
  public let interfaces: [BusInterface]
  /// Handles a call of a declared method, with arguments of the declared types. The handler answers through the
  /// ``MethodCall``, immediately or later.
  public var onCall: (MethodCall) -> Void
  /// Returns the value of a declared property, with its declared type. Nil if the property has no value now. In this
  /// case `GetAll` omits the property.
  public var onGet: (_ interface: String, _ property: String) -> BusValue?
  /// Writes a writable property, with a value of the declared type. If `PropertiesChanged` must be sent, the handler
  /// sends it.
  public var onSet: (PropertyWrite) throws(BusErrorReply) -> Void

  /// Creates an object that is not published yet.
  public init(
    path: String, interfaces: [BusInterface],
    onCall: @escaping (MethodCall) -> Void = { $0.fail(BusErrorName.failed, "not supported") },
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

/// A request to write a property.
public struct PropertyWrite {
  /// The interface of the property.
  public let interface: String
  /// The name of the property.
  public let property: String
  /// The new value, of the declared type.
  public let value: BusValue
  /// The call that writes the property. It identifies the caller.
  public let call: MethodCall
}

/// An error answer, with a name and a message.
public struct BusErrorReply: Error, Equatable {
  /// The name of the error, such as `org.autoharp.Error.NotPlaying`.
  public let name: String
  /// The message for the user.
  public let message: String
  /// Further arguments of the error.
  public let details: [String]

  /// Creates an error for the caller.
  public init(_ name: String, _ message: String, details: [String] = []) {
    self.name = name
    self.message = message
    self.details = details
  }
}
