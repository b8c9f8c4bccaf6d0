"""What OpenAI's client for Python does with the platform; address and key are in the environment."""

import time

import openai

client = openai.OpenAI(max_retries=0)
MODEL = "agent:assistant"
GATE = {
    "type": "function",
    "name": "open_gate",
    "strict": False,
    "description": "Opens a gate.",
    "parameters": {"type": "object", "properties": {"gate": {"type": "string"}}},
}
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
CALL = '[[tool:open_gate {"gate":"north"}]]'


def models():
    listed = [model.id for model in client.models.list()]
    assert MODEL in listed, listed
    assert client.models.retrieve(MODEL).id == MODEL


def chat():
    asked = [{"role": "user", "content": "Hello there"}]
    answer = client.chat.completions.create(model=MODEL, messages=asked)
    assert "Hello there" in answer.choices[0].message.content
    usage, text = None, ""
    for chunk in client.chat.completions.create(
        model=MODEL, messages=asked, stream=True, stream_options={"include_usage": True}
    ):
        usage = chunk.usage or usage
        text += (chunk.choices[0].delta.content or "") if chunk.choices else ""
    assert "Hello there" in text and usage.completion_tokens > 0


def responses():
    made = client.responses.create(model=MODEL, input="Hello there")
    assert made.status == "completed" and "Hello there" in made.output_text
    assert client.responses.retrieve(made.id).output_text == made.output_text
    items = client.responses.input_items.list(made.id).data
    assert items[0].content[0].text == "Hello there", items
    client.responses.delete(made.id)
    try:
        client.responses.retrieve(made.id)
        raise AssertionError("it was not deleted")
    except openai.NotFoundError:
        pass


def helper():
    with client.responses.stream(model=MODEL, input="Hello stream") as stream:
        said = "".join(event.delta for event in stream if event.type == "response.output_text.delta")
        final = stream.get_final_response()
    assert said == final.output_text and "Hello stream" in said


def whole_of(**asked):
    """The response by `create`, and by the stream's helper."""
    made = client.responses.create(model=MODEL, **asked)
    with client.responses.stream(model=MODEL, **asked) as stream:
        types = [event.type for event in stream]
        streamed = stream.get_final_response() if types[-1] == "response.completed" else None
    read = client.responses.retrieve(streamed.id) if streamed else made
    for one in (made, streamed or made, read):
        assert [item.type for item in one.output] == [item.type for item in made.output], one
    return made, types


def reasoning():
    answer, _ = whole_of(input="[[think:They greet me.]] Hello")
    thought, said = answer.output
    assert thought.summary[0].text == "They greet me." and "Hello" in said.content[0].text
    assert answer.usage.output_tokens_details.reasoning_tokens == 3


def tools():
    answer, types = whole_of(input='[[tool:add_numbers {"a":2,"b":3}]]')
    assert (answer.output[0].type, answer.output[0].output) == ("mcp_call", "5"), answer
    assert "response.mcp_call.completed" in types
    answer, types = whole_of(input='[[tool:get_time {"timezone":"Mars/Base"}]]')
    assert answer.output[0].status == "failed" and types.count("response.mcp_call.failed") == 1, types
    answer, types = whole_of(input=CALL, tools=[GATE])
    assert answer.output[0].arguments == '{"gate":"north"}'
    assert "response.function_call_arguments.done" in types


def files():
    content = [
        {"type": "input_text", "text": "What is in these?"},
        {"type": "input_image", "detail": "auto", "image_url": f"data:image/png;base64,{PIXEL}"},
        {"type": "input_file", "filename": "note.txt", "file_data": "data:text/plain;base64,SGVsbG8="},
    ]
    answer, _ = whole_of(input=[{"role": "user", "content": content}])
    assert "What is in these?" in answer.output_text
    answer, _ = whole_of(input='[[tool:draw_badge {"colour":"#00ff00"}]]')
    assert answer.output[0].output == "The badge is drawn."


def endings():
    answer, types = whole_of(input="[[tokens:2]][[fail:the model is broken]]")
    assert answer.status == "failed" and answer.error.message == "the model is broken", answer
    assert types[-1] == "response.failed", types
    with client.responses.stream(model=MODEL, input="[[tokens:2]][[sleep:20000]]") as stream:
        for event in stream:
            if event.type == "response.created":
                made = event.response.id
            if event.type == "response.output_text.delta" and event.delta == " word2":
                client.responses.cancel(made)
    assert event.type == "response.incomplete" and event.response.status == "cancelled", event
    assert client.responses.retrieve(made).status == "cancelled"


def background():
    queued = client.responses.create(model=MODEL, input="Hello queue", background=True)
    assert queued.status in ("queued", "in_progress")
    for _ in range(120):
        read = client.responses.retrieve(queued.id)
        if read.status not in ("queued", "in_progress"):
            break
        time.sleep(0.5)
    assert read.status == "completed" and "Hello queue" in read.output_text
    whole = list(client.responses.retrieve(queued.id, stream=True))
    rest = list(client.responses.retrieve(queued.id, stream=True, starting_after=whole[1].sequence_number))
    assert [event.sequence_number for event in rest] == [event.sequence_number for event in whole[2:]]


def functions():
    first = client.responses.create(model=MODEL, input=CALL, tools=[GATE])
    call = first.output[0]
    assert call.type == "function_call" and call.arguments == '{"gate":"north"}'
    output = [{"type": "function_call_output", "call_id": call.call_id, "output": "it is open"}]
    second = client.responses.create(model=MODEL, previous_response_id=first.id, input=output, tools=[GATE])
    assert "it is open" in second.output_text


def refusals():
    for ask, wanted in [
        (lambda: openai.OpenAI(api_key="none", max_retries=0).models.list(), openai.AuthenticationError),
        (lambda: client.responses.create(model="agent:none", input="x"), openai.NotFoundError),
        (lambda: client.responses.create(model=MODEL, input="x", tool_choice="required"), openai.BadRequestError),
    ]:
        try:
            ask()
            raise AssertionError(f"no {wanted.__name__}")
        except wanted as error:
            assert error.status_code in (400, 401, 404)


checks = [
    *(models, chat, responses, helper, reasoning, tools),
    *(files, endings, background, functions, refusals),
]
for check in checks:
    check()
print(f"openai {openai.__version__} for Python: {len(checks)} of {len(checks)}")
