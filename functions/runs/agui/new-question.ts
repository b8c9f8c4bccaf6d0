import { type Asked, askedOf, newMessages, userInput } from "../../../shared/agui/input-of.ts";
import { threadMessages } from "../../../shared/agui/thread-messages.ts";
import { callerOf } from "../../../shared/auth/caller.ts";
import { requireRunBy } from "../../../shared/auth/require-run.ts";
import { inputError } from "../../../shared/engine/define/runnable.ts";
import { filesRefusal, findComponent, type RunsDeps } from "../../../shared/runs/index.ts";
import { isObject } from "../../../shared/schemas/values/json-values.ts";
import { listInbox } from "../../../shared/stores/runs/inbox-item.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import type { AguiRequest } from "./agui-request.ts";
import { threadRuns } from "./thread-runs.ts";

/**
 * The messages of a request that a new run is asked. The thread is read only where its client has several messages without an
 * answer: then earlier runs of the thread were asked some of them.
 */
export async function newQuestion(
  request: Pick<AguiRequest, "principal" | "component" | "body">,
  deps: RunsDeps,
): Promise<Asked> {
  const { users } = newMessages(request.body.messages);
  if (users.length <= 1) return { asked: users, ignored: [] };
  const { runs } = await threadRuns(request, deps);
  const known = new Set([...runs.flatMap(idsOf), ...(await saidIn(deps, runs))]);
  const { component, principal } = request;
  const version = { reader: callerOf(principal), version: undefined, requireRun: requireRunBy(principal) };
  const runnable = await findComponent(deps, component, version);
  const { asked, ignored } = askedOf(
    users,
    (id) => known.has(id) || known.has(saidAs(request.body.threadId, id)),
    (message) => filesRefusal(userInput([message]), runnable, deps.models),
  );
  const invalid = inputError(runnable, userInput(asked).message);
  if (invalid === undefined) return { asked, ignored };
  const earlier = asked.slice(0, -1).map(({ id }) => ({ id, reason: invalid }));
  return { asked: asked.slice(-1), ignored: [...ignored, ...earlier] };
}

/** The id of a client's message as one that is said to a run. */
export const saidAs = (threadId: string, id: string): string => `agui ${threadId} ${id}`;

/** What was said to runs of the thread, as far as no answer stands behind it yet: only the newest may be without one. */
async function saidIn({ db }: Pick<RunsDeps, "db">, runs: readonly StoredRun[]): Promise<string[]> {
  const said = await Promise.all(runs.slice(-RUNS_SAID_TO).map(({ run_id }) => listInbox(db, run_id)));
  return said.flat().map(({ message_id }) => message_id);
}

/** Of how many runs, from the newest back, the messages to them are read. */
const RUNS_SAID_TO = 3;

/** The messages of a run, as its client named them and as a thread that is shown again names them. */
function idsOf(run: StoredRun): readonly unknown[] {
  const { agui } = run.output.metadata ?? {};
  const named: unknown = isObject(agui) ? agui.message_ids : undefined;
  return [...threadMessages([run], false).map(({ id }) => id), ...(Array.isArray(named) ? named : [])];
}
