import { outputMedia } from "../../domain/runs/output-media.ts";
import type { Team } from "../define/team.ts";
import type { ToolAnswer } from "../ports/tool-ledger.ts";
import type { MemberRun } from "../run/run-state.ts";

/** The result of a member's ended run for its leader: its answer and media, or why it failed. */
export function memberAnswer({ output, member_id }: MemberRun, { members }: Team): ToolAnswer {
  const text = contentText(output?.content);
  if (output?.status === "COMPLETED") return { text, failed: false, media: outputMedia(output) };
  const name = members.find(({ id }) => id === member_id)?.name ?? member_id;
  return { text: `${name} failed: ${text}`, failed: true };
}

/** A run's content as text; a structured answer as JSON. */
export const contentText = (content: unknown): string =>
  typeof content === "string" ? content : (JSON.stringify(content) ?? "");
