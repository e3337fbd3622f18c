"""A headless Chromium, told what to do over two pipes (DevTools protocol, messages ended by a zero byte)."""
import json, os, shutil, subprocess, tempfile


def find():
    return next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)


class Browser:
    def __init__(self, program, width=1400, height=800):
        self.profile = tempfile.TemporaryDirectory(prefix="lhp-browser-", ignore_cleanup_errors=True)
        read_end, self.out = os.pipe()
        self.inp, write_end = os.pipe()

        def place():  # Chromium reads descriptor 3 and writes 4
            a, b = os.dup(read_end), os.dup(write_end)
            os.dup2(a, 3), os.dup2(b, 4)

        flags = ["--headless", "--remote-debugging-pipe", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                 f"--user-data-dir={self.profile.name}", f"--window-size={width},{height}"]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")  # it has none for root
        self.process = subprocess.Popen([program, *flags, "about:blank"], preexec_fn=place, close_fds=False,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_end), os.close(write_end)
        self.rest, self.last, self.session, self.errors = b"", 0, None, []
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        self.call("Page.enable"), self.call("Runtime.enable")

    def message(self):
        while b"\0" not in self.rest:
            more = os.read(self.inp, 1 << 16)
            if not more:
                raise RuntimeError("the browser is gone")
            self.rest += more
        first, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(first)
        if message.get("method") == "Runtime.exceptionThrown":
            self.errors.append(message["params"]["exceptionDetails"])
        return message

    def call(self, method, **params):
        self.last += 1
        request = {"id": self.last, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.out, json.dumps(request).encode() + b"\0")
        while (answer := self.message()).get("id") != self.last:
            pass
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def open(self, url):
        self.call("Page.navigate", url=url)
        while self.message().get("method") != "Page.loadEventFired":
            pass

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def click(self, element):
        """A press and release of the mouse in the middle of the element that the JavaScript expression names."""
        x, y = self.value(f"(() => {{ const e = {element}; e.scrollIntoView({{block: 'center', inline: 'center'}});"
                          "const r = e.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      windowsVirtualKeyCode={"Enter": 13, "Escape": 27}[key], text="\r" if key == "Enter" else "")

    def close(self):
        try:
            self.call("Browser.close")
        except (RuntimeError, OSError):
            pass
        self.process.wait(timeout=20)
        os.close(self.out), os.close(self.inp)
        self.profile.cleanup()
