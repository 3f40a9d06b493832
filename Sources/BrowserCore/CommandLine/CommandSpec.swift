/// The commands of the command line as data: parsing, help and near spellings read the same table.
struct CommandSpec: Sendable {
  /// A word after the command.
  struct Operand: Sendable {
    var name: String
    var help: String
    /// Whether any number of further words may follow, for the last word of a command.
    var isRepeated = false
    /// Whether it may be left out.
    var isOptional = false

    /// The word in a line of usage.
    var usage: String { (isOptional ? "[\(name)]" : name) + (isRepeated ? " …" : "") }
  }

  /// The word that it is called by; empty for opening the browser.
  var name: String
  var operands: [Operand]
  var options: [OptionSpec]
  /// What it does, in one line.
  var summary: String
}

/// An option of the command line.
struct OptionSpec: Sendable, Hashable {
  /// The word after `--`.
  var name: String
  /// What its value is called in help; `nil` for an option without a value.
  var value: String?
  var help: String

  static let model = OptionSpec(
    name: "model", value: "PATH", help: "the model: .xcdatamodeld, .xcdatamodel, its contents, .momd or .mom")
  static let readOnly = OptionSpec(name: "read-only", help: "never unlock editing")
  static let format = OptionSpec(
    name: "format", value: "FORMAT", help: "table, json, ndjson, csv or tsv; table on a terminal, tsv in a pipe")
  static let modelFormat = OptionSpec(
    name: "format", value: "FORMAT", help: "text, json, xcdatamodel or dot (text)")
  static let timeout = OptionSpec(name: "timeout", value: "SECONDS", help: "how long to wait for a locked file (5)")
  static let entity = OptionSpec(name: "entity", value: "ENTITY", help: "the entity to show first")
  static let edit = OptionSpec(name: "edit", help: "open unlocked for editing")
  static let filter = OptionSpec(
    name: "where", value: "PREDICATE", help: "only objects for which this holds, such as \"name BEGINSWITH 'A'\"")
  static let sort = OptionSpec(name: "sort", value: "KEY[:desc],…", help: "the order of the rows")
  static let columns = OptionSpec(
    name: "columns", value: "KEY,…", help: "the properties to give; rel.key follows a to-one relationship")
  static let limit = OptionSpec(name: "limit", value: "N", help: "how many rows at most")
  static let offset = OptionSpec(name: "offset", value: "N", help: "how many rows to leave out at the start")
  static let relationships = OptionSpec(
    name: "relationships", help: "give the objects of to-many relationships, not their count")
  static let theme = OptionSpec(
    name: "theme", value: "NAME", help: Theme.names.joined(separator: ", "))
  static let zone = OptionSpec(
    name: "zone", value: "ZONE", help: "how dates are shown: local, utc or a name such as Europe/Paris")
  static let dump = OptionSpec(
    name: "dump-screen", value: "FORMAT", help: "print the screen when idle, as text, ansi or svg, and end")
  static let size = OptionSpec(name: "size", value: "CxR", help: "the size of the dumped screen (80x24)")
  static let keys = OptionSpec(
    name: "keys", value: "KEYS", help: "keys to press before the screen is dumped, such as \"jj<enter>\"")
  static let noAnimation = OptionSpec(
    name: "no-animation", help: "let the marks of changes appear and disappear without motion")
  static let rows = OptionSpec(name: "rows", value: "N", help: "about how many objects the demo has (5000)")
  static let seed = OptionSpec(name: "seed", value: "S", help: "the same seed makes the same demo (1)")
  static let rate = OptionSpec(name: "rate", value: "R", help: "changes a second while it is looked at (1), 0 for none")
  static let writerProcess = OptionSpec(name: "writer-process", help: "let a second process make the changes")
  static let writerOnly = OptionSpec(
    name: "writer-only", help: "make the changes and show nothing, until standard input is closed or ^C")
  static let at = OptionSpec(name: "at", value: "PATH", help: "where the demo's store lies")
  static let dryRun = OptionSpec(
    name: "dry-run", help: "print what would change, as watch does, and change nothing")
  static let help = OptionSpec(name: "help", help: "show this help")
  static let version = OptionSpec(name: "version", help: "show the version")

  init(name: String, value: String? = nil, help: String) {
    (self.name, self.value, self.help) = (name, value, help)
  }
}

extension CommandSpec {
  private static let browser: [OptionSpec] = [.theme, .noAnimation, .zone, .dump, .size, .keys]
  private static let store = Operand(name: "STORE", help: "a Core Data store")
  private static let storeOrModel = Operand(
    name: "STORE|MODEL", help: "a Core Data store, or an .xcdatamodeld, .xcdatamodel, .momd or .mom")
  private static let newStore = Operand(name: "STORE", help: "where the store is to lie; nothing is replaced")
  private static let common: [OptionSpec] = [.model, .readOnly, .timeout]
  private static let entity = Operand(name: "ENTITY", help: "an entity")
  private static let uri = Operand(name: "OBJECT-URI", help: "x-coredata://STORE-UUID/Entity/p42")
  private static let assignments = Operand(
    name: "KEY=VALUE", help: "KEY=TEXT, KEY:=JSON, KEY=@FILE for data; REL=URI, REL+=URI, REL-=URI", isRepeated: true)

  private static let optionalAssignments = Operand(
    name: assignments.name, help: assignments.help, isRepeated: true, isOptional: true)
  private static let optionalEntity = Operand(name: "ENTITY", help: "only objects of this entity", isOptional: true)
  private static let uris = Operand(name: uri.name, help: uri.help, isRepeated: true)

  /// Opening the browser.
  static let browse = CommandSpec(
    name: "", operands: [store], options: [.entity, .filter, .sort, .edit] + common + browser,
    summary: "open a store in the browser; without STORE, the demo")

  /// Every command that is called by a word.
  static let all: [CommandSpec] = [
    CommandSpec(
      name: "demo", operands: [], options: [.rows, .seed, .rate, .writerProcess, .writerOnly, .at, .entity] + browser,
      summary: "open the demo store, made on first use"),
    CommandSpec(
      name: "entities", operands: [store], options: [.format] + common,
      summary: "list the entities of a store: name, parent, abstract, rows, table"),
    CommandSpec(
      name: "count", operands: [store, entity], options: [.filter] + common,
      summary: "count the objects of an entity, subentities included"),
    CommandSpec(
      name: "fetch", operands: [store, entity],
      options: [.filter, .sort, .columns, .limit, .offset, .relationships, .format] + common,
      summary: "give the objects of an entity, subentities included"),
    CommandSpec(
      name: "show", operands: [store, uri],
      options: [.columns, .format] + common, summary: "give one object with its relationships"),
    CommandSpec(
      name: "set", operands: [store, uri, assignments], options: [.dryRun, .model, .timeout],
      summary: "change an object, checked by the model"),
    CommandSpec(
      name: "insert", operands: [store, entity, optionalAssignments], options: [.dryRun, .format, .model, .timeout],
      summary: "make a new object and give its URI, or with --format the object"),
    CommandSpec(
      name: "delete", operands: [store, uris], options: [.dryRun, .model, .timeout],
      summary: "delete objects, with what the model's delete rules take along"),
    CommandSpec(
      name: "model", operands: [storeOrModel], options: [.modelFormat, .model, .timeout],
      summary: "show the model of a store, or of a model's own file, and where it came from"),
    CommandSpec(
      name: "create", operands: [newStore], options: [.model],
      summary: "make a new, empty store of the model given with --model"),
    CommandSpec(
      name: "watch", operands: [store, optionalEntity], options: [.filter] + common,
      summary: "print every change as it happens, whoever makes it: a line of JSON each"),
  ]
}
