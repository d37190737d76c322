package import NowPlaying
package import Reports
package import Text

// Formats the state of the phones as text and as JSON.
extension PhonesState {
  /// Lines for a person: the pending pairing request, the time for which pairing is still permitted, and a row for each
  /// phone.
  package func lines(_ style: ReplyStyle, at now: MonotonicInstant) -> [String] {
    var lines: [String] = []
    if let request {
      let name = style.sanitized(request.name)
      let number = request.passkey.map { style.sanitized($0) }
      lines.append(
        style.paint(
          "\(name) requests pairing"
            + (number.map { ". Compare its number with \($0)." } ?? " without a number.")
            + " Answer with 'bt accept' or 'bt reject'.", .note))
    }
    if let left = pairingUntil.map({ $0 - now.sinceOrigin }), left > .zero {
      lines.append(
        "Phones can pair for \((left + .nanoseconds(999_999_999)).components.seconds) s"
          + (isSearching ? ", and the unit searches for devices." : "."))
    }
    if let adding { lines.append("\(style.sanitized(adding)) is being paired.") }
    if service != .ready { lines.append(style.paint(service.sentence, .note)) }
    if phones.isEmpty { lines.append("No phone is known.") }
    for phone in phones {
      lines.append(
        row(phone, phone.words, style.mark(phone.isControlling ? .good : .plain), style))
    }
    if !found.isEmpty { lines.append("In range and not paired ('bt add ADDRESS'):") }
    for device in found {
      let properties = device.features.isEmpty ? ["unknown kind"] : device.features
      lines.append(row(device, properties, style.mark(.plain), style))
    }
    return lines
  }

  private func row(_ phone: Phone, _ properties: [String], _ mark: String, _ style: ReplyStyle)
    -> String
  {
    let name = style.cut(style.sanitized(phone.name), to: 24)
    return mark + style.sanitized(phone.address, limit: 17) + "  "
      + TextWidth.padded(name, to: 25) + style.sanitized(properties.joined(separator: ", "))
  }

  /// Writes the state as one object.
  package func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("service", service.rawValue)
    json.key("pairingUntil")
    if let pairingUntil {
      json.value(pairingUntil.inSeconds)
    } else {
      json.null()
    }
    json.key("request")
    if let request {
      json.beginObject()
      json.member("number", request.number)
      json.member("address", request.address)
      json.member("name", request.name)
      json.member("passkey", request.passkey)
      json.endObject()
    } else {
      json.null()
    }
    json.key("phones")
    json.beginArray()
    for phone in phones { phone.write(to: &json) }
    json.endArray()
    json.member("isSearching", isSearching)
    json.member("adding", adding)
    json.key("found")
    json.beginArray()
    for device in found { device.write(to: &json) }
    json.endArray()
    json.endObject()
  }
}

extension PhonesState.Service {
  /// The state of Bluetooth as a sentence.
  package var sentence: String {
    switch self {
    case .off: "Bluetooth is switched off by the configuration."
    case .noBus: "The system bus is not available yet."
    case .noService: "bluetoothd is not running."
    case .noAdapter: "No Bluetooth adapter was found."
    case .ready: "Phones can connect."
    }
  }
}

extension PhonesState.Phone {
  fileprivate func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("address", address)
    json.member("name", name)
    json.member("adapter", adapter)
    json.member("kind", kind.rawValue)
    json.member("isConnected", isConnected)
    json.member("plays", plays)
    json.member("isFirstChoice", isFirstChoice)
    json.member("isControlling", isControlling)
    json.member("hasPressedKey", hasPressedKey)
    json.member("isBonded", isBonded)
    json.member("isTrusted", isTrusted)
    json.key("features")
    json.beginArray()
    for feature in features { json.value(feature) }
    json.endArray()
    json.key("signal")
    if let decibels = signal?.decibels { json.value(decibels) } else { json.null() }
    json.member("isSignalAbsolute", signal?.isAbsolute ?? false)
    json.key("quality")
    if let quality = signal?.quality { json.value(quality) } else { json.null() }
    json.endObject()
  }
}
