import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Learning } from "../../../client/index.ts";
import { platform } from "../../api/platform.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { notify, notifyFailure } from "../../parts/messages.tsx";

/** The content of a learning as JSON, to be corrected. */
export function CorrectLearning({
  learning,
  onClose,
}: {
  readonly learning: Learning;
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  const [text, setText] = useState(() => JSON.stringify(learning.content ?? {}, null, 2));
  const parsed = parsedObject(text);
  const correct = useMutation({
    mutationFn: (content: Readonly<Record<string, unknown>>) =>
      platform.updateLearning({ path: { learning_id: learning.learning_id }, body: { content } }),
    onSuccess: () => {
      notify("The learning is corrected.");
      onClose();
    },
    onError: notifyFailure,
    onSettled: () => client.invalidateQueries({ queryKey: ["learnings"] }),
  });
  return (
    <Dialog title="Correct this learning" isOpen onClose={onClose} wide>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (parsed) correct.mutate(parsed);
        }}
      >
        <TextField
          label="Content"
          rows={12}
          inputClass="react-aria-TextArea mono"
          value={text}
          onChange={setText}
          error={parsed ? undefined : "This is not a JSON object."}
          spellCheck="false"
          autoFocus
        />
        <div className="dialog-actions">
          <Button onPress={onClose}>Keep as it is</Button>
          <Button kind="main" type="submit" isDisabled={correct.isPending || !parsed}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function parsedObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
