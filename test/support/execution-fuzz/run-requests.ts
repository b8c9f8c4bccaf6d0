import type { Answer, Sent } from "../client.ts";
import {
  anyTarget,
  by,
  madeTarget,
  message,
  type Request,
  someone,
  type Target,
  type User,
  type World,
} from "./world.ts";

const V1 = { "a2a-version": "1.0" };

const pathTo = ({ kind, id }: Target): string => `/${kind}s/${id}`;

function remembering(world: World, user: User, path: string) {
  return ({ json }: Answer) => {
    if (typeof json?.run_id !== "string") return;
    world.runs.push({ user, path: `${path}/runs/${json.run_id}`, session_id: json.session_id });
    if (world.runs.length > 50) world.runs.shift();
  };
}

export function run(world: World): Request {
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

export function runDraft(world: World): Request {
  const { random } = world;
  const target = madeTarget(world);
  const user = someone(world, target.id);
  const path = pathTo(target);
  const form = { message, stream: "false", version: String(random.between(1, 5)) };
  return by(user, "run a version", "POST", `${path}/runs`, { form }, false, remembering(world, user, path));
}

export function continueRun(world: World): Request {
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

export function sendMessage(world: World): Request {
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

export function sendAgui(world: World): Request {
  const { random, users } = world;
  const user = random.pick(users);
  const target = anyTarget(world);
  const json = {
    threadId: `agui-${random.between(1, 1_000_000)}`,
    runId: "r",
    messages: [{ id: "m", role: "user", content: message }],
  };
  return by(user, "ag-ui", "POST", `${pathTo(target)}/agui`, { json }, !user.allowed.has(target.id));
}

export function callTool(world: World): Request {
  const user = world.random.pick(world.users);
  const { kind, id } = anyTarget(world);
  const params = { name: `run_${kind}`, arguments: { [`${kind}_id`]: id, message } };
  const json = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  const headers = { accept: "application/json, text/event-stream" };
  return by(user, "mcp", "POST", "/mcp", { json, headers }, !user.allowed.has(id));
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
export function schedule(world: World): Request {
  const user = world.random.pick(world.users);
  const { endpoint, mustFail } = anEndpoint(world, user);
  named += 1;
  const json = { name: `s-${named}`, cron_expr: "0 9 1 1 *", endpoint, payload: { message, version: 2 } };
  return by(user, "schedule", "POST", "/schedules", { json }, mustFail, ({ json: made }) => {
    world.schedules.push({ user, path: `/schedules/${made.id}` });
  });
}

export function changeSchedule(world: World): Request {
  const { random, schedules } = world;
  const past = schedules.length > 0 ? schedules[random.between(0, schedules.length - 1)] : undefined;
  if (!past) return schedule(world);
  const { user, path } = past;
  const verb = random.pick(["patch", "enable", "disable", "trigger"] as const);
  if (verb !== "patch") return by(user, `${verb} schedule`, "POST", `${path}/${verb}`, {}, false);
  const { endpoint, mustFail } = anEndpoint(world, user);
  return by(user, "change schedule", "PATCH", path, { json: { endpoint } }, mustFail);
}

export function evaluate(world: World): Request {
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
