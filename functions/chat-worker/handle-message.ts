import { epochSeconds } from "../../shared/runtime/clock.ts";
import { leaseMessage, releaseMessage } from "../../shared/stores/chats/lease-message.ts";
import { answerCommand } from "./answer-command.ts";
import { answerRun, finish, reportRun } from "./answer-run.ts";
import { applyDecision } from "./apply-decision.ts";
import type { ChatWorkerDeps, Handled, Held } from "./chat-worker-deps.ts";
import { say } from "./deliver.ts";
import { startLeaseHeartbeat } from "./lease-heartbeat.ts";
import { end } from "./leased-message.ts";

/** After so many executions that failed, the person is told. */
const MAX_FAULTS = 3;
const AFTER_FAULT_SECONDS = 10;

/**
 * Does what a message needs now, if anything. Any wake-up, however late or often it comes, may call this: of two who do,
 * one holds the message.
 *
 * @param until  when this process has to come to an end; epoch milliseconds
 */
export async function handleMessage(deps: ChatWorkerDeps, key: string, until: number): Promise<Handled> {
  const worker = deps.newWorkerId();
  const message = await leaseMessage(deps.db, key, worker, epochSeconds(deps.clock));
  if (!message) return "done";
  const port = deps.ports[message.target.platform];
  const lease = startLeaseHeartbeat(deps, key, worker);
  try {
    if (!port) throw new Error(`the interface ${message.target.platform} is off`);
    const held: Held = { deps, port, message, worker, until, signal: lease.signal };
    return await attend(held).then(
      (handled) => (handled === "done" ? handled : tryAgain(held, handled)),
      failed(held),
    );
  } finally {
    await lease.release();
  }
}

async function attend(held: Held): Promise<Handled> {
  const { port, message } = held;
  if (message.run) return reportRun(held);
  const work = message.work && (await port.admit({ ...message, work: message.work }));
  if (!work) return end(held);
  switch (work.kind) {
    case "unsupported":
      return finish(
        held,
        await say(held, "unsupported", port.texts.unsupported.replace("{type}", work.type)),
      );
    case "command":
      return answerCommand(held, work.command);
    case "decision":
      return applyDecision(held, work);
    case "run":
      return answerRun(held, work);
  }
}

/** What is thrown may have many causes; the next execution meets it again, or not. */
const failed = (held: Held) => async (error: unknown) => {
  if (held.signal.aborted) return "done";
  held.deps.log.error("a message of a chat could not be answered", { error });
  return tryAgain(held, { again_after_seconds: AFTER_FAULT_SECONDS });
};

async function tryAgain(held: Held, handled: Exclude<Handled, "done">): Promise<Handled> {
  const { deps, message, worker, port } = held;
  const faults = message.faults + 1;
  if (faults >= MAX_FAULTS) {
    deps.log.error("a message of a chat was given up", { faults });
    await say(held, "error", port.texts.error).catch(() => undefined);
    const change = { status: "failed", faults, due_at: undefined, work: undefined } as const;
    await releaseMessage(deps.db, message.key, worker, change);
    return "done";
  }
  const due_at = epochSeconds(deps.clock) + handled.again_after_seconds;
  const kept = await releaseMessage(deps.db, message.key, worker, { faults, due_at, status: "enqueued" });
  return kept ? handled : "done";
}
