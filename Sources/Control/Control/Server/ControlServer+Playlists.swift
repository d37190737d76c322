internal import BusMethods

// The playlists of the unit.
extension ControlServer {
  static func addPlaylists(to handlers: inout ControlHandlers) {
    handlers.on(Library1.savePlaylist) { server, call in
      server.unit.playlists.saveQueue(as: call.arguments) { call.finish($0) }
    }
    handlers.on(Library1.addToPlaylist) { server, call in
      let addition = call.arguments
      server.unit.playlists.add(addition.list, row: addition.row, to: addition.name) {
        call.finish($0)
      }
    }
    handlers.on(Library1.removeFromPlaylist) { server, call in
      server.unit.playlists.remove(call.arguments.row, from: call.arguments.name) {
        call.finish($0)
      }
    }
    handlers.on(Library1.renamePlaylist) { server, call in
      server.unit.playlists.rename(call.arguments.subject, to: call.arguments.name) {
        call.finish($0)
      }
    }
    handlers.on(Library1.deletePlaylist) { server, call in
      server.unit.playlists.delete(call.arguments) { call.finish($0) }
    }
  }
}
