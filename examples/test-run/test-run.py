# Python 3.8 or later, nothing to install.
#
# Runs an agent's test cases on its draft, for CI:
#
#     test-run.py AGENT_ID KEY [BUDGET]
#
# KEY makes retries safe: all attempts of a build use the same one, such as its commit, and start one run.
# Exits with 0 if the run passed, 1 if it did not, 2 if it could not be started.
import json
import os
import sys
import time
import urllib.error
import urllib.request

URL = "http://127.0.0.1:8080/graphql"

START = "mutation($input: StartTestRunInput!) { startTestRun(input: $input) { testRun { id } } }"
STATE = "query($id: ID!) { testRun(id: $id) { number state stopReason done attempts credits } }"
LIVE = """query($agent: ID!) { agent(id: $agent) { publishedVersion { number }
    testRuns(first: 100) { nodes { id number whole state version { number } } } } }"""
OUTCOMES = """query($id: ID!, $against: ID, $after: String) { testRun(id: $id) {
    outcomes(first: 100, after: $after, against: $against) {
        nodes { caseNumber passes repeats passed change before { passes repeats } }
        pageInfo { hasNextPage endCursor } } } }"""


class Refused(Exception):
    pass


def data_of(answer):
    if answer.get("errors"):
        raise Refused(answer["errors"][0]["message"])
    return answer["data"]


# Sends a query. While the service is unavailable, it retries for about two minutes.
def ask(query, **variables):
    headers = {
        "Authorization": "Bearer " + os.environ["AGENTCHAT_TOKEN"],
        "Content-Type": "application/json",
    }
    body = json.dumps({"query": query, "variables": variables}).encode()
    for wait in (1, 2, 4, 8, 16, 32, 64, None):
        try:
            with urllib.request.urlopen(urllib.request.Request(URL, body, headers), timeout=60) as response:
                return data_of(json.load(response))
        except urllib.error.HTTPError as error:
            if error.code < 500:
                return data_of(json.load(error))
            problem = error
        except OSError as error:
            problem = error
        if wait is None:
            raise Refused(problem)
        time.sleep(wait)


# Returns the newest run of all cases on the live version, to compare with.
def live_run(agent):
    found = ask(LIVE, agent=agent)["agent"]
    for run in found["testRuns"]["nodes"]:
        if run["whole"] and run["state"] in ("PASSED", "FAILED") and run["version"] is not None:
            if run["version"] == found["publishedVersion"]:
                return run
    return None


def show_outcomes(id, live):
    after = None
    while True:
        page = ask(OUTCOMES, id=id, against=live and live["id"], after=after)["testRun"]["outcomes"]
        for case in page["nodes"]:
            if case["passed"] and case["change"] in (None, "SAME"):
                continue
            before = case["before"]
            text = "case %d: %d of %d" % (case["caseNumber"], case["passes"], case["repeats"])
            if before:
                text += ", %d of %d live (%s)" % (before["passes"], before["repeats"], case["change"].lower())
            print(text)
        if not page["pageInfo"]["hasNextPage"]:
            return
        after = page["pageInfo"]["endCursor"]


# Waits until a run has ended, and returns it.
def wait_for(id):
    while True:
        run = ask(STATE, id=id)["testRun"]
        if run["state"] not in ("WAITING", "RUNNING"):
            return run
        time.sleep(3)


def main(agent=None, key=None, budget=None, *more):
    token = os.environ.get("AGENTCHAT_TOKEN")
    if not (token and agent and key) or more or (budget and not budget.isdigit()):
        print("usage: AGENTCHAT_TOKEN=agt_... test-run.py AGENT_ID KEY [BUDGET]", file=sys.stderr)
        return 2
    started = False
    try:
        budget = int(budget) if budget else None
        start = {"agentId": agent, "idempotencyKey": key, "budget": budget}
        id = ask(START, input=start)["startTestRun"]["testRun"]["id"]
        started = True
        run = wait_for(id)
        show_outcomes(id, live_run(agent))
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 1 if started else 2
    print("run %(number)d: %(state)s, %(done)d of %(attempts)d attempts, %(credits)d credits" % run)
    if run["stopReason"]:
        print("stopped: " + run["stopReason"])
    return 0 if run["state"] == "PASSED" else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
