"""The endpoints of the page that 'serve' shows."""

import json
import re
import urllib.error
import urllib.request

from tree import ROOT, TOKEN, started


class Page:
    """Fixed questions to each endpoint that the server's own OpenAPI answer lists; each answer becomes a file."""

    name, kind = "serve: questions to each endpoint", "exact"

    def __init__(self, inputs):
        self.log = (inputs / "log.csv").read_bytes()
        self.profile = json.loads((inputs / "up1.json").read_text())

    def questions(self):
        scenario = {"model": "model", "clients": 30, "profile": self.profile}
        question = {"scenarios": [scenario, scenario | {"clients": 60}], "thresholdMilliseconds": 20, "seed": 7}
        cluster = {"family": "mesh:3", "faults": [], "properties": ["E[ lost ]"], "seed": 7}
        boundary = b"golden"
        form = b'--golden\r\nContent-Disposition: form-data; name="log"; filename="log.csv"\r\n\r\n' + self.log
        return {
            "/api/profiles": [self.profile, {"name": "a/b"}],
            "/api/models": [form + b"\r\n--" + boundary + b"--\r\n", {}],
            "/api/clusters": [cluster, cluster | {"family": "heap:3"}],
            "/api/topologies": [{"topology": (ROOT / "profiles/clusters/bridge-pair.json").read_text()}, {}],
            "/api/stops": [{"session": "golden"}],
            # They load a live broker for a minute.
            "/api/verifications": [{"scenarios": []}],
            "/api/explorations": [{"scenarios": []}],
            "": [question, {"scenarios": []}],
        }

    def run(self, number, side):
        directory = side.fresh(number)
        with started(side, directory, ["serve", "--model", "model.json", "--port", "0", "--out", "served"]) as process:
            address = re.search(r"http://127\.0\.0\.1:\d+", (directory / "stdout.txt").read_text())
            if not address:
                raise RuntimeError(f"serve did not start, see {directory}")
            routes = json.loads(self.ask(address[0], "GET", "/api/openapi.json", None)[1])["paths"]
            for route, methods in routes.items():
                for method in methods:
                    self.save(directory, address[0], method.upper(), route)
            self.save(directory, address[0], "GET", "/no-such-page")
        (directory / "exit.txt").write_text(f"{process.returncode}\n")
        return directory

    def save(self, directory, address, method, route):
        bodies = [None] if method == "GET" else self.questions().get(route, self.questions()[""])
        for index, body in enumerate(bodies):
            if isinstance(body, dict) and route not in ("/api/profiles", "/api/topologies", "/api/stops", "/api/models"):
                self.number = getattr(self, "number", 0) + 1
                body = body | {"session": "golden", "request": self.number}
            status, answer = self.ask(address, method, route, body)
            # The number of a request, and events that say that others are before it, depend on the order of arrival.
            answer = re.sub(r'"request":\s*\d+', '"request":N', re.sub(r"event: waiting\n.*\n\n", "", answer))
            name = f"{method}{route.replace('/', '-')}-{index}.txt"
            (directory / name).write_text(f"{status}\n{answer}")

    @staticmethod
    def ask(address, method, route, body):
        headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        if isinstance(body, bytes):
            headers["Content-Type"] = "multipart/form-data; boundary=golden"
        elif body is not None:
            body = json.dumps(body).encode()
        request = urllib.request.Request(address + route, data=body, method=method, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read().decode()
