import { epochSeconds } from "../../runtime/clock.ts";
import type { Fold, PromptView } from "../../schemas/runs/prompt-view.ts";
import type { Message } from "../../schemas/runs/run.ts";
import { archives, type CompactionSettings, compactionOf } from "../model/windows.ts";
import type { Execution } from "../run/execution.ts";
import { knownWindow, promptSize, sizeOf, usualOutput } from "../run/prompt-size.ts";
import { isAnswer } from "../run/repetition.ts";
import type { RunState } from "../run/run-state.ts";
import { cleared, isClearable, shownMessages } from "../run/shown-messages.ts";
import { resultIdOf } from "../tool/result-id.ts";
import { outputLimit } from "../turn/hold-budget.ts";
import { archiveTexts, foldText } from "./fold-text.ts";
import { isOffered } from "./large-results.ts";
import { sumUp } from "./sum-up.ts";
import { isWorthFolding } from "./worth-folding.ts";

/** Shares of the window. */
const TRIGGER = 0.8;
const GOAL = 0.5;
const WORTH_CLEARING = 0.2;
const KEPT_TAIL = 0.15;
const SUMMARY = 0.1;
const LONGEST_MESSAGE = 0.1;

/** How many of the last answers, with their results, are never cleared, and never folded. */
const UNCLEARED = 3;
const UNFOLDED = 2;

/** A token of text has about three characters, so that what is cut by characters is rather shorter than wanted. */
const CHARS_PER_TOKEN = 3;

/** A longer list would hide what matters in it. */
const LONGEST_LIST = 16_000;

/** What a prompt may have, in tokens. @param most  above it no call is made, whatever its agent wants */
type Limit = {
  readonly window: number;
  readonly trigger: number;
  readonly goal: number;
  readonly most: number;
};

/** Fewest tokens that are left for an answer where nothing else leaves a prompt. */
const LEAST_ANSWER = 256;

/**
 * The state in which the next prompt fits into the model's window; undefined where it does, or where nothing more can be left out.
 * The messages stay whole: only what the model is shown of them changes.
 *
 *   clear  results before the last three answers are shown by their heads, where that frees a fifth of the window
 *   fold   a summary, or a list of what happened, stands for the beginning; the input, what people said and the last answers stay
 *   cut    longer results and messages of the history that are left are shown with head and tail
 *
 * An agent with `compaction: false` has the last of these alone, where no call could be made otherwise.
 *
 * @param refusedAt  size of a prompt that the service has refused: then the next one has 70 % of it
 */
export async function fitPrompt(
  state: RunState,
  execution: Execution,
  refusedAt?: number,
): Promise<RunState | undefined> {
  const limit = limitOf(state, execution, refusedAt);
  if (!limit) return undefined;
  const before = await promptSize(state, execution);
  if (before <= limit.trigger) return undefined;
  if (!compactionOf(execution.agent)) return cutLong(state, limit, execution);
  let now = (await clear(state, limit, execution)) ?? state;
  if ((await promptSize(now, execution)) > (now === state ? limit.trigger : limit.goal)) {
    const folded = await fold(now, before, limit, execution);
    if (folded === "too_little") return now === state ? undefined : now;
    now = folded ?? now;
  }
  if ((await promptSize(now, execution)) > limit.trigger) now = cutLong(now, limit, execution) ?? now;
  return now === state ? undefined : now;
}

function limitOf({ view }: RunState, execution: Execution, refusedAt: number | undefined): Limit | undefined {
  const known = knownWindow(execution, view);
  const { compact_at_tokens } = compactionOf(execution.agent) ?? {};
  // Whoever wants shorter prompts wants them as if the window were so small.
  const wanted = compact_at_tokens === undefined ? undefined : compact_at_tokens / TRIGGER;
  const window = Math.min(known?.tokens ?? Infinity, wanted ?? Infinity);
  if (window === Infinity) return undefined;
  if (refusedAt !== undefined) {
    const trigger = Math.min(refusedAt * 0.7, window * TRIGGER);
    return { window, trigger, goal: trigger, most: trigger };
  }
  const least = window - LEAST_ANSWER;
  if (!compactionOf(execution.agent)) return { window, trigger: least, goal: window, most: least };
  const answer = known ? Math.min(outputLimit(execution) ?? usualOutput(known), known.tokens / 4) : 0;
  const trigger = Math.min((known?.tokens ?? Infinity) * TRIGGER - answer, compact_at_tokens ?? Infinity);
  return { window, trigger, goal: window * GOAL, most: (known?.tokens ?? Infinity) - answer };
}

const changed = (state: RunState, parts: Partial<PromptView>): RunState => ({
  ...state,
  view: { ...state.view, ...parts, changed_at: state.messages.length },
});

/** Ids of the answers that this run's model gave. */
const answersOf = (messages: readonly Message[]): string[] => messages.filter(isAnswer).map(({ id }) => id);

/** The state in which older results are shown by their heads; undefined where that is not worth a prompt that differs. */
async function clear(
  state: RunState,
  { window }: Limit,
  execution: Execution,
): Promise<RunState | undefined> {
  const { agent, ports, request, tools } = execution;
  const cleared_to = answersOf(state.messages).at(-UNCLEARED);
  if (cleared_to === undefined || !ports.results || !isOffered(tools)) return undefined;
  const next = changed(state, { cleared_to });
  const shown = shownMessages(state, request);
  const shownNext = shownMessages(next, request);
  const later = new Map(shownNext.map((message) => [message.id, message.content]));
  const changing = new Set(shown.flatMap(({ id, content }) => (later.get(id) === content ? [] : id)));
  const gone = state.messages.filter(({ id }) => changing.has(id));
  const short = gone.map((message) => cleared(message, request));
  const freed = (await sizeOf(gone, execution)) - (await sizeOf(short, execution));
  const least = agent.compress_tool_results ? 1 : window * WORTH_CLEARING;
  if (freed < least || !gone.every(isClearable)) return undefined;
  if (!(await stored(gone.map(textOf(request)), execution))) return undefined;
  emitClearing(shown, shownNext, gone.length, execution);
  return next;
}

const textOf =
  (run: Execution["request"]) =>
  ({ tool_call_id = "", content = "" }: Message): readonly [string, string] => [
    resultIdOf(run, tool_call_id),
    content,
  ];

/** @returns whether all of it can be read again */
async function stored(
  texts: readonly (readonly [id: string, text: string])[],
  { ports }: Execution,
): Promise<boolean> {
  try {
    const kept = await Promise.all(texts.map(async ([id, text]) => ports.results?.put(id, text)));
    return kept.every((one) => one === true);
  } catch (error) {
    ports.signal.throwIfAborted();
    ports.warn?.("what leaves a prompt could not be stored", { error });
    return false;
  }
}

/**
 * The state in which a summary or a list stands for the beginning; undefined where there is nothing to fold, `too_little` where that is too
 * little for its agent, and a call can be made without.
 */
async function fold(
  state: RunState,
  tokens_before: number,
  { window, goal, most }: Limit,
  execution: Execution,
): Promise<RunState | "too_little" | undefined> {
  const { messages, view } = state;
  const { agent, ports, request } = execution;
  const settings = compactionOf(agent) ?? {};
  const tail = settings.uncompacted_tokens ?? window * KEPT_TAIL;
  const kept = await firstKept(state, Math.min(tail, goal / 2), settings, execution);
  const last = view?.folds?.at(-1);
  if (kept === undefined || kept === last?.first_kept_message_id) return undefined;
  const gone = foldedBefore(messages, kept);
  if (gone.length === 0) return undefined;
  const known = last ? foldedBefore(messages, last.first_kept_message_id).length : 0;
  // As the model was shown them last: a result that was cleared has been read, and its head says what it was.
  const shown = new Map(shownMessages(state, request).map((message) => [message.id, message]));
  const material = gone.slice(known).map((message) => shown.get(message.id) ?? message);
  const stays = messages
    .slice(messages.findIndex(({ id }) => id === kept))
    .flatMap(({ id }) => shown.get(id) ?? []);
  const isWorth = await isWorthFolding(material, stays, settings, execution);
  if (!isWorth && (await promptSize(state, execution)) <= most) return "too_little";
  const ids = archives(settings) ? await archivedIn(gone, execution) : [];
  const budget = Math.min(settings.compacted_token_budget ?? window * SUMMARY, goal / 2);
  const chars = Math.min(LONGEST_LIST, budget * CHARS_PER_TOKEN);
  const sizes = {
    chars: Math.floor(chars),
    most: Math.floor(settings.enforce_token_budget === false ? (goal / 2) * CHARS_PER_TOKEN : chars),
    material: Math.floor(window * GOAL * CHARS_PER_TOKEN),
  };
  const summed = await sumUp(material, last?.summary, sizes, state, execution);
  const record: Fold = {
    id: ports.newId(),
    run_id: request.run_id,
    summary: foldText(gone, { ids, chars, summary: summed.summary }),
    first_kept_message_id: kept,
    messages_compacted: gone.length,
    tokens_before: Math.ceil(tokens_before),
    tokens_after: 0,
    archived: ids.length > 0,
    created_at: epochSeconds(ports.clock),
  };
  const next = changed(summed.state, { folds: [...(view?.folds ?? []), record] });
  const tokens_after = Math.ceil(await promptSize(next, execution));
  emitFold({ ...record, tokens_after }, execution);
  // Only the last summary is shown; of those before it stays that they were.
  const folds = [...(view?.folds ?? []).map((one) => ({ ...one, summary: "" })), { ...record, tokens_after }];
  return changed(summed.state, { folds });
}

/** Stores messages that leave the prompt. @returns the ids of the texts; none where they cannot be read again */
async function archivedIn(gone: readonly Message[], execution: Execution): Promise<string[]> {
  const { ports, request, tools } = execution;
  if (!isOffered(tools) || !ports.results) return [];
  const archive = archiveTexts(gone).map((text, at) => [resultIdOf(request, `folded-${at}`), text] as const);
  return (await stored(archive, execution)) ? archive.map(([id]) => id) : [];
}

/** What this run's fold stands for: the history, answers, results, and what was said between them. */
function foldedBefore(messages: readonly Message[], kept: string): readonly Message[] {
  const at = messages.findIndex(({ id }) => id === kept);
  const own = messages.findIndex(isAnswer);
  return messages.slice(0, at).filter((message, i) => message.from_history || (own >= 0 && i >= own));
}

/**
 * The first message of those that stay: the last two answers with what follows them, and more as long as they are short; of a run that
 * has not come so far, all but its history.
 */
async function firstKept(
  { messages }: RunState,
  tokens: number,
  { uncompacted_runs = 0 }: CompactionSettings,
  execution: Execution,
): Promise<string | undefined> {
  const answers = answersOf(messages);
  if (answers.length <= UNFOLDED) {
    const history = messages.findLastIndex(({ from_history, role }) => from_history && role !== "system");
    if (history < 0) return undefined;
    const runs = messages.filter(({ from_history, role }) => from_history && role === "user");
    return uncompacted_runs > 0 ? runs.at(-uncompacted_runs)?.id : messages[history + 1]?.id;
  }
  let kept = answers.at(-UNFOLDED);
  for (let back = UNFOLDED + 1; back < answers.length; back += 1) {
    const id = answers.at(-back);
    const from = messages.findIndex((message) => message.id === id);
    if ((await sizeOf(messages.slice(from), execution)) > tokens) break;
    kept = id;
  }
  return kept;
}

/** The state in which long results are shown with head and tail; undefined where that shortens nothing. */
function cutLong(state: RunState, { window }: Limit, { request }: Execution): RunState | undefined {
  const next = changed(state, { cut_to: Math.floor(window * LONGEST_MESSAGE * CHARS_PER_TOKEN) });
  return charsOf(shownMessages(next, request)) < charsOf(shownMessages(state, request)) ? next : undefined;
}

const charsOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, { content = "" }) => sum + content.length, 0);

/** Clients of teams know no such events; there the run's metrics say it. */
function emitClearing(
  before: readonly Message[],
  after: readonly Message[],
  results: number,
  { agent, emit }: Execution,
): void {
  if (agent.kind === "team") return;
  emit({ event: "CompressionStarted" });
  emit({
    event: "CompressionCompleted",
    tool_results_compressed: results,
    original_size: charsOf(before),
    compressed_size: charsOf(after),
  });
}

function emitFold(
  { messages_compacted, tokens_before, tokens_after, archived }: Fold,
  { agent, emit }: Execution,
): void {
  if (agent.kind === "team") return;
  emit({ event: "CompactionStarted" });
  emit({ event: "CompactionCompleted", messages_compacted, tokens_before, tokens_after, archived });
}
