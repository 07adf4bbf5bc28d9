"""Uses every method of a server through Tools/clients/objquery_client.py. Called with the command and an empty folder."""

import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../Tools/clients"))
from objquery_client import Client, ServerError  # noqa: E402

command, folder = sys.argv[1:]
path = folder + "/items"


def check(fact, *shown):
    if not fact:
        raise AssertionError(shown)


def refusal(action, code, name=None):
    """The error of an action, which must be of that code."""
    try:
        found = action()
    except ServerError as error:
        check(error.code == code, error.code, error.data)
        check(name is None or error.diagnostics[0]["code"] == name, error.data)
        return error
    raise AssertionError(found)


def fill(count):
    """A store of items whose marks repeat."""
    with open(folder + "/schema.swift", "w") as file:
        file.write("@Model struct Item { @Attribute(.unique) var code: Int; var mark: Int; var word: String }\n")
    with open(folder + "/items.jsonl", "w") as file:
        for code in range(count):
            file.write('{"code":%d,"mark":%d,"word":"w%d"}\n' % (code, code % 7, code % 50))
    words = [command, "import", "--quiet", path, folder + "/items.jsonl", "Item", "--schema", folder + "/schema.swift"]
    subprocess.run(words, check=True)


def pages(store):
    everything = [row["code"] for row in store.rows("Item WHERE mark == 3 SORT BY code DESC", pageSize=500)]
    check(everything == [code for code in range(19_999, -1, -1) if code % 7 == 3], len(everything))
    first = store.run("Item SORT BY code", pageSize=3, ids=True)
    check([column["name"] for column in first["columns"]] == ["@id", "code", "mark", "word"], first["columns"])
    check([row["code"] for row in first["rows"]] == [0, 1, 2] and "@id" in first["rows"][0], first["rows"])
    # What is written meanwhile, here or elsewhere, is not in the pages that follow.
    changed = store.run("UPDATE Item SET word = 'new' WHERE code < 10")
    check(changed["changes"] == [{"kind": "changed", "entity": "Item", "count": 10}], changed)
    elsewhere("DELETE Item WHERE code == 4")
    second = store.next(cursor=first["cursor"], pageSize=4)
    check([row["code"] for row in second["rows"]] == [3, 4, 5, 6] and second["rows"][1]["word"] == "w4", second)
    check(store.close(cursor=first["cursor"]) is None)
    refusal(lambda: store.next(cursor=first["cursor"]), -32005, "cursor-closed")
    # Of too many cursors, the one that was not used for longest goes.
    open_cursors = [store.run("Item", pageSize=1)["cursor"] for _ in range(17)]
    check("16 others" in str(refusal(lambda: store.next(cursor=open_cursors[0]), -32005)))
    check(len(store.next(cursor=open_cursors[1])["rows"]) == 1_000)
    sections = store.run("Item WHERE code < 100 SECTIONS BY mark SELECT code", pageSize=20)
    check(sections["sections"] == [{"section": 0, "count": 15}, {"section": 1, "count": 5}], sections["sections"])
    rest = store.next(cursor=sections["cursor"])
    check(rest["sections"][0] == {"section": 1, "count": 10} and rest["cursor"] is None, rest["sections"])


def elsewhere(statement):
    subprocess.run([command, path, "--yes", "-c", statement], check=True, stderr=subprocess.DEVNULL)


def transactions(store):
    before = store.run("COUNT Item")["count"]
    check(store.run("BEGIN")["transaction"])
    store.run('INSERT Item {"code": -1, "mark": 1, "word": "x"}')
    page = store.run("Item SORT BY code", pageSize=2)
    check(page["rows"][0]["code"] == -1 and page["transaction"], page)
    check(len(store.next(cursor=page["cursor"], pageSize=5)["rows"]) == 5)
    store.run("ROLLBACK")
    check("transaction" in str(refusal(lambda: store.next(cursor=page["cursor"]), -32005)))
    check(store.run("COUNT Item")["count"] == before)
    store.run("LET few = mark == 3 AND code < 100")
    check(store.run("COUNT Item WHERE $few")["count"] == 14)


def confirmation(store):
    error = refusal(lambda: store.run("DELETE Item"), -32002, "needs-yes")
    check("delete all" in str(error) and "confirmed" in error.diagnostics[0]["notes"][0], error.diagnostics)
    error = refusal(lambda: store.run("ALTER Item ADD note: String?"), -32002, "needs-yes")
    check(error.data["changes"] == ["+ Item.note: String?"], error.data)
    done = store.run("ALTER Item ADD note: String?", confirmed=True)
    check(done["kind"] == "schemaChanged" and done["changes"] == ["+ Item.note: String?"], done)
    check(store.run("COUNT Item WHERE note == nil")["count"] > 0)


def parameters(store):
    def count(condition, **values):
        return store.run("COUNT Item WHERE " + condition, **values)["count"]

    check(count("mark == $m AND code < $1", parameters={"m": 3}, arguments=[0, 100]) == 14)
    check(count("word == %@ AND code > 1000", arguments=["w7"]) == 380)
    check(count("code IN $codes", parameters={"codes": [1, 2, 3]}) == 3)
    check(count("word == $w", parameters={"w:string": "w11"}) == 400)
    refusal(lambda: count("code == $c", parameters={"c": "many"}), -32000, "type-mismatch")
    refusal(lambda: count("code == $c", parameters={"c:colour": "red"}), -32602)
    refusal(lambda: count("code == $c"), -32000, "missing-argument")


def cancelling(store):
    many = " AND ".join("word MATCHES '(w|x)*(%d|[0-9]+)+y?'" % number for number in range(300))
    slow = store.send("run", statement="COUNT Item WHERE " + many)
    queued = store.send("run", statement="COUNT Item")
    # Requests of an editor are answered beside it.
    check(store.complete(text="Item WHERE ma", position=13)["items"][0] == {"text": "mark", "kind": "property"})
    check(store.cancel(id=queued) == {"cancelled": True})
    check(store.cancel(id=slow) == {"cancelled": True})
    start = time.monotonic()
    refusal(lambda: store.wait(slow), -32800, "cancelled")
    refusal(lambda: store.wait(queued), -32800, "cancelled")
    check(time.monotonic() - start < 20)
    check(store.cancel(id=slow) == {"cancelled": False})
    check(store.run("COUNT Item WHERE code == 11")["count"] == 1, "it goes on")
    check("stopped after 1 ms" in str(refusal(
        lambda: store.run("Item SORT BY word, mark, code", timeout=1, pageSize=100_000), -32004, "timeout")))


def texts(store):
    plan = store.explain(statement="Item WHERE code == 5", analyze=True)
    check("Item" in plan["text"] and plan["plan"]["version"] == 1, plan)
    text = "-- é😀\nItem WHERE mrk > 1; COUNT Item WHERE"
    parsed = store.parse(text=text)
    encoded = text.encode()
    for span in parsed["tokens"] + parsed["statements"]:
        utf16 = text.encode("utf-16-le")[2 * span["startUTF16"]:2 * span["endUTF16"]].decode("utf-16-le")
        check(encoded[span["start"]:span["end"]].decode() == utf16, span)
    kinds = [token["kind"] for token in parsed["tokens"]]
    check(kinds[:6] == ["comment", "entity", "keyword", "property", "operator", "number"], kinds)
    first = parsed["diagnostics"][0]
    check(first["code"] == "unknown-property" and first["fixes"][0]["replacement"] == "mark", first)
    check(encoded[first["range"]["start"]:first["range"]["end"]] == b"mrk", first)
    check(len(parsed["diagnostics"]) == 2, parsed["diagnostics"])
    check(store.parse(text="Item WHERE code == $c")["diagnostics"] == [])
    check(store.parse(text="LET a = mark > 1; Item WHERE $a")["diagnostics"] == [])
    formatted = store.format(text="-- all\nItem   where mark>1 ;count /* so */ Item")
    check(formatted["text"] == "-- all\nItem WHERE mark > 1 ;count /* so */ Item", formatted)
    check(len(formatted["kept"]) == 1, formatted)
    values = store.complete(text="é Item WHERE word == 'w1", positionUTF16=24)
    check(values["items"] == [] or all(item["kind"] == "value" for item in values["items"]), values)
    check("struct Item" in store.schema(entity="Item")["swift"])
    check(store.schema()["json"]["entities"][0]["name"] == "Item")
    described = {row["property"]: row for row in store.describe(entity="Item")["properties"]}
    check(described["mark"]["distinct"] == 7, described["mark"])


def watching(store):
    watch = store.watch(statement="Item WHERE mark == 6 AND code < 20 SORT BY code")
    check([row["code"] for row in watch["rows"]] == [6, 13], watch)
    elsewhere("UPDATE Item SET mark = 6 WHERE code == 1")
    told = store.notification()
    check(told["method"] == "watch/changed" and told["params"]["watch"] == watch["watch"], told)
    check([(change["op"], change["row"]["code"]) for change in told["params"]["changes"]] == [("insert", 1)], told)
    check(told["params"]["commit"] > watch["commit"], told)
    store.run("DELETE Item WHERE code == 13")
    changes = store.notification()["params"]["changes"]
    check([(change["op"], change["row"]["code"]) for change in changes] == [("delete", 13)], changes)
    store.run("ALTER Item ADD colour: Int?", confirmed=True)
    store.run("UPDATE Item SET colour = 3 WHERE code == 6")
    told = store.notification()
    check(told["method"] == "watch/reset" and told["params"]["rows"][1]["colour"] == 3, told)
    check(store.unwatch(watch=watch["watch"]) is None)
    refusal(lambda: store.unwatch(watch=watch["watch"]), -32602)
    refusal(lambda: store.watch(statement="DELETE Item"), -32000, "not-a-query")
    groups = store.watch(statement="Item GROUP BY mark SELECT mark, @count AS n HAVING mark == 2")
    elsewhere("DELETE Item WHERE code == 2")
    told = store.notification()
    check(told["params"]["changes"][0]["op"] == "update", told)
    opened = store.open()
    check(opened["store"] is None and opened["entities"] == [], opened)
    check(store.notification() == {
        "jsonrpc": "2.0", "method": "watch/ended", "params": {"watch": groups["watch"]}})


def opening(store):
    refusal(lambda: store.open(path=folder + "/nothing"), -32003, "store-not-opened")
    opened = store.open(path=folder + "/new", create=True)
    check(opened["entities"] == [] and opened["readonly"] is False, opened)
    opened = store.open(path=path, readonly=True)
    check(opened["readonly"] and opened["entities"][0]["name"] == "Item", opened)
    refusal(lambda: store.run('INSERT Item {"code": -5, "mark": 1, "word": "x"}'), -32001, "read-only")
    check(store.close() is None)
    check(store.info()["store"] is None)
    check(store.shutdown() is None)


fill(20_000)
with Client(path, command=command) as store:
    for part in [pages, transactions, confirmation, parameters, cancelling, texts, watching, opening]:
        part(store)
    check(store.process.wait(timeout=60) == 0)

# A cursor that nobody uses is closed, and with it its version of the store.
with Client(path, "--cursor-time", "1", command=command) as store:
    cursor = store.run("Item", pageSize=1)["cursor"]
    time.sleep(1.5)
    check("1 seconds" in str(refusal(lambda: store.next(cursor=cursor), -32005)))

with Client(path, "--readonly", "--limit", "3", "--timeout", "60000", command=command) as store:
    check(len(store.run("Item", pageSize=2)["rows"]) == 2)
    check(len(list(store.rows("Item", pageSize=2))) == 3)
    refusal(lambda: store.run("DELETE Item WHERE code == 5"), -32001, "read-only")
with Client(path, "--safe", command=command) as store:
    refusal(lambda: store.run("DELETE Item WHERE code == 5"), -32000, "not-safe")
    refusal(lambda: store.open(path=folder), -32000, "not-safe")

# An end from outside: what is open is undone, what runs or waits for another writer is cancelled.
holder = Client(path, command=command)
holder.run("BEGIN")
holder.run("DELETE Item WHERE code == 5")
for number, status in [(signal.SIGTERM, 0), (signal.SIGINT, 130)]:
    store = Client(path, command=command)
    waiting = store.send("run", statement='INSERT Item {"code": -9, "mark": 1, "word": "x"}')
    check(store.cancel(id=waiting) == {"cancelled": True})
    refusal(lambda: store.wait(waiting), -32800, "cancelled")
    waiting = store.send("run", statement='INSERT Item {"code": -9, "mark": 1, "word": "x"}')
    # By then it waits; if not, it is cancelled all the same.
    time.sleep(0.2)
    store.process.send_signal(number)
    refusal(lambda: store.wait(waiting), -32800)
    check(store.process.wait(timeout=30) == status, store.process.returncode)
holder.process.send_signal(signal.SIGTERM)
check(holder.process.wait(timeout=30) == 0, holder.process.returncode)
with Client(path, command=command) as store:
    check(store.run("COUNT Item WHERE code IN {5, -9}")["count"] == 1)

# Nobody reads any more.
store = subprocess.Popen([command, "serve", path, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
store.stdout.close()
check(store.wait(timeout=30) == 0, store.returncode)
print("all done")
