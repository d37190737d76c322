package import NowPlaying
package import Reports

/// The phones of the daemon. Control thread; no call blocks.
///
/// A method that returns a refusal returns nil if the action was done or started. A phone is identified by its address,
/// or by its name if the name is unique.
package protocol ControlledPhones: AnyObject {
  /// The present state.
  var state: PhonesState { get }
  /// Permits pairing for a limited time.
  /// - Parameter time: nil to use the time in the configuration.
  func openPairing(for time: Duration?) -> Refusal?
  /// Ends the permission to pair.
  func closePairing()
  /// Permits pairing and searches for devices that can be added: ``PhonesState/found``.
  /// - Parameter time: as for ``openPairing(for:)``.
  func find(for time: Duration?) -> Refusal?
  /// Pairs with a device that was found, and connects the device.
  /// - Parameter answer: called once, with a message or a refusal.
  func add(_ device: String, answer: @escaping (Result<String, Refusal>) -> Void)
  /// Accepts or rejects a pairing request of a phone.
  /// - Parameter number: the number of the request that was shown. If another request is pending now, the other request
  ///   is not answered.
  func answerPairing(_ number: Int, accepts: Bool) -> Refusal?
  /// Connects a phone.
  /// - Parameter answer: called once, with a message or a refusal.
  func connect(_ phone: String, answer: @escaping (Result<String, Refusal>) -> Void)
  /// Disconnects a phone. The unit does not reconnect the phone automatically until the phone itself connects or a
  /// person requests a connection.
  func disconnect(_ phone: String, answer: @escaping (Refusal?) -> Void)
  /// Sets the displayed name of a phone. An empty name restores the phone's own name.
  func rename(_ phone: String, to name: String, answer: @escaping (Refusal?) -> Void)
  /// Makes a phone the first choice: the unit connects to it first. With an empty text, no phone is the first choice.
  func setFirstChoice(_ phone: String) -> Refusal?
  /// Makes a phone the source of Now Playing, and sends *play* to the phone. If the phone is not connected, the unit
  /// first connects to the phone.
  func play(_ address: String, answer: @escaping (Refusal?) -> Void)
  /// Removes a phone and its bond.
  func forget(_ phone: String, answer: @escaping (Refusal?) -> Void)
}
