import * as v from "valibot";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import { parsedJson } from "../../schemas/values/json-text.ts";
import { Reference, type References } from "../../schemas/values/reference.ts";
import type { Member } from "../define/team.ts";
import { SEARCH_TOOL } from "../knowledge/search-tool.ts";

const Found = v.array(Reference);

/** What a run found in its knowledge, from the searches among its tool calls. */
export function referencesOf(
  tools: readonly ToolExecution[],
  { knowledge }: Pick<Member, "knowledge">,
): References[] {
  if (knowledge === undefined) return [];
  return tools.flatMap(({ tool_name, tool_args, tool_call_error, result, metrics }) => {
    if (tool_name !== SEARCH_TOOL || tool_call_error || result === null) return [];
    const found = v.safeParse(Found, parsedJson(result));
    if (!found.success) return [];
    return [{ query: String(tool_args.query), references: found.output, time: metrics?.duration ?? 0 }];
  });
}
