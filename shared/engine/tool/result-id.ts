import { createHash } from "node:crypto";
import type { StoredResult } from "../../schemas/runs/stored-result.ts";

type Run = { readonly session_id: string; readonly run_id: string };

/** The id of a call's result. A call that is made again, by another process, has the same. */
export const resultIdOf = ({ session_id, run_id }: Run, tool_call_id: string): string =>
  `res_${sha256(`${session_id}:${run_id}:${tool_call_id}`).slice(0, 10)}`;

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** What is known of a result beside its text. */
export function storedResultOf(result_id: string, text: string, stored: boolean): StoredResult {
  const lines = text.split("\n").length;
  return { result_id, lines, chars: text.length, digest: sha256(text).slice(0, 16), stored };
}
