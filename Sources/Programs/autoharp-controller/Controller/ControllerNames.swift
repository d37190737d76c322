internal import BluetoothController
internal import CBluetooth

extension ControllerDetails {
  /// Creates the details from the numbers that the command Read Local Version Information returns,
  /// and from the first page of features.
  init(manufacturer: UInt16, version: UInt8, featureBits: [UInt8]) {
    // The caller must free the text. The text is empty for a version that the library has no name
    // for.
    let text = hci_vertostr(UInt32(version))
    let name = text.map { String(cString: $0) } ?? ""
    bt_free(text)
    self.init(
      manufacturer: String(cString: bt_compidtostr(Int32(manufacturer))),
      version: name.isEmpty ? "of number \(version)" : name,
      features: Set(
        Feature.allCases.filter { feature in
          let (byte, bit) = feature.rawValue.quotientAndRemainder(dividingBy: 8)
          return byte < featureBits.count && featureBits[byte] & 1 << bit != 0
        }))
  }
}
