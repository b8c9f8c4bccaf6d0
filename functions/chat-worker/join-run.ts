import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { ChatWork } from "../../shared/schemas/runs/chat-message.ts";
import { getMessage, recordAnswering, type StoredChat } from "../../shared/stores/chats/index.ts";
import { listInbox } from "../../shared/stores/runs/inbox-item.ts";
import type { RunAddress } from "../../shared/stores/runs/run-keys.ts";
import type { LeasedMessage } from "./chat-worker-deps.ts";
import { release, writeProgress } from "./leased-message.ts";

/** The sweeper sends it again after this long, in case it was lost. */
const CHECK_AFTER_SECONDS = 120;

type Work = Extract<ChatWork, { kind: "run" }>;

/** Whether a message is to be said to a run that goes on, if there is one. */
const steers = ({ deps }: Pick<LeasedMessage, "deps">, { busy }: Work): boolean =>
  (busy ?? deps.chatBusy) === "steer";

/** Whether a message is not processed with those of its conversation that are followed one after the other. */
export const isAhead = (leased: LeasedMessage, work: Work): boolean =>
  !leased.message.turn && (leased.deps.chatBusy === "steer" || steers(leased, work));

/**
 * How a message is asked:
 *
 *   queue   as a run, which waits for those of its session
 *   steer   its sender's last message is being answered: it is said to that run
 *   turn    not yet: it waits for its turn in the conversation
 */
export async function howToAsk(
  leased: LeasedMessage,
  work: Work,
  { answering }: StoredChat,
  session_id: string,
): Promise<"queue" | "steer" | "turn"> {
  const { deps, message } = leased;
  if (!isAhead(leased, work)) return "queue";
  if (!steers(leased, work)) return "turn";
  if (answering === undefined || answering === message.key) return "queue";
  const answered = await getMessage(deps.db, answering, epochSeconds(deps.clock));
  const isOver = !answered || answered.status === "done" || answered.status === "failed";
  if (isOver || answered.run?.session_id !== session_id) return "queue";
  // In a group all messages have the same user.
  return answered.sender === message.sender ? "steer" : "turn";
}

/** Whether a message was said to a run. The answer to a repeated request does not say. */
export async function hasJoined(leased: LeasedMessage, work: Work, run_id: string): Promise<boolean> {
  if (!steers(leased, work)) return false;
  const { deps, message } = leased;
  return (await listInbox(deps.db, run_id)).some(({ message_id }) => message_id === message.key);
}

/**
 * Gives a message to those of its conversation that are followed one after the other, so that the next one can be said to its run.
 */
export async function handOver(leased: LeasedMessage): Promise<"done"> {
  const { deps, message } = leased;
  const due = epochSeconds(deps.clock) + CHECK_AFTER_SECONDS;
  const change = { set: { status: "enqueued", turn: true }, add: { faults: -1 }, due } as const;
  if (!(await release(leased, change))) return "done";
  await deps.queue.send({ key: message.key, group: message.scope, once: `${message.key}#turn` });
  return "done";
}

/**
 * What became of a message that was said to a run which has ended.
 *
 *   answered   the run answers it with its own message; or it is not there any more
 *   moved      too late: another run answers it, and what else was too late, once. The message has that run now
 *   unread     the run failed or was cancelled before
 *   refused    by a guard
 */
export async function becameOf(
  leased: LeasedMessage,
  { run_id, session_id }: RunAddress,
): Promise<"answered" | "moved" | "unread" | "refused"> {
  const { deps, message } = leased;
  const inbox = await listInbox(deps.db, run_id);
  const said = inbox.find(({ message_id }) => message_id === message.key);
  if (said?.state === "unread" || said?.state === "refused") return said.state;
  const { moved_to } = said ?? {};
  if (moved_to === undefined || inbox.find((one) => one.moved_to === moved_to) !== said) return "answered";
  await writeProgress(leased, { run: { run_id: moved_to, session_id }, joins: undefined });
  await recordAnswering(deps.db, message.scope, message.key);
  return "moved";
}

/** Wakes the messages that were said to a run which has ended. */
export async function wakeJoined({ deps, message }: LeasedMessage, run_id: string): Promise<void> {
  const keys = (await listInbox(deps.db, run_id)).map(({ message_id }) => message_id);
  const others = keys.filter((key) => key !== message.key);
  await Promise.all(others.map((key) => deps.queue.send({ key, group: key, once: `${key}#${run_id}` })));
}
