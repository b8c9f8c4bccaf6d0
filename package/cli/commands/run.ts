import { randomUUID } from "node:crypto";
import type { Client } from "../../../client/index.ts";
import { readableLine } from "../../../local/logs/readable-line.ts";
import { componentOf } from "../component-of.ts";
import { addressOf, type Place, reaching } from "../connect.ts";
import { logLines } from "../run-log.ts";
import { converse } from "../terminal/converse.ts";
import { promptText } from "../terminal/prompt-text.ts";
import { openTerminal, type Terminal } from "../terminal/terminal.ts";

type RunOptions = Place & { readonly session?: string; readonly showPrompt?: true; readonly json?: true };

type Output = Awaited<ReturnType<typeof converse>>;

/** Runs an agent, a team or a workflow once. Ends with 1 where it does not complete. */
export async function runOnce(id: string, text: string, options: RunOptions): Promise<void> {
  await withTerminal(options, async (terminal) => {
    await reaching(options, async (client) => {
      const form = { message: text, session_id: options.session ?? randomUUID() };
      const output = await converse(client, await componentOf(client, id), form, terminal);
      if (options.json) console.log(JSON.stringify(output, null, 2));
      else await printEnd(client, output, options);
      if (output.status !== "COMPLETED") process.exitCode = 1;
    });
  });
}

/**
 * Talks with an agent or a team, line by line, in one session, until the input ends. With `json` each run is a line of the output,
 * and what a person reads is beside it.
 */
export async function chat(id: string, options: RunOptions): Promise<void> {
  await withTerminal(options, (terminal) =>
    reaching(options, async (client) => {
      const component = await componentOf(client, id);
      const session_id = options.session ?? randomUUID();
      terminal.write(`Session ${session_id}. An empty line or Ctrl+D ends it.\n`);
      for (;;) {
        const message = (await terminal.ask("\n> "))?.trim();
        if (!message) return;
        const output = await converse(client, component, { message, session_id }, terminal);
        if (options.json) console.log(JSON.stringify(output));
        else await printEnd(client, output, options);
      }
    }),
  );
}

async function withTerminal(
  { json }: RunOptions,
  work: (terminal: Terminal) => Promise<void>,
): Promise<void> {
  const terminal = openTerminal(json ? process.stderr : process.stdout);
  try {
    await work(terminal);
  } finally {
    terminal.close();
  }
}

async function printEnd(client: Client, output: Output, options: RunOptions): Promise<void> {
  const { status, run_id } = output;
  // A workflow streams no answer of its own.
  if ("step_results" in output && output.content !== undefined) console.log(`\n${textOf(output.content)}`);
  console.log("");
  if (options.showPrompt && "messages" in output) console.log(promptText(output.messages ?? []));
  if (status === "ERROR") {
    console.error(
      `The run has failed: ${"error" in output ? (output.error ?? textOf(output.content)) : textOf(output.content)}`,
    );
    for (const line of await failuresOf(client, run_id)) console.error(`  ${line}`);
  } else if (status === "PAUSED") {
    console.error(`The run waits: answer it at ${addressOf(options)}/console (run ${run_id}).`);
  } else if (status !== "COMPLETED") console.error(`The run is ${status}.`);
}

const textOf = (content: unknown): string =>
  typeof content === "string" ? content : JSON.stringify(content);

/** What the log says of the failure; an operator alone may read it. */
async function failuresOf(client: Client, run_id: string): Promise<readonly string[]> {
  const lines = await logLines(client, run_id).catch(() => []);
  return lines.flatMap(({ time, fields, function: label, ...line }) =>
    /^(WARN|ERROR|CRITICAL)$/.test(line.level)
      ? (readableLine(JSON.stringify({ ...line, timestamp: time, ...fields }), label) ?? [])
      : [],
  );
}
