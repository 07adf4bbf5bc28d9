"""Sends the examples of the page about the server, and compares the answers. Called with the command, an empty folder and
the page; prints the answers that differ."""

import json
import os
import re
import subprocess
import sys

command, folder, page = sys.argv[1:]
text = open(page, encoding="utf-8").read()
os.chdir(folder)


def blocks():
    """The blocks of code that name no language."""
    block = None
    for line in text.splitlines(keepends=True):
        if not line.startswith("```"):
            if block is not None:
                block.append(line)
        elif block is None:
            block, is_plain = [], line == "```\n"
        else:
            if is_plain:
                yield "".join(block)
            block = None


def examples():
    """Pairs of a direction and a message, in the order of the page."""
    for block in blocks():
        for direction, message in re.findall(r"^(-->|<--) (.*?)(?=^-->|^<--|\Z)", block, re.M | re.S):
            yield direction, json.loads(message)


def settled(value):
    """Without what differs from run to run: how long it took."""
    if isinstance(value, dict):
        return {key: settled(member) for key, member in value.items() if key != "elapsed"}
    return [settled(element) for element in value] if isinstance(value, list) else value


def answer_to(wanted):
    """The next message with the id of the wanted one, or the next notification."""
    for place, message in enumerate(early):
        if message.get("id") == wanted.get("id"):
            return early.pop(place)
    for line in server.stdout:
        message = json.loads(line)
        if message.get("id") == wanted.get("id"):
            return message
        early.append(message)
    raise EOFError(wanted)


with open("stations.swift", "w") as file:
    file.write(next(block for block in blocks() if block.startswith("@Model")))
with open("stations.jsonl", "w") as file:
    file.write('{"code": "ANMO", "noise": -140.5, "opened": "1989-08-29"}\n')
    file.write('{"code": "COLA", "noise": -130, "opened": "1996-06-25"}\n{"code": "KONO", "noise": -120}\n')
subprocess.run(
    [command, "import", "--quiet", "stations", "stations.jsonl", "Station", "--schema", "stations.swift"], check=True)
server = subprocess.Popen([command, "serve", "stations", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
early = []
counts = {"-->": 0, "<--": 0}
differences = 0
methods = set()
for direction, message in examples():
    counts[direction] += 1
    if direction == "-->":
        methods.add(message["method"])
        server.stdin.write(json.dumps(message).encode() + b"\n")
        server.stdin.flush()
        continue
    found = answer_to(message)
    if settled(found) != settled(message):
        differences += 1
        print("the page has", json.dumps(settled(message)), "and the server", json.dumps(settled(found)), sep="\n  ")
assert server.wait(timeout=60) == 0 and not early, early
assert counts["-->"] >= 15 and counts["<--"] > counts["-->"], counts
codes = {int(code) for code in re.findall(r"^\| (-32\d+) \|", text, re.M)}
print("methods:", " ".join(sorted(methods)))
print("codes:", " ".join(map(str, sorted(codes))))
sys.exit(1 if differences else 0)
