import { runsOf, toolCall } from "../run-requests.ts";
import type { Scenario } from "../stage.ts";

const assistant = "agents/assistant";
const adding = toolCall("add_numbers", { a: 2, b: 3 });

/** Runs in one session: synchronous, streamed and queued. */
const answers: Scenario = async (stage) => {
  const runs = runsOf(stage, assistant);
  const first = await runs.wait("Hello");
  const session_id = first.session_id;
  await runs.stream("And again", { session_id });
  await runs.stream("Contents alone", { session_id, stream_events: "false" });
  const queued = await runs.queue("Later", { session_id });
  await runs.recordRun(queued);
  await stage.send("GET", `/queue/jobs/${queued.run_id}`, undefined, "admin");
};

const tools: Scenario = async (stage) => {
  const runs = runsOf(stage, assistant);
  await runs.wait(adding);
  await runs.stream(`${adding}${toolCall("add_numbers", { a: 4, b: 5 })}`);
  const faulty = await runs.queue(`${toolCall("add_numbers", { a: "two" })}${toolCall("format_disk", {})}`);
  await runs.recordRun(faulty);
};

/** Files that a user sends, and one that a tool creates. */
const media: Scenario = async (stage) => {
  const runs = runsOf(stage, assistant);
  const form = new FormData();
  for (const [name, value] of [
    ["message", "look"],
    ["stream", "false"],
    ["background", "true"],
  ] as const)
    form.set(name, value);
  form.append("files", new Blob(["hello, ü"], { type: "text/plain" }), "notes.txt");
  form.append("files", new Blob(["PNG"], { type: "image/png" }), "a.png");
  form.append("files", new Blob(["WAV"], { type: "audio/wav" }), "a.wav");
  const sent = await runs.untilStopped(await stage.send("POST", `/${assistant}/runs`, { form }));
  await runs.recordRun(sent);
  await runs.recordRun(await runs.stream(toolCall("draw_badge", { colour: "#cc0033" })));
};

/** A message that is too large for an item, even when it is packed. */
const largeValues: Scenario = async (stage) => {
  const words = Array.from({ length: 40_000 }, (_, i) => `w${(i * 7919) % 100_003}`).join(" ");
  const runs = runsOf(stage, assistant);
  const run = await runs.queue(`[[answer:short]]${words}`);
  await runs.recordRun(run);
};

const outputSchema = JSON.stringify({
  title: "Sum",
  type: "object",
  properties: { total: { type: "number" } },
  required: ["total"],
});

const structured: Scenario = async (stage) => {
  const runs = runsOf(stage, assistant);
  await runs.wait('[[answer:{"total":5}]]', { output_schema: outputSchema });
  await runs.stream('[[answer:{"total":5}]]', { output_schema: outputSchema });
  await runs.recordRun(await runs.queue("five", { output_schema: outputSchema }));
  const orders = runsOf(stage, "agents/order-intake");
  await orders.wait('{"customer":"Maria","items":[{"sku":"A-1","count":2}]}');
  await orders.wait('{"customer":""}');
};

/** State, summaries, follow-up questions and the guards before and after an answer. */
const guarded: Scenario = async (stage) => {
  const runs = runsOf(stage, "agents/concierge");
  const first = await runs.wait(toolCall("remember_name", { name: "Maria" }), {
    session_state: '{"room":7}',
    dependencies: '{"hotel":"Olivo"}',
    metadata: '{"from":"compare"}',
  });
  const { session_id } = first;
  await runs.stream("When is breakfast?", { session_id });
  await runs.wait("My card is 4111 1111 1111 1111", { session_id });
  await runs.wait("[[answer:the password is x]]", { session_id });
  await runs.recordRun(first);
};

export const agentScenarios = { answers, tools, media, largeValues, structured, guarded };
