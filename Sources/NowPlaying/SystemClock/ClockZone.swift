/// A time zone, identified by the name of a place.
///
/// The image contains no database of time zones. Instead, each zone contains the rule that is valid at present.
public struct ClockZone: Hashable, Sendable {
  /// The name of the place, as in the database of time zones.
  public let name: String
  /// The rule in the form of POSIX, as the database of time zones contains it.
  let posixRule: String
  let rule: ClockRule

  private init(_ name: String, _ posixRule: String) {
    guard let rule = ClockRule(posixRule) else { preconditionFailure("the rule of \(name)") }
    self.name = name
    self.posixRule = posixRule
    self.rule = rule
  }

  /// All zones, in the order of their names.
  public static let all: [ClockZone] = [
    ("Africa/Cairo", "EET-2EEST,M4.5.5/0,M10.5.4/24"), ("Africa/Johannesburg", "SAST-2"),
    ("Africa/Lagos", "WAT-1"), ("Africa/Nairobi", "EAT-3"),
    ("America/Anchorage", "AKST9AKDT,M3.2.0,M11.1.0"), ("America/Bogota", "<-05>5"),
    ("America/Buenos_Aires", "<-03>3"), ("America/Chicago", "CST6CDT,M3.2.0,M11.1.0"),
    ("America/Denver", "MST7MDT,M3.2.0,M11.1.0"), ("America/Halifax", "AST4ADT,M3.2.0,M11.1.0"),
    ("America/Lima", "<-05>5"), ("America/Los_Angeles", "PST8PDT,M3.2.0,M11.1.0"),
    ("America/Mexico_City", "CST6"), ("America/New_York", "EST5EDT,M3.2.0,M11.1.0"),
    ("America/Phoenix", "MST7"), ("America/Santiago", "<-04>4<-03>,M9.1.6/24,M4.1.6/24"),
    ("America/Sao_Paulo", "<-03>3"), ("America/St_Johns", "NST3:30NDT,M3.2.0,M11.1.0"),
    ("America/Toronto", "EST5EDT,M3.2.0,M11.1.0"), ("Asia/Bangkok", "<+07>-7"),
    ("Asia/Dhaka", "<+06>-6"), ("Asia/Dubai", "<+04>-4"), ("Asia/Hong_Kong", "HKT-8"),
    ("Asia/Jakarta", "WIB-7"), ("Asia/Jerusalem", "IST-2IDT,M3.4.4/26,M10.5.0"),
    ("Asia/Karachi", "PKT-5"), ("Asia/Kathmandu", "<+0545>-5:45"), ("Asia/Kolkata", "IST-5:30"),
    ("Asia/Manila", "PST-8"), ("Asia/Riyadh", "<+03>-3"), ("Asia/Seoul", "KST-9"),
    ("Asia/Shanghai", "CST-8"), ("Asia/Singapore", "<+08>-8"), ("Asia/Taipei", "CST-8"),
    ("Asia/Tehran", "<+0330>-3:30"), ("Asia/Tokyo", "JST-9"),
    ("Atlantic/Azores", "<-01>1<+00>,M3.5.0/0,M10.5.0/1"), ("Atlantic/Reykjavik", "GMT0"),
    ("Australia/Adelaide", "ACST-9:30ACDT,M10.1.0,M4.1.0/3"), ("Australia/Brisbane", "AEST-10"),
    ("Australia/Darwin", "ACST-9:30"), ("Australia/Perth", "AWST-8"),
    ("Australia/Sydney", "AEST-10AEDT,M10.1.0,M4.1.0/3"), ("Europe/Amsterdam", centralEurope),
    ("Europe/Athens", easternEurope), ("Europe/Belgrade", centralEurope),
    ("Europe/Berlin", centralEurope), ("Europe/Brussels", centralEurope),
    ("Europe/Bucharest", easternEurope), ("Europe/Budapest", centralEurope),
    ("Europe/Copenhagen", centralEurope), ("Europe/Dublin", "IST-1GMT0,M10.5.0,M3.5.0/1"),
    ("Europe/Helsinki", easternEurope), ("Europe/Istanbul", "<+03>-3"),
    ("Europe/Kyiv", easternEurope), ("Europe/Lisbon", "WET0WEST,M3.5.0/1,M10.5.0"),
    ("Europe/London", "GMT0BST,M3.5.0/1,M10.5.0"), ("Europe/Madrid", centralEurope),
    ("Europe/Moscow", "MSK-3"), ("Europe/Oslo", centralEurope), ("Europe/Paris", centralEurope),
    ("Europe/Prague", centralEurope), ("Europe/Rome", centralEurope),
    ("Europe/Sofia", easternEurope), ("Europe/Stockholm", centralEurope),
    ("Europe/Vienna", centralEurope), ("Europe/Warsaw", centralEurope),
    ("Europe/Zurich", centralEurope), ("Pacific/Auckland", "NZST-12NZDT,M9.5.0,M4.1.0/3"),
    ("Pacific/Honolulu", "HST10"), ("UTC", "UTC0"),
  ].map { ClockZone($0.0, $0.1) }

  package static let utc = ClockZone("UTC", "UTC0")

  private static let centralEurope = "CET-1CEST,M3.5.0,M10.5.0/3"
  private static let easternEurope = "EET-2EEST,M3.5.0/3,M10.5.0/4"
}
