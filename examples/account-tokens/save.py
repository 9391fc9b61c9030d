# Python 3.8 or later, nothing to install.
import json
import os
import urllib.error
import urllib.request

URL = "http://127.0.0.1:8080/graphql"


def ask(query, **variables):
    headers = {
        "Authorization": "Bearer " + os.environ["AGENTCHAT_TOKEN"],
        "Content-Type": "application/json",
    }
    body = json.dumps({"query": query, "variables": variables}).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(URL, body, headers), timeout=60) as response:
            answer = json.load(response)
    except urllib.error.HTTPError as error:
        answer = json.load(error)
    if answer.get("errors"):
        raise SystemExit(answer["errors"][0]["message"])
    return answer["data"]


# Yields all nodes of the list at a path of the answer, page by page.
def nodes(query, *path, **variables):
    after = None
    while True:
        page = ask(query, after=after, **variables)
        for name in path:
            page = page[name]
        yield from page["nodes"]
        if not page["pageInfo"]["hasNextPage"]:
            return
        after = page["pageInfo"]["endCursor"]


def save(kind, node):
    print(json.dumps({"type": kind, **node}, ensure_ascii=False))


PAGE = "pageInfo { hasNextPage endCursor }"
AGENTS = "query($after: String) { agents(after: $after) { nodes { id name state instructions createdAt } %s } }" % PAGE
EXPORTS = "query($after: String) { viewer { exports(after: $after) { nodes { id name state agent { id } createdAt } %s } } }" % PAGE
CONVERSATIONS = "query($after: String) { viewer { conversations(after: $after) { nodes { id sessionId userId createdAt } %s } } }" % PAGE
TURNS = """query($id: ID!, $after: String) { conversation(id: $id) { turns(first: 20, after: $after) {
    nodes { id conversationId number createdAt state message reply errorCode credits } %s } } }""" % PAGE
CREDITS = "query($after: String) { viewer { creditHistory(after: $after) { nodes { id createdAt kind amount balanceAfter } %s } } }" % PAGE

for agent in nodes(AGENTS, "agents"):
    save("agent", agent)
for export in nodes(EXPORTS, "viewer", "exports"):
    save("export", export)
for conversation in nodes(CONVERSATIONS, "viewer", "conversations"):
    save("conversation", conversation)
    for turn in nodes(TURNS, "conversation", "turns", id=conversation["id"]):
        save("turn", turn)
for entry in nodes(CREDITS, "viewer", "creditHistory"):
    save("credit_entry", entry)
