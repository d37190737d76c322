import Glibc
import ScreenLayout
import ScreenOptions
import ScreenPainter
import ScreenSamples

/// Executes the command line. This function is not in main.swift, because closures in main.swift belong to the main
/// actor. Their run-time checks would link Dispatch into the program.
func runProgram() -> Int32 {
  let invocation: Invocation
  do {
    invocation = try parseCommandLine(Array(CommandLine.arguments.dropFirst()))
  } catch {
    reportError("\(error.message)\nTry 'autoharp-screen-preview --help'.")
    return 2
  }
  do {
    switch invocation {
    case .help: print(helpText, terminator: "")
    case .listStates: for sample in SampleScene.all { print(listLine(sample)) }
    case .picture(let options, let path): try Preview(options).painter.writePNG(to: path)
    case .sceneText(let options):
      print(SceneText.dump(try Preview(options).scene), terminator: "")
    case .sheet(let path): try writeSheet(to: path)
    case .overview(let path): try writeOverview(to: path)
    case .bench:
      runBench()
      print()
      runPageBench()
    }
  } catch let error as PNGError {
    reportError("the picture cannot be written: \(error.reason)")
    return 1
  } catch {
    reportError("\(error)")
    return 1
  }
  return 0
}

private func listLine(_ sample: SampleScene) -> String {
  let gap = String(repeating: " ", count: max(1, 18 - sample.name.count))
  return sample.name + gap + sample.summary
}

/// Writes a message to the descriptor of standard error. Swift 6 does not permit access to the C variable `stderr`.
/// Errors are ignored.
private func reportError(_ text: String) {
  let bytes = Array("autoharp-screen-preview: \(text)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
