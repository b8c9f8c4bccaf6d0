import { expect, test } from "vitest";
import type { SeenTask } from "../../shared/a2a/task-of.ts";
import { taskStream } from "../../shared/a2a/task-stream.ts";
import type { RecordedEvent } from "../../shared/schemas/run-event.ts";
import { aJob, aRunOf, T0 } from "../support/records.ts";

const seenAs = (status: "PAUSED" | "COMPLETED"): SeenTask => {
  const accepted = aRunOf(aJob());
  const output = { ...accepted.output, status, content: "Two rooms are free." };
  return { run: aRunOf(aJob({ id: accepted.run_id }), { status, output }), task: undefined };
};

/** What followed from a message; nothing where it moved nothing. */
async function* eventsOf({ run }: SeenTask, isTaken: boolean): AsyncGenerator<RecordedEvent> {
  if (!isTaken) return;
  const at = { run_id: run.run_id, session_id: run.session_id, agent_id: "assistant", created_at: T0 + 1 };
  yield { ...at, event: "RunStarted", event_index: 0 } as RecordedEvent; // as far as it is read
}

const statesOf = async (first: SeenTask, isTaken: boolean) => {
  const states: (number | undefined)[] = [];
  const source = { first, isTaken, events: eventsOf(first, isTaken), last: async () => first };
  for await (const { payload } of taskStream(source)) {
    if (payload?.$case === "task") states.push(payload.value.status?.state);
    if (payload?.$case === "statusUpdate") states.push(payload.value.status?.state);
  }
  return states;
};

const [SUBMITTED, WORKING, COMPLETED, INPUT_REQUIRED] = [1, 2, 3, 6];

test.each([
  ["COMPLETED", COMPLETED],
  ["PAUSED", INPUT_REQUIRED],
] as const)(
  "a task that was %s before anybody looked is still told from its beginning",
  async (status, last) => {
    expect(await statesOf(seenAs(status), true)).toEqual([SUBMITTED, WORKING, last]);
  },
);

test("a task that a message did not move is told as it stands", async () => {
  expect(await statesOf(seenAs("PAUSED"), false)).toEqual([INPUT_REQUIRED, INPUT_REQUIRED]);
});
