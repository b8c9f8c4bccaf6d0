import { setTimeout as pause } from "node:timers/promises";
import { families } from "../../../../shared/routes/index.ts";
import type { Route, RouteTable } from "../../../../shared/routes/route.ts";
import type { Answer, Client } from "../../client.ts";
import { HANGS_AFTER_MS } from "../../hangs-after.ts";

/** The ids of one thing, by the names of the variables that they stand for: a run's are its own, its session's, its agent's. */
export type Thing = Readonly<Record<string, string>>;

/** What a request is about that succeeds. */
export type Staged = {
  readonly about: Thing;
  /** In addition to the query of the row's example. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** In addition to the members of the example's body. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** What is added to the headers, by the body that is sent. */
  readonly signed?: (body: string) => Readonly<Record<string, string>>;
  /** Where it is soon over: it is made anew after others have asked. */
  readonly isBrief?: true;
  /** Where only an admin may ask. */
  readonly asAdmin?: true;
};

/** @param owner  whose things are made. @param admin  who may do what no owner may */
export type Stage = (owner: Client, admin: Client) => Promise<Staged>;
export type Noun = "agent" | "team" | "workflow";
/** What is stored in versions. */
export type StoredNoun = Noun | "skill";
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely, as in tests
export type Json = any;

let made = 0;
/** What ends a name that nothing else has. */
export const FRESH_SUFFIX = /-x[0-9a-z]{8,}/g;
export const fresh = (name: string): string => {
  made += 1;
  return `${name}-x${Date.now().toString(36)}${made}`;
};

/** @throws when what is needed for a request cannot be brought about */
export async function done(asked: Promise<Answer>): Promise<Json> {
  const { status, json, text } = await asked;
  if (status >= 300) throw new Error(`a stage was answered ${status}: ${text.slice(0, 300)}`);
  return json;
}

/** @returns the first answer that is as it should be */
export async function until<Value>(
  read: () => Promise<Value>,
  fits: (value: Value) => boolean,
): Promise<Value> {
  for (const end = Date.now() + HANGS_AFTER_MS; ; await pause(25)) {
    const value = await read();
    if (fits(value)) return value;
    if (Date.now() > end) throw new Error(`a stage is not reached: ${JSON.stringify(value).slice(0, 300)}`);
  }
}

const rows: Readonly<Record<string, Route>> = Object.assign({}, ...Object.values<RouteTable>(families));
export const exampleBody = (operationId: string): object => Object(rows[operationId]?.example?.body);

export const running: Readonly<Record<Noun, string>> = {
  agent: "assistant",
  team: "support-team",
  workflow: "publish-report",
};

/** Starts a run of the usual component of a kind, or of another. */
export async function run(
  admin: Client,
  noun: Noun,
  form: Readonly<Record<string, string>>,
  id = running[noun],
) {
  const started = await done(admin.post(`/${noun}s/${id}/runs`, { form: { stream: "false", ...form } }));
  const { run_id, session_id } = started;
  const about: Thing = { [`${noun}_id`]: id, run_id, session_id };
  return { started, about, run_id: String(run_id), session_id: String(session_id) };
}

export const QUESTION = "Where is my order?";
/** For a list: what it shows is there, and its request does not name it. */
export const listed =
  (made: Stage): Stage =>
  async (owner, admin) => {
    await made(owner, admin);
    return { about: {} };
  };
