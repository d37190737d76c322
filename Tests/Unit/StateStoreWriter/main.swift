// Saves 1, 2, 3 … in the folder that it is given, until it is killed. Says each number once the
// medium has it.

import Glibc
import UnitState

let store = StateStore(folder: CommandLine.arguments[1])
guard let opening = store.opening(within: 60_000) else { exit(2) }
var number =
  opening.payload.flatMap { UInt64(String(decoding: $0.prefix { $0 != 32 }, as: UTF8.self)) } ?? 0
while true {
  number += 1
  // Of another length each time, some over a sector, so that a torn one is a mixture.
  let text = "\(number) " + String(repeating: "\(number % 10)", count: Int(number * 37 % 6000))
  store.save(Array(text.utf8))
  guard store.flush(within: 60_000) else { exit(3) }
  print(number)
  fflush(nil)
}
