import type { StepRequirement } from "../../client/index.ts";
import { Answer, Folded, Written } from "../conversation/message.tsx";
import { countOf, countText } from "../parts/amounts.ts";
import { TextField } from "../parts/form/fields.tsx";
import { Notice } from "../parts/notice.tsx";
import { exactText } from "../parts/time.tsx";
import { DECISION, type Draft, type Problems, ROUTE } from "./answers.ts";
import { ChoiceField } from "./choice-field.tsx";
import { Decision } from "./decision.tsx";
import type { Item } from "./items.ts";
import { ValueField } from "./value-field.tsx";

type StepItemProps = {
  readonly item: Item & { readonly kind: "step" };
  readonly draft: Draft;
  readonly problems: Problems;
  readonly decidesHere: boolean;
  readonly onChange: (change: Partial<Draft>) => void;
};

/** A step of a workflow that waits for a person. */
export function StepItem({ item, draft, problems, decidesHere, onChange }: StepItemProps) {
  const { asked, questions } = item;
  const isReview = questions.includes("output_review");
  const decides = isReview || questions.includes("confirmation");
  const isRefused = draft.decision === "no" && decides;
  const message = isReview ? asked.output_review_message : asked.confirmation_message;
  return (
    <div className="pause-item">
      <div className="row">
        <h3 className="pause-step">{asked.step_name}</h3>
        <span className="small faint">{isReview ? "Review of its output" : asked.step_type}</span>
      </div>
      {decides && (
        <Written text={message ?? (isReview ? "Is this output right?" : "Should this step run?")} />
      )}
      {asked.step_output && <Output step={asked} edited={draft.edited} onChange={onChange} />}
      {asked.retry_count > 0 && (
        <p className="small faint">
          Tried again {countText(asked.retry_count)} of {countOf(asked.max_retries, "time")}.
        </p>
      )}
      {decides && (
        <Decision
          draft={draft}
          problems={problems}
          isChosenHere={decidesHere}
          yes={isReview ? "Approve the output" : "Approve the step"}
          no="Reject it"
          noteHint={rejected[asked.on_reject]}
          onChange={onChange}
        />
      )}
      {questions.includes("user_input") && !isRefused && (
        <div className="stack-tight">
          {asked.user_input_message && <Written text={asked.user_input_message} />}
          {(asked.user_input_schema ?? []).map(
            ({ name, field_type, description, required, allowed_values }) => (
              <ValueField
                key={name}
                name={name}
                type={field_type}
                about={description}
                required={required}
                allowed={allowed_values}
                text={draft.fields[name] ?? ""}
                problem={problems[name]}
                onChange={(text) => onChange({ fields: { ...draft.fields, [name]: text } })}
              />
            ),
          )}
        </div>
      )}
      {questions.includes("route_selection") && !isRefused && (
        <ChoiceField
          label={asked.user_input_message ?? "Where does it continue?"}
          several={asked.allow_multiple_selections}
          options={(asked.available_choices ?? []).map((choice) => ({ id: choice, text: choice }))}
          chosen={draft.chosen[ROUTE] ?? []}
          problem={problems[ROUTE]}
          onChange={(chosen) => onChange({ chosen: { ...draft.chosen, [ROUTE]: chosen } })}
        />
      )}
      {asked.timeout_at !== null && (
        <p className="small faint">
          Without an answer by {exactText(asked.timeout_at)} {timedOut[asked.on_timeout]}.
        </p>
      )}
    </div>
  );
}

const rejected: Readonly<Record<StepRequirement["on_reject"], string>> = {
  skip: "If it is rejected, the step is skipped and the workflow continues.",
  cancel: "If it is rejected, the workflow ends.",
  else: "If it is rejected, the other branch is taken.",
  retry: "If it is rejected, the step runs again with this note.",
};

const timedOut: Readonly<Record<StepRequirement["on_timeout"], string>> = {
  cancel: "the workflow is cancelled",
  skip: "the step is skipped",
  approve: "it is approved",
};

type OutputProps = {
  readonly step: StepRequirement;
  readonly edited: string | undefined;
  readonly onChange: (change: Partial<Draft>) => void;
};

function Output({ step, edited, onChange }: OutputProps) {
  const content = step.step_output?.content;
  const text = typeof content === "string" ? content : JSON.stringify(content, null, 2);
  return (
    <>
      <div className="pause-output">
        <Answer content={content} />
      </div>
      <Folded title="Change the output">
        <TextField
          label="Output with which the workflow continues"
          rows={6}
          value={edited ?? text}
          onChange={(next) => onChange({ edited: next })}
        />
      </Folded>
    </>
  );
}

type FailureItemProps = {
  readonly item: Item & { readonly kind: "failure" };
  readonly draft: Draft;
  readonly problems: Problems;
  readonly decidesHere: boolean;
  readonly onChange: (change: Partial<Draft>) => void;
};

/** A step that has failed, and asks what next. */
export function FailureItem({ item, draft, problems, decidesHere, onChange }: FailureItemProps) {
  const { step_name, error_message, error_type, retry_count } = item.asked;
  return (
    <div className="pause-item">
      <h3 className="pause-step">{step_name} failed</h3>
      <Notice tone="bad">
        {error_message} <span className="faint">({error_type})</span>
      </Notice>
      {retry_count > 0 && <p className="small faint">Tried again {countOf(retry_count, "time")}.</p>}
      {decidesHere && (
        <ChoiceField
          label="What happens next"
          options={[
            { id: "yes", text: "Try the step again" },
            { id: "no", text: "Continue without it" },
          ]}
          chosen={draft.decision === undefined ? [] : [draft.decision]}
          problem={problems[DECISION]}
          onChange={([chosen]) => onChange({ decision: chosen === "no" ? "no" : "yes" })}
        />
      )}
    </div>
  );
}
