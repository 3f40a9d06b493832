"""Where the corpus of real stores is, and private copies of its stores."""
import csv
import os
import shutil
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]
#: Known without the corpus, so that its absence can be reported in numbers.
STORES, WITH_MODEL_CACHE = 47, 34


def root():
    """The corpus folder, or None where it is absent; STOREBROWSER_CORPUS names another place than ../shared/corpus."""
    folder = Path(os.environ.get("STOREBROWSER_CORPUS", PACKAGE.parent / "shared" / "corpus"))
    return folder if (folder / "stores.tsv").is_file() else None


def _rows():
    with open(root() / "stores.tsv", encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))


def models(kinds=("MOM", "XCDATAMODEL")):
    """{path of a store: a model file that fits it}, where the list names one of these kinds, the first kind preferred."""
    found = {}
    for kind in kinds:
        for row in _rows():
            for entry in row["matching_model"].split(";"):
                named, _, rest = entry.partition(":")
                path = root() / rest.partition(" [")[0]
                if named == kind and path.is_file():
                    found.setdefault(row["local_file"], path)
    return found


def stores(with_model_cache=False):
    """(path below the corpus, file) of each store, in the order of the list; fails when the number is not as known."""
    folder, rows = root(), _rows()
    if with_model_cache:
        rows = [row for row in rows if row["Z_MODELCACHE"].startswith("nonempty")]
    expected = WITH_MODEL_CACHE if with_model_cache else STORES
    if len(rows) != expected:
        raise SystemExit(f"the corpus lists {len(rows)} stores where {expected} are expected")
    return [(row["local_file"], folder / row["local_file"]) for row in rows]


def support_name(store):
    """The name of the folder that holds a store's external data."""
    return f".{Path(store).stem}_SUPPORT"


def copy_store(store, folder):
    """Copies a store with its -wal, -shm, -journal and external data into a folder; answers the copy."""
    store, folder = Path(store), Path(folder)
    for suffix in ("", "-wal", "-shm", "-journal"):
        part = store.with_name(store.name + suffix)
        if part.exists():
            shutil.copyfile(part, folder / part.name)
    support = store.with_name(support_name(store))
    if support.is_dir():
        shutil.copytree(support, folder / support.name, copy_function=shutil.copyfile)
    return folder / store.name
