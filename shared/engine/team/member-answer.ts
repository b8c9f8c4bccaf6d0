import { outputMedia } from "../../domain/runs/output-media.ts";
import type { Team } from "../define/team.ts";
import type { ToolAnswer } from "../ports/tool-ledger.ts";
import type { MemberRun } from "../run/run-state.ts";

/** What a run that has ended says to its leader: its answer and what it has made, or why there is none. */
export function memberAnswer({ output, member_id }: MemberRun, { members }: Team): ToolAnswer {
  const text = contentText(output?.content);
  if (output?.status === "COMPLETED") return { text, failed: false, media: outputMedia(output) };
  const name = members.find(({ id }) => id === member_id)?.name ?? member_id;
  return { text: `${name} failed: ${text}`, failed: true };
}

/** A run's content as text; an answer of some shape as JSON. */
export const contentText = (content: unknown): string =>
  typeof content === "string" ? content : (JSON.stringify(content) ?? "");
