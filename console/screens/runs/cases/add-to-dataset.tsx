import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useMe } from "../../../access/use-me.ts";
import { countOf, countText } from "../../../parts/amounts.ts";
import { Button, ButtonLink } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { TextField } from "../../../parts/form/fields.tsx";
import { Segments } from "../../../parts/form/segments.tsx";
import { Select } from "../../../parts/form/select.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { RefusedList } from "../../../parts/refused-list.tsx";
import { errorText } from "../../../parts/state.tsx";
import { splitChoices } from "../../evaluations/datasets/sorting.ts";
import { readDatasetsAgain, useDatasetChoices } from "../../evaluations/datasets/use-datasets.ts";
import {
  type Added,
  addCases,
  allDetectable,
  type CasesDraft,
  type CasesOf,
  faultOf,
  MOST_CASES,
} from "./new-cases.ts";
import { PersonalData } from "./personal-data.tsx";

type AddToDatasetProps = {
  readonly of: CasesOf;
  readonly onClose: () => void;
  /** Called when cases were added. */
  readonly onDone?: () => void;
};

const expectedChoices = [
  { id: "answer", text: "The answer" },
  { id: "correction", text: "The correction" },
  { id: "none", text: "Nothing" },
];

/** Makes cases of runs: says first what they will be, then how many were added, and of which runs none was made, and why. */
export function AddToDataset({ of, onClose, onDone }: AddToDatasetProps) {
  const me = useMe();
  const areOthers = mayHaveOthers(of, me.id);
  const [draft, setDraft] = useState<CasesDraft>({
    ...{ dataset: "", name: "", expected: "answer", split: "", tags: "", most: "100", names: "" },
    ...{ patterns: "", outlive: false },
    detect: areOthers ? allDetectable : [],
  });
  const change = (changes: Partial<CasesDraft>) => setDraft((before) => ({ ...before, ...changes }));
  const datasets = useDatasetChoices();
  const chosen = datasets.find(({ id }) => id === draft.dataset);
  const add = useMutation({
    // A second try adds to the dataset that the first one made.
    mutationFn: () => addCases(of, draft, areOthers, (dataset) => change({ dataset })),
    onSuccess: () => onDone?.(),
    onSettled: () => readDatasetsAgain(),
  });
  if (add.data) {
    const name = chosen?.name ?? draft.name.trim();
    return (
      <Dialog title={`Added to ${name}`} isOpen onClose={onClose}>
        <AddedText added={add.data} />
        <div className="dialog-actions">
          <ButtonLink to={`/evaluations/datasets/${encodeURIComponent(add.data.dataset_id)}`}>
            Open the dataset
          </ButtonLink>
          <Button kind="main" onPress={onClose}>
            Close
          </Button>
        </div>
      </Dialog>
    );
  }
  const fault = faultOf(draft);
  return (
    <Dialog title={titleOf(of)} isOpen onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate();
        }}
      >
        {add.error && <Notice tone="bad">{errorText(add.error)}</Notice>}
        <Select
          label="Dataset"
          choices={[
            { id: "", text: "A new dataset" },
            ...datasets.map(({ id, name, cases }) => ({ id, text: name, about: countOf(cases, "case") })),
          ]}
          value={draft.dataset}
          onChange={(dataset) => change({ dataset })}
        />
        {draft.dataset === "" && (
          <TextField
            label="Name of the new dataset"
            value={draft.name}
            onChange={(name) => change({ name })}
            maxLength={255}
          />
        )}
        {of.which === "matching" && (
          <TextField
            label="Runs at most"
            inputMode="numeric"
            value={draft.most}
            onChange={(most) => change({ most })}
            hint={`The newest that the filter lets through, up to ${MOST_CASES}`}
          />
        )}
        <div className="field">
          <span className="field-label">What is expected</span>
          <Segments
            label="What is expected"
            choices={expectedChoices}
            value={draft.expected}
            onChange={(id) => change({ expected: id as CasesDraft["expected"] })}
          />
        </div>
        <div className="field">
          <span className="field-label">Split</span>
          <Segments
            label="Split"
            choices={splitChoices}
            value={draft.split}
            onChange={(id) => change({ split: id as CasesDraft["split"] })}
          />
        </div>
        <TextField
          label="Tags (optional)"
          value={draft.tags}
          onChange={(tags) => change({ tags })}
          placeholder="orders, refund"
          hint="Separated by commas"
        />
        <PersonalData draft={draft} onChange={change} areOthers={areOthers} mayLeaveIn={me.is_admin} />
        <div className="dialog-actions">
          {fault !== undefined && <span className="small faint">{fault}</span>}
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="main" type="submit" isDisabled={fault !== undefined || add.isPending}>
            {add.isPending ? "Adding…" : actOf(of)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function AddedText({ added: { added, version, skipped, more } }: { readonly added: Added }) {
  return (
    <div className="stack-tight">
      <Notice tone={added === 0 ? "warn" : "good"}>
        {countOf(added, "case")} {added === 1 ? "was" : "were"} added
        {added > 0 && `, as version ${version}`}
        {skipped.length > 0 && `; ${countText(skipped.length)} skipped`}.
        {more && " The filter lets more runs through."}
      </Notice>
      <RefusedList refused={skipped.map(({ run_id, reason }) => ({ id: run_id, detail: reason }))} />
    </div>
  );
}

const titleOf = (of: CasesOf): string =>
  of.which === "matching"
    ? "Add everything of this filter to a dataset"
    : `Add ${countOf(of.runs.length, "run")} to a dataset`;

const actOf = (of: CasesOf): string =>
  of.which === "matching" ? "Add the cases" : `Add ${countOf(of.runs.length, "case")}`;

/** A filter without the reader's own id may let runs of others through, as far as the reader sees them. */
const mayHaveOthers = (of: CasesOf, id: string | null | undefined): boolean =>
  of.which === "chosen" ? of.runs.some(({ user_id }) => user_id !== id) : of.filter.user_id !== id;
