/// What a page is used for in one committed state.
enum PageRole: Equatable {
  /// A page of the b-tree with that root.
  case tree(root: UInt32)
  /// A page that holds part of a row of `leaf` in the tree of `root`; the chain starts at `first`.
  case overflow(first: UInt32, leaf: UInt32, root: UInt32)
  /// A free page, a page of the pointer map, the lock page, or a page beyond the end.
  case unused
  /// Not a page of any tree: free, or overflow of an unknown row.
  case unknown
}

/// Tells the roles of pages.
protocol PageOwners {
  func role(of page: UInt32) throws -> PageRole
}

/// Roles by the pointer map that auto-vacuum keeps: a few look-ups a page, whatever the size of the store.
struct PointerMap: PageOwners {
  private enum Entry: UInt8 {
    case root = 1
    case free, firstOverflow, laterOverflow, tree
  }

  let source: any PageSource
  let header: DatabaseHeader

  func role(of page: UInt32) throws -> PageRole {
    guard page > 1 else {
      guard page == 1 else { throw PageError.malformed(page: page) }
      return .tree(root: 1)
    }
    guard page <= source.pageCount, page != header.lockPage, mapPage(of: page) != page else { return .unused }
    var (current, steps) = (page, 0)
    while true {
      let (kind, parent) = try entry(of: current)
      switch kind {
      case .free: return .unused
      case .root, .tree: return .tree(root: try root(above: current))
      case .firstOverflow: return .overflow(first: current, leaf: parent, root: try root(above: parent))
      case .laterOverflow: current = parent
      }
      steps += 1
      guard steps <= Int(source.pageCount) else { throw PageError.malformed(page: page) }
    }
  }

  private func root(above page: UInt32) throws -> UInt32 {
    var current = page
    for _ in 0...BTreeReader.deepest {
      if current == 1 { return 1 }
      let (kind, parent) = try entry(of: current)
      switch kind {
      case .root: return current
      case .tree: current = parent
      default: throw PageError.malformed(page: current)
      }
    }
    throw PageError.malformed(page: page)
  }

  /// The pointer-map page that describes `page`.
  private func mapPage(of page: UInt32) -> UInt32 {
    let entries = UInt32(header.usableSize / 5)
    let map = (page - 2) / (entries + 1) * (entries + 1) + 2
    return map == header.lockPage ? map + 1 : map
  }

  private func entry(of page: UInt32) throws -> (Entry, parent: UInt32) {
    guard page >= 2 else { throw PageError.malformed(page: page) }
    let map = mapPage(of: page)
    guard page > map else { throw PageError.malformed(page: page) }
    let offset = Int(page - map - 1) * 5
    let bytes = try source.page(map)
    guard let kind = Entry(rawValue: try bytes.uint8(offset)) else { throw PageError.malformed(page: page) }
    return (kind, try bytes.uint32(offset + 1))
  }
}

/// Roles by a walk of the interior pages of every tree, for stores without a pointer map.
///
/// Costs a page read for some hundred leaves. Overflow pages stay unknown: finding their rows would read every leaf.
struct WalkedOwners: PageOwners {
  private var roots: [UInt32]
  private let free: Set<UInt32>

  init(_ reader: BTreeReader, schema: PageSchema, firstFreePage: UInt32) throws {
    free = try Self.freePages(reader.source, first: firstFreePage)
    roots = Array(repeating: 0, count: Int(reader.source.pageCount) + 1)
    for root in schema.owners.keys {
      try reader.forEachPage(under: root) { page, _ in
        guard Int(page) < roots.count else { throw PageError.malformed(page: page) }
        roots[Int(page)] = root
      }
    }
  }

  func role(of page: UInt32) throws -> PageRole {
    guard Int(page) < roots.count, !free.contains(page) else { return .unused }
    let root = roots[Int(page)]
    return root == 0 ? .unknown : .tree(root: root)
  }

  private static func freePages(_ source: any PageSource, first: UInt32) throws -> Set<UInt32> {
    var pages: Set<UInt32> = []
    var trunk = first
    while trunk != 0 {
      guard pages.insert(trunk).inserted else { throw PageError.malformed(page: trunk) }
      let page = try source.page(trunk)
      let count = Int(try page.uint32(4))
      guard count <= page.bytes.count / 4 else { throw PageError.malformed(page: trunk) }
      for leaf in 0..<count { pages.insert(try page.uint32(8 + 4 * leaf)) }
      trunk = try page.uint32(0)
    }
    return pages
  }
}
