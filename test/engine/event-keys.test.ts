import { describe, expect, test } from "vitest";
import { RunStopped } from "../../shared/engine/run/next-step.ts";
import type { RunEvent } from "../../shared/schemas/runs/run-event.ts";
import { eventFields, fieldsOf } from "./support/event-fields.ts";
import { anAgent, aRequest, aTool, runAgent, scripted } from "./support/run-agent.ts";
import { agentWith, known, lookingUp, strictModel, WINDOW, withStore } from "./support/strict-model.ts";

const { tool: add } = aTool();
const failing = aTool({ name: "fail", execute: () => Promise.reject(new Error("no")) }).tool;
const asking = aTool({ name: "ask", requires_confirmation: true }).tool;
const allow = { name: "allow", check: () => undefined };
const agent = anAgent({
  tools: [add, failing, asking],
  additional_input: [{ role: "user", content: "First." }],
  update_memory_on_run: true,
  enable_session_summaries: true,
  followups: true,
  pre_hooks: [allow],
  post_hooks: [allow],
});

const inputs = [
  "hello",
  '[[tool:add {"a":1,"b":2}]]',
  '[[tool:fail {"a":1,"b":2}]]',
  '[[tool:ask {"a":1,"b":2}]]',
  "[[fail:boom]]",
];

/** A run that is longer than its model's window. @param chars of each result */
const longRun = (chars: number) =>
  runAgent(
    "go",
    withStore({ agent: agentWith(chars), models: known(strictModel(lookingUp(30)).models, WINDOW) }),
  );

async function everyEvent(): Promise<readonly RunEvent[]> {
  const runs = await Promise.all(
    inputs.map((input) =>
      runAgent("", { agent, request: aRequest(input, { metadata: { a: 1 } }), models: scripted() }),
    ),
  );
  const refused = { name: "refuse", check: () => ({ refused: "No.", error_id: "no" }) };
  const stop = AbortSignal.abort(new RunStopped("cancelled", "Enough."));
  return [
    ...runs,
    await runAgent("hello", { agent: anAgent({ pre_hooks: [refused] }) }),
    await runAgent("hello", { signal: stop }),
    await longRun(1_500),
    await longRun(1_000),
  ].flatMap(({ events }) => events);
}

const events = await everyEvent();

describe.each(Object.keys(eventFields))("%s", (type) => {
  const matching = events.filter(({ event }) => event === type);

  test("has exactly the fields of the wire, and none of them is null", () => {
    expect(matching.length).toBeGreaterThan(0);
    const { required, allowed } = fieldsOf(type);
    for (const event of matching) {
      const keys = Object.keys(event);
      expect(required.filter((name) => !keys.includes(name))).toEqual([]);
      expect(keys.filter((name) => !allowed.includes(name))).toEqual([]);
      expect(Object.values(event)).not.toContain(null);
      expect(Object.values(event)).not.toContain(undefined);
    }
  });
});

test("no event of another type is emitted", () => {
  expect([...new Set(events.map(({ event }) => event))].filter((event) => !(event in eventFields))).toEqual(
    [],
  );
});
