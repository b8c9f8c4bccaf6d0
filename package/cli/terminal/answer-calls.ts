import type { RunOutput } from "../../../client/index.ts";
import { type OpenCall, openRequirements } from "../../../shared/domain/runs/open-requirements.ts";
import type { Terminal } from "./terminal.ts";

type Requirement = NonNullable<RunOutput["requirements"]>[number];
type Call = Requirement["tool_execution"];
type CallAnswer = {
  tool_call_id: string;
  confirmed?: boolean;
  result?: string;
  user_input_schema?: { name: string; value: unknown }[];
  user_feedback_schema?: { question: string; selected_options: string[] }[];
};
export type RequirementAnswer = { readonly id: string; readonly tool_execution: CallAnswer };

/**
 * Asks the person at the terminal what a paused run waits for.
 *
 * @returns undefined where another person decides, or the input has ended: the run stays paused
 */
export async function answerCalls(
  output: Pick<RunOutput, "requirements">,
  terminal: Terminal,
): Promise<readonly RequirementAnswer[] | undefined> {
  const answers: RequirementAnswer[] = [];
  for (const open of openRequirements<Requirement>({ requirements: output.requirements }).calls) {
    const tool_execution = await answerCall(open, terminal);
    if (!tool_execution) return undefined;
    answers.push({ id: open.requirement.id, tool_execution });
  }
  return answers.length > 0 ? answers : undefined;
}

async function answerCall(
  { requirement, questions }: OpenCall<Requirement>,
  terminal: Terminal,
): Promise<CallAnswer | undefined> {
  const call = requirement.tool_execution;
  if (call.approval_type === "required") {
    terminal.write(`\n${call.tool_name} needs an approval by another person: decide it in the console.\n`);
    return undefined;
  }
  const answer: CallAnswer = { tool_call_id: call.tool_call_id };
  for (const question of questions) {
    if (answer.confirmed === false) break;
    if (!(await ask[question](call, answer, terminal))) return undefined;
  }
  return answer;
}

type Ask = (call: Call, answer: CallAnswer, terminal: Terminal) => Promise<boolean>;

/** Each puts the answer into the call's; false where the input has ended. */
const ask: Readonly<Record<OpenCall["questions"][number], Ask>> = {
  confirmation: async (call, answer, terminal) => {
    const doubt = call.in_doubt === undefined ? "" : " It was started before and may have taken effect.";
    const asked = `\n${call.tool_name} ${JSON.stringify(call.tool_args)}${doubt} Allow it? (y/n) `;
    for (;;) {
      const entered = (await terminal.ask(asked))?.trim().toLowerCase();
      if (entered === undefined) return false;
      if (!/^(y|yes|n|no)$/.test(entered)) continue;
      answer.confirmed = entered.startsWith("y");
      return true;
    }
  },
  user_input: async (call, answer, terminal) => {
    answer.user_input_schema = [];
    for (const { name, field_type, description, value } of call.user_input_schema ?? []) {
      if (value !== null) continue;
      const about = [field_type, description].filter(Boolean).join(", ");
      const given = await askUntil(terminal, `\n${name} (${about}): `, (text) => valueIn(text, field_type));
      if (given === undefined) return false;
      answer.user_input_schema.push({ name, value: given.value });
    }
    return true;
  },
  user_feedback: async (call, answer, terminal) => {
    answer.user_feedback_schema = [];
    for (const { question, options = [], multi_select } of call.user_feedback_schema ?? []) {
      const labels = options.map(({ label }) => label);
      const listed = labels.map((label, i) => `\n  ${i + 1}. ${label}`).join("");
      const how = labels.length === 0 ? "" : multi_select ? "numbers with commas between" : "number";
      const chosen = await askUntil(terminal, `\n${question}${listed}\n${how}> `, (text) =>
        choiceOf(text, labels, multi_select),
      );
      if (chosen === undefined) return false;
      answer.user_feedback_schema.push({ question, selected_options: chosen.value });
    }
    return true;
  },
  external_execution: async (call, answer, terminal) => {
    const result = await terminal.ask(`\n${call.tool_name} ${JSON.stringify(call.tool_args)} Its result: `);
    if (result === undefined) return false;
    answer.result = result;
    return true;
  },
};

type Read<T> = { readonly value: T } | undefined;

/** Asks again until an answer can be read. @returns undefined where the input has ended */
async function askUntil<T>(
  terminal: Terminal,
  question: string,
  read: (text: string) => Read<T>,
): Promise<Read<T>> {
  for (;;) {
    const entered = await terminal.ask(question);
    if (entered === undefined) return undefined;
    const given = read(entered.trim());
    if (given) return given;
    terminal.write("That is no answer to this.\n");
  }
}

/** What was entered, as a value of the type that a field has. @source docs/interface/runs.md 4.7 */
function valueIn(text: string, type: string): Read<unknown> {
  if (type === "str") return { value: text };
  if (type === "bool")
    return /^(y|yes|true|n|no|false)$/i.test(text) ? { value: /^[yt]/i.test(text) } : undefined;
  if (type === "int" || type === "float") {
    const value = Number(text);
    const fits = text !== "" && Number.isFinite(value) && (type === "float" || Number.isInteger(value));
    return fits ? { value } : undefined;
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function choiceOf(text: string, labels: readonly string[], many: boolean): Read<string[]> {
  if (labels.length === 0) return text === "" ? undefined : { value: [text] };
  const parts = many ? text.split(",") : [text];
  const chosen = parts.map(
    (part) => labels[Number(part.trim()) - 1] ?? labels.find((one) => one === part.trim()),
  );
  const known = chosen.filter((one) => one !== undefined);
  return known.length === chosen.length ? { value: known } : undefined;
}
