import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import { useMay } from "../../access/use-me.ts";
import { pluralOf } from "../../api/kinds.ts";
import { platform } from "../../api/platform.ts";
import { useRunnables } from "../../api/use-runnables.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Combo } from "../../parts/form/combo.tsx";
import { fieldErrors } from "../../parts/form/field-errors.ts";
import { Checkbox, TextField } from "../../parts/form/fields.tsx";
import { Select } from "../../parts/form/select.tsx";
import { notify } from "../../parts/messages.tsx";
import { Notice } from "../../parts/notice.tsx";
import {
  bodyOf,
  type CaseDraft,
  type Draft,
  emptyCase,
  emptyDraft,
  expectedLabel,
  problemsOf,
} from "./evaluation-draft.ts";
import { nameOf, typeText } from "./outcome.ts";
import type { EvalType } from "./use-evaluations.ts";

const typeChoices = [
  { id: "accuracy", text: typeText.accuracy, about: "a model compares the answer with the expected one" },
  {
    id: "agent_as_judge",
    text: typeText.agent_as_judge,
    about: "a model judges the answer by your criteria",
  },
  { id: "reliability", text: typeText.reliability, about: "which tools are called" },
  { id: "performance", text: typeText.performance, about: "how long the runs take" },
];

const evaluated = ["agent", "team"] as const;
const shownFields = ["name", "num_iterations", "threshold"];

type FormProps = {
  readonly target: string;
  /** Of a stored component; the live one where it is undefined. */
  readonly version: number | undefined;
  readonly onClose: () => void;
};

/** Makes an evaluation, which starts at once. */
export function EvaluationForm({ target, version, onClose }: FormProps) {
  const may = useMay();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const { runnables } = useRunnables(evaluated);
  const [draft, setDraft] = useState<Draft>(() => emptyDraft(target));
  const [isTried, setTried] = useState(false);
  const create = useMutation({
    mutationFn: () => platform.createEval({ body: { ...bodyOf(draft), ...versionOf(draft) } }),
    onSuccess: (run) => {
      notify(`${nameOf(run)} has started.`);
      client.setQueryData(["evaluations", "one", run.id], run);
      void client.invalidateQueries({ queryKey: ["evaluations", "list"] });
      navigate(`/evaluations/${encodeURIComponent(run.id)}`);
    },
  });
  const refused = fieldErrors(create.error, shownFields);
  const problems = problemsOf(draft);
  const choices = runnables
    .filter(({ kind, id }) => may(`${pluralOf[kind]}:run`, id))
    .map(({ kind, id, name }) => ({ id: `${kind}:${id}`, text: name, about: `${kind} ${id}` }));
  const change = (changes: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...changes }));
    if (create.isError) create.reset();
  };
  // Another target has other versions.
  const versionOf = (of: Draft) => (version !== undefined && of.target === target ? { version } : {});
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (problems.size === 0 && draft.target !== "") create.mutate();
  };
  const { type, cases } = draft;
  const changeCase = (key: number, changes: Partial<CaseDraft>) =>
    change({ cases: cases.map((one) => (one.key === key ? { ...one, ...changes } : one)) });
  return (
    <Dialog title="New evaluation" isOpen onClose={onClose} wide>
      <form className="form" onSubmit={submit} noValidate>
        {refused.rest !== undefined && <Notice tone="bad">{refused.rest}</Notice>}
        {versionOf(draft).version !== undefined && <Notice>Version {version} is evaluated.</Notice>}
        <div className="form-columns">
          <Combo
            label="Agent or team"
            placeholder="Type to search"
            choices={choices}
            value={draft.target}
            onChange={(id) => change({ target: id })}
            error={isTried && draft.target === "" ? "Choose what is evaluated" : undefined}
          />
          <TextField
            label="Name (optional)"
            value={draft.name}
            onChange={(name) => change({ name })}
            error={refused.of.name}
          />
        </div>
        <div className="form-columns">
          <Select
            label="What is measured"
            choices={typeChoices}
            value={type}
            onChange={(id) => change({ type: id as EvalType })}
          />
          {(type === "accuracy" || type === "performance") && (
            <TextField
              label="Runs of each case"
              inputMode="numeric"
              value={draft.iterations}
              onChange={(iterations) => change({ iterations })}
              error={refused.of.num_iterations}
            />
          )}
          {type === "agent_as_judge" && draft.isNumeric && (
            <TextField
              label="Passes from this score on"
              inputMode="numeric"
              value={draft.threshold}
              onChange={(threshold) => change({ threshold })}
              error={refused.of.threshold}
              hint="1 to 10"
            />
          )}
        </div>
        {type === "agent_as_judge" && (
          <Checkbox isSelected={draft.isNumeric} onChange={(isNumeric) => change({ isNumeric })}>
            Scores from 1 to 10 in place of passed or failed
          </Checkbox>
        )}
        {type === "reliability" && (
          <Checkbox isSelected={draft.allowsMore} onChange={(allowsMore) => change({ allowsMore })}>
            Other tools may also be called
          </Checkbox>
        )}
        <fieldset className="form-group">
          <legend>Cases</legend>
          {cases.map((one, at) => (
            <CaseFields
              key={one.key}
              number={at + 1}
              of={one}
              type={type}
              problems={isTried ? (problems.get(one.key) ?? {}) : {}}
              onChange={(changes) => changeCase(one.key, changes)}
              {...(cases.length > 1 && {
                onRemove: () => change({ cases: cases.filter(({ key }) => key !== one.key) }),
              })}
            />
          ))}
          <div>
            <Button
              icon={<Plus size={14} aria-hidden />}
              onPress={() => change({ cases: [...cases, emptyCase((cases.at(-1)?.key ?? 0) + 1)] })}
            >
              Add a case
            </Button>
          </div>
        </fieldset>
        <div className="dialog-actions form-end">
          <span className="small faint">Every case is a real run: it costs what a run costs.</span>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="main" type="submit" isDisabled={create.isPending}>
            Start the evaluation
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type CaseFieldsProps = {
  readonly number: number;
  readonly of: CaseDraft;
  readonly type: EvalType;
  readonly problems: { readonly input?: string; readonly expected?: string };
  readonly onChange: (changes: Partial<CaseDraft>) => void;
  readonly onRemove?: () => void;
};

function CaseFields({ number, of: one, type, problems, onChange, onRemove }: CaseFieldsProps) {
  const label = expectedLabel[type];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset within a fieldset has a frame that cannot be laid out
    <div className="case-draft" role="group" aria-label={`Case ${number}`}>
      <div className="case-draft-head">
        <TextField
          label={`Name of case ${number} (optional)`}
          value={one.name}
          onChange={(name) => onChange({ name })}
        />
        {onRemove && (
          <Button
            kind="plain"
            icon={<X size={14} aria-hidden />}
            label={`Take out case ${number}`}
            onPress={onRemove}
          />
        )}
      </div>
      <div className="form-columns">
        <TextField
          label="Input"
          rows={3}
          value={one.input}
          onChange={(input) => onChange({ input })}
          error={problems.input}
        />
        {label !== undefined && (
          <TextField
            label={label}
            rows={3}
            value={one.expected}
            onChange={(expected) => onChange({ expected })}
            error={problems.expected}
            {...(type === "reliability" && { hint: "Names with commas between." })}
          />
        )}
      </div>
    </div>
  );
}
