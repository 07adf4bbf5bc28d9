"""A client of `objquery serve STORE --stdio`, with nothing but Python's standard library.

    from objquery_client import Client

    with Client("quakes.store") as store:
        print(store.run("COUNT Quake WHERE mag > $min", parameters={"min": 5})["count"])
        for row in store.rows("Quake WHERE mag > 5 SORT BY time"):
            print(row["place"])

A method of the protocol is a method here: `store.explain(statement=…)` sends the request `explain`. Requests may be sent
without waiting: `send` gives their id, and `wait(id)` the answer. What a watch tells is in `notification()`.
"""

import itertools
import json
import queue
import subprocess
import threading


class ServerError(Exception):
    """An error that the server answers; `diagnostics` say what is wrong, where, and how to mend it."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]
        self.data = error.get("data") or {}
        self.diagnostics = self.data.get("diagnostics", [])


class Client:
    """A server process and the talk with it. Any thread may use it."""

    def __init__(self, store=None, *options, command="objquery"):
        words = [command, "serve"] + ([store] if store else []) + ["--stdio", *options]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._ids = itertools.count(1)
        self._answers = {}
        self._arrival = threading.Condition()
        self._notifications = queue.Queue()
        self._has_ended = False
        self._sending = threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            if "method" in message:
                self._notifications.put(message)
                continue
            with self._arrival:
                self._answers[message["id"]] = message
                self._arrival.notify_all()
        with self._arrival:
            self._has_ended = True
            self._arrival.notify_all()

    def send(self, method, **parameters):
        """Sends a request and returns its id, without waiting for the answer."""
        number = next(self._ids)
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}
        with self._sending:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        return number

    def wait(self, number, timeout=60):
        """The result of a request; raises ServerError for an error."""
        with self._arrival:
            self._arrival.wait_for(lambda: number in self._answers or self._has_ended, timeout)
            if number not in self._answers:
                raise EOFError("the server has ended" if self._has_ended else "no answer in time")
            answer = self._answers.pop(number)
        if "error" in answer:
            raise ServerError(answer["error"])
        return answer["result"]

    def __getattr__(self, method):
        if method.startswith("_"):
            raise AttributeError(method)
        return lambda **parameters: self.wait(self.send(method, **parameters))

    def run(self, statement, **parameters):
        """Runs a statement."""
        return self.wait(self.send("run", statement=statement, **parameters))

    def rows(self, statement, **parameters):
        """All rows of a query, which are fetched a page at a time."""
        page = self.run(statement, **parameters)
        size = {"pageSize": parameters["pageSize"]} if "pageSize" in parameters else {}
        while True:
            yield from page["rows"]
            if page["cursor"] is None:
                return
            page = self.next(cursor=page["cursor"], **size)

    def notification(self, timeout=60):
        """The next thing that a watch tells; raises queue.Empty when there is none in time."""
        return self._notifications.get(timeout=timeout)

    def end(self):
        """Ends the input, which ends the server when it has answered; returns its exit status."""
        with self._sending:
            self.process.stdin.close()
        return self.process.wait(timeout=60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.end()
