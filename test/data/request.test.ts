import { expect, test } from "vitest";
import {
  absent,
  absentOr,
  anyOf,
  asSeen,
  below,
  exists,
  type Guard,
  isNew,
  membersAsSeen,
  noneOf,
  oneOf,
  present,
} from "../../shared/data/guard.ts";
import {
  appended,
  type Changes,
  checkItem,
  deleteItem,
  guardedBy,
  ifAbsent,
  members,
  plus,
  putItem,
  requestOf,
  updateItem,
} from "../../shared/data/writes.ts";
import { forEachTable } from "../../shared/settings/table-env.ts";

const db = { tables: forEachTable((name) => `${name}-here`) };
const KEY = { pk: "job#1", sk: "job" };

/** What is spelled, with names and values in the place of their placeholders. */
function spelled(text: string | undefined, request: object): string | undefined {
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = request as {
    ExpressionAttributeNames?: Record<string, string>;
    ExpressionAttributeValues?: Record<string, unknown>;
  };
  return text
    ?.replace(/#\w+/g, (name) => names[name] ?? "?")
    .replace(/:\w+/g, (value) => (value in values ? JSON.stringify(values[value]) : "?"));
}

function conditionOf(guard: Guard): string | undefined {
  const { ConditionCheck } = requestOf(db, checkItem("jobs", KEY, guard)) as {
    ConditionCheck: { ConditionExpression: string };
  };
  return spelled(ConditionCheck.ConditionExpression, ConditionCheck);
}

function changeOf(changes: Changes & { guard?: Guard }) {
  const request = requestOf(db, updateItem("jobs", KEY, changes));
  if (!("Update" in request)) throw new Error("not an update");
  const { Update } = request;
  return spelled(Update.UpdateExpression, Update);
}

test.each<[string, Guard, string]>([
  ["a value is what the attribute equals", { status: "running" }, 'status = "running"'],
  [
    "members of a map are as they were read",
    { state: membersAsSeen({ "a b": 1, status: undefined }) },
    "state.a b = 1 AND attribute_not_exists(state.status)",
  ],
  ["null is a value", { locked_by: null }, "locked_by = null"],
  [
    "an object holds when all of its tests do",
    { status: oneOf(["queued", "paused"]), due: absentOr(below(7)), removed_at: absent },
    'status IN ("queued", "paused") AND (attribute_not_exists(due) OR due < 7) AND attribute_not_exists(removed_at)',
  ],
  [
    "a list holds when all of its guards do",
    [exists, { attempt: 2 }],
    "attribute_exists(pk) AND attempt = 2",
  ],
  [
    "one of several is in brackets",
    [{ a: 1 }, anyOf({ b: 2 }, { c: 3, d: present })],
    "a = 1 AND (b = 2 OR c = 3 AND attribute_exists(d))",
  ],
  ["one alternative needs no brackets", anyOf({ b: 2 }), "b = 2"],
  ["none of several", { status: noneOf(["COMPLETED"]) }, 'NOT status IN ("COMPLETED")'],
  ["two values of one attribute", [{ a: below(9) }, { a: 3 }], "a < 9 AND a = 3"],
  ["what was seen as missing", { turn: asSeen(undefined) }, "attribute_not_exists(turn)"],
  ["what was seen", { turn: asSeen(4) }, "turn = 4"],
  ["names of any kind", { "hold#x y": 1, "1a": 2 }, "hold#x y = 1 AND 1a = 2"],
])("a guard: %s", (_what, guard, expected) => {
  expect(conditionOf(guard)).toBe(expected);
});

test.each<[string, Changes & { guard?: Guard }, string]>([
  [
    "set, add and remove",
    { set: { status: "queued" }, add: { stalls: 1 }, remove: ["due"] },
    'SET status = "queued" ADD stalls 1 REMOVE due',
  ],
  ["undefined removes", { set: { a: 1, b: undefined }, remove: ["b", "c"] }, "SET a = 1 REMOVE b, c"],
  ["null is a value", { set: { error: null } }, "SET error = null"],
  [
    "values that follow from what is stored",
    {
      set: { created_at: ifAbsent(5), attempt: plus(1), generation: plus(1, 3), replies: appended(["x"]) },
    },
    'SET created_at = if_not_exists(created_at, 5), attempt = attempt + 1, generation = if_not_exists(generation, 3) + 1, replies = list_append(replies, ["x"])',
  ],
  [
    "members of a map",
    { set: { session_state: members({ cart: 1, "a.b": 2 }) } },
    "SET session_state.cart = 1, session_state.a.b = 2",
  ],
  [
    "a guard on what is written",
    { set: { status: "paused" }, guard: { status: "running" } },
    'SET status = "paused"',
  ],
])("an update: %s", (_what, changes, expected) => {
  expect(changeOf(changes)).toBe(expected);
});

test("a placeholder is called what it stands for, and a guard's value keeps out of the way of what is set", () => {
  const update = updateItem("jobs", KEY, { set: { status: "paused" }, guard: { status: "running" } });
  expect(requestOf(db, guardedBy(update, { max_attempts: 3 }))).toEqual({
    Update: {
      TableName: "jobs-here",
      Key: KEY,
      UpdateExpression: "SET #status = :status",
      ConditionExpression: "#status = :if_status AND #max_attempts = :if_max_attempts",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      ExpressionAttributeNames: { "#status": "status", "#max_attempts": "max_attempts" },
      ExpressionAttributeValues: { ":status": "paused", ":if_status": "running", ":if_max_attempts": 3 },
    },
  });
});

test("a hundred members of a map have room in one expression", () => {
  const changes = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`a_key_of_some_length_${i}`, i]));
  const request = requestOf(db, updateItem("sessions", KEY, { set: { session_state: members(changes) } }));
  expect("Update" in request && Buffer.byteLength(request.Update.UpdateExpression)).toBeLessThan(4_096);
});

test("puts and deletes without a guard have no expression", () => {
  expect(requestOf(db, putItem("runs", { ...KEY, a: 1 }))).toEqual({
    Put: { TableName: "runs-here", Item: { ...KEY, a: 1 } },
  });
  expect(requestOf(db, deleteItem("runs", KEY))).toEqual({ Delete: { TableName: "runs-here", Key: KEY } });
  expect(requestOf(db, putItem("runs", KEY, isNew))).toMatchObject({
    Put: { ConditionExpression: "attribute_not_exists(#pk)" },
  });
});

test("what would be written otherwise than it was meant is refused before it is sent", () => {
  expect(() => changeOf({})).toThrow("changes nothing");
  expect(() => conditionOf({})).toThrow("checks nothing");
  expect(() => conditionOf({ attempt: below(undefined as unknown as number) })).toThrow("has no value");
  expect(() => conditionOf({ attempt: undefined } as unknown as Guard)).toThrow("has no value");
  expect(() => conditionOf({ status: oneOf([]) })).toThrow("no choices");
});
