import type { Message } from "../../schemas/runs/run.ts";
import { mostTokens, TOKENS_OF_FILE } from "../model/count-tokens.ts";
import { noUsage, type Usage } from "../model/usage.ts";
import { promptTools } from "../prompt/build-prompt.ts";
import type { Execution } from "../run/execution.ts";
import { outputLimit } from "./output-limit.ts";

/** Most tokens that providers add around a message, a tool or a prompt. */
const TOKENS_OF_FRAME = 16;

/**
 * The most that the next model call can use. Texts are counted by the tokenizer of the model's family, else bounded by what
 * the model's service has counted so far, else by their bytes. Messages that an earlier call of the run counted are known
 * exactly; only later ones are bounded.
 *
 *   system, user, …, assistant (counted 812 in, 40 out) │ tool result (1,300 bytes)
 *   └──────────────── 852 tokens ─────────────────────┘ └── at most 400 ──────────┘
 *
 * @decided  With a margin where it is measured: the unused part of the hold is released when the call has ended, and what a
 *           call used beyond its hold counts all the same.
 */
export async function callBound(messages: readonly Message[], execution: Execution): Promise<Usage> {
  const counted = messages.findLastIndex(isCounted);
  const known = counted < 0 ? await toolsBound(execution) : countOf(messages[counted]);
  const later = messages.slice(counted + 1);
  const input_tokens = known + TOKENS_OF_FRAME + (await messagesBound(later, execution));
  return { ...noUsage, input_tokens, output_tokens: outputLimit(execution) ?? 0 };
}

const isCounted = (message: Message): boolean =>
  message.role === "assistant" && !message.from_history && typeof message.metrics?.input_tokens === "number";

const countOf = (message: Message | undefined): number =>
  Number(message?.metrics?.input_tokens ?? 0) + Number(message?.metrics?.output_tokens ?? 0);

const toolsBound = ({ tools, model }: Execution): Promise<number> => bound(promptTools(tools), model);

async function messagesBound(messages: readonly Message[], { model }: Execution): Promise<number> {
  const files = messages.flatMap(({ images = [], audio = [], videos = [], files: others = [] }) => [
    ...images,
    ...audio,
    ...videos,
    ...others,
  ]);
  const texts = messages.map(({ content, tool_calls, reasoning_content }) => ({
    content,
    tool_calls,
    reasoning_content,
  }));
  return (await bound(texts, model)) + files.length * TOKENS_OF_FILE;
}

const bound = async (parts: readonly unknown[], model: Execution["model"]): Promise<number> =>
  (await mostTokens(JSON.stringify(parts), model)) + parts.length * TOKENS_OF_FRAME;
