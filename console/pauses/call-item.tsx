import type { CallQuestion } from "../../client/index.ts";
import { callOf, ToolCall } from "../conversation/tool-call.tsx";
import { TextField } from "../parts/form/fields.tsx";
import { Notice } from "../parts/notice.tsx";
import { Facts } from "../parts/page.tsx";
import { type Draft, openFields, type Problems, questionsOf, RESULT } from "./answers.ts";
import { ChoiceField } from "./choice-field.tsx";
import { Decision } from "./decision.tsx";
import type { Item } from "./items.ts";
import { labelOf, ValueField } from "./value-field.tsx";
import { textOf } from "./values.ts";

type CallItemProps = {
  readonly item: Item & { readonly kind: "call" };
  readonly draft: Draft;
  readonly problems: Problems;
  /** Whether yes or no is chosen here; else the form's own buttons say it. */
  readonly decidesHere: boolean;
  readonly onChange: (change: Partial<Draft>) => void;
};

/** A call of a tool that waits: what would be called, and what is asked about it. */
export function CallItem({ item, draft, problems, decidesHere, onChange }: CallItemProps) {
  const { asked, questions, step, needsApprover } = item;
  const { tool_execution: tool } = asked;
  const who = [step?.step_name, asked.member_agent_name].filter(Boolean).join(", ");
  const isRefused = draft.decision === "no";
  const filled = (tool.user_input_schema ?? []).filter(({ value }) => value !== null && value !== undefined);
  return (
    <div className="pause-item">
      {who !== "" && <div className="small faint">{who}</div>}
      {/* Fields and questions show by themselves what the call is about. */}
      <ToolCall
        call={callOf(tool)}
        isOpen={
          needsApprover || questions.some((one) => one === "confirmation" || one === "external_execution")
        }
      />
      {tool.in_doubt !== undefined && (
        <Notice tone="warn">
          It may have been called before the run was interrupted. Approving calls it again; rejecting does
          not, and your note becomes its result.
        </Notice>
      )}
      {!needsApprover && (
        <>
          {questions.includes("confirmation") && (
            <Decision
              draft={draft}
              problems={problems}
              isChosenHere={decidesHere}
              yes="Approve the call"
              no="Reject it"
              noteHint="The model reads it as the reason."
              onChange={onChange}
            />
          )}
          {questions.includes("user_input") && !isRefused && (
            <div className="stack-tight">
              <Facts of={filled.map(({ name, value }) => [labelOf(name), textOf(value)] as const)} />
              {openFields(tool.user_input_schema).map(({ name, field_type, description }) => (
                <ValueField
                  key={name}
                  name={name}
                  type={field_type}
                  about={description}
                  text={draft.fields[name] ?? ""}
                  problem={problems[name]}
                  onChange={(text) => onChange({ fields: { ...draft.fields, [name]: text } })}
                />
              ))}
            </div>
          )}
          {!isRefused &&
            questionsOf(item).map((question) => (
              <Question
                key={question.question}
                question={question}
                chosen={draft.chosen[question.question] ?? []}
                problem={problems[question.question]}
                onChange={(chosen) => onChange({ chosen: { ...draft.chosen, [question.question]: chosen } })}
              />
            ))}
          {questions.includes("external_execution") && !isRefused && (
            <TextField
              label={`Result of ${tool.tool_name}`}
              hint="It is executed outside the platform. The model reads what you enter here as its result."
              rows={3}
              value={draft.result}
              error={problems[RESULT]}
              onChange={(result) => onChange({ result })}
            />
          )}
        </>
      )}
    </div>
  );
}

type QuestionProps = {
  readonly question: CallQuestion;
  readonly chosen: readonly string[];
  readonly problem?: string | undefined;
  readonly onChange: (chosen: readonly string[]) => void;
};

function Question({ question, chosen, problem, onChange }: QuestionProps) {
  const { question: text, header, multi_select, options = [] } = question;
  if (options.length === 0)
    return (
      <TextField
        label={text}
        value={chosen[0] ?? ""}
        error={problem}
        onChange={(entered) => onChange([entered])}
      />
    );
  return (
    <div className="stack-tight">
      {header !== "" && header !== text && <div className="small faint">{header}</div>}
      <ChoiceField
        label={text}
        several={multi_select}
        options={options.map(({ label, description }) => ({
          id: label,
          text: label,
          ...(description && { about: description }),
        }))}
        chosen={chosen}
        problem={problem}
        onChange={onChange}
      />
    </div>
  );
}
