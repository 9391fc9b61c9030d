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
    for attempt in range(4):
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
                        elif event == "error":
                            raise RuntimeError(value)
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{error.code}: {error.read().decode(errors='replace')}") from error
        except (http.client.HTTPException, OSError) as error:
            print(f"\ncut: {error!r}")
        time.sleep(2**attempt)
    raise RuntimeError("The stream was cut each time.")


stream("Hello!", "customer-42")
