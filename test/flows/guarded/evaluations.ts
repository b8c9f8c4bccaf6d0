import type { Answer, Client } from "../../support/client.ts";

const needed = async (made: Promise<Answer>) => {
  const answer = await made;
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
  return answer;
};

/** Begins an evaluation of the guarded agent, and returns what is known of it when it has ended. */
async function evaluated(client: Client, asked: object): Promise<string> {
  const json = { eval_type: "reliability", agent_id: "guarded", expected_tool_calls: ["word"], ...asked };
  const { id } = (await needed(client.post("/eval-runs", { json }))).json;
  for (let tries = 0; tries < 300; tries += 1) {
    const { text, json: seen } = await needed(client.get(`/eval-runs/${id}`));
    if (!/running|queued|pending/i.test(String(seen.status))) return text;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`the evaluation ${id} does not end`);
}

const fileOf = (input: string) =>
  new File([JSON.stringify([{ input, expected_tool_calls: ["word"] }])], "cases.json", {
    type: "application/json",
  });

function form(fields: Readonly<Record<string, string | File>>): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.append(name, value);
  return made;
}

const dataset = async (client: Client, input: string) =>
  (
    await needed(
      client.post("/eval-datasets", { form: form({ name: crypto.randomUUID(), file: fileOf(input) }) }),
    )
  ).json;

export const evaluationWays = {
  createEval: (client: Client, words: string) => evaluated(client, { input: words }),
  createDataset: async (client: Client, words: string) => {
    const { id } = await dataset(client, words);
    return evaluated(client, { dataset_id: id });
  },
  createDatasetVersion: async (client: Client, words: string) => {
    const { id } = await dataset(client, "hello");
    await needed(client.post(`/eval-datasets/${id}/versions`, { form: form({ file: fileOf(words) }) }));
    return evaluated(client, { dataset_id: id });
  },
  changeDatasetCases: async (client: Client, words: string) => {
    const { id } = await dataset(client, "hello");
    const json = { base_version: 1, set: [{ input: words, expected_tool_calls: ["word"] }] };
    await needed(client.call("PATCH", `/eval-datasets/${id}/cases`, { json }));
    return evaluated(client, { dataset_id: id });
  },
} as const;
