import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importsByPath, pathOf, sourceFiles } from "../../../scripts/imports/source-imports.ts";
import { families } from "../../../shared/routes/index.ts";
import { canonicalJson } from "../../../shared/schemas/values/json-values.ts";
import { type Operation, ordinaryScopes } from "../../flows/credential-matrix.ts";
import { type Attempt, starting, type Target, type Way } from "../../flows/starting-ways.ts";
import { type Answer, type Client, clientOf } from "../../support/client.ts";
import { createComponent } from "../../support/create-component.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { type StoreView, viewStores } from "../../support/stored.ts";

/**
 * Every way to start an execution, or to store what will start one, times every kind of target that the caller may not
 * run: each is refused, and nothing is written. `starting-ways.ts` has a row for each operation that could.
 */
let platform: TestPlatform;
let stores: StoreView;
let admin: Client;
beforeAll(async () => {
  platform = await startPlatform();
  stores = viewStores(platform);
  admin = clientOf(platform.url, platform.adminToken);
  const published = { stage: "published" };
  const agent = { ...published, config: { tools: ["issue_refund"] } };
  await createComponent(admin, { ...agent, component_id: "grant-agent" });
  const team = { component_type: "team", config: { members: [{ agent_id: "refund-desk" }] } };
  await createComponent(admin, { ...published, ...team, component_id: "grant-team" });
  const human_review = { requires_confirmation: true };
  const steps = [{ name: "outline", executor_ref: "outline", human_review }];
  const workflow = { component_type: "workflow", config: { steps } };
  await createComponent(admin, { ...published, ...workflow, component_id: "grant-flow" });
  await tryAll();
});
afterAll(async () => {
  stores?.close();
  await platform?.stop();
});

const targets: readonly Target[] = [
  { kind: "agent", id: "refund-desk" },
  { kind: "team", id: "support-team" },
  { kind: "workflow", id: "publish-report" },
  { kind: "agent", id: "grant-agent", stored: true },
  { kind: "team", id: "grant-team", stored: true, links: ["agents:refund-desk:run"] },
  { kind: "workflow", id: "grant-flow", stored: true },
];
const kinds = ["agent", "team", "workflow"] as const;
/** Everything that an ordinary user may hold, but to run any component of a kind. */
const others = ordinaryScopes.filter((scope) => !kinds.some((kind) => scope === `${kind}s:run`));
const runs = (ids: readonly string[]) => ids.flatMap((id) => kinds.map((kind) => `${kind}s:${id}:run`));

const rows = Object.entries(starting).flatMap(([operation, ways]) =>
  "nothing" in ways
    ? []
    : Object.entries(ways as Readonly<Record<string, Way>>).flatMap(([name, way]) =>
        targets
          .filter(({ kind, stored }) => way.kinds.includes(kind) && (stored || !way.stored))
          .map((target) => [`${operation}, ${name}`, `${target.kind} ${target.id}`, way, target] as const),
      ),
);

/** What an execution would leave behind, before it starts and after. */
const watched = ["runs", "jobs", "sessions", "schedules", "evals", "components", "approvals"] as const;
const everything = async () =>
  Promise.all(
    watched.map(async (name) => {
      const { db } = stores;
      const { Items = [] } = await db.client.send(
        new ScanCommand({ TableName: db.tables[name], ConsistentRead: true }),
      );
      return Items.map(canonicalJson).sort();
    }),
  );

type Tried = { readonly refused: Answer; readonly allowed: Answer };
const tried: Tried[] = [];
let before: unknown;
let after: unknown;

/** All at once, and in this order: prepared, asked by who may not, looked at, asked by who may. */
async function tryAll(): Promise<void> {
  const prepared = await inTurns(rows, async ([, , way, target], at) => {
    const { attempt, stranger } = attemptAt(way, target, at);
    return { attempt, stranger, ask: await way.prepare(attempt) };
  });
  before = await everything();
  const refused = await inTurns(prepared, ({ ask, stranger }) => ask(stranger));
  after = await everything();
  const allowed = await inTurns(prepared, ({ ask, attempt }) => ask(attempt.holder));
  tried.push(...rows.map((_, at) => ({ refused: refused[at] as Answer, allowed: allowed[at] as Answer })));
}

/** A few at a time, with the results in the order of the list. */
async function inTurns<T, R>(list: readonly T[], work: (one: T, at: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const left = [...list.entries()];
  const worker = async () => {
    for (let next = left.shift(); next; next = left.shift()) results[next[0]] = await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return results;
}

function attemptAt(way: Way, target: Target, at: number): { attempt: Attempt; stranger: Client } {
  const own = `own-${at}`;
  const wrapper = `wrapper-${at}`;
  const also = target.kind === "agent" ? [] : (way.also ?? []);
  const held = [...others, ...runs([own, wrapper, "assistant"]), ...also];
  const client = (...more: readonly string[]) =>
    clientOf(platform.url, platform.token("otto", [...held, ...more]));
  const { kind, id, links = [] } = target;
  const holder = client(`${kind}s:${id}:run`, ...links, ...(way.also ?? []));
  return { attempt: { target, admin, holder, own, wrapper }, stranger: client() };
}

test.each(rows.map(([way, target], at) => [way, target, at] as const))(
  "%s, of %s, takes the scope to run it",
  (_way, _target, at) => {
    const { refused, allowed } = tried[at] as Tried;
    const status = rows[at]?.[2].refusesWithin ? 200 : 403;
    expect([refused.status, refused.text]).toEqual([status, expect.stringContaining("Required scope")]);
    expect([allowed.status, allowed.text]).toEqual([
      expect.toSatisfy((status) => status < 300),
      allowed.text,
    ]);
    expect(allowed.text).not.toContain('"error":{"code"');
    expect(allowed.text).not.toContain('"isError":true');
  },
);

test("who is refused has written nothing", () => {
  expect(after).toEqual(before);
});

describe("the list of ways", () => {
  const root = join(import.meta.dirname, "../../..");
  /** What begins or repeats an execution, or stores what will: whoever imports none of these starts nothing. */
  const starters = [
    "shared/stores/transactions/accept-run.ts",
    "shared/stores/transactions/start-run.ts",
    "shared/stores/transactions/continue-run.ts",
    "shared/stores/transactions/requeue-run.ts",
    "shared/stores/transactions/copy-session.ts",
    "shared/engine/lifecycle/execute-run.ts",
    "shared/stores/evals/create-eval.ts",
    "shared/stores/schedules/create-schedule.ts",
    "shared/stores/schedules/change-schedule.ts",
    "shared/stores/schedules/runs/new-run.ts",
    "shared/stores/components/change-component.ts",
  ];
  const files = importsByPath(sourceFiles(root));
  const startsFrom = (path: string, seen = new Set<string>()): boolean => {
    if (starters.includes(path)) return true;
    if (seen.has(path)) return false;
    seen.add(path);
    return (files.get(path) ?? [])
      .flatMap((imported) => namedBy(path, imported))
      .some((file) => startsFrom(file, seen));
  };
  /** The files of a face that an importer names something of. Any other file is itself, and so is a face that is imported whole. */
  const namedBy = (importer: string, imported: string): string[] => {
    if (!imported.endsWith("/index.ts")) return [imported];
    const files = new Map(namesIn(imported).map(({ from, name }) => [name, pathOf(imported, from)]));
    const named = namesIn(importer).filter(({ from }) => pathOf(importer, from) === imported);
    if (files.size === 0 || named.length === 0) return [imported];
    return [...new Set(named.map(({ name }) => files.get(name) ?? imported))];
  };
  const FROM = /^(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+"([^"]+)"/gm;
  /** Names that a file imports or exports from others; none is renamed on the way through a face. */
  const namesIn = (path: string): { readonly from: string; readonly name: string }[] =>
    [...readFileSync(join(root, path), "utf8").matchAll(FROM)].flatMap(([, names = "", from = ""]) =>
      [...names.matchAll(/(?:type\s+)?(\w+)(?:\s+as\s+\w+)?/g)].map(([, name = ""]) => ({ from, name })),
    );
  const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  /** The handler of an operation; the whole family where several operations share one. */
  const handlerOf = (family: string, operation: string): string => {
    const own = [...files.keys()].find(
      (path) => path.startsWith(`functions/${family}/`) && path.endsWith(`/${kebab(operation)}.ts`),
    );
    return own ?? `functions/${family}/index.ts`;
  };

  test("says of every operation whose handler could start one whether it does", () => {
    expect(starters.filter((path) => !files.has(path))).toEqual([]);
    const silent = Object.entries(families).flatMap(([family, table]) =>
      Object.keys(table).filter(
        (operation) =>
          starting[operation as Operation] === undefined && startsFrom(handlerOf(family, operation)),
      ),
    );
    expect(silent).toEqual([]);
  });

  /** Functions that no request reaches; what they execute was admitted before, or is the operator's. */
  const notReachable = {
    worker: "executes jobs that were accepted",
    "eval-worker": "executes evaluations that were recorded",
    "schedule-executor": "calls the families' functions in the owner's name, by the same rules",
    "schedule-reconcile": "compares the scheduler with the table, and records what was missed",
    sweeper: "queues jobs again that lost their worker",
    housekeeper: "fails jobs and ends runs",
  };
  test("has every function that starts one without a request", () => {
    const names = new Set(
      [...files.keys()].flatMap((path) => /^functions\/([^/]+)\/index\.ts$/.exec(path)?.[1] ?? []),
    );
    const starts = [...names].filter(
      (name) => !(name in families) && startsFrom(`functions/${name}/index.ts`),
    );
    expect(starts.filter((name) => !(name in notReachable))).toEqual([]);
  });
});
