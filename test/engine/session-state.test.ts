import { describe, expect, test } from "vitest";
import {
  joinedChanges,
  mergeState,
  nothingPending,
  relativeChanges,
  type StateChanges,
  type StateProgress,
} from "../../shared/domain/sessions/session-state.ts";
import { pendingOf } from "../../shared/engine/lifecycle/pending-of.ts";
import { openSessionState } from "../../shared/engine/ports/session-state.ts";
import { aJob, aRunOf } from "../support/records.ts";

type Values = Readonly<Record<string, unknown>>;
const declared = {
  session_state: { n: 10 },
  state: { n: "add", log: "append" },
} as const;

/** What one run makes of a state: each piece of work sets values. */
function run(
  base: Values,
  works: Readonly<Record<string, Values>>,
  component: object = declared,
): StateProgress {
  const state = openSessionState({ base }, component);
  for (const [work, values] of Object.entries(works)) state.open(work).update(values);
  const pending = state.pending();
  return { changes: joinedChanges(pending), replaced: pending.replaced };
}

describe("two runs that read the same state", () => {
  const base = { n: 3, log: ["a"], colour: "red", other: { deep: [1] } };

  test("are summed and joined where a reducer says so; of the other keys the last writer's stays", () => {
    const first = mergeState(base, run(base, { a: { n: 4, log: ["a", "b"], colour: "blue" } }));
    const second = mergeState(first.state, run(base, { a: { n: 8, log: ["a", "c"], colour: "green" } }));
    expect(first.conflicts).toEqual([]);
    expect(second).toEqual({
      state: { n: 9, log: ["a", "b", "c"], colour: "green", other: { deep: [1] } },
      changed: { n: 9, log: ["a", "b", "c"], colour: "green" },
      conflicts: ["colour"],
    });
  });

  test("are a conflict where both set the same value, but not where only the order of members differs", () => {
    const value = { x: 1, y: 2 };
    const set = run({ colour: value }, { a: { colour: "blue" } }, {});
    expect(mergeState({ colour: "blue" }, set)).toMatchObject({ changed: {}, conflicts: ["colour"] });
    expect(mergeState({ colour: { y: 2, x: 1 } }, set).conflicts).toEqual([]);
  });

  test("begin with what their component does where the session has nothing", () => {
    const progress = run({}, { a: { n: 11, log: ["x"] } });
    expect(mergeState({}, progress).state).toEqual({ n: 11, log: ["x"] });
    expect(mergeState({ n: 11 }, progress).state).toEqual({ n: 12, log: ["x"] });
  });

  test.each([
    ["a list that was rewritten", { log: ["b"] }],
    ["a number that is none any more", { n: "many" }],
  ])("%s is set, whatever the reducer", (_, values) => {
    expect(mergeState({ ...base, n: 50 }, run(base, { a: values })).state).toMatchObject(values);
  });
});

describe("within a run", () => {
  test("calls of a batch that read the same state are merged, and each sees what it did itself", () => {
    const state = openSessionState({ base: { n: 1 } }, declared);
    const [one, two] = [state.open("one"), state.open("two")];
    expect(one.update({ n: 2 })).toEqual({ n: 2 });
    expect(two.update({ n: 2, seen: true })).toEqual({ n: 2, seen: true });
    expect(two.update({ n: 3 })).toEqual({ n: 3, seen: true });
    expect(state.current()).toEqual({ n: 4, seen: true });
  });

  test("work that is executed again begins without what it changed before", () => {
    const first = openSessionState({ base: { n: 1 } }, declared);
    first.open("done").update({ n: 2 });
    first.open("cut off").update({ n: 3, half: true });
    const pending = JSON.parse(JSON.stringify(first.pending()));
    const again = openSessionState({ base: { n: 5 }, pending }, declared);
    expect(again.current()).toEqual({ n: 7, half: true });
    expect(again.open("cut off").current()).toEqual({ n: 6 });
    again.joinWork();
    expect(joinedChanges(again.pending())).toEqual({ n: { add: 1, from: 10 } });
  });

  test("work that had ended before has its changes once", () => {
    const changes: StateChanges = { n: { add: 1 } };
    const state = openSessionState({
      base: {},
      pending: { entries: [{ work: "call", changes }], replaced: {} },
    });
    state.restore("call", changes);
    expect(state.current()).toEqual({ n: 1 });
  });

  test("values of a request are set, and are no change where the session has them", () => {
    const state = openSessionState(
      { base: { a: { x: 1, y: 2 } }, requested: { a: { y: 2, x: 1 }, b: 1 } },
      declared,
    );
    expect(joinedChanges(state.pending())).toEqual({ b: { set: 1 } });
  });
});

describe("an execution that repeats a part of one that has ended", () => {
  test("takes back what that has added, and counts what it has made again", () => {
    const base = { n: 1, log: ["others"] };
    const failed = run(base, {
      first: { n: 2, log: ["others", "x"] },
      second: { n: 3, log: ["others", "x", "y"] },
    });
    const ended = mergeState(base, failed).state;
    const meanwhile = { n: 13, log: [...(ended.log as string[]), "z"] };
    const again = run({ n: 11, log: ["others", "z"] }, { first: { n: 12, log: ["others", "z", "x"] } });
    const merged = mergeState(meanwhile, { ...again, repeats: relativeChanges(failed.changes) });
    expect(merged.state).toEqual({ n: 12, log: ["others", "z", "x"] });
  });
});

describe("a checkpoint of an older version", () => {
  const record = (more: object) => {
    const stored = aRunOf(aJob());
    return {
      ...stored,
      opens_session: false,
      output: { ...stored.output, session_state: { n: 1, old: true } },
      ...more,
    };
  };
  const saved = { whole_state: { session_state: { n: 3, old: true, asked: "b" } } };

  test("has the changes that its whole state differs by from the record", () => {
    expect(joinedChanges(pendingOf(record({}), saved, { n: "add" }))).toEqual({
      n: { add: 2 },
      asked: { set: "b" },
    });
  });

  test("owes the values of its request, unless the run has paused since", () => {
    const kwargs = { session_state: { asked: "a" } };
    const unchanged = { whole_state: {} };
    expect(joinedChanges(pendingOf(record({ kwargs }), unchanged))).toEqual({ asked: { set: "a" } });
    expect(pendingOf(record({ kwargs, digests: {} }), unchanged)).toEqual(nothingPending);
  });

  test("that this version saved says itself what is pending", () => {
    expect(pendingOf(record({}), {})).toEqual(nothingPending);
  });
});
