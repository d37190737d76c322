package import NowPlaying
package import Reports

/// Phones as the daemon has them. Control thread; nothing in it blocks.
///
/// What may be refused gives nil where it was done, or begun. A phone is named by its address, or by its
/// name where only one has it.
package protocol ControlledPhones: AnyObject {
  /// As it is now.
  var state: PhonesState { get }
  /// Called with each new state. The control server sets it.
  var onState: ((PhonesState) -> Void)? { get set }
  /// Lets phones be paired for a while.
  /// - Parameter time: nil for as long as the configuration says.
  func openPairing(for time: Duration?) -> Refusal?
  /// Lets no more be paired, from now on.
  func closePairing()
  /// Opens pairing, and looks for devices that wait to be called: ``PhonesState/found``.
  /// - Parameter time: as for ``openPairing(for:)``.
  func find(for time: Duration?) -> Refusal?
  /// Pairs with a device that was found, and connects it.
  /// - Parameter answer: called once, with words in either case.
  func add(_ device: String, answer: @escaping (Result<String, Refusal>) -> Void)
  /// Answers the phone that asks.
  /// - Parameter number: of the request that was shown; another one is not answered.
  func answerPairing(_ number: Int, accepts: Bool) -> Refusal?
  /// Connects a phone.
  /// - Parameter answer: called once, with words in either case.
  func connect(_ phone: String, answer: @escaping (Result<String, Refusal>) -> Void)
  /// Disconnects a phone; it is not connected again by itself until it comes or somebody asks.
  func disconnect(_ phone: String, answer: @escaping (Refusal?) -> Void)
  /// Calls a phone so from now on; an empty name is its own.
  func rename(_ phone: String, to name: String, answer: @escaping (Refusal?) -> Void)
  /// Forgets a phone with its bond.
  func forget(_ phone: String, answer: @escaping (Refusal?) -> Void)
}
