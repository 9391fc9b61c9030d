# Python 3.8 or later, nothing to install.
import http.client
import json
import os
import time
import urllib.error
import urllib.request
import uuid

URL = "http://127.0.0.1:8080/v1/agent/chat"
ORDERS = {"A-1": {"state": "shipped", "arrives": "Monday"}}


def order_status(order):
    if order not in ORDERS:
        raise LookupError(f"There is no order {order}.")
    return ORDERS[order]


ACTIONS = {"order_status": order_status}


def run(action):
    try:
        result = ACTIONS[action["name"]](**action["arguments"])
    except Exception as error:  # the model gets the error and can explain it
        return {"id": action["id"], "error": (str(error) or repr(error))[:2000]}
    return {"id": action["id"], "result": result}


def ask(session_id, message):
    reply = send({"session_id": session_id, "message": message})
    while reply and reply["finish_reason"] == "actions":
        results = [run(action) for action in reply["actions"]]
        reply = send({"session_id": session_id, "action_results": results})
    return reply and reply.get("output", reply["reply"])


# Sends a request until it is answered. All attempts have the same key, so it is answered and paid for once.
def send(body):
    headers = {
        "Authorization": "Bearer " + os.environ["AGENTCHAT_API_KEY"],
        "Content-Type": "application/json",
        "Idempotency-Key": str(uuid.uuid4()),
    }
    give_up = time.monotonic() + 200
    backoff = 1
    while time.monotonic() < give_up:
        wait = backoff
        backoff = min(2 * backoff, 8)
        try:
            request = urllib.request.Request(URL, json.dumps(body).encode(), headers)
            with urllib.request.urlopen(request, timeout=100) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            problem = f"{error.code}: {error.read().decode(errors='replace')}"
            if '"action_mismatch"' in problem:  # the customer has written again, and gets the reply to the newer message
                return None
            if error.code < 500 and "Retry-After" not in error.headers:
                break
            wait = int(error.headers.get("Retry-After", wait))
        except (http.client.HTTPException, OSError, ValueError) as error:  # the connection was cut
            problem = repr(error)
        time.sleep(wait)
    raise RuntimeError(problem)


for order in ["A-1", "A-2"]:
    print(ask("customer-42", f'Where is order {order}? [[sandbox action=order_status {{"order":"{order}"}}]]'))
