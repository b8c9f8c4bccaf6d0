import type { ContinueFrom } from "../../domain/runs/message-cut.ts";
import type { RequirementAnswer } from "../../schemas/runs/requirement-answer.ts";
import type { ToolAnswer } from "../../schemas/runs/tool-answer.ts";

/** What a client asks for that continues a run. */
export type ContinueRequest = {
  readonly tools: readonly ToolAnswer[];
  /** In place of `tools`, of a team. */
  readonly requirements?: readonly RequirementAnswer[];
  /** What it says besides. */
  readonly input: string | undefined;
  readonly continue_from: ContinueFrom;
  readonly fork: boolean;
  readonly regenerate: boolean;
  readonly replace_original: boolean;
};
