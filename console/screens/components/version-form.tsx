import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Component, ConfigVersion } from "../../../client/index.ts";
import { platform } from "../../api/platform.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { parsedObject } from "../../parts/form/parsed-object.ts";
import { notify } from "../../parts/messages.tsx";
import { Notice } from "../../parts/notice.tsx";
import { errorText, Failed, Skeleton } from "../../parts/state.tsx";
import { changedFields } from "./changed-fields.ts";
import { configProblems } from "./config-problems.ts";
import { useAgain, useRegistry, useVersion } from "./use-components.ts";

type VersionFormProps = {
  readonly component: Component;
  /** The version that the new one begins with, or the draft that is changed. */
  readonly base: number;
  readonly isNew: boolean;
  /** The highest one: if another was added meanwhile, the platform refuses. */
  readonly latest: number;
  readonly onClose: () => void;
};

/** Writes a new version, or changes a draft. */
export function VersionForm(props: VersionFormProps) {
  const { component, base, isNew, onClose } = props;
  const { data, error, refetch } = useVersion(component.component_id, base);
  const title = isNew ? `New version of ${component.name}` : `Draft ${base} of ${component.name}`;
  return (
    <Dialog title={title} isOpen onClose={onClose} wide>
      {data ? (
        <Editor {...props} given={data} />
      ) : error ? (
        <Failed error={error} retry={() => refetch()} />
      ) : (
        <Skeleton lines={8} />
      )}
    </Dialog>
  );
}

function Editor({
  component,
  base,
  isNew,
  latest,
  onClose,
  given,
}: VersionFormProps & { readonly given: ConfigVersion }) {
  const [text, setText] = useState(() => JSON.stringify(given.config ?? {}, null, 2));
  const [label, setLabel] = useState(isNew ? "" : (given.label ?? ""));
  const [notes, setNotes] = useState(isNew ? "" : (given.notes ?? ""));
  const { data: registered } = useRegistry();
  const again = useAgain();
  const { value: config, problem } = parsedObject(text);
  const problems = config ? configProblems(config, registered) : [];
  const differing = config ? changedFields(given.config ?? {}, config) : [];
  const save = useMutation({
    mutationFn: (stage: "draft" | "published"): Promise<ConfigVersion> => {
      const body = {
        config: config ?? {},
        stage,
        ...(label.trim() && { label: label.trim() }),
        ...(notes.trim() && { notes: notes.trim() }),
        ...(isNew && { guard: { latest_version: latest } }),
      };
      const { component_id } = component;
      return isNew
        ? platform.createConfigVersion({ path: { component_id }, body })
        : platform.updateConfigVersion({ path: { component_id, version: base }, body });
    },
    onSuccess: ({ version, stage }) => {
      notify(
        stage === "published" ? `Version ${version} is published and live.` : `Draft ${version} is stored.`,
      );
      void again();
      onClose();
    },
  });
  const isUsable = config !== undefined && !save.isPending;
  return (
    <div className="form">
      {save.isError && <Notice tone="bad">{errorText(save.error)}</Notice>}
      <TextField
        label="Config (JSON)"
        rows={18}
        inputClass="react-aria-TextArea mono config-text"
        value={text}
        onChange={(next) => {
          setText(next);
          save.reset();
        }}
        error={text.trim() === "" ? "A version needs a config: { } at least" : problem}
        spellCheck="false"
        hint={differing.length === 0 ? `The same as version ${base}.` : differingText(differing, base)}
      />
      {problems.length > 0 && (
        <Notice tone="warn">
          <ul>
            {problems.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
          It can be stored, but it would not run as intended.
        </Notice>
      )}
      <div className="form-columns">
        <TextField
          label="Label (optional)"
          value={label}
          onChange={setLabel}
          hint="A name for the version, used once."
        />
        <TextField label="Notes (optional)" value={notes} onChange={setNotes} hint="What changed, and why." />
      </div>
      <div className="dialog-actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button isDisabled={!isUsable} onPress={() => save.mutate("draft")}>
          {isNew ? "Store as a draft" : "Store the draft"}
        </Button>
        <Button kind="main" isDisabled={!isUsable} onPress={() => save.mutate("published")}>
          Publish and make live
        </Button>
      </div>
    </div>
  );
}

const MOST_NAMED = 5;

function differingText(fields: readonly { readonly path: string }[], base: number): string {
  const named = fields.slice(0, MOST_NAMED).map(({ path }) => path);
  const more = fields.length - named.length;
  return `Differs from version ${base} in ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}
