import type { Client } from "../../support/client.ts";
import { REFUSAL } from "../../support/guard-registry/index.ts";
import { type GuardedWay, named, needed, run, tool } from "./way.ts";

/** What has come of a session by the time that none of its runs is live. */
async function cameOf(client: Client, runs: string): Promise<string> {
  for (let tries = 0; tries < 300; tries += 1) {
    const { text } = await needed(client.get(runs));
    if (!/"status":"(PENDING|RUNNING)"/.test(text)) return text;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`${runs} has a run that does not end`);
}

/** Says something to a run that has begun; where it comes too late for that run, a new one answers it. */
const saidTo =
  (path: string, fill: (form: FormData, words: string) => void): GuardedWay =>
  async (client, words) => {
    const asked = { message: `${tool("word")}[[sleep:1500]]`, background: "true" };
    const { run_id, session_id } = (await run(client, path, asked)).json;
    const messages = `${path}/runs/${run_id}/messages`;
    const form = new FormData();
    form.append("session_id", session_id);
    fill(form, words);
    await needed(client.post(messages, { form }));
    const runs = await cameOf(client, `${path}/runs?session_id=${session_id}`);
    const { json } = await needed(client.get(`${messages}?session_id=${session_id}`));
    // The run goes on without a refused message, whose state says so to whoever sent it.
    const isRefused = json.messages.some(({ state }: { state: string }) => state === "refused");
    return isRefused ? `${runs} ${REFUSAL}` : runs;
  };

/** What is said to runs that have begun. */
export const messageFields = (path: string) => ({
  fields: {
    message: saidTo(path, (form, words) => form.append("message", words)),
    files: saidTo(path, (form, words) => {
      form.append("message", "see the file");
      form.append("files", new File([words], "a.txt", { type: "text/plain" }));
    }),
    files_metadata: named,
    session_id: named,
    message_id: named,
    step_id: named,
    if_ended: named,
  },
});
