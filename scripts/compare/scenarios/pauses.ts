import { answered, runsOf, toolCall } from "../run-requests.ts";
import type { Fields, Run, Scenario } from "../stage.ts";

const desk = "agents/front-desk";

/** A call is confirmed and another rejected, in the foreground and by a worker. */
const confirmation: Scenario = async (stage) => {
  const runs = runsOf(stage, desk);
  const letter = toolCall("send_letter", { to: "Eva", text: "hi" });
  const streamed = await runs.stream(letter);
  const paused = await runs.wait(letter);
  const queued = await runs.queue(letter);
  await stage.recordStored();
  await runs.recordRun(paused);
  await runs.continueRun(paused);
  await runs.continueRun(paused, { tools: answered(paused.tools, { confirmed: true }) });
  await runs.continueStreamed(streamed, {
    tools: answered(streamed.tools, { confirmed: false, confirmation_note: "not today" }),
  });
  await runs.continueQueued(queued, { tools: answered(queued.tools, { confirmed: true }) });
  await runs.recordRun(queued);
};

const approval: Scenario = async (stage) => {
  const runs = runsOf(stage, desk);
  const payment = toolCall("pay_invoice", { invoice_id: "2041", amount: 80 });
  const resolve = async (run: Run, json: Fields): Promise<void> => {
    const path = `/approvals/${run.tools?.[0]?.approval_id}`;
    await stage.send("GET", path, undefined, "admin");
    await stage.send("POST", `${path}/resolve`, { json }, "admin");
    await stage.send("GET", `${path}/status`);
  };
  const paid = await runs.queue(payment);
  await stage.recordStored();
  await runs.continueRun(paid, { tools: answered(paid.tools, { confirmed: true }) });
  await resolve(paid, { status: "approved", resolution_data: { note: "fine" } });
  await runs.continueQueued(paid);
  const unpaid = await runs.wait(payment);
  await resolve(unpaid, { status: "rejected", resolution_data: { note: "too dear" } });
  await runs.continueStreamed(unpaid);
  await stage.send("GET", `/approvals?user_id=${stage.name}`);
  await stage.send("GET", `/approvals/count?user_id=${stage.name}`, undefined, "admin");
};

/** Arguments that a person enters, a tool that the client executes, and questions to the user. */
const input: Scenario = async (stage) => {
  const runs = runsOf(stage, desk);
  const booking = await runs.wait(toolCall("book_table", { restaurant: "Olivo" }));
  const fields = (booking.tools?.[0]?.user_input_schema ?? []) as readonly Fields[];
  const filled = fields.map((field) => ({ ...field, value: field.name === "guests" ? 2 : "19:30" }));
  await runs.continueRun(booking, {
    tools: answered(booking.tools, { user_input_schema: filled, answered: true }),
  });
  const reading = await runs.wait(toolCall("read_device_file", { path: "a.txt" }));
  await runs.continueStreamed(reading, { tools: answered(reading.tools, { result: "its text" }) });
  const options = [{ label: "S" }, { label: "L" }];
  const questions = [{ question: "Which?", header: "Size", options }];
  const asking = await runs.queue(toolCall("ask_user", { questions }));
  await stage.recordStored();
  const posed = (asking.tools?.[0]?.user_feedback_schema ?? []) as readonly Fields[];
  const chosen = posed.map((question) => ({ ...question, selected_options: ["L"] }));
  await runs.continueQueued(asking, { tools: answered(asking.tools, { user_feedback_schema: chosen }) });
  await runs.recordRun(asking);
};

/** A run reaches its own token limit, and a user reaches the daily limit. */
const budget: Scenario = async (stage) => {
  const component_id = `${stage.name}-bot`;
  const config = { max_tokens_per_run: 100, max_output_tokens: 200 };
  const json = { name: "Thrifty", component_type: "agent", component_id, stage: "published", config };
  await stage.send("POST", "/components", { json }, "admin");
  const runs = runsOf(stage, `agents/${component_id}`);
  const paused = await runs.queue("hello");
  await stage.recordStored();
  const path = `/approvals/${paused.tools?.[0]?.approval_id}`;
  await stage.send("POST", `${path}/resolve`, { json: { status: "approved" } }, "admin");
  await runs.continueQueued(paused);
  await runs.recordRun(paused);
  const others = runsOf(stage, "agents/assistant");
  await others.wait("word ".repeat(62_000));
  await others.wait("hello");
};

export const pauseScenarios = { confirmation, approval, input, budget };
