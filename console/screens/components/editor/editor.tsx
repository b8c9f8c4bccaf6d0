import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Component, ConfigVersion } from "../../../../client/index.ts";
import { useMay } from "../../../access/use-me.ts";
import { pluralOf } from "../../../api/kinds.ts";
import { platform } from "../../../api/platform.ts";
import { queryClient } from "../../../api/query-client.ts";
import { Button } from "../../../parts/button.tsx";
import { TextField } from "../../../parts/form/fields.tsx";
import { parsedObject } from "../../../parts/form/parsed-object.ts";
import { notify } from "../../../parts/messages.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { Card, Page } from "../../../parts/page.tsx";
import { errorText, Failed, Skeleton } from "../../../parts/state.tsx";
import { Tabs } from "../../../parts/tabs.tsx";
import { changedFields } from "../changed-fields.ts";
import { configProblems } from "../config-problems.ts";
import { GoLive } from "../go-live.tsx";
import { useAgain, useRegistry, useVersion, versionKey } from "../use-components.ts";
import { ConfigForm } from "./config-form.tsx";
import { TryBeside } from "./try-beside.tsx";

type EditorProps = {
  readonly component: Component;
  /** The version that the new one begins with, or the draft that is changed. */
  readonly base: number;
  readonly isNew: boolean;
  /** The highest one: if another was added meanwhile, the platform refuses. */
  readonly latest: number;
  /** Called with the draft that was stored last, from which editing goes on. */
  readonly onStored: (draft: number) => void;
  readonly onClose: () => void;
};

/** Writes a new version, or changes a draft: as a form or as JSON, tried beside the live one before anything is stored. */
export default function Editor(props: EditorProps) {
  const { component, base, isNew, onClose, onStored } = props;
  const { turn, storedNow } = useTurn(isNew ? "new" : "edit", base);
  const { data, error, refetch } = useVersion(component.component_id, base);
  const title = isNew ? `New version of ${component.name}` : `Draft ${base} of ${component.name}`;
  return (
    <Page
      title={title}
      back={{ to: `/components/${encodeURIComponent(component.component_id)}`, text: component.name }}
      about={
        isNew
          ? `It begins as version ${base} is. Nothing is stored until you store it.`
          : "Only those who may change it can run a draft."
      }
    >
      {data ? (
        <Loaded
          key={turn}
          {...props}
          given={data}
          onStored={(draft) => {
            storedNow(draft);
            onStored(draft);
          }}
        />
      ) : error ? (
        <Failed error={error} retry={() => refetch()} />
      ) : (
        <Skeleton lines={8} />
      )}
      {data?.stage === "published" && !isNew && (
        <Notice tone="warn">
          Version {base} is published and cannot be changed any more.{" "}
          <Button onPress={onClose}>Go back</Button>
        </Notice>
      )}
    </Page>
  );
}

/**
 * Counts what is edited one after the other in this place: another version is begun anew, while the draft that has just been
 * stored is the same text under its own number.
 */
function useTurn(form: "new" | "edit", base: number) {
  const of = `${form} ${base}`;
  const stored = useRef<string>(undefined);
  const [edited, setEdited] = useState({ of, turn: 0 });
  if (edited.of !== of) setEdited({ of, turn: stored.current === of ? edited.turn : edited.turn + 1 });
  const storedNow = (draft: number) => {
    stored.current = `edit ${draft}`;
  };
  return { turn: edited.turn, storedNow };
}

const asText = (config: unknown): string => JSON.stringify(config ?? {}, null, 2);

function Loaded(props: EditorProps & { readonly given: ConfigVersion }) {
  const { component, base, isNew, onClose, given } = props;
  const may = useMay();
  const [text, setText] = useState(() => asText(given.config));
  const [view, setView] = useState("");
  const [isGoingLive, setGoingLive] = useState(false);
  const { data: registered } = useRegistry();
  const { value: config, problem } = parsedObject(text);
  const problems = config ? configProblems(config, registered) : [];
  const differing = config ? changedFields(given.config ?? {}, config) : [];
  const { label, notes, setLabel, setNotes, save } = useSaving(props, config);
  const kind = component.component_type;
  const change = (next: string) => {
    setText(next);
    save.reset();
  };
  const json = {
    id: "json",
    title: "JSON",
    content: (
      <TextField
        label="Config (JSON)"
        rows={22}
        inputClass="react-aria-TextArea mono config-text"
        value={text}
        onChange={change}
        error={text.trim() === "" ? "A version needs a config: { } at least" : problem}
        spellCheck="false"
      />
    ),
  };
  const form = {
    id: "form",
    title: "Form",
    content:
      config && kind !== "skill" ? (
        <ConfigForm kind={kind} config={config} onChange={(next) => change(asText(next))} isFirst={!view} />
      ) : (
        <Notice tone="warn">The form is there again when the JSON is right.</Notice>
      ),
  };
  // A change that is not stored yet is what goes live: it is stored first.
  const isStored = !isNew && differing.length === 0;
  return (
    <>
      <div className="editor">
        <Card>
          <Tabs
            label="How it is edited"
            value={view}
            onChange={setView}
            tabs={kind === "workflow" || kind === "skill" ? [json] : [form, json]}
          />
        </Card>
        <div className="stack editor-side">
          <Card title="Draft">
            <div className="form">
              {save.isError && <Notice tone="bad">{errorText(save.error)}</Notice>}
              <p className="small soft">
                {differing.length === 0 ? `The same as version ${base}.` : differingText(differing, base)}
              </p>
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
              <TextField
                label="Label (optional)"
                value={label}
                onChange={setLabel}
                hint="A name for the version, used once."
              />
              <TextField
                label="Notes (optional)"
                rows={2}
                value={notes}
                onChange={setNotes}
                hint="What changed, and why."
              />
              <div className="row">
                <Button
                  {...(!isStored && { kind: "main" as const })}
                  isDisabled={!config || save.isPending}
                  onPress={() => save.mutate()}
                >
                  {isNew ? "Store as a draft" : "Store the draft"}
                </Button>
                <Button
                  {...(isStored && { kind: "main" as const })}
                  isDisabled={!isStored || save.isPending}
                  onPress={() => setGoingLive(true)}
                >
                  Go live…
                </Button>
                <Button kind="plain" onPress={onClose}>
                  Close
                </Button>
              </div>
              {!isStored && <p className="small faint">To go live, store it as a draft first.</p>}
            </div>
          </Card>
        </div>
      </div>
      {kind !== "skill" && may(`${pluralOf[kind]}:run`, component.component_id) && (
        <TryBeside component={component} kind={kind} config={config} />
      )}
      {isGoingLive && (
        <GoLive component={component} version={base} onClose={() => setGoingLive(false)} onLive={onClose} />
      )}
    </>
  );
}

/** Stores the draft with its label and notes. */
function useSaving(
  { component, base, isNew, latest, given, onStored }: EditorProps & { readonly given: ConfigVersion },
  config: Readonly<Record<string, unknown>> | undefined,
) {
  const [label, setLabel] = useState(isNew ? "" : (given.label ?? ""));
  const [notes, setNotes] = useState(isNew ? "" : (given.notes ?? ""));
  const again = useAgain();
  const { component_id } = component;
  const save = useMutation({
    mutationFn: (): Promise<ConfigVersion> => {
      const body = {
        config: config ?? {},
        stage: "draft" as const,
        ...(label.trim() && { label: label.trim() }),
        ...(notes.trim() && { notes: notes.trim() }),
        ...(isNew && { guard: { latest_version: latest } }),
      };
      return isNew
        ? platform.createConfigVersion({ path: { component_id }, body })
        : platform.updateConfigVersion({ path: { component_id, version: base }, body });
    },
    onSuccess: async (stored) => {
      // The editor continues with it at once: what is being tried beside it stays.
      queryClient.setQueryData(versionKey(component_id, stored.version), stored);
      notify(`Draft ${stored.version} is stored.`);
      await again();
      onStored(stored.version);
    },
  });
  return { label, notes, setLabel, setNotes, save };
}

const MOST_NAMED = 5;

function differingText(fields: readonly { readonly path: string }[], base: number): string {
  const named = fields.slice(0, MOST_NAMED).map(({ path }) => path);
  const more = fields.length - named.length;
  return `Differs from version ${base} in ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}
