"""pexpect behind the six calls of a host, over MCP on stdio."""
import json
import sys

import pexpect

children = {}
# Closed after the answer: closing sleeps for 0.1 s.
finished = []
SIZE = (40, 120)


def seen(child, args):
    """What pexpect says after waiting for the prompt it was told."""
    wanted = [pexpect.EOF, pexpect.TIMEOUT]
    told = args.get("prompt") or args.get("screen")
    if told:
        wanted.append(told)
    at = child.expect_exact(wanted, timeout=args["limitMs"] / 1000)
    text = child.before if isinstance(child.before, str) else ""
    if at == 2:
        text += child.after
    return {"text": text, "state": ["exited", "unknown", "waiting"][at]}


def spawn(command):
    child = pexpect.spawn("/bin/bash", ["-c", command], encoding="utf-8", dimensions=SIZE,
                          codec_errors="replace", maxread=65536)
    # The documentation's own advice for speed.
    child.delaybeforesend = None
    return child


def run(args):
    child = spawn(args["command"])
    finished.append(child)
    pieces = []
    kept = 0
    try:
        while True:
            piece = child.read_nonblocking(65536, timeout=args["limitMs"] / 1000)
            pieces.append(piece)
            kept += len(piece)
            while args["want"] == "end" and kept > 100000 and len(pieces) > 1:
                kept -= len(pieces.pop(0))
    except pexpect.EOF:
        pass
    child.wait()
    return {"text": "".join(pieces), "state": "exited"}


def open_(args):
    child = spawn(args["command"])
    name = str(child.pid)
    children[name] = child
    answer = seen(child, args)
    if answer["state"] == "waiting" and "assword" in answer["text"]:
        answer["secret"] = child.waitnoecho(timeout=1)
    return {"id": name, **answer}


def say(args):
    child = children[args["id"]]
    child.sendline(args["line"])
    return seen(child, args)


def press(args):
    child = children[args["id"]]
    for part in args["parts"]:
        child.send(part)
    return seen(child, args)


def close(args):
    children.pop(args["id"]).close(force=True)
    return {"text": "", "state": "exited"}


tools = {"run": run, "open": open_, "say": say, "press": press, "close": close}


def answer(method, params):
    if method == "initialize":
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}},
                "serverInfo": {"name": "pexpect", "version": pexpect.__version__}}
    if method == "tools/list":
        return {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in tools]}
    text = json.dumps(tools[params["name"]](params["arguments"]))
    return {"content": [{"type": "text", "text": text}]}


for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    reply = {"jsonrpc": "2.0", "id": request["id"]}
    if request["method"] in ("initialize", "tools/list", "tools/call"):
        reply["result"] = answer(request["method"], request.get("params", {}))
    else:
        reply["error"] = {"code": -32601, "message": "no such method"}
    print(json.dumps(reply), flush=True)
    while finished:
        finished.pop().close()
