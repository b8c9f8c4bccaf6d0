import { AgentCard, type StreamResponse, type Task, type TaskPushNotificationConfig } from "@a2a-js/sdk";
import {
  ContentTypeNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from "@a2a-js/sdk/errors";
import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import { requireHistoryLength, requireMessage, type Sent } from "../../shared/a2a/require-message.ts";
import { type TaskView, taskOf, withHistory } from "../../shared/a2a/task-of.ts";
import { hasEnded } from "../../shared/a2a/task-states.ts";
import { taskStream } from "../../shared/a2a/task-stream.ts";
import { callerOf } from "../../shared/auth/caller.ts";
import { ServiceError } from "../../shared/errors.ts";
import { followRun } from "../../shared/events/follow-run.ts";
import { findComponent } from "../../shared/runs/index.ts";
import type { A2aDeps, A2aRequest } from "./a2a-deps.ts";
import { cancelTask } from "./cancel-task.ts";
import { answerModes } from "./card-subject.ts";
import { findTask, rereadTask } from "./find-task.ts";
import { throughPauses, untilEndOrPause } from "./follow-task.ts";
import { cardOf, currentCard, signedBy } from "./get-card.ts";
import { listTasks } from "./list-tasks.ts";
import { offersPush, pushMethods, requireConfig } from "./push-configs.ts";
import { type SentTo, sendToTask } from "./send-to-task.ts";

/**
 * The methods of the protocol for one request, in every binding and version. Durable runs take the place of the SDK's
 * own handler, which holds tasks in the memory of a process.
 *
 * @param sent  the parameters as they came; the codecs read them leniently
 */
export function requestHandler(request: A2aRequest, deps: A2aDeps, sent?: Sent): A2ARequestHandler {
  const { signal } = request;
  const find = async (id: string): Promise<TaskView> => {
    const seen = await findTask(request, deps, id);
    if (!seen) throw new TaskNotFoundError(`task ${id} not found`);
    return seen;
  };
  const pushIn = (config: TaskPushNotificationConfig | undefined, version: string) =>
    config && ((taskId: string) => requireConfig(config, taskId, version, deps));
  return {
    async getAgentCard() {
      return AgentCard.fromJSON({ capabilities: { streaming: true, pushNotifications: offersPush(deps) } });
    },
    async getAuthenticatedExtendedAgentCard(_params, { requestedVersion }) {
      const card = currentCard(await cardOf(request, deps, callerOf(request.principal)));
      // The codec of 0.3 writes another card, to which the signature would not belong.
      return AgentCard.fromJSON(requestedVersion === "0.3" ? card : await signedBy(deps.cardSigner, card));
    },
    async sendMessage(params, { requestedVersion }) {
      const historyLength = requireHistoryLength(params.configuration?.historyLength);
      const message = requireMessage(params, sent);
      await requireModes(request, deps, params.configuration?.acceptedOutputModes);
      const push = pushIn(params.configuration?.taskPushNotificationConfig, requestedVersion);
      const to = await sendToTask(request, deps, message, push).catch(asMalformed);
      if (!params.configuration?.returnImmediately) await untilEndOrPause(to.run, deps, signal, to.from);
      return withHistory(taskOf((await rereadTask(deps, to.run)) ?? to), historyLength);
    },
    async *sendMessageStream(params, { requestedVersion }) {
      const message = requireMessage(params, sent);
      await requireModes(request, deps, params.configuration?.acceptedOutputModes);
      const push = pushIn(params.configuration?.taskPushNotificationConfig, requestedVersion);
      const to = await sendToTask(request, deps, message, push).catch(asMalformed);
      yield* sentStream(to, deps, signal);
    },
    async getTask({ id, historyLength }) {
      const length = requireHistoryLength(historyLength);
      return withHistory(taskOf(await find(id)), length);
    },
    async cancelTask({ id }): Promise<Task> {
      const seen = await find(id);
      if (seen.run.status === "CANCELLED") return taskOf(seen);
      if (hasEnded(seen.run.status)) throw new TaskNotCancelableError(`task ${id} has ended`);
      return taskOf(await cancelTask(deps, seen, signal));
    },
    async *resubscribe({ id }) {
      const first = await find(id);
      if (hasEnded(first.run.status)) throw new UnsupportedOperationError(`task ${id} has ended`);
      const again = () => rereadTask(deps, first.run);
      yield* taskStream({
        first,
        events: throughPauses(first.run, deps, signal),
        last: async () => (signal.aborted ? undefined : again()),
        paused: again,
      });
    },
    listTasks: (params) => listTasks(request, deps, params),
    ...pushMethods(deps, find),
  };
}

/** What a run refuses of its input is a fault of the message, which every binding says in its own form. */
function asMalformed(error: unknown): never {
  const isOfInput = error instanceof ServiceError && (error.status === 400 || error.status === 422);
  throw isOfInput ? new RequestMalformedError(error.message) : error;
}

/** @throws ContentTypeNotSupportedError where the component answers in none of the media types that the client takes */
async function requireModes(request: A2aRequest, deps: A2aDeps, accepted: readonly string[] = []) {
  if (accepted.length === 0) return;
  const reader = { reader: callerOf(request.principal), version: undefined };
  const modes = answerModes(await findComponent(deps, request.component, reader));
  const isAccepted = (mode: string) =>
    accepted.some((one) => one === mode || one === "*/*" || one === mode.replace(/\/.*/, "/*"));
  if (modes.some(isAccepted)) return;
  throw new ContentTypeNotSupportedError(`it answers with ${modes.join(" or ")}`);
}

function sentStream(
  first: SentTo,
  deps: A2aDeps,
  signal: AbortSignal,
): AsyncGenerator<StreamResponse, void, undefined> {
  return taskStream({
    first,
    isTaken: first.isTaken,
    events: followRun(deps.db, first.run, deps.clock, signal, first.from),
    last: async () => (signal.aborted ? undefined : rereadTask(deps, first.run)),
  });
}
