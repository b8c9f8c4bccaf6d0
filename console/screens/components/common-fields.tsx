import { ArrowUp, X } from "lucide-react";
import type { Operations } from "../../../client/index.ts";
import { useMay } from "../../access/use-me.ts";
import { pluralOf } from "../../api/kinds.ts";
import { useRunnables } from "../../api/use-runnables.ts";
import { Button } from "../../parts/button.tsx";
import { Combo } from "../../parts/form/combo.tsx";
import { Checkbox, TextField } from "../../parts/form/fields.tsx";
import { Select } from "../../parts/form/select.tsx";
import { type Draft, partOf } from "./component-draft.ts";
import { toolOf } from "./described.ts";

type Entry = Operations["listRegistry"]["answer"]["data"][number];

type FieldsProps = {
  readonly draft: Draft;
  readonly registered: readonly Entry[];
  readonly onChange: (changes: Partial<Draft>) => void;
  /** Lines of the instructions that are in view. */
  readonly rows?: number;
  /** Whether the instructions are ready to be written. */
  readonly takesFocus?: boolean;
};

const modes = [
  { id: "coordinate", text: "Coordinate", about: "the leader hands out tasks and writes the answer" },
  { id: "route", text: "Route", about: "one member answers" },
  { id: "broadcast", text: "Broadcast", about: "every member gets the task" },
  { id: "tasks", text: "Tasks", about: "the leader works through a list of tasks" },
];

/** The models that configs may name. */
export const modelChoices = (registered: readonly Entry[]) =>
  registered
    .filter(({ type }) => type === "model")
    .map(({ id, name, metadata }) => ({
      id: `${String(metadata?.provider ?? "")}:${id ?? name}`,
      text: `${String(metadata?.provider ?? "")} ${id ?? name}`,
    }));

/** The fields that most configs have, by kind. */
export function CommonFields({ draft, registered, onChange, rows = 5, takesFocus = false }: FieldsProps) {
  if (draft.kind === "workflow") {
    return (
      <fieldset className="form-group">
        <legend>Steps</legend>
        <Parts draft={draft} onChange={onChange} />
      </fieldset>
    );
  }
  if (draft.kind === "skill") {
    return (
      <fieldset className="form-group">
        <legend>What it says</legend>
        <TextField
          label="Instructions"
          rows={rows + 5}
          value={draft.instructions}
          onChange={(instructions) => onChange({ instructions })}
          placeholder="Ask for the receipt. Without one, offer a credit note."
          hint={'Markdown. A config names the skill so: "skills": [{ "skill_id": "…" }]'}
        />
      </fieldset>
    );
  }
  const models = modelChoices(registered);
  const isOther = draft.model !== "" && !models.some(({ id }) => id === draft.model);
  return (
    <>
      <fieldset className="form-group">
        <legend>What it does</legend>
        <div className="form-columns">
          <Select
            label="Model"
            choices={[
              { id: "default", text: "The platform’s default" },
              ...models,
              ...(isOther ? [{ id: draft.model, text: draft.model }] : []),
            ]}
            value={draft.model || "default"}
            onChange={(id) => onChange({ model: id === "default" ? "" : id })}
          />
          {draft.kind === "team" && (
            <Select label="Mode" choices={modes} value={draft.mode} onChange={(mode) => onChange({ mode })} />
          )}
        </div>
        <TextField
          label="Instructions"
          rows={rows}
          autoFocus={takesFocus}
          value={draft.instructions}
          onChange={(instructions) => onChange({ instructions })}
          placeholder="Answer briefly. Use a tool where one gives the exact answer."
        />
        <div className="row form-checks">
          <Checkbox isSelected={draft.remembers} onChange={(remembers) => onChange({ remembers })}>
            Knows the session’s earlier messages
          </Checkbox>
          <Checkbox isSelected={draft.markdown} onChange={(markdown) => onChange({ markdown })}>
            Answers in Markdown
          </Checkbox>
        </div>
      </fieldset>
      {draft.kind === "team" && (
        <fieldset className="form-group">
          <legend>Members</legend>
          <Parts draft={draft} onChange={onChange} />
        </fieldset>
      )}
      <Tools draft={draft} registered={registered} onChange={onChange} />
    </>
  );
}

function Tools({ draft, registered, onChange }: FieldsProps) {
  const tools = registered.filter(({ type }) => type === "tool");
  if (tools.length === 0) return null;
  return (
    <fieldset className="form-group">
      <legend>Tools</legend>
      <div className="tool-choices">
        {tools.map(({ name, description, metadata }) => {
          const { flags } = toolOf({ ...metadata, name });
          return (
            <Checkbox
              key={name}
              isSelected={draft.tools.includes(name)}
              onChange={(isChosen) =>
                onChange({
                  tools: isChosen ? [...draft.tools, name] : draft.tools.filter((one) => one !== name),
                })
              }
            >
              <span>
                <code>{name}</code>
                <span className="small faint tool-about">
                  {[description, ...flags].filter((text) => text !== undefined).join(" · ")}
                </span>
              </span>
            </Checkbox>
          );
        })}
      </div>
    </fieldset>
  );
}

/** Components in their order: members of a team, or steps of a workflow. */
function Parts({ draft, onChange }: Omit<FieldsProps, "registered">) {
  const may = useMay();
  const { runnables } = useRunnables();
  const { parts, kind: own } = draft;
  const isWorkflow = own === "workflow";
  // Whoever stores a component needs the scope to run what it contains.
  const choices = runnables
    .filter(({ kind, id }) => (isWorkflow || kind !== "workflow") && may(`${pluralOf[kind]}:run`, id))
    .filter(({ kind, id }) => isWorkflow || !parts.includes(`${kind}:${id}`))
    .map(({ kind, id, name }) => ({ id: `${kind}:${id}`, text: name, about: `${kind} ${id}` }));
  const moveUp = (at: number) =>
    onChange({
      parts: parts.map(
        (part, index) => (index === at - 1 ? parts[at] : index === at ? parts[at - 1] : part) ?? part,
      ),
    });
  return (
    <>
      {parts.length > 0 && (
        <ol className="parts">
          {parts.map((part, at) => {
            const { kind, id } = partOf(part);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a workflow may run the same component twice
              <li key={`${at} ${part}`}>
                <span className="number faint">{at + 1}</span>
                <span className="cut">{id}</span>
                <span className="small faint">{kind}</span>
                <span className="parts-acts">
                  {at > 0 && (
                    <Button
                      kind="plain"
                      size="small"
                      icon={<ArrowUp size={13} aria-hidden />}
                      label={`Move ${id} up`}
                      onPress={() => moveUp(at)}
                    />
                  )}
                  <Button
                    kind="plain"
                    size="small"
                    icon={<X size={13} aria-hidden />}
                    label={`Take out ${id}`}
                    onPress={() => onChange({ parts: parts.filter((_, index) => index !== at) })}
                  />
                </span>
              </li>
            );
          })}
        </ol>
      )}
      <Combo
        key={parts.length}
        label={isWorkflow ? "Add a step that runs" : "Add a member"}
        placeholder="Type to search"
        choices={choices}
        value=""
        onChange={(id) => onChange({ parts: [...parts, id] })}
        {...(isWorkflow && { hint: "Loops, conditions and parallel steps are written as JSON below." })}
      />
    </>
  );
}
