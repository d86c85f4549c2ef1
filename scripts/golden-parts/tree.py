"""The tool of a tree, run and served."""

import glob
import os
import signal
import socket
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TOOL = "src/MqttCheck.Cli/bin/Release/net10.0/MqttCheck.Cli"
TOKEN = "golden-golden-golden"


class Side:
    """The tool of one tree, and the directory where its cases run."""

    def __init__(self, name, tree, work):
        self.name, self.tool, self.directory = name, str(tree / TOOL), work / name
        self.inputs, self.ports, self.servers = work / "inputs", {}, []

    # What cases name in braces: a worker, and a broker that does wrong.
    def serve(self):
        self.ports["worker"] = free_port()
        self.ports["faulty"] = free_port()
        for name, words in (
            ("worker", ["worker", "--join", f"127.0.0.1:{self.ports['worker']}"]),
            ("faulty", ["broker", "--port", str(self.ports["faulty"]), "--faults", "lose:0.3,wrong-qos:0.3", "--seed", "1"]),
        ):
            directory = self.directory / name
            directory.mkdir(parents=True)
            server = started(self, directory, words)
            server.__enter__()
            self.servers.append(server)

    def words(self, directory, words):
        for word in words:
            word = filled(word, self.ports | {"free": free_port()})
            found = [name for name in glob.glob(word, root_dir=directory) if "*" in word]
            yield from found or [word]

    def text(self, words):
        done = subprocess.run([self.tool, *words], capture_output=True, text=True, cwd=self.inputs)
        return done.stdout + done.stderr

    def fresh(self, number):
        directory = self.directory / str(number)
        directory.mkdir(parents=True)
        for file in self.inputs.iterdir():
            (directory / file.name).symlink_to(file)
        return directory

    def run(self, number, case):
        directory = self.fresh(number)
        if case.kind == "stopped":
            code = self._until_ready(directory, [*self.words(directory, case.words)])
        else:
            limit = ["bash", "-c", 'ulimit -n 64; exec "$@"', "bash"] if case.kind == "limited" else []
            with open(directory / "stdout.txt", "w") as out, open(directory / "stderr.txt", "w") as error:
                done = subprocess.run(
                    ["nice", *limit, self.tool, *self.words(directory, case.words)],
                    cwd=directory, stdin=subprocess.DEVNULL, stdout=out, stderr=error, timeout=300,
                )
            code = done.returncode
        (directory / "exit.txt").write_text(f"{code}\n")
        return directory

    # What serves until Ctrl-C is stopped as soon as it is ready.
    def _until_ready(self, directory, words):
        with started(self, directory, words) as process:
            pass
        return process.returncode


class started:
    """A command that serves, from when it has said where until SIGINT. One that says nothing has three seconds."""

    def __init__(self, side, directory, words):
        self.command, self.directory = ["env", "--default-signal=INT", side.tool, *words], directory

    def __enter__(self):
        environment = os.environ | {"MQTTCHECK_PAGE_TOKEN": TOKEN}
        self.out = open(self.directory / "stdout.txt", "w+")
        self.error = open(self.directory / "stderr.txt", "w+")
        self.process = subprocess.Popen(
            self.command, cwd=self.directory, stdout=self.out, stderr=self.error, env=environment
        )
        for _ in range(30):
            if self.process.poll() is not None or (self.directory / "stdout.txt").stat().st_size > 0:
                break
            time.sleep(0.1)
        # Further lines follow the first one at once.
        time.sleep(0.5)
        return self.process

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.out.close()
        self.error.close()


def filled(text, ports):
    for name, port in ports.items():
        text = text.replace("{" + name + "}", str(port))
    return text


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]
