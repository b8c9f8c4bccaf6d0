import { createHash } from "node:crypto";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import { type Execution, secretsFor } from "../run/execution.ts";
import { pendingCalls } from "../run/next-step.ts";
import type { RunState } from "../run/run-state.ts";
import type { CallWait, Elsewhere, KeptCall } from "../tool/elsewhere.ts";
import type { Batch } from "./batch.ts";

/**
 * What the code of a tool is given to go on with a call at its server.
 *
 * @param unlimited  called where the call is to have no limit of time any more
 */
export async function elsewhereOf(
  call: ToolExecution,
  batch: Batch,
  execution: Execution,
  unlimited: () => void,
): Promise<Elsewhere> {
  const { ports } = execution;
  const { remote_call: remote } = call;
  if (remote?.follows) unlimited();
  return {
    ...(remote && { resumed: { kept: await readKept(remote.kept, execution), values: valuesIn(call) } }),
    keep: async (kept) => {
      if (kept.follows) unlimited();
      batch.putCall(await withKept(call, kept, execution));
      await batch.saveCheckpoint();
    },
    shouldYield: () => ports.shouldYield?.(false) === true,
    sleep: (ms) => ports.clock.sleep(ms, ports.signal),
  };
}

/** The call as it waits: for a person with what the server asks, else as it was kept. */
export async function waitingCall(
  call: ToolExecution,
  wait: CallWait,
  batch: Batch,
  execution: Execution,
): Promise<ToolExecution> {
  if (wait.for === "process") return asKept(call, batch);
  const { message, url, fields } = wait.question;
  const kept = await withKept(call, wait, execution);
  const asks = url === undefined;
  return {
    ...kept,
    ...(kept.remote_call && {
      remote_call: { ...kept.remote_call, message, ...(url !== undefined && { url }) },
    }),
    confirmed: null,
    confirmation_note: null,
    requires_confirmation: asks ? call.requires_confirmation : true,
    ...(asks && { confirmed: call.requires_confirmation ? true : null }),
    requires_user_input: asks ? true : null,
    user_input_schema: asks ? [...fields] : null,
    answered: asks ? false : null,
  };
}

/** The call with what has been kept of it in this batch. */
export function asKept(call: ToolExecution, batch: Batch): ToolExecution {
  const kept = batch
    .state()
    .tools.find(({ tool_call_id }) => tool_call_id === call.tool_call_id)?.remote_call;
  return kept ? { ...call, remote_call: kept } : call;
}

/** What is kept is the server's alone, so it is in no answer: it lies beside the session's results, where no model reads it. */
async function withKept(
  call: ToolExecution,
  { server, follows, kept }: KeptCall,
  { request, ports }: Execution,
): Promise<ToolExecution> {
  const { tool_call_id, remote_call } = call;
  const digest = createHash("sha256").update(JSON.stringify([request.run_id, tool_call_id, kept]));
  const id = `call_${digest.digest("base64url")}`;
  if (!(await ports.results?.put(id, kept))) throw new Error(`What ${server} wants back could not be kept.`);
  const round = (remote_call?.round ?? 0) + (remote_call?.follows ? 0 : 1);
  return { ...call, remote_call: { server, follows, kept: id, round } };
}

async function readKept(id: string, { ports }: Pick<Execution, "ports">): Promise<string> {
  const kept = await ports.results?.get(id);
  if (kept === undefined) throw new Error("What the call was to go on from is gone.");
  return kept;
}

const valuesIn = ({ user_input_schema }: ToolExecution): Record<string, unknown> =>
  Object.fromEntries((user_input_schema ?? []).map(({ name, value }) => [String(name), value]));

/** Ends the calls of a run that has ended, which go on at their servers. Where that fails, the log says so. */
export async function abandonCalls(state: RunState, execution: Execution): Promise<void> {
  await Promise.all(pendingCalls(state).map((call) => abandonCall(call, execution)));
}

/** Has the server of a call that goes on there end it. */
export async function abandonCall(call: ToolExecution, execution: Execution): Promise<void> {
  const { request, ports, tools } = execution;
  const tool = tools.find(({ name }) => name === call.tool_name);
  if (!call.remote_call?.follows || !tool?.abandon) return;
  try {
    const { run_id, session_id, user_id } = request;
    const secrets = await secretsFor(tool, ports);
    const kept = await readKept(call.remote_call.kept, execution);
    await tool.abandon(kept, { run_id, session_id, user_id, secrets });
  } catch (error) {
    ports.warn?.("a call that goes on at its server was not cancelled", { tool_name: call.tool_name, error });
  }
}
