import type { Message } from "../../schemas/runs/run.ts";
import { countTokens, TOKENS_OF_FILE } from "../model/count-tokens.ts";
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
