"""
What Open WebUI's server sends: its own functions, taken out of its wheel (the first argument), make requests of settings and
conversations, for chat completions and for responses. Each is sent to the platform, whose address and key are in the environment.
Prints how many were answered; with a second argument the requests are written there, as
test/long/openai/open-webui-requests.json has them.

The package itself is not installed: it brings more than a gigabyte, and these functions need nothing of that.
"""

import ast
import copy
import json
import logging
import os
import sys
import urllib.request
import zipfile
from typing import Any, Callable, Optional
from urllib.parse import quote

wheel, *recorded_in = sys.argv[1:]
BASE, KEY = os.environ["OPENAI_BASE_URL"], os.environ["OPENAI_API_KEY"]


class JSONCodec:
    """Theirs chooses between packages."""

    loads, dumps, JSONDecodeError = json.loads, json.dumps, json.JSONDecodeError


def functions_of(path, names, known):
    """Functions and tables of one of its files, by name, executed as they are there."""
    with zipfile.ZipFile(wheel) as package:
        parsed = ast.parse(package.read(path).decode())
    wanted = [node for node in parsed.body if name_of(node) in names]
    missing = set(names) - {name_of(node) for node in wanted}
    assert not missing, f"{path} has no {missing}"
    space = {"Optional": Optional, "Any": Any, "Callable": Callable, "JSONCodec": JSONCodec, **known}
    future = ast.ImportFrom("__future__", [ast.alias("annotations")], 0)
    tree = ast.fix_missing_locations(ast.Module([future, *wanted], []))
    exec(compile(tree, path, "exec"), space)
    return space


def name_of(node):
    if isinstance(node, ast.AnnAssign):
        return node.target.id
    return getattr(node, "name", None)


misc = functions_of(
    "open_webui/utils/misc.py",
    ["deep_update", "get_provider_function", "add_or_update_system_message", "update_message_content"],
    {"uuid": None, "time": None},
)
payloads = functions_of(
    "open_webui/utils/payload.py",
    ["apply_model_params_to_body", "apply_model_params_to_body_openai", "remove_open_webui_params"],
    misc,
)
requests = functions_of(
    "open_webui/routers/openai.py",
    ["RESPONSES_ALLOWED_FIELDS", "_normalize_stored_item", "convert_to_responses_payload", "convert_responses_result"],
    misc,
)
names = ["NAME", "ID", "EMAIL", "ROLE"]
headers_of = functions_of(
    "open_webui/utils/headers.py",
    ["include_user_info_headers"],
    {
        "quote": quote,
        "log": logging.getLogger(),
        "FORWARD_USER_INFO_HEADER_JWT_SECRET": "",
        "FORWARD_USER_INFO_HEADER_AUTH_TYPE": "X-OpenWebUI-Auth-Type",
        **{f"FORWARD_USER_INFO_HEADER_USER_{name}": f"X-OpenWebUI-User-{name.capitalize()}" for name in names},
    },
)["include_user_info_headers"]


class Maria:
    name, id, email, role = "Maria", "5b1d", "maria@example.com", "user"


recorded = []
headers = headers_of({"X-OpenWebUI-Chat-Id": "c-1"}, Maria())


def send(name, path, body):
    """Sends a request. Returns the events of a stream, or else the answer."""
    recorded.append({"name": name, "path": path, "headers": {key.lower(): value for key, value in headers.items()}, "body": body})
    request = urllib.request.Request(
        f"{BASE}{path}",
        json.dumps(body).encode(),
        {**headers, "Authorization": f"Bearer {KEY}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        text = response.read().decode()
    if not body.get("stream"):
        return json.loads(text)
    lines = [line[len("data: ") :] for line in text.splitlines() if line.startswith("data: ")]
    return [json.loads(line) for line in lines if line != "[DONE]"]


def conversation(name, messages, system=None, params=None, **more):
    """The same as both kinds of requests. Returns what was said by the first, the items of the second, and what both answered."""
    messages = copy.deepcopy(messages)
    if system:
        messages = misc["add_or_update_system_message"](system, messages)
    body = {"model": "agent:assistant", "messages": messages, "stream": True, **more}
    body["stream_options"] = {"include_usage": True}
    body = payloads["apply_model_params_to_body_openai"](copy.deepcopy(params or {}), body)
    as_items = requests["convert_to_responses_payload"](copy.deepcopy(body))
    for message in body["messages"]:
        message.pop("output", None)
    chunks = send(name, "/chat/completions", body)
    events = send(name, "/responses", as_items)
    said = "".join(choice["delta"].get("content") or "" for chunk in chunks for choice in chunk["choices"])
    [end] = [event["response"] for event in events if event["type"] == "response.completed"]
    return said, end["output"], (chunks, end)


def text_of(output):
    return "".join(part["text"] for item in output if item["type"] == "message" for part in item["content"])


hello = {"role": "user", "content": "Hello Open WebUI, in words"}
said, output, _ = conversation("conversation", [hello])
assert hello["content"] in said and hello["content"] in text_of(output), (said, output)

# The items of the answer come back with the next message, as it stores them.
answered = {"role": "assistant", "content": said, "output": output}
params = {
    **{"temperature": 0.8, "top_p": 0.9, "max_tokens": 500, "frequency_penalty": 0.1, "presence_penalty": 0.1},
    **{"seed": 7, "stop": ["###"], "logit_bias": {"5": 10}, "reasoning_effort": "low"},
}
goodbye = {"role": "user", "content": "And goodbye, in words"}
said, output, _ = conversation("parameters", [hello, answered, goodbye], "Be brief.", params)
assert goodbye["content"] in said and goodbye["content"] in text_of(output), (said, output)

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
picture = {
    "role": "user",
    "content": [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
    ],
}
said, output, _ = conversation("picture", [picture])
assert "What is this?" in said and "What is this?" in text_of(output), (said, output)

# What the component did itself is among the items that come back.
asked = {"role": "user", "content": '[[tool:add_numbers {"a":2,"b":3}]]'}
said, output, _ = conversation("own tool", [asked])
assert "mcp_call" in [item["type"] for item in output], output
answered = {"role": "assistant", "content": said, "output": output}
later = {"role": "user", "content": "And then, in words"}
said, output, _ = conversation("own tool, later", [asked, answered, later])
assert later["content"] in said and later["content"] in text_of(output), (said, output)

gate = {"type": "object", "properties": {"gate": {"type": "string"}}, "required": ["gate"]}
tools = [
    {"type": "function", "function": {"name": "open_gate", "description": "Opens a gate.", "parameters": gate}}
]
asked = {"role": "user", "content": '[[tool:open_gate {"gate":"north"}]]'}
_, output, (chunks, response) = conversation("tool", [asked], tools=tools)
[item] = [item for item in output if item["type"] == "function_call"]
# Each kind of request goes on with the call that it was answered with.
calls = [call for chunk in chunks for choice in chunk["choices"] for call in choice["delta"].get("tool_calls") or []]
by_path = {"/chat/completions": calls[0]["id"], "/responses": item["call_id"]}


def result_of(path, name="tool", **more):
    call = {"index": 0, "id": by_path[path], "type": "function"}
    call["function"] = {"name": item["name"], "arguments": item["arguments"]}
    result = {"role": "tool", "tool_call_id": call["id"], "content": "north is open"}
    messages = [asked, {"role": "assistant", "content": "", "tool_calls": [call]}, result]
    body = {"model": "agent:assistant", "messages": messages, "stream": True, "tools": tools, **more}
    if path == "/responses":
        [end] = [
            event["response"]
            for event in send(name, path, requests["convert_to_responses_payload"](copy.deepcopy(body)))
            if event["type"] == "response.completed"
        ]
        return text_of(end["output"])
    body["stream_options"] = {"include_usage": True}
    answer = send(name, path, body)
    return "".join(choice["delta"].get("content") or "" for chunk in answer for choice in chunk["choices"])


for path, call_id in by_path.items():
    assert "north is open" in result_of(path)
    recorded[-1] = json.loads(json.dumps(recorded[-1]).replace(call_id, "CALL"))
# With ENABLE_RESPONSES_API_STATEFUL it names the response that called.
_, output, (_, response) = conversation("tool, stateful", [asked], tools=tools)
[item] = [item for item in output if item["type"] == "function_call"]
by_path["/responses"] = item["call_id"]
assert "north is open" in result_of("/responses", "tool, stateful", previous_response_id=response["id"])
named = json.dumps(recorded[-1]).replace(item["call_id"], "CALL").replace(response["id"], "RESPONSE")
recorded[-1] = json.loads(named)

title = {"model": "agent:assistant", "messages": [{"role": "user", "content": "Say a title."}]}
title |= {"stream": False, "max_tokens": 1000}
[choice] = send("title", "/chat/completions", title)["choices"]
assert "title" in choice["message"]["content"]
items = requests["convert_to_responses_payload"](copy.deepcopy(title))
[choice] = requests["convert_responses_result"](send("title", "/responses", items))["choices"]
assert "title" in choice["message"]["content"]

if recorded_in:
    with open(recorded_in[0], "w") as file:
        json.dump(recorded, file, indent=2)
        file.write("\n")
print(f"Open WebUI's functions: {len(recorded)} requests answered")
