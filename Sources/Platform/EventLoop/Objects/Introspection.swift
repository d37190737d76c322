/// Formats interfaces as the XML of `org.freedesktop.DBus.Introspectable`.
enum Introspection {
  /// Escapes a name for an XML attribute. ``ObjectTree`` checks the path of each object, but no code checks the names
  /// of interfaces and their members. So these names can contain any character, for example a quote.
  private static func quote(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
  }

  static let standard: [BusInterface] = [
    BusInterface(
      "org.freedesktop.DBus.Peer",
      methods: [
        .init("Ping"), .init("GetMachineId", returns: [.init("machine_uuid", "s")]),
      ]),
    BusInterface(
      "org.freedesktop.DBus.Introspectable",
      methods: [.init("Introspect", returns: [.init("data", "s")])]),
    BusInterface(
      "org.freedesktop.DBus.Properties",
      methods: [
        .init(
          "Get", [.init("interface_name", "s"), .init("property_name", "s")],
          returns: [.init("value", "v")]),
        .init("GetAll", [.init("interface_name", "s")], returns: [.init("props", "a{sv}")]),
        .init(
          "Set",
          [.init("interface_name", "s"), .init("property_name", "s"), .init("value", "v")]),
      ],
      signals: [
        .init(
          "PropertiesChanged",
          [
            .init("interface_name", "s"), .init("changed_properties", "a{sv}"),
            .init("invalidated_properties", "as"),
          ])
      ]),
  ]
  static let standardNames = standard.map(\.name)

  static func text(_ object: BusObject?, _ children: [String]) -> String {
    var lines = [
      "<!DOCTYPE node PUBLIC \"-//freedesktop//DTD D-BUS Object Introspection 1.0//EN\"",
      "\"http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd\">", "<node>",
    ]
    if let object {
      for interface in standard + object.interfaces { lines += text(interface) }
    }
    lines += children.map { " <node name=\"\(quote($0))\"/>" } + ["</node>", ""]
    return lines.joined(separator: "\n")
  }

  private static func text(_ interface: BusInterface) -> [String] {
    var lines = [" <interface name=\"\(quote(interface.name))\">"]
    for method in interface.methods {
      lines.append("  <method name=\"\(quote(method.name))\">")
      lines += method.arguments.map { text($0, " direction=\"in\"") }
      lines += method.results.map { text($0, " direction=\"out\"") }
      lines.append("  </method>")
    }
    for property in interface.properties {
      lines += [
        "  <property name=\"\(quote(property.name))\" type=\"\(quote(property.signature))\""
          + " access=\"\(property.access.rawValue)\">",
        "   <annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\""
          + " value=\"\(property.emission.rawValue)\"/>",
        "  </property>",
      ]
    }
    for signal in interface.signals {
      lines.append("  <signal name=\"\(quote(signal.name))\">")
      lines += signal.arguments.map { text($0, "") }
      lines.append("  </signal>")
    }
    return lines + [" </interface>"]
  }

  private static func text(_ argument: BusInterface.Argument, _ direction: String) -> String {
    "   <arg name=\"\(quote(argument.name))\" type=\"\(quote(argument.signature))\"\(direction)/>"
  }
}
