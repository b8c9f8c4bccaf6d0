import { expect, test } from "vitest";
import { envelopeStream } from "../../shared/a2a/envelope-stream.ts";
import type { TaskView } from "../../shared/a2a/task-of.ts";
import { taskStream } from "../../shared/a2a/task-stream.ts";
import type { RecordedEvent } from "../../shared/schemas/runs/run-event.ts";
import { aJob, aRunOf, T0 } from "../support/records.ts";

const seenAs = (status: "PAUSED" | "COMPLETED"): TaskView => {
  const accepted = aRunOf(aJob());
  const output = { ...accepted.output, status, content: "Two rooms are free." };
  return { run: aRunOf(aJob({ id: accepted.run_id }), { status, output }), task: undefined };
};

/** What followed from a message; nothing where it moved nothing. */
async function* eventsOf({ run }: TaskView, isTaken: boolean): AsyncGenerator<RecordedEvent> {
  if (!isTaken) return;
  const at = { run_id: run.run_id, session_id: run.session_id, agent_id: "assistant", created_at: T0 + 1 };
  yield { ...at, event: "RunStarted", event_index: 0 } as RecordedEvent; // as far as it is read
}

const statesOf = async (first: TaskView, isTaken: boolean) => {
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
  "a task that was %s before the first read is still sent from its beginning",
  async (status, last) => {
    expect(await statesOf(seenAs(status), true)).toEqual([SUBMITTED, WORKING, last]);
  },
);

test("a task that a message did not move is sent as it stands", async () => {
  expect(await statesOf(seenAs("PAUSED"), false)).toEqual([INPUT_REQUIRED, INPUT_REQUIRED]);
});

test("what a model thought is distinguished from what it answered, in either dialect", async () => {
  const first = seenAs("COMPLETED");
  async function* thinking(): AsyncGenerator<RecordedEvent> {
    const said = { run_id: first.run.run_id, created_at: T0, event: "RunContent", event_index: 0 };
    yield { ...said, content: "", reasoning_content: "Two are booked." } as RecordedEvent; // as far as it is read
  }
  const source = () => ({ first, events: thinking(), last: async () => first });
  const current = await all(taskStream(source()));
  expect(current.map(({ payload }) => payload?.value)).toContainEqual(
    expect.objectContaining({
      metadata: { agno_content_category: "reasoning" },
      status: expect.objectContaining({
        message: expect.objectContaining({ parts: [aText("Two are booked.")] }),
      }),
    }),
  );
  const frames = await all(envelopeStream({ id: "q-1", ...source() }));
  expect(frames.map((frame) => JSON.parse(frame.split("\ndata: ")[1] ?? "").result)).toContainEqual(
    expect.objectContaining({
      kind: "message",
      parts: [{ kind: "text", text: "Two are booked." }],
      metadata: { agno_content_category: "reasoning" },
    }),
  );
});

test("a word of an answer is sent when it comes, not with the next one", async () => {
  const first = seenAs("COMPLETED");
  const seen: string[] = [];
  const seenBefore: string[][] = [];
  async function* saying(): AsyncGenerator<RecordedEvent> {
    for (const content of ["Two rooms", " are free."]) {
      seenBefore.push([...seen]);
      yield {
        run_id: first.run.run_id,
        created_at: T0,
        event: "RunContent",
        event_index: 0,
        content,
      } as RecordedEvent; // as far as it is read
    }
    seenBefore.push([...seen]);
  }
  for await (const { payload } of taskStream({ first, events: saying(), last: async () => first })) {
    const content = payload?.$case === "artifactUpdate" && payload.value.artifact?.parts[0]?.content;
    if (content && content.$case === "text") seen.push(content.value);
  }
  expect(seenBefore).toEqual([[], ["Two rooms"], ["Two rooms", " are free."]]);
  expect(seen).toEqual(["Two rooms", " are free.", ""]);
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const one of items) list.push(one);
  return list;
}

const aText = (value: string) => expect.objectContaining({ content: { $case: "text", value } });
