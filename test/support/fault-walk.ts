import { setTimeout as pause } from "node:timers/promises";
import { afterAll, test as base, beforeAll, describe, expect } from "vitest";
import type { AwsCall } from "../../local/aws/aws-endpoint.ts";
import { type Family, families } from "../../shared/routes/index.ts";
import type { Route, RouteTable } from "../../shared/routes/route.ts";
import type { AcceptedRun } from "../../shared/schemas/runs/run.ts";
import { isWrite } from "./call-kind.ts";
import type { Client } from "./client.ts";
import { type Answered, type Failing, taken } from "./fault-lab.ts";
import { type FaultWorld, startFaultWorld } from "./fault-world.ts";
import { exampleRequest } from "./openapi/ask-every-route.ts";
import type { AskedRequest } from "./openapi/asked-request.ts";
import { stableNumber } from "./stable-number.ts";
import { faultsIn, type Stored } from "./stored.ts";

/** One request whose every call to a store or a queue is made to fail in turn. */
export type Scenario = {
  readonly what: string;
  /** Puts in place what one request needs; each fault gets its own. What is no run lends its id to one. */
  readonly prepare?: (world: FaultWorld, kind: string) => Promise<AcceptedRun>;
  readonly send: (world: FaultWorld, prepared: AcceptedRun) => Promise<Answered>;
  readonly status: number;
  /** How the answer may look for these kinds of calls; a neutral 503 for all others. */
  readonly except?: readonly Exception[];
};
export type Exception = { readonly kind: RegExp; readonly check: (answer: Answered) => void };

/** What is walked of an operation; those that reach no store say so, those that another one stands for name it. */
type Walked =
  | readonly Scenario[]
  | "reaches no store"
  | { readonly reachesNoStoreAt: string; readonly status?: number }
  | `as ${string}`;

/** What is walked of a family's operations; one that is not named is walked as its row's example asks it. */
type ScenariosOf<F extends Family> = Readonly<Partial<Record<keyof (typeof families)[F], Walked>>>;

/** The example of an operation, about a thing of its own for each fault. */
function exampleOf(operation: string, { status = 200 }: Route): Scenario {
  let request: AskedRequest | undefined;
  return {
    what: "as its example",
    prepare: async ({ admin, past }) => {
      request = await exampleRequest(operation, admin, admin, "admin");
      return past;
    },
    send: ({ admin }) => {
      if (!request) throw new Error(`${operation} is not prepared`);
      const { method, path, headers, body } = request;
      return taken(
        admin.send(method, path, { headers, ...(body !== undefined && method !== "GET" && { body }) }),
      );
    },
    status,
  };
}

export const asMaria = (world: FaultWorld): Client => world.maria;
export const asAdmin = (world: FaultWorld): Client => world.admin;

export const get =
  (client: typeof asAdmin, path: (prepared: AcceptedRun) => string): Scenario["send"] =>
  (world, prepared) =>
    taken(client(world).send("GET", path(prepared)));

/** Accepted, although the message could not be sent: the sweeper sends it again. */
export const accepted = (status: number): Exception => ({
  kind: /^sqs SendMessage/,
  check: (answer) => expect(answer.status).toBe(status),
});

/** `test` with the world that the families of a process share. */
const test = base.extend(
  "sharedWorld",
  { scope: "worker" },
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures one needs
  async ({}, { onCleanup }): Promise<FaultWorld> => {
    const world = await startFaultWorld();
    onCleanup(world.stop);
    return world;
  },
);

/**
 * Tests that a family's operations answer 503 and leave things whole, whichever call of theirs fails.
 *
 * @param place  `own world` for a family whose requests start work that may go on after their tests
 */
export function walkStoreFaults<F extends Family>(
  family: F,
  scenarios: ScenariosOf<F>,
  place: "shared world" | "own world" = "shared world",
): () => FaultWorld {
  let started: FaultWorld | undefined;
  const world = () => {
    if (!started) throw new Error("the platform has not started");
    return started;
  };
  if (place === "shared world") {
    test.beforeAll(({ sharedWorld }) => {
      started = sharedWorld;
    });
  } else {
    beforeAll(async () => {
      started = await startFaultWorld();
    });
    afterAll(() => started?.stop());
  }

  const table: RouteTable = families[family];
  const given: Readonly<Record<string, Walked | undefined>> = scenarios;
  const operations = Object.entries(table).map(
    ([name, row]) => [name, given[name] ?? [exampleOf(name, row)]] as const,
  );
  const stateless = operations.flatMap(([name, walked]) => {
    const { method = "GET", path = "" } = table[name] ?? {};
    if (walked === "reaches no store") return [{ name, method, path, status: 200 }];
    return typeof walked === "object" && "reachesNoStoreAt" in walked
      ? [{ name, method, path: walked.reachesNoStoreAt, status: walked.status ?? 200 }]
      : [];
  });
  const storing = operations.flatMap(([name, walked]) =>
    Array.isArray(walked) ? walked.map((scenario: Scenario) => ({ name, ...scenario })) : [],
  );

  if (stateless.length > 0) {
    test.each(stateless)(
      "$name asks no store and no queue, so it works without them",
      async ({ method, path, status }) => {
        const { lab, admin } = world();
        const { answer, calls } = await lab.record(() => taken(admin.send(method, path)));
        expect(answer.status).toBe(status);
        expect([...calls.keys()]).toEqual([]);
      },
    );
  }
  const walked = process.env.STORE_FAULTS === "all" ? storing : chosenOf(storing);
  if (walked.length > 0) {
    describe.each(walked)("$name, $what", (scenario) => {
      test("answers 503 and leaves things whole when a call is refused", () =>
        walk(world(), scenario, "refused", () => true));

      // A read whose way is cut off is like one that is refused; of a write it is unknown whether it was done.
      test("answers 503 and leaves things whole when a write is dropped", () =>
        walk(world(), scenario, "dropped", isWrite));

      test("leaves things whole when a write is done and its answer lost", () =>
        walk(world(), scenario, "lost", isWrite));
    });
  }
  return world;
}

/**
 * About an eighth of a family's scenarios, one at least; `STORE_FAULTS=all` walks them all, which takes minutes. A name alone
 * decides whether its scenario is walked, so that one that is added leaves out no other.
 */
function chosenOf<S extends { readonly name: string; readonly what: string }>(
  scenarios: readonly S[],
): readonly S[] {
  const numberOf = ({ name, what }: S) => stableNumber(`${name}, ${what}`);
  const chosen = scenarios.filter((scenario) => numberOf(scenario) % 8 === 0);
  if (chosen.length > 0) return chosen;
  return scenarios.toSorted((one, other) => numberOf(one) - numberOf(other)).slice(0, 1);
}

/** A route that has just read the queue's depth does not read it again. */
const DEPTH_IS_REMEMBERED_MS = 1_050;

/** Makes each kind of call fail in turn that the request makes when all is well. */
async function walk(
  world: FaultWorld,
  scenario: Scenario,
  how: Failing,
  picks: (call: AwsCall) => boolean,
): Promise<void> {
  const { prepare = async () => world.past, send, status, except = [] } = scenario;
  const { lab, settled } = world;
  const first = await prepare(world, "");
  const { answer, calls } = await lab.record(() => send(world, first));
  expect(answer.status).toBe(status);
  expect(calls.size).toBeGreaterThan(0);
  for (const [kind, call] of calls) {
    if (!picks(call) || isWrittenOnce(call)) continue;
    const prepared = await prepare(world, kind);
    const before = await settled();
    if (/ COUNT$/.test(kind)) await pause(DEPTH_IS_REMEMBERED_MS);
    const made = await lab.failIfMade(kind, how, () => send(world, prepared));
    if (!made) {
      // An earlier request had been answered, and was still trying this call, when this one was recorded.
      const again = await prepare(world, kind);
      expect([...(await lab.record(() => send(world, again))).calls.keys()]).not.toContain(kind);
      continue;
    }
    const failed = made.answer;
    const exception = except.find((one) => one.kind.test(kind));
    if (exception) exception.check(failed);
    else expect({ kind, ...neutralBody(failed) }).toEqual({ kind, ...unavailable });
    const after = await settled();
    expect({ kind, faults: faultsIn(after) }).toEqual({ kind, faults: [] });
    if (exception || how === "lost" || !isFirstWrite(kind, calls)) continue;
    const removed = removedIn(before);
    expect({ kind, after: compared(after, removed) }).toEqual({ kind, after: compared(before, removed) });
    expect({ kind, audit: claimedIn(before, after) }).toEqual({ kind, audit: [] });
  }
}

/** A record of the audit that the same request does not write again for some time: its id is no random one. */
const isWrittenOnce = ({ operation, body }: AwsCall): boolean =>
  operation === "PutItem" &&
  /"pk":\{"S":"month#/.test(JSON.stringify(body)) &&
  !RANDOM_ID.test(JSON.stringify(body));
const RANDOM_ID = /"id":\{"S":"[0-9a-f]{8}-[0-9a-f]{4}-7/;

/**
 * What a refused request must leave as it is. The audit records what failed, too. What an earlier request has removed, the
 * sweeper may clear away at any time.
 */
const compared = ({ audit: _, evals, ...rest }: Stored, removed: readonly string[]) => ({
  ...rest,
  evals: evals.filter(({ pk }) => !removed.some((id) => String(pk).endsWith(`#${id}`))),
});
const removedIn = ({ evals }: Stored): string[] =>
  evals.filter(({ removed_at }) => removed_at !== undefined).map(({ id }) => String(id));

/** Records that say that something was done which was not. */
const claimedIn = (before: Stored, after: Stored) => {
  const known = new Set(before.audit.map(({ id }) => id));
  return after.audit.filter(
    ({ id, outcome }) => !known.has(id) && (outcome === "changed" || outcome === "done"),
  );
};

/** Whether nothing was written before this call. */
function isFirstWrite(kind: string, calls: ReadonlyMap<string, AwsCall>): boolean {
  const kinds = [...calls];
  const writes = kinds.findIndex(([, call]) => isWrite(call));
  return writes < 0 || kinds.findIndex(([one]) => one === kind) <= writes;
}

/** The neutral answer of a fault behind the service. */
export const unavailable = {
  status: 503,
  json: { error_code: "UNAVAILABLE", detail: "A service behind this one is not available; try again later" },
};

export const neutralBody = (answer: Answered) => ({
  status: answer.status,
  json: answer.status === undefined ? answer.text : answer.json,
});
