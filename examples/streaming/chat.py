# Python 3.8 or later, nothing to install.
import http.client
import json
import os
import time
import urllib.error
import urllib.request
import uuid

URL = "http://127.0.0.1:8080/v1/agent/chat"


def stream(message, session_id):
    idempotency_key = str(uuid.uuid4())
    give_up = time.monotonic() + 200
    backoff = 1
    while time.monotonic() < give_up:
        wait = backoff
        backoff = min(2 * backoff, 8)
        request = urllib.request.Request(
            URL,
            data=json.dumps({"message": message, "session_id": session_id, "stream": True}).encode(),
            headers={
                "Authorization": "Bearer " + os.environ["AGENTCHAT_API_KEY"],
                "Content-Type": "application/json",
                "Idempotency-Key": idempotency_key,
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=100) as response:
                for line in response:  # bytes: lines end at line feeds alone
                    if not line.endswith(b"\n"):
                        break  # cut
                    name, _, value = line.decode().rstrip("\n").partition(": ")
                    if name == "event":
                        event = value
                    elif name == "data":
                        data = json.loads(value)
                        if event == "delta":
                            print(data["text"], end="", flush=True)
                        elif event == "end":
                            print()
                            return data
                        elif event == "error" and data["error"]["code"] != "unavailable":
                            raise RuntimeError(value)
        except urllib.error.HTTPError as error:
            if "Retry-After" not in error.headers:
                raise RuntimeError(f"{error.code}: {error.read().decode(errors='replace')}") from error
            wait = int(error.headers["Retry-After"])
        except (http.client.HTTPException, OSError) as error:
            print(f"\ncut: {error!r}")
        time.sleep(wait)
    raise RuntimeError("There was no reply within 200 seconds.")


stream("Hello!", "customer-42")
