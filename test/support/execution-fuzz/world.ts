import { type Answer, type Client, clientOf, type Sent } from "../client.ts";
import type { TestPlatform } from "../platform.ts";
import type { Random } from "../simulated/random.ts";

export type Kind = "agent" | "team" | "workflow";
export type Target = { readonly kind: Kind; readonly id: string };
export type Config = Record<string, unknown>;

/** What no user in a campaign may run: declared ones, what an admin has stored around them, and what is stored nowhere. */
export const forbidden: readonly [Target, ...Target[]] = [
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
export const forbiddenIds = new Set(forbidden.map(({ id }) => id));
export const kinds = ["agent", "team", "workflow"] as const;
const names = ["maria", "otto", "clara"] as const;

const IDS = 6;
/** One credential of a user; another one of the same user may run less. */
export type User = {
  readonly name: string;
  readonly client: Client;
  /** Ids that the credential may run; of everything else it may run nothing. */
  readonly allowed: ReadonlySet<string>;
};

export type World = {
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

export function newWorld(platform: TestPlatform, kept: Kept, from: number): World {
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

export type Request = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly sent: Sent;
  /** Whether it names what its sender may not run, so that it must be refused. */
  readonly mustFail: boolean;
  readonly send: () => Promise<Answer>;
};

/** The part of a config that is executed. */
export const contained = (type: unknown, { members, steps }: Config): unknown =>
  type === "team" ? members : type === "workflow" ? steps : undefined;

export const message = "hello";

/** The rest of a request: who sends it, and what is remembered of the answer. */
export function by(
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

export function anyTarget(world: World): Target {
  const { random } = world;
  if (random.chance(0.2)) return random.pick(forbidden);
  if (random.chance(0.2)) return { kind: "agent", id: "assistant" };
  return madeTarget(world);
}

/** One of the users' own, mostly of the kind that it is. */
export function madeTarget({ random, ids, made }: World): Target {
  const id = random.pick(ids);
  const known = random.chance(0.9) ? made.get(id)?.kind : undefined;
  return { kind: known ?? random.pick(kinds), id };
}

/** Mostly the owner, who is refused less. */
export function someone({ random, users, made }: World, id: string): User {
  const owner = random.chance(0.8) ? made.get(id)?.owner : undefined;
  const known = users.filter(({ name }) => name === owner);
  return known.length > 0 ? random.pick(known as [User, ...User[]]) : random.pick(users);
}

/** Whether a value names, anywhere in it, one of these ids. */
export const hasAny = (ids: Iterable<string>, value: unknown): boolean => {
  const text = JSON.stringify(value ?? null);
  return [...ids].some((id) => text.includes(`"${id}"`));
};
export const notAllowed = ({ ids }: World, { allowed }: User): string[] =>
  [...ids, ...forbiddenIds].filter((id) => !allowed.has(id));
