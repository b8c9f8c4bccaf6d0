import type { ContinueFrom } from "../../domain/runs/message-cut.ts";
import type { RequirementAnswer } from "../../schemas/runs/requirement-answer.ts";
import type { ToolAnswer } from "../../schemas/runs/tool-answer.ts";

/** A client's request to continue a run. */
export type ContinueRequest = {
  readonly tools: readonly ToolAnswer[];
  /** A team's answers, in place of `tools`. */
  readonly requirements?: readonly RequirementAnswer[];
  /** A further user message. */
  readonly input: string | undefined;
  readonly continue_from: ContinueFrom;
  readonly fork: boolean;
  readonly regenerate: boolean;
  readonly replace_original: boolean;
};
