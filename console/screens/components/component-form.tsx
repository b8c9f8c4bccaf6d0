import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import type { StoredKind } from "../../api/kinds.ts";
import { platform } from "../../api/platform.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { fieldErrors } from "../../parts/form/field-errors.ts";
import { TextField } from "../../parts/form/fields.tsx";
import { parsedObject } from "../../parts/form/parsed-object.ts";
import { Select } from "../../parts/form/select.tsx";
import { Json } from "../../parts/json.tsx";
import { notify } from "../../parts/messages.tsx";
import { Notice } from "../../parts/notice.tsx";
import { CommonFields } from "./common-fields.tsx";
import { configOf, type Draft, emptyDraft } from "./component-draft.ts";
import { configProblems } from "./config-problems.ts";
import { useAgain, useRegistry } from "./use-components.ts";

const kindChoices = [
  { id: "agent", text: "Agent", about: "a model with instructions and tools" },
  { id: "team", text: "Team", about: "a leader that hands tasks to members" },
  { id: "workflow", text: "Workflow", about: "steps in a fixed order" },
  { id: "skill", text: "Skill", about: "instructions that agents read when they need them" },
];

/** Makes a stored agent, team, workflow or skill with its first version. */
export function ComponentForm({ onClose }: { readonly onClose: () => void }) {
  const [, navigate] = useLocation();
  const again = useAgain();
  const { data: registered } = useRegistry();
  const [draft, setDraft] = useState<Draft>(emptyDraft);
  const more = parsedObject(draft.more);
  const config = configOf(draft, more.value ?? {});
  const problems = configProblems(config, registered);
  const create = useMutation({
    mutationFn: (stage: "draft" | "published") =>
      platform.createComponent({
        body: {
          component_type: draft.kind,
          name: draft.name.trim(),
          ...(draft.id.trim() && { component_id: draft.id.trim() }),
          ...(draft.description.trim() && { description: draft.description.trim() }),
          config,
          stage,
        },
      }),
    onSuccess: ({ component_id, name, current_version }) => {
      notify(current_version === undefined ? `${name} is stored as a draft.` : `${name} is live.`);
      void again();
      navigate(`/components/${encodeURIComponent(component_id)}`);
    },
  });
  const refused = fieldErrors(create.error, ["name", "component_id", "description"]);
  const change = (changes: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...changes }));
    if (create.isError) create.reset();
  };
  const isSkill = draft.kind === "skill";
  const isWhole = draft.name.trim() !== "" && !(isSkill && draft.description.trim() === "");
  const isUsable = isWhole && more.problem === undefined && !create.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isUsable) create.mutate("published");
  };
  return (
    <Dialog title="New component" isOpen onClose={onClose} wide>
      <form className="form" onSubmit={submit} noValidate>
        {refused.rest !== undefined && <Notice tone="bad">{refused.rest}</Notice>}
        <div className="form-columns">
          <Select
            label="Kind"
            choices={kindChoices}
            value={draft.kind}
            onChange={(id) => change({ kind: id as StoredKind })}
          />
          <TextField
            label="Name"
            value={draft.name}
            onChange={(name) => change({ name })}
            error={refused.of.name}
            autoFocus
          />
          <TextField
            label="Id (optional)"
            value={draft.id}
            onChange={(id) => change({ id })}
            error={refused.of.component_id}
            hint="Derived from the name if empty. It never changes."
          />
        </div>
        <TextField
          label={isSkill ? "When it is needed" : "Description (optional)"}
          value={draft.description}
          onChange={(description) => change({ description })}
          error={refused.of.description}
          {...(isSkill && { hint: "All that a model knows of a skill before it reads it." })}
        />
        <CommonFields draft={draft} registered={registered ?? []} onChange={change} />
        <fieldset className="form-group">
          <legend>More settings</legend>
          <TextField
            label="JSON that overrides the fields above (optional)"
            rows={4}
            inputClass="react-aria-TextArea mono"
            placeholder={'{ "expected_output": "Three sentences", "tool_call_limit": 5 }'}
            value={draft.more}
            onChange={(text) => change({ more: text })}
            error={more.problem}
            spellCheck="false"
          />
          <details className="config-json">
            <summary>The whole config</summary>
            <Json value={config} />
          </details>
        </fieldset>
        {problems.length > 0 && (
          <Notice tone="warn">{problems.join(" ")} It would not run as intended.</Notice>
        )}
        <div className="dialog-actions">
          <Button onPress={onClose}>Cancel</Button>
          <Button isDisabled={!isUsable} onPress={() => create.mutate("draft")}>
            Store as a draft
          </Button>
          <Button kind="main" type="submit" isDisabled={!isUsable}>
            Create and publish
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
