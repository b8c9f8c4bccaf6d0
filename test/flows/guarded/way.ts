import type { Answer, Client } from "../../support/client.ts";

/** Sends words on one way to a guarded component, and returns everything that came back of it. */
export type GuardedWay = (client: Client, words: string) => Promise<string>;
/**
 * What becomes of what a field, or the whole body, of an operation says:
 *   a way     it reaches a model, and the guards before; both are tried
 *   kept      it is stored as what is known, such as a memory; it is no text that is said in a run
 *   nothing   it reaches no model
 */
export type Carries = GuardedWay | { readonly kept: string } | { readonly nothing: string };
export type Fields = { readonly fields: Readonly<Record<string, Carries>> };
export type Carried = Carries | Fields;

export const AGENT = "/agents/guarded";
export const TEAM = "/teams/guarded-team";
/** Asks a person before its steps and after them. */
export const FLOW = "/workflows/guarded-flow";
/** Asks nothing itself. */
export const STEPS = "/workflows/guarded-steps";
export const needed = async (made: Promise<Answer>) => {
  const answer = await made;
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
  return answer;
};
export const textOf = async (made: Promise<Answer>) => (await needed(made)).text;
export const run = (client: Client, path: string, form: Record<string, string>) =>
  needed(client.post(`${path}/runs`, { form: { message: "hello", stream: "false", ...form } }));
export const tool = (name: string) => `[[tool:${name} {"words":"so far"}]]`;
export const delegated = (task: string) =>
  `[[tool:delegate_task_to_member ${JSON.stringify({ member_id: "open", task })}]]`;

export const field =
  (path: string, fields: (words: string) => Record<string, string>): GuardedWay =>
  async (client, words) =>
    (await run(client, path, fields(words))).text;
export const nothing = (why: string) => ({ nothing: why });
export const named = nothing("names something");
export const seenOnly = nothing("a guard is shown texts");

export type Paused = { run_id: string; session_id: string; [more: string]: unknown };
export const answered = (
  client: Client,
  path: string,
  { run_id, session_id }: Paused,
  form: Record<string, string>,
) =>
  textOf(client.post(`${path}/runs/${run_id}/continue`, { form: { session_id, stream: "false", ...form } }));

export const NOT_READ = nothing("must be what the run showed");
