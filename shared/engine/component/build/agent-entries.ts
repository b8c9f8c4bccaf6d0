import * as v from "valibot";
import { stateReducers } from "../../../domain/sessions/session-state.ts";
import { OnlineEvaluation } from "../../../schemas/evals/online-evaluation.ts";
import { KnowledgeFilters } from "../../../schemas/knowledge/knowledge-filter.ts";
import { isStorable, STORABLE } from "../../../schemas/values/storable.ts";
import {
  type LearningMode,
  type LearningModes,
  learningKindNames,
  learningModes,
} from "../../recall/learning-kind.ts";
import { CallbackEntry } from "./callback-entry.ts";

const Mode = v.picklist(learningModes);
const KindSetting = v.union([v.boolean(), Mode, v.object({ mode: v.optional(Mode, "agentic") })]);
type KindSetting = v.InferOutput<typeof KindSetting>;

const modeOf = (setting: KindSetting): LearningMode | undefined =>
  typeof setting === "boolean"
    ? setting
      ? "agentic"
      : undefined
    : typeof setting === "string"
      ? setting
      : setting.mode;

/**
 * What a stored agent learns, and how: for each kind a boolean, a mode, or an object with a mode. An object that names
 * no kind only says that the agent learns.
 */
export const LearningEntry = v.pipe(
  v.record(v.string(), v.unknown()),
  v.rawTransform<Record<string, unknown>, boolean | LearningModes>(({ dataset, addIssue }) => {
    const modes: Record<string, LearningMode> = {};
    const named = learningKindNames.filter((name) => dataset.value[name] !== undefined);
    for (const name of named) {
      const setting = v.safeParse(KindSetting, dataset.value[name]);
      if (!setting.success)
        addIssue({ message: `${name}: expected true, false or one of ${learningModes.join(", ")}` });
      const mode = setting.success ? modeOf(setting.output) : undefined;
      if (mode !== undefined) modes[name] = mode;
    }
    return named.length === 0 ? true : modes;
  }),
);

const text = v.string();
const flag = v.boolean();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const several = v.pipe(count, v.minValue(1));

/** What a component brings to its runs itself. */
export const inputEntries = {
  dependencies: v.record(text, v.unknown()),
  session_state: v.pipe(
    v.record(text, v.unknown()),
    v.check((state) => isStorable(state), STORABLE),
  ),
  state: v.record(text, v.picklist(stateReducers)),
};

const OffloadEntry = v.strictObject({
  threshold_chars: v.optional(several),
  preview_lines: v.optional(several),
  preview_chars: v.optional(several),
  ttl_seconds: v.nullish(count),
  member_responses: v.optional(flag),
});

/** The plain settings of agents and leaders of teams that the engine knows. */
export const agentEntries = {
  ...inputEntries,
  description: text,
  role: text,
  introduction: text,
  instructions: v.union([text, v.array(text)]),
  expected_output: text,
  additional_context: text,
  system_message: text,
  add_name_to_context: flag,
  add_datetime_to_context: flag,
  timezone_identifier: v.pipe(text, v.check(isTimeZone, "it is not the name of a time zone")),
  add_session_state_to_context: flag,
  enable_agentic_state: flag,
  add_dependencies_to_context: flag,
  resolve_in_context: flag,
  tool_choice: v.union([v.picklist(["auto", "none", "required"]), v.object({ tool: text })]),
  tool_call_limit: several,
  offload_tool_results: v.union([flag, OffloadEntry]),
  compress_tool_results: flag,
  max_steps: v.pipe(several, v.maxValue(10_000)),
  loop_limit: v.pipe(count, v.maxValue(100)),
  add_history_to_context: flag,
  num_history_runs: count,
  num_history_messages: several,
  read_chat_history: flag,
  enable_session_summaries: flag,
  add_session_summary_to_context: flag,
  enable_agentic_memory: flag,
  update_memory_on_run: flag,
  add_memories_to_context: flag,
  learning: v.union([flag, LearningEntry]),
  add_learnings_to_context: flag,
  search_knowledge: flag,
  add_knowledge_to_context: flag,
  knowledge_filters: KnowledgeFilters,
  enable_agentic_knowledge_filters: flag,
  markdown: flag,
  retries: v.pipe(count, v.maxValue(10)),
  delay_between_retries: v.pipe(v.number(), v.minValue(0), v.maxValue(60)),
  exponential_backoff: flag,
  num_followups: several,
  max_output_tokens: several,
  temperature: v.pipe(v.number(), v.minValue(0), v.maxValue(2)),
  prompt_cache: v.union([flag, v.object({ ttl: v.literal("1h") })]),
  max_tokens_per_run: several,
  max_cost_per_run: v.pipe(v.number(), v.gtValue(0)),
  online_evaluation: OnlineEvaluation,
  callback: CallbackEntry,
  metadata: v.record(text, v.unknown()),
};

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
