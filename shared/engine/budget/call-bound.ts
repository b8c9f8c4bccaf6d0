import type { Message } from "../../schemas/runs/run.ts";
import { noUsage, type Usage } from "../model/usage.ts";
import { promptTools } from "../prompt/build-prompt.ts";
import type { Execution } from "../run/execution.ts";
import { outputLimit } from "./output-limit.ts";

/** Most tokens that providers add around a message, a tool or a prompt. */
const TOKENS_OF_FRAME = 16;

/**
 * The most that the next model call can use. No token is shorter than a byte, so the bytes of a text bound its
 * tokens. Messages that an earlier call of the run counted are known exactly; only later ones are bounded.
 *
 *   system, user, …, assistant (counted 812 in, 40 out) │ tool result (1,300 bytes)
 *   └──────────────── 852 tokens ─────────────────────┘ └── at most 1,316 ────────┘
 *
 * @decided  A bound, not an estimate: an estimate that is too low once overspends. The unused part of the hold is
 *           released when the call has ended.
 */
export function callBound(messages: readonly Message[], execution: Execution): Usage {
  const counted = messages.findLastIndex(isCounted);
  const known = counted < 0 ? toolsBound(execution) : countOf(messages[counted]);
  const input_tokens = messages
    .slice(counted + 1)
    .reduce((sum, message) => sum + messageBound(message), known + TOKENS_OF_FRAME);
  return { ...noUsage, input_tokens, output_tokens: outputLimit(execution) ?? 0 };
}

const isCounted = (message: Message): boolean =>
  message.role === "assistant" && !message.from_history && typeof message.metrics?.input_tokens === "number";

const countOf = (message: Message | undefined): number =>
  Number(message?.metrics?.input_tokens ?? 0) + Number(message?.metrics?.output_tokens ?? 0);

const toolsBound = ({ tools }: Execution): number =>
  promptTools(tools).reduce((sum, tool) => sum + bytesOf(tool) + TOKENS_OF_FRAME, 0);

const messageBound = ({ content, tool_calls, reasoning_content }: Message): number =>
  bytesOf({ content, tool_calls, reasoning_content }) + TOKENS_OF_FRAME;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
