import { type Asked, askedOf, newMessages, userInput } from "../../../shared/agui/input-of.ts";
import { threadMessages } from "../../../shared/agui/thread-messages.ts";
import { callerOf } from "../../../shared/auth/caller.ts";
import { requireRunBy } from "../../../shared/auth/require-run.ts";
import { inputError } from "../../../shared/engine/define/input-error.ts";
import { filesRefusal, findComponent, type RunsDeps } from "../../../shared/runs/index.ts";
import { isObject } from "../../../shared/schemas/values/json-values.ts";
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
  const known = new Set(runs.flatMap(idsOf));
  const { component, principal } = request;
  const version = { reader: callerOf(principal), version: undefined, requireRun: requireRunBy(principal) };
  const runnable = await findComponent(deps, component, version);
  const { asked, ignored } = askedOf(
    users,
    (id) => known.has(id),
    (message) => filesRefusal(userInput([message]), runnable, deps.models),
  );
  const invalid = inputError(runnable, userInput(asked).message);
  if (invalid === undefined) return { asked, ignored };
  const earlier = asked.slice(0, -1).map(({ id }) => ({ id, reason: invalid }));
  return { asked: asked.slice(-1), ignored: [...ignored, ...earlier] };
}

/** The messages of a run, as its client named them and as a thread that is shown again names them. */
function idsOf(run: StoredRun): readonly unknown[] {
  const { agui } = run.output.metadata ?? {};
  const named: unknown = isObject(agui) ? agui.message_ids : undefined;
  return [...threadMessages([run], false).map(({ id }) => id), ...(Array.isArray(named) ? named : [])];
}
