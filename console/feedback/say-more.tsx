import { useState } from "react";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { TextField } from "../parts/form/fields.tsx";
import type { RunFeedbackState, Said } from "./use-run-feedback.ts";

type SayMoreProps = { readonly state: RunFeedbackState; readonly onClose: () => void };

const KEY = /^[a-z0-9_-]{1,64}$/;

/** A comment on the reader's verdict, what would have been right, and a label of the reader's own. */
export function SayMore({ state: { mine, give }, onClose }: SayMoreProps) {
  const thumb = mine("thumb");
  const [comment, setComment] = useState(thumb?.comment ?? "");
  const [correction, setCorrection] = useState(mine("correction")?.correction ?? "");
  const [label, setLabel] = useState("");
  const [value, setValue] = useState("");
  const isLabelWrong = label !== "" && !KEY.test(label);
  const said: Said[] = [
    ...(thumb && comment !== (thumb.comment ?? "")
      ? [{ key: "thumb", ...scoreOf(thumb), ...(comment && { comment }) }]
      : []),
    ...(correction !== "" && correction !== mine("correction")?.correction
      ? [{ key: "correction", correction }]
      : []),
    ...(label !== "" && value !== "" ? [{ key: label, value }] : []),
  ];
  const save = async () => {
    for (const one of said) await give.mutateAsync(one);
    onClose();
  };
  return (
    <Dialog title="Comment or correct" isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          // A failure is shown as a message, and what was written stays.
          void save().catch(() => undefined);
        }}
      >
        <TextField
          label="Comment"
          rows={3}
          value={comment}
          onChange={setComment}
          isDisabled={!thumb}
          hint={
            thumb ? "Why it was good or bad" : "First say whether it was good or bad; a comment is about that"
          }
        />
        <TextField
          label="Correction"
          rows={4}
          value={correction}
          onChange={setCorrection}
          hint="What would have been right"
        />
        <TextField
          label="Label"
          value={label}
          onChange={setLabel}
          placeholder="tone"
          error={isLabelWrong ? "A label has small letters, digits, _ and - alone." : undefined}
        />
        <TextField label="Value of the label" value={value} onChange={setValue} placeholder="kind" />
        <div className="dialog-actions">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="main" type="submit" isDisabled={said.length === 0 || isLabelWrong || give.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const scoreOf = ({ score }: { readonly score?: number | undefined }) =>
  score === undefined ? {} : { score };
