/// An interface as data: what can be called, read and listened for. It says nothing about how any
/// of it is done, so it can be printed, compared, and kept beside its documentation.
public struct BusInterface: Equatable, Sendable {
  /// One value of a method or a signal.
  public struct Argument: Equatable, Sendable {
    /// For people and tools.
    public let name: String
    /// One complete type.
    public let signature: String

    /// Name first, as in a declaration.
    public init(_ name: String, _ signature: String) {
      self.name = name
      self.signature = signature
    }
  }

  /// What can be called.
  public struct Method: Equatable, Sendable {
    /// Its name.
    public let name: String
    /// What the caller gives.
    public let arguments: [Argument]
    /// What it gets.
    public let results: [Argument]

    /// A method.
    public init(_ name: String, _ arguments: [Argument] = [], returns results: [Argument] = []) {
      self.name = name
      self.arguments = arguments
      self.results = results
    }
  }

  /// What can be read, or written, or both.
  public struct Property: Equatable, Sendable {
    /// What others may do.
    public enum Access: String, Sendable {
      case read, write, readwrite
    }

    /// What `PropertiesChanged` says when it changes, in the words of the annotation. It is a
    /// promise of whoever calls ``Bus/emitPropertiesChanged(_:_:_:invalidated:to:)``: nothing is
    /// sent by itself.
    public enum Emission: String, Sendable {
      /// Its name and the new value.
      case value = "true"
      /// Its name.
      case name = "invalidates"
      /// Nothing, and it does change.
      case never = "false"
      /// Nothing, as it never changes.
      case constant = "const"
    }

    /// Its name.
    public let name: String
    /// One complete type.
    public let signature: String
    /// What others may do.
    public let access: Access
    /// What is said when it changes.
    public let emission: Emission

    /// A property.
    public init(
      _ name: String, _ signature: String, _ access: Access = .read, emits: Emission = .value
    ) {
      self.name = name
      self.signature = signature
      self.access = access
      self.emission = emits
    }
  }

  /// What is told.
  public struct Signal: Equatable, Sendable {
    /// Its name.
    public let name: String
    /// What it carries.
    public let arguments: [Argument]

    /// A signal.
    public init(_ name: String, _ arguments: [Argument] = []) {
      self.name = name
      self.arguments = arguments
    }
  }

  /// `org.autoharp.Player1`
  public let name: String
  /// In the order of the introspection.
  public let methods: [Method]
  /// In the order of `GetAll`.
  public let properties: [Property]
  /// In the order of the introspection.
  public let signals: [Signal]

  /// An interface.
  public init(
    _ name: String, methods: [Method] = [], properties: [Property] = [], signals: [Signal] = []
  ) {
    self.name = name
    self.methods = methods
    self.properties = properties
    self.signals = signals
  }
}

extension [BusInterface.Argument] {
  var signature: String { map(\.signature).joined() }
}
