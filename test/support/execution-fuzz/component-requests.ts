import {
  anyTarget,
  by,
  type Config,
  contained,
  forbidden,
  forbiddenIds,
  hasAny,
  type Kind,
  kinds,
  notAllowed,
  type Request,
  someone,
  type Target,
  type User,
  type World,
} from "./world.ts";

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

export function writeComponent(world: World): Request {
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

export function writeVersion(world: World): Request {
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

export function makeLive(world: World): Request {
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

export function archiveOrRestore(world: World): Request {
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
export function adminsDraft(world: World): Request {
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
