import { untilStopped } from "../../runtime/promises.ts";
import type { Message } from "../../schemas/runs/run.ts";
import { countTokens, TOKENS_OF_FILE } from "../model/count-tokens.ts";
import type { RunFault } from "../model/model-fault.ts";
import { NO_KEY } from "../model/model-gate.ts";
import type { ModelWindow } from "../model/windows.ts";
import { shownParameters } from "../tool/new-tool-call.ts";
import type { Tool } from "../tool/tool.ts";
import type { Execution } from "./execution.ts";
import type { RunState } from "./run-state.ts";
import { shownMessages } from "./shown-messages.ts";

type Asking = { readonly spec: string | undefined; readonly ports: Pick<Execution["ports"], "models"> };

/** The key of the platform's own model where windows are noted. */
export const specKey = (spec: string | undefined): string => spec ?? "";

/** The window of the model that is asked: as configured or documented, but no more than its service has turned out to take. */
export function knownWindow({ spec, ports }: Asking, view?: RunState["view"]): ModelWindow | undefined {
  const known = ports.models.windowOf?.(spec);
  const learned = view?.learned?.[specKey(spec)];
  if (learned === undefined) return known;
  return { ...known, tokens: Math.min(learned, known?.tokens ?? learned) };
}

/**
 * About how many tokens the next prompt has: as many as the service has counted at the last call, and those of what came since; all of
 * it is estimated where the prompt has changed in between.
 */
export async function promptSize(state: RunState, execution: Execution): Promise<number> {
  const { messages, view } = state;
  const counted = messages.findLastIndex(isCounted);
  if (counted >= (view?.changed_at ?? 0)) {
    const { input_tokens = 0, output_tokens = 0 } = messages[counted]?.metrics ?? {};
    const later = await sizeOf(messages.slice(counted + 1), execution);
    return Number(input_tokens) + Number(output_tokens) + later;
  }
  const tools = await countTokens(JSON.stringify(execution.tools.map(shownTool)), execution.model);
  return tools + (await sizeOf(shownMessages(state, execution.request), execution));
}

const shownTool = (tool: Tool) => [tool.name, tool.description, shownParameters(tool)];

const isCounted = ({ role, from_history, metrics }: Message): boolean =>
  role === "assistant" && !from_history && typeof metrics?.input_tokens === "number";

/** Tokens that providers add around a message. */
const TOKENS_OF_FRAME = 8;

/** About how many tokens these messages have. */
export async function sizeOf(
  messages: readonly Message[],
  { model }: Pick<Execution, "model">,
): Promise<number> {
  if (messages.length === 0) return 0;
  const texts = messages.map(({ content, context, tool_calls }) => [
    content,
    context,
    tool_calls?.map(({ function: { name, arguments: args } }) => [name, args]),
  ]);
  const files = messages.reduce(
    (sum, { images = [], audio = [], videos = [], files: others = [] }) =>
      sum + images.length + audio.length + videos.length + others.length,
    0,
  );
  const tokens = await countTokens(JSON.stringify(texts), model);
  return tokens + messages.length * TOKENS_OF_FRAME + files * TOKENS_OF_FILE;
}

/** Fewest tokens that an answer is left. */
const LEAST_OUTPUT = 256;

/** Up to this size of a window its answers are limited, where nothing is known of the longest. */
const SMALL_WINDOW = 65_536;
const USUAL_OUTPUT = 8_192;

/** Room that is kept for an answer in a window, where its agent sets no limit. */
export const usualOutput = ({ tokens, most_output = USUAL_OUTPUT }: ModelWindow): number =>
  Math.min(most_output, USUAL_OUTPUT, Math.floor(tokens / 4));

/**
 * Most tokens that an answer may have, so that prompt and answer fit into the window together.
 *
 * @param own   the limit that agent or budget sets
 * @returns undefined where nothing limits it
 */
export async function outputThatFits(
  own: number | undefined,
  state: RunState,
  execution: Execution,
): Promise<number | undefined> {
  const window = knownWindow(execution, state.view);
  if (!window) return own;
  const usual = window.tokens <= SMALL_WINDOW ? usualOutput(window) : undefined;
  const limit = own ?? (window.most_output === undefined ? usual : undefined);
  const most = limit ?? window.most_output;
  if (most === undefined) return undefined;
  const room = Math.max(LEAST_OUTPUT, window.tokens - (await promptSize(state, execution)));
  return most > room ? room : limit;
}

/** How much fewer tokens a text may have than are estimated: a token has three bytes then, and eight at most. */
const SURELY = 8 / 3;

/** Whether the prompt is far from too large, which takes no counting to see: no character is more than three tokens. */
function isShort({ messages }: RunState, { tools }: Execution, most: number): boolean {
  const texts = [
    ...messages.map(({ content = "", context = "" }) => content + context),
    ...tools.map(({ description }) => description),
  ];
  return texts.reduce((sum, text) => sum + text.length, 0) * 3 < most;
}

/**
 * Why no call is made with a prompt of which nothing more can be left out: system message, tools and input alone are longer than the
 * model's window. Undefined where the window is not known, and where the estimate may be wrong: then the service says it.
 */
export async function tooLarge(state: RunState, execution: Execution): Promise<RunFault | undefined> {
  const window = knownWindow(execution, state.view);
  if (!window) return undefined;
  const most = window.tokens * SURELY;
  if (isShort(state, execution, most)) return undefined;
  const size = await promptSize(state, execution);
  if (size <= most) return undefined;
  const text = `The prompt has about ${Math.round(size)} tokens; the context window of ${execution.model.id} has ${window.tokens}.`;
  return { cause: "input", text, thrown: undefined, error_id: "context_window_exceeded_error" };
}

/** A state that knows how many tokens the model takes, where another run has learned that it takes fewer than this one knows of. */
export async function withLearnedWindow(state: RunState, execution: Execution): Promise<RunState> {
  const { ports, spec } = execution;
  if (!ports.modelGate) return state;
  // A model that cannot be loaded, and a run that is stopped, say so when the model is called.
  const tokens = await untilStopped(learnedOf(execution), ports.signal).catch(() => undefined);
  const known = knownWindow(execution, state.view)?.tokens ?? Number.POSITIVE_INFINITY;
  if (tokens === undefined || tokens >= known) return state;
  const { learned = {}, changed_at = 0 } = state.view ?? {};
  return { ...state, view: { ...state.view, changed_at, learned: { ...learned, [specKey(spec)]: tokens } } };
}

async function learnedOf({ ports, spec }: Execution): Promise<number | undefined> {
  const { account = NO_KEY } = await ports.models.resolve(spec);
  return ports.modelGate?.learnedWindow(spec, account);
}
