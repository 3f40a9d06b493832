/// The words that the demo's names are made of.
enum DemoWords {
  static let regions = ["Alps", "Coast", "Highlands", "Lakeland", "Steppe", "日本アルプス", "Sierra", "Taïga"]
  static let parkHeads = [
    "Amber", "Birch", "Cloud", "Dragonfly", "Ember", "Falcon", "Granite", "Heron", "Iris", "Juniper", "Kestrel",
    "Larch",
  ]
  static let parkTails = ["Forest", "Gorge", "Hills", "Marsh", "Range", "Valley"]
  static let trailHeads = [
    "Badger", "Chalk", "Dipper", "Échelle", "Fern", "Gannet", "Hollow", "Ibex", "Jackdaw", "Königsweg", "Lichen",
    "Miller's",
    "Nightjar", "Otter", "Piper", "Quarry", "Raven", "Saddle", "Thistle", "Upland", "Viper", "Willow", "山道", "Zigzag",
  ]
  static let trailTails = ["Loop", "Path", "Ridge", "Steps", "Traverse", "Walk", "Way"]
  static let waypoints = [
    "Bridge", "Cairn", "Car park", "Chapel", "Ford", "Hut", "Lookout 🔭", "Pass", "Spring", "Stile", "Summit ⛰️",
    "Waterfall",
  ]
  static let givenNames = [
    "Ada", "Björn", "Chiara", "Dmitri", "Eleni", "Farid", "Grace", "Hana", "Ignacio", "Jun", "Kofi", "Liên", "Mirjam",
    "Noor",
    "Olu", "Priya", "Quentin", "Rosa", "Sören", "Tove", "Uma", "Václav", "Wanjiru", "Xia", "Yusuf", "Zoë",
  ]
  static let familyNames = [
    "Abebe", "Baumann", "Castillo", "Dupont", "Eriksen", "Fontaine", "García", "Haddad", "Ivanova", "Jansen", "Kimura",
    "Lindqvist", "Moreau", "Nakamura", "O'Brien", "Petrov", "Quispe", "Rossi", "Silva", "Tanaka", "Usman", "Vogel",
    "Yılmaz",
  ]
  static let species = [
    "Adder", "Alpine rose", "Beech marten", "Chamois", "Edelweiss", "Fire salamander", "Fly agaric 🍄", "Gentian",
    "Hare",
    "Red deer", "Roe deer", "Stag beetle", "Swallowtail 🦋", "Wild garlic",
  ]
  static let birds = [
    "Black woodpecker", "Capercaillie", "Dipper", "Golden eagle 🦅", "Kingfisher", "Lapwing", "Nightingale",
    "Nutcracker",
    "Peregrine", "Ring ouzel", "Wallcreeper", "Wren",
  ]
  static let notes = [
    "close to the water", "heard first, then seen", "in the early mist", "on the north side",
    "two of them, maybe three",
    "walked right past us", "under the old larch",
  ]
}
