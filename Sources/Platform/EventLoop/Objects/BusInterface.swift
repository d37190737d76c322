/// The declaration of a D-Bus interface: its methods, properties and signals. A declaration contains no code, so it can
/// be printed and compared.
public struct BusInterface: Equatable, Sendable {
  /// An argument of a method or a signal.
  public struct Argument: Equatable, Sendable {
    /// The name of the argument, which tools such as `busctl` can show.
    public let name: String
    /// The signature, which is one complete type.
    public let signature: String

    /// Creates an argument.
    public init(_ name: String, _ signature: String) {
      self.name = name
      self.signature = signature
    }
  }

  /// A method of an interface.
  public struct Method: Equatable, Sendable {
    /// The name of the method.
    public let name: String
    /// The arguments of the call.
    public let arguments: [Argument]
    /// The number of last arguments that a caller can leave out.
    public let optional: Int
    /// The values of the answer.
    public let results: [Argument]

    /// Creates a method.
    public init(
      _ name: String, _ arguments: [Argument] = [], optional: Int = 0,
      returns results: [Argument] = []
    ) {
      self.name = name
      self.arguments = arguments
      self.optional = optional
      self.results = results
    }

    /// True if a call with arguments of these types is possible.
    func takes(_ signature: String) -> Bool {
      (0...optional).contains { arguments.dropLast($0).signature == signature }
    }
  }

  /// A property of an interface.
  public struct Property: Equatable, Sendable {
    /// Whether other processes may read or write the property.
    public enum Access: String, Sendable {
      case read, write, readwrite
    }

    /// The content of `PropertiesChanged` after a change of the property. The raw values are the values of the
    /// annotation `EmitsChangedSignal`. The signal is not sent automatically: the code that changes the property must
    /// call ``Bus/emitPropertiesChanged(_:_:_:invalidated:to:)``.
    public enum Emission: String, Sendable {
      /// The name and the new value.
      case value = "true"
      /// The name only.
      case name = "invalidates"
      /// Nothing is sent, although the value changes.
      case never = "false"
      /// The value never changes.
      case constant = "const"
    }

    /// The name of the property.
    public let name: String
    /// The signature, which is one complete type.
    public let signature: String
    /// Whether other processes may read or write the property.
    public let access: Access
    /// The content of `PropertiesChanged` after a change of the property.
    public let emission: Emission

    /// Creates a property. By default the property is read-only, and `PropertiesChanged` contains its new value.
    public init(
      _ name: String, _ signature: String, _ access: Access = .read, emits: Emission = .value
    ) {
      self.name = name
      self.signature = signature
      self.access = access
      self.emission = emits
    }
  }

  /// A signal of an interface.
  public struct Signal: Equatable, Sendable {
    /// The name of the signal.
    public let name: String
    /// The values that the signal contains.
    public let arguments: [Argument]

    /// Creates a signal.
    public init(_ name: String, _ arguments: [Argument] = []) {
      self.name = name
      self.arguments = arguments
    }
  }

  /// The name, such as `org.autoharp.Player1`.
  public let name: String
  /// The methods, in the order of the introspection.
  public let methods: [Method]
  /// The properties, in the order of `GetAll`.
  public let properties: [Property]
  /// The signals, in the order of the introspection.
  public let signals: [Signal]

  /// Creates an interface.
  public init(
    _ name: String, methods: [Method] = [], properties: [Property] = [], signals: [Signal] = []
  ) {
    self.name = name
    self.methods = methods
    self.properties = properties
    self.signals = signals
  }
}

extension Collection<BusInterface.Argument> {
  var signature: String { map(\.signature).joined() }
}
