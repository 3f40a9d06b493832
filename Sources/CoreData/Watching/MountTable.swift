import Foundation

/// The kernel's table of mounts: which file system a path lies on.
struct MountTable: Sendable {
  /// Mount points and the names of their file systems, in the order they were mounted.
  private let mounts: [(point: String, fileSystem: String)]

  /// The mounts that this process sees.
  static func current() -> MountTable {
    MountTable((try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)) ?? "")
  }

  /// Reads the text of `mountinfo` (proc(5)).
  init(_ mountinfo: String) {
    mounts = mountinfo.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ")
      // Optional fields stand between the sixth and a lone hyphen.
      guard fields.count > 6, let hyphen = fields.dropFirst(6).firstIndex(of: "-"), hyphen + 1 < fields.count else {
        return nil
      }
      return (Self.unescaped(fields[4]), String(fields[hyphen + 1]))
    }
  }

  /// The name of the file system that holds `path`, which is absolute and free of links; nil where no mount covers it.
  func fileSystem(of path: String) -> String? {
    var found: (length: Int, fileSystem: String)?
    for mount in mounts where path == mount.point || path.hasPrefix(mount.point == "/" ? "/" : mount.point + "/") {
      // Of two mounts on one point the later one hides the earlier.
      if mount.point.utf8.count >= found?.length ?? 0 { found = (mount.point.utf8.count, mount.fileSystem) }
    }
    return found?.fileSystem
  }

  /// Whether another machine may write there without this kernel's notice, and without sharing memory with it.
  static func isShared(_ fileSystem: String) -> Bool {
    let shared: Set<String> = [
      "nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "9p", "virtiofs", "ceph", "afs", "coda", "gfs2", "ocfs2",
      "lustre", "glusterfs", "vboxsf", "vmhgfs", "prl_fs", "drvfs", "fuse",
    ]
    return shared.contains(fileSystem) || fileSystem.hasPrefix("fuse.")
  }

  /// Spaces and the like are written as three octal digits after a backslash.
  private static func unescaped(_ field: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Substring(field).utf8
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), let code = UInt8(String(Substring(rest.prefix(3))), radix: 8) {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
