import { ScanCommand, type ScanCommandOutput } from "@aws-sdk/lib-dynamodb";
import type { Item } from "../../shared/data/item.ts";
import type { TableName } from "../../shared/settings/table-env.ts";
import { type Answer, type Client, clientOf, type Sent } from "./client.ts";
import type { TestPlatform } from "./platform.ts";
import { type Random, seededRandom } from "./simulated/random.ts";
import { type StoreView, viewStores } from "./stored.ts";

type Kind = "agent" | "team" | "workflow";
type Target = { readonly kind: Kind; readonly id: string };
type Config = Record<string, unknown>;

/** What no user in a campaign may run: declared ones, what an admin has stored around them, and what is stored nowhere. */
const forbidden: readonly [Target, ...Target[]] = [
  { kind: "agent", id: "refund-desk" },
  { kind: "agent", id: "account-desk" },
  { kind: "team", id: "support-team" },
  { kind: "workflow", id: "publish-report" },
  { kind: "agent", id: "wrapped-agent" },
  { kind: "team", id: "wrapped-team" },
  { kind: "workflow", id: "wrapped-flow" },
  { kind: "workflow", id: "wrapped-twice" },
  { kind: "agent", id: "nowhere" },
];
const forbiddenIds = new Set(forbidden.map(({ id }) => id));
const kinds = ["agent", "team", "workflow"] as const;
const names = ["maria", "otto", "clara"] as const;

/** Requests after which the users go on with new ids, so that no component collects versions for ever. */
const GENERATION = 200;
/** Requests after which everything that is stored is looked at. */
const LOOK_AFTER = 2000;
const IDS = 6;
const AT_A_TIME = 8;

export type Campaign = {
  /** By request, how often each status answered it. */
  readonly answers: Readonly<Record<string, Readonly<Record<number, number>>>>;
  /** Runs that were executed, those within others included. */
  readonly runs: number;
};

type Options = {
  readonly platform: TestPlatform;
  readonly count: number;
  readonly seed: number;
  /** Requests, by name, that must have been admitted and refused before the campaign ends; up to ten times the count. */
  readonly both?: readonly string[];
  readonly progress?: (done: number) => void;
};

/**
 * Users who write components, drafts, schedules and evaluations and send messages, at random, try to execute what they
 * may not run; an admin adds it to their drafts too. Whatever the order: no version of theirs links it, none of the
 * forbidden is executed, and nothing is answered with a fault.
 *
 * @param options.count  requests to make up
 * @param options.seed   repeats the requests of an earlier campaign; their order of arrival is the machine's, and so is
 *                       what later requests find
 * @param options.both   goes on beyond the count until each of these has been admitted and refused
 * @throws when one gets through, with the request or what it left behind
 */
export async function fuzzExecutions(options: Options): Promise<Campaign> {
  const { platform, count, seed, both = [], progress } = options;
  const stores = viewStores(platform);
  const admin = clientOf(platform.url, platform.adminToken);
  const answers: Record<string, Record<number, number>> = {};
  const random = seededRandom(seed);
  const changedByAdmin = new Set<string>();
  try {
    await wrapForbidden(admin);
    const isDone = (done: number) =>
      done >= count && (done >= 10 * count || both.every((name) => hadBoth(answers[name] ?? {})));
    for (let done = 0; !isDone(done); ) {
      const world = newWorld(platform, { random, admin, changedByAdmin }, done);
      const until = done < count ? Math.min(count, done + GENERATION) : done + GENERATION;
      const workers = Array.from({ length: AT_A_TIME }, async () => {
        while (done < until) {
          done += 1;
          const request = randomRequest(world);
          const answer = await request.send();
          const counted = answers[request.name] ?? {};
          answers[request.name] = { ...counted, [answer.status]: (counted[answer.status] ?? 0) + 1 };
          requireRefused(request, answer);
        }
      });
      await Promise.all(workers);
      if (done % LOOK_AFTER === 0 || done >= count) await requireClean(stores, world);
      progress?.(done);
    }
    return { answers, runs: (await itemsOf(stores, "runs")).length };
  } finally {
    stores.close();
  }
}

/** Whether a request was admitted and, another time, refused for lack of a right. */
export const hadBoth = (statuses: Readonly<Record<number, number>>): boolean =>
  statuses[403] !== undefined && Object.keys(statuses).some((status) => Number(status) < 300);

async function wrapForbidden(admin: Client): Promise<void> {
  const step = (id: string, name = "agent_id") => ({ steps: [{ name: "s", [name]: id }] });
  const configs: readonly (readonly [Kind, string, Config])[] = [
    ["agent", "wrapped-agent", { tools: ["issue_refund"] }],
    ["team", "wrapped-team", { members: [{ agent_id: "refund-desk" }] }],
    ["workflow", "wrapped-flow", step("refund-desk")],
    ["workflow", "wrapped-twice", step("wrapped-flow", "workflow_id")],
  ];
  for (const [component_type, component_id, config] of configs) {
    const json = { name: component_id, component_type, component_id, config, stage: "published" };
    const { status, text } = await admin.post("/components", { json });
    if (status !== 201) throw new Error(`${component_id}: ${status} ${text}`);
  }
}

/** One credential of a user; another one of the same user may run less. */
type User = {
  readonly name: string;
  readonly client: Client;
  /** Ids that the credential may run; of everything else it may run nothing. */
  readonly allowed: ReadonlySet<string>;
};

type World = {
  readonly random: Random;
  readonly admin: Client;
  readonly users: readonly [User, ...User[]];
  readonly ids: readonly [string, ...string[]];
  /** What the users have made, by the paths that answers named. */
  readonly runs: { readonly user: User; readonly path: string; readonly session_id: string }[];
  readonly schedules: { readonly user: User; readonly path: string }[];
  /** Drafts that an admin has changed. */
  readonly changedByAdmin: Set<string>;
  /** Of what was created, as far as it has been answered. */
  readonly made: Map<string, { readonly kind: Kind; readonly owner: string }>;
};

type Kept = Pick<World, "random" | "admin" | "changedByAdmin">;

function newWorld(platform: TestPlatform, kept: Kept, from: number): World {
  const { random } = kept;
  const ids = Array.from({ length: IDS }, (_, at) => `g${from}-${at}`) as [string, ...string[]];
  const families = ["components", "schedules", "evals", "sessions", "agents", "teams", "workflows"];
  const common = families.flatMap((family) => ["read", "write", "delete"].map((verb) => `${family}:${verb}`));
  const credential = (name: string, share: number): User => {
    const allowed = new Set(["assistant", ...ids.filter(() => random.chance(share))]);
    const runnable = [...allowed].flatMap((id) => kinds.map((kind) => `${kind}s:${id}:run`));
    const client = clientOf(platform.url, platform.token(name, [...common, ...runnable]));
    return { name, client, allowed };
  };
  const users = names.flatMap((name) => [credential(name, 0.9), credential(name, 0.4)]) as [User, ...User[]];
  return { ...kept, users, ids, runs: [], schedules: [], made: new Map() };
}

type Request = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly sent: Sent;
  /** Whether it names what its sender may not run, so that it must be refused. */
  readonly mustFail: boolean;
  readonly send: () => Promise<Answer>;
};

function requireRefused({ name, method, path, sent, mustFail }: Request, { status, text }: Answer): void {
  const report = `${name}: ${method} ${path} ${JSON.stringify(sent)} was answered ${status} ${text.slice(0, 500)}`;
  if (status >= 500 && status !== 503) throw new Error(report);
  // An event stream and a call of JSON-RPC may say in their bodies that they are refused.
  if (mustFail && status < 300 && !/"(error|code)":/.test(text)) throw new Error(report);
}

/** Every item of a table. */
async function itemsOf({ db }: StoreView, name: TableName): Promise<Item[]> {
  const items: Item[] = [];
  let ExclusiveStartKey: Item | undefined;
  do {
    const start = ExclusiveStartKey && { ExclusiveStartKey };
    const scan = { TableName: db.tables[name], ConsistentRead: true, ...start };
    const page: ScanCommandOutput = await db.client.send(new ScanCommand(scan));
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

/** Looks at what is stored: no forbidden run, no version that leads to one, no schedule and no evaluation of one. */
async function requireClean(stores: StoreView, world: World): Promise<void> {
  for (const name of ["runs", "jobs", "evals", "schedules"] as const) {
    for (const item of await itemsOf(stores, name)) {
      const named = [item.component_id, item.agent_id, item.team_id, item.endpoint].map(String);
      const found = named.find((text) =>
        [...forbiddenIds].some((id) => text === id || text.includes(`/${id}/`)),
      );
      if (found !== undefined)
        throw new Error(`${name} has ${found}: ${JSON.stringify(item).slice(0, 2000)}`);
    }
  }
  const components = await itemsOf(stores, "components");
  const types = new Map(
    components.flatMap(({ component_id, component_type }) =>
      component_type === undefined ? [] : [[component_id, component_type]],
    ),
  );
  for (const { component_id, version, stage, config, links } of components) {
    if (typeof config !== "string" || forbiddenIds.has(String(component_id))) continue;
    if (stage === "draft" && world.changedByAdmin.has(`${component_id}`)) continue;
    const content = contained(types.get(component_id), JSON.parse(config));
    if (hasAny(forbiddenIds, [content, JSON.parse(String(links))]))
      throw new Error(`version ${version} of ${component_id} (${stage}) links it: ${config} ${links}`);
  }
}

/** The part of a config that is executed. */
const contained = (type: unknown, { members, steps }: Config): unknown =>
  type === "team" ? members : type === "workflow" ? steps : undefined;

const message = "hello";
const V1 = { "a2a-version": "1.0" };

function randomRequest(world: World): Request {
  const { random } = world;
  const make = random.pick([
    writeComponent,
    writeComponent,
    writeVersion,
    writeVersion,
    makeLive,
    archiveOrRestore,
    adminsDraft,
    run,
    run,
    runDraft,
    continueRun,
    sendMessage,
    schedule,
    changeSchedule,
    evaluate,
  ]);
  return make(world);
}

/** The rest of a request: who sends it, and what is remembered of the answer. */
function by(
  { client }: Pick<User, "client">,
  name: string,
  method: string,
  path: string,
  sent: Sent,
  mustFail: boolean,
  remember: (answer: Answer) => void | Promise<void> = () => {},
): Request {
  const send = async () => {
    const answer = await client.call(method, path, sent);
    if (answer.status < 300) await remember(answer);
    return answer;
  };
  return { name, method, path, sent, mustFail, send };
}

function anyTarget(world: World): Target {
  const { random } = world;
  if (random.chance(0.2)) return random.pick(forbidden);
  if (random.chance(0.2)) return { kind: "agent", id: "assistant" };
  return madeTarget(world);
}

/** One of the users' own, mostly of the kind that it is. */
function madeTarget({ random, ids, made }: World): Target {
  const id = random.pick(ids);
  const known = random.chance(0.9) ? made.get(id)?.kind : undefined;
  return { kind: known ?? random.pick(kinds), id };
}

/** Mostly the owner, who is refused less. */
function someone({ random, users, made }: World, id: string): User {
  const owner = random.chance(0.8) ? made.get(id)?.owner : undefined;
  const known = users.filter(({ name }) => name === owner);
  return known.length > 0 ? random.pick(known as [User, ...User[]]) : random.pick(users);
}

/** Whether a value names, anywhere in it, one of these ids. */
const hasAny = (ids: Iterable<string>, value: unknown): boolean => {
  const text = JSON.stringify(value ?? null);
  return [...ids].some((id) => text.includes(`"${id}"`));
};
const notAllowed = ({ ids }: World, { allowed }: User): string[] =>
  [...ids, ...forbiddenIds].filter((id) => !allowed.has(id));

// Components.

function aStep(world: World, depth: number): Config {
  const { random } = world;
  const name = `s${random.between(1, 10_000)}`;
  const inner = () => Array.from({ length: random.between(1, 2) }, () => aStep(world, depth + 1));
  if (depth < 3 && random.chance(0.35)) {
    const type = random.pick(["Steps", "Parallel", "Loop", "Condition", "Router"] as const);
    if (type === "Router") return { type, name, choices: inner() };
    if (type === "Condition")
      return { type, name, evaluator: random.chance(0.5), steps: inner(), else_steps: inner() };
    return { type, name, steps: inner(), ...(type === "Loop" && { max_iterations: 1 }) };
  }
  if (random.chance(0.3)) return { name, executor_ref: "outline" };
  const step: Config = { name };
  for (const { kind, id } of several(world)) step[`${kind}_id`] = id;
  return step;
}

/** Mostly one; several stand for configs that say two things at once. */
const several = (world: World): Target[] =>
  Array.from({ length: world.random.chance(0.85) ? 1 : 2 }, () => anyTarget(world));

function aConfig(world: World, kind: Kind): Config {
  const { random } = world;
  if (kind === "agent") return { tools: random.chance(0.5) ? ["add_numbers"] : [] };
  if (kind === "workflow") {
    return { steps: Array.from({ length: random.between(0, 3) }, () => aStep(world, 0)) };
  }
  const members = Array.from({ length: random.between(0, 3) }, () => {
    const member: Config = random.chance(0.5) ? {} : { type: random.pick(["agent", "team"] as const) };
    for (const target of several(world))
      member[`${target.kind === "team" ? "team" : "agent"}_id`] = target.id;
    return member;
  });
  return { members, mode: random.pick(["coordinate", "route", "broadcast"] as const) };
}

function someLinks(world: World): { links?: object[] } {
  const { random } = world;
  if (random.chance(0.7)) return {};
  const links = Array.from({ length: random.between(0, 2) }, () => {
    const { kind, id } = anyTarget(world);
    const link_kind = random.chance(0.4) && kind !== "workflow" ? "member" : `step_${kind}`;
    return { link_kind, link_key: "k", child_component_id: id, child_version: random.between(1, 3) };
  });
  return { links };
}

/** Mostly one that nothing is stored under yet. */
function freeId({ random, ids, made }: World): string {
  const free = ids.filter((id) => !made.has(id));
  return free.length > 0 && random.chance(0.9)
    ? random.pick(free as [string, ...string[]])
    : random.pick(ids);
}

function writeComponent(world: World): Request {
  const { random, users, made } = world;
  const kind = random.pick(kinds);
  const component_id = random.chance(0.1) ? random.pick(forbidden).id : freeId(world);
  const stage = random.pick(["draft", "published"] as const);
  const content = { config: aConfig(world, kind), ...someLinks(world) };
  const json = { name: "fuzzed", component_type: kind, component_id, stage, ...content };
  const path = random.chance(0.7) ? "/components" : `/${kind}s`;
  const isTaken = forbiddenIds.has(component_id) && component_id !== "nowhere";
  const user = random.pick(users);
  const mustFail = isTaken || hasAny(notAllowed(world, user), content);
  return by(user, "create component", "POST", path, { json }, mustFail, () => {
    made.set(component_id, { kind, owner: user.name });
  });
}

function writeVersion(world: World): Request {
  const { random, ids } = world;
  const id = random.pick(ids);
  const kind = world.made.get(id)?.kind;
  const user = someone(world, id);
  const content = { config: aConfig(world, kind ?? random.pick(kinds)), ...someLinks(world) };
  const mustFail = kind !== undefined && hasAny(notAllowed(world, user), content);
  const stage = random.pick(["draft", "published"] as const);
  if (random.chance(0.5)) {
    const path = `/components/${id}/configs`;
    return by(user, "add version", "POST", path, { json: { ...content, stage } }, mustFail);
  }
  const json = random.chance(0.4) ? { stage } : random.chance(0.5) ? { ...content, stage } : { notes: "n" };
  const path = `/components/${id}/configs/${random.between(1, 4)}`;
  return by(user, "edit version", "PATCH", path, { json }, mustFail && "config" in json);
}

function makeLive(world: World): Request {
  const { random, ids } = world;
  const id = random.pick(ids);
  const version = random.between(1, 4);
  const user = someone(world, id);
  const check = () => requireMayRunLive(world, user, id, version);
  if (random.chance(0.5)) {
    const path = `/components/${id}/configs/${version}/set-current`;
    return by(user, "set current", "POST", path, {}, false, check);
  }
  const path = random.chance(0.5) ? `/components/${id}` : `/${madeKind(world, id)}s/${id}`;
  return by(user, "name current", "PATCH", path, { json: { current_version: version } }, false, check);
}

const madeKind = ({ random, made }: World, id: string): Kind => made.get(id)?.kind ?? random.pick(kinds);

/** A published version never changes, so it can be looked at after it was made live. */
async function requireMayRunLive(world: World, user: User, id: string, version: number): Promise<void> {
  const kind = world.made.get(id)?.kind;
  const { status, json } = await world.admin.get(`/components/${id}/configs/${version}`);
  if (status !== 200 || !hasAny(notAllowed(world, user), contained(kind, json.config))) return;
  const allowed = [...user.allowed].join(", ");
  throw new Error(`${user.name}, who may run ${allowed}, made live ${id}: ${JSON.stringify(json.config)}`);
}

function archiveOrRestore(world: World): Request {
  const { random, ids } = world;
  const id = random.pick(ids);
  const path = `/components/${id}`;
  const user = someone(world, id);
  return random.chance(0.3)
    ? by(user, "archive", "DELETE", path, {}, false)
    : by(user, "restore", "POST", `${path}/restore`, {}, false, ({ json }) =>
        json.current_version === undefined
          ? undefined
          : requireMayRunLive(world, user, id, json.current_version),
      );
}

/** An admin puts into a user's draft what the user may not run: the user may neither publish nor run it. */
function adminsDraft(world: World): Request {
  const { random, admin, ids, changedByAdmin } = world;
  const id = random.pick(ids);
  changedByAdmin.add(id);
  const { kind, id: target } = random.pick(forbidden);
  const config =
    kind !== "workflow" && random.chance(0.5)
      ? { members: [{ [`${kind}_id`]: target }], mode: "broadcast" }
      : { steps: [{ name: "paid", [`${kind}_id`]: target }] };
  return random.chance(0.5)
    ? by(
        { client: admin },
        "an admin's draft",
        "POST",
        `/components/${id}/configs`,
        { json: { config } },
        false,
      )
    : by(
        { client: admin },
        "an admin's draft",
        "PATCH",
        `/components/${id}/configs/${random.between(1, 4)}`,
        { json: { config } },
        false,
      );
}

// Runs.

const pathTo = ({ kind, id }: Target): string => `/${kind}s/${id}`;

function remembering(world: World, user: User, path: string) {
  return ({ json }: Answer) => {
    if (typeof json?.run_id !== "string") return;
    world.runs.push({ user, path: `${path}/runs/${json.run_id}`, session_id: json.session_id });
    if (world.runs.length > 50) world.runs.shift();
  };
}

function run(world: World): Request {
  const { random, users } = world;
  const target = anyTarget(world);
  const user = random.pick(users);
  const form = { message, stream: String(random.chance(0.2)), background: String(random.chance(0.2)) };
  const path = pathTo(target);
  return by(
    user,
    "run",
    "POST",
    `${path}/runs`,
    { form },
    !user.allowed.has(target.id),
    remembering(world, user, path),
  );
}

function runDraft(world: World): Request {
  const { random } = world;
  const target = madeTarget(world);
  const user = someone(world, target.id);
  const path = pathTo(target);
  const form = { message, stream: "false", version: String(random.between(1, 5)) };
  return by(user, "run a version", "POST", `${path}/runs`, { form }, false, remembering(world, user, path));
}

function continueRun(world: World): Request {
  const { random, users } = world;
  const past = world.runs.length > 0 ? world.runs[random.between(0, world.runs.length - 1)] : undefined;
  if (!past) return run(world);
  const user = random.chance(0.8) ? past.user : random.pick(users);
  // Sometimes by the address of another component.
  const target = anyTarget(world);
  const isMoved = random.chance(0.3);
  const path = isMoved ? past.path.replace(/^\/\w+\/[^/]+/, pathTo(target)) : past.path;
  const how = random.pick<Record<string, string>>([
    { input: "more" },
    { fork: "true", input: "more" },
    { regenerate: "true" },
  ]);
  const form = { session_id: past.session_id, stream: "false", ...how };
  return by(user, "continue", "POST", `${path}/continue`, { form }, isMoved && !user.allowed.has(target.id));
}

function sendMessage(world: World): Request {
  const { random, users } = world;
  const user = random.pick(users);
  const target = anyTarget(world);
  const mustFail = !user.allowed.has(target.id);
  const root = `/a2a${pathTo(target)}`;
  const parts = [{ kind: "text", text: message }];
  const envelope = (method: string, more = {}) => ({
    ...{ jsonrpc: "2.0", id: "1", method },
    params: { message: { messageId: "m", role: "user", parts, ...more } },
  });
  const current = { message: { messageId: "m", role: "ROLE_USER", parts: [{ text: message }] } };
  const legacy = { message: { messageId: "m", role: "ROLE_USER", content: [{ text: message }] } };
  const call = random.pick(["SendMessage", "SendStreamingMessage"] as const);
  const [path, sent] = random.pick<readonly [string, Sent]>([
    [`${root}/v1/message:send`, { json: current, headers: V1 }],
    [`${root}/v1/message:send`, { json: legacy }],
    [`${root}/v1/message:send`, { json: envelope("message/send") }],
    [`${root}/v1/message:stream`, { json: current, headers: V1 }],
    [`${root}/v1/message:stream`, { json: envelope("message/send") }],
    [root, { json: { jsonrpc: "2.0", id: "1", method: call, params: current }, headers: V1 }],
    [`${root}/v1`, { json: envelope("message/stream") }],
    ["/a2a/message/send", { json: envelope("message/send", { agentId: target.id }) }],
    ["/a2a/message/stream", { json: envelope("message/stream"), headers: { "x-agent-id": target.id } }],
  ]);
  return by(user, "a2a", "POST", path, sent, mustFail);
}

// Schedules and evaluations.

function anEndpoint(world: World, user: User): { endpoint: string; mustFail: boolean } {
  const target = anyTarget(world);
  const path = pathTo(target);
  const letter = target.id.charCodeAt(0).toString(16);
  const endpoint = world.random.pick([
    `${path}/runs`,
    `${path}/runs`,
    `${path}/runs/`,
    `/${target.kind}s/%${letter}${target.id.slice(1)}/runs`,
    `${path}//runs`,
    `/${path}/runs`,
    `${path}/runs?version=1`,
    `/x/..${path}/runs`,
    `/a2a${path}`,
    "/eval-runs",
  ]);
  return { endpoint, mustFail: !user.allowed.has(target.id) || !/^\/\w+s\/[^/]+\/runs\/?$/.test(endpoint) };
}

let named = 0;
function schedule(world: World): Request {
  const user = world.random.pick(world.users);
  const { endpoint, mustFail } = anEndpoint(world, user);
  named += 1;
  const json = { name: `s-${named}`, cron_expr: "0 9 1 1 *", endpoint, payload: { message, version: 2 } };
  return by(user, "schedule", "POST", "/schedules", { json }, mustFail, ({ json: made }) => {
    world.schedules.push({ user, path: `/schedules/${made.id}` });
  });
}

function changeSchedule(world: World): Request {
  const { random, schedules } = world;
  const past = schedules.length > 0 ? schedules[random.between(0, schedules.length - 1)] : undefined;
  if (!past) return schedule(world);
  const { user, path } = past;
  const verb = random.pick(["patch", "enable", "disable", "trigger"] as const);
  if (verb !== "patch") return by(user, `${verb} schedule`, "POST", `${path}/${verb}`, {}, false);
  const { endpoint, mustFail } = anEndpoint(world, user);
  return by(user, "change schedule", "PATCH", path, { json: { endpoint } }, mustFail);
}

function evaluate(world: World): Request {
  const user = world.random.pick(world.users);
  const target = anyTarget(world);
  const name = world.random.pick(["agent_id", "team_id"] as const);
  const json = {
    eval_type: "performance",
    [name]: target.id,
    input: message,
    background: true,
    warmup_runs: 0,
  };
  return by(user, "evaluate", "POST", "/eval-runs", { json }, !user.allowed.has(target.id));
}
