import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "../../../client/index.ts";
import { readDataset } from "../../../shared/evals/index.ts";
import { type Place, reaching } from "../connect.ts";
import { UsageError } from "../usage-error.ts";

type EvalOptions = Place & {
  readonly agent?: string;
  readonly team?: string;
  readonly type: string;
  readonly json?: true;
};

const types = ["reliability", "accuracy", "agent_as_judge", "performance"] as const;
const POLL_MS = 1000;

/** Evaluates an agent or a team with the cases of a file. Ends with 1 where a case does not pass. */
export async function evaluate(file: string, options: EvalOptions): Promise<void> {
  const { agent, team, json } = options;
  const eval_type = types.find((one) => one === options.type);
  if (eval_type === undefined)
    throw new UsageError(`--type is "${options.type}"; it may be ${types.join(", ")}.`);
  if ((agent === undefined) === (team === undefined))
    throw new UsageError("Say what is evaluated: --agent <id> or --team <id>.");
  const cases = await casesIn(file);
  await reaching(options, async (client) => {
    const about = agent === undefined ? { team_id: team } : { agent_id: agent };
    const body = { eval_type, name: basename(file), ...about, cases, background: true };
    const ended = await ending(client, (await client.createEval({ body })).id);
    const results = await casesOf(client, ended.id);
    if (json) console.log(JSON.stringify({ ...ended, case_results: results }, null, 2));
    else for (const line of results.map(lineOf)) console.log(line);
    const failed = results.filter(({ passed, status }) => passed === false || status === "failed").length;
    if (!json) console.log(`${results.length - failed} of ${results.length} cases are right.`);
    if (failed > 0 || ended.status === "failed") process.exitCode = 1;
  });
}

/** @throws UsageError that names what is wrong, by row and column */
async function casesIn(file: string) {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  });
  const { cases, faults } = await readDataset({ filename: file, bytes });
  if (faults.length === 0) return [...cases];
  const lines = faults.map(({ path, message }) => `${file}${path === "" ? "" : ` ${path}`}: ${message}`);
  throw new UsageError(lines.join("\n"));
}

async function ending(client: Client, eval_run_id: string) {
  for (;;) {
    const found = await client.getEval({ path: { eval_run_id } });
    if (found.status !== "running") return found;
    await pause(POLL_MS);
  }
}

async function casesOf(client: Client, eval_run_id: string) {
  const results: Case[] = [];
  for (let page = 1; ; page++) {
    const { data, meta } = await client.listEvalCases({ path: { eval_run_id }, query: { page, limit: 100 } });
    results.push(...data);
    if (page >= meta.total_pages) return results;
  }
}

type Case = Awaited<ReturnType<Client["listEvalCases"]>>["data"][number];

function lineOf({ name, input, passed, error, status }: Case): string {
  const verdict = status === "failed" ? "FAILED" : passed === null ? "measured" : passed ? "ok" : "WRONG";
  const what = JSON.stringify(name ?? input).slice(0, 60);
  return `${verdict.padEnd(8)} ${what}${error === null ? "" : `  ${error}`}`;
}
