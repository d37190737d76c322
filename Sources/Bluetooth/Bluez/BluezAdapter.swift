internal import EventLoop
package import Reports

/// The properties of an adapter in BlueZ at one moment.
package struct BluezAdapter {
  /// A property whose changes ``BluezClient`` reports in an event.
  package enum Property: String, CaseIterable {
    case power = "Powered"
    case pairable = "Pairable"
    case discoverable = "Discoverable"
  }

  /// A property that can be written. Times are in seconds.
  package enum Setting: Hashable {
    /// The name that phones show.
    case name(String)
    case isPowered(Bool)
    case isPairable(Bool)
    case isDiscoverable(Bool)
    case pairableTime(UInt32)
    case discoverableTime(UInt32)

    var property: (name: String, value: BusValue) {
      switch self {
      case .name(let name): ("Alias", .string(name))
      case .isPowered(let value): (Property.power.rawValue, .boolean(value))
      case .isPairable(let value): (Property.pairable.rawValue, .boolean(value))
      case .isDiscoverable(let value): (Property.discoverable.rawValue, .boolean(value))
      case .pairableTime(let seconds): ("PairableTimeout", .uint32(seconds))
      case .discoverableTime(let seconds): ("DiscoverableTimeout", .uint32(seconds))
      }
    }
  }

  /// The identifier, such as `hci0`.
  package let id: String
  package let address: String
  package let name: String
  package let isPowered: Bool
  package let isDiscoverable: Bool
  package let isPairable: Bool
  /// True while the adapter searches for devices.
  package let isDiscovering: Bool

  init(_ id: String, in monitor: BluezMonitor?) {
    let properties = monitor?[BluezNames.path(ofAdapter: id), BluezNames.adapter] ?? [:]
    self.id = id
    address = properties["Address"]?.text ?? ""
    name = properties["Alias"]?.text ?? ""
    isPowered = properties[Property.power.rawValue]?.flag ?? false
    isDiscoverable = properties[Property.discoverable.rawValue]?.flag ?? false
    isPairable = properties[Property.pairable.rawValue]?.flag ?? false
    isDiscovering = properties["Discovering"]?.flag ?? false
  }

  /// The adapter as a part of ``PhonesState``.
  package func state(hasPlayer: Bool) -> PhonesState.Adapter {
    PhonesState.Adapter(
      id: id, address: address, name: name, isPowered: isPowered,
      isDiscoverable: isDiscoverable, isPairable: isPairable, hasPlayer: hasPlayer)
  }
}
