import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { platform } from "../../../api/platform.ts";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { TextField } from "../../../parts/form/fields.tsx";
import { Segments } from "../../../parts/form/segments.tsx";
import { notify } from "../../../parts/messages.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { errorText } from "../../../parts/state.tsx";
import { MOST_TAGS, type Split, splitChoices, wordsIn } from "./sorting.ts";
import { type Dataset, type DatasetCase, readDatasetsAgain } from "./use-datasets.ts";

type SortCaseProps = {
  readonly dataset: Dataset;
  readonly of: Exclude<DatasetCase, { readonly erased: boolean }>;
  readonly onClose: () => void;
};

/** Changes the tags and the split of a case, as the next version of its dataset. */
export function SortCase({ dataset, of, onClose }: SortCaseProps) {
  const [tags, setTags] = useState((of.tags ?? []).join(", "));
  const [split, setSplit] = useState<Split>(of.split ?? "");
  const words = wordsIn(tags);
  const change = useMutation({
    mutationFn: () =>
      platform.changeDatasetCases({
        path: { dataset_id: dataset.id },
        body: {
          base_version: dataset.version,
          set: [{ id: of.id, tags: words, split: split === "" ? null : split }],
        },
      }),
    onSuccess: ({ version }) => {
      notify(`The case is changed: version ${version}.`);
      void readDatasetsAgain();
      onClose();
    },
  });
  const isTooMany = words.length > MOST_TAGS;
  return (
    <Dialog title="Tags and split" isOpen onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        {change.error && <Notice tone="bad">{errorText(change.error)}</Notice>}
        <p className="cut soft">“{of.input}”</p>
        <TextField
          label="Tags"
          value={tags}
          onChange={setTags}
          hint="Separated by commas"
          error={isTooMany ? `A case has ${MOST_TAGS} tags at most.` : undefined}
        />
        <div className="field">
          <span className="field-label">Split</span>
          <Segments
            label="Split"
            choices={splitChoices}
            value={split}
            onChange={(id) => setSplit(id as Split)}
          />
        </div>
        <p className="small soft">The next version has the change. Earlier versions stay as they are.</p>
        <div className="dialog-actions">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="main" type="submit" isDisabled={isTooMany || change.isPending}>
            Save as the next version
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
