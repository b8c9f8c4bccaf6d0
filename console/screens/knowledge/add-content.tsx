import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "react-aria-components/Form";
import { platform } from "../../api/platform.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { notify } from "../../parts/messages.tsx";
import { Notice } from "../../parts/notice.tsx";
import { errorText } from "../../parts/state.tsx";
import { type Base, queryOf } from "./base.ts";
import { metadataOf } from "./metadata-text.ts";
import { readContentsAgain } from "./use-contents.ts";

type AddContentProps = {
  readonly base: Base;
  /** Where the text comes from. */
  readonly from: "address" | "text";
  readonly onClose: () => void;
};

/** Adds a page or a file by its address, or a text as it is typed. */
export function AddContent({ base, from, onClose }: AddContentProps) {
  const [given, setGiven] = useState("");
  const [name, setName] = useState("");
  const [metadata, setMetadata] = useState("");
  const parsed = metadataOf(metadata);
  const add = useMutation({
    mutationFn: () =>
      platform.addContent({
        query: queryOf(base),
        body: {
          ...(from === "address" ? { url: given.trim() } : { text_content: given }),
          ...(name.trim() !== "" && { name: name.trim() }),
          ...(typeof parsed === "object" && { metadata: parsed }),
        },
      }),
    onSuccess: (content) => {
      notify(`${content.name ?? "The content"} was added. It can be found when it has been processed.`);
      readContentsAgain(base);
      onClose();
    },
  });
  const isReady = given.trim() !== "" && typeof parsed !== "string" && !add.isPending;
  return (
    <Dialog title={from === "address" ? "Add an address" : "Add a text"} isOpen onClose={onClose}>
      <Form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) add.mutate();
        }}
      >
        {from === "address" ? (
          <TextField
            label="Address"
            placeholder="https://"
            hint="Of a page or a file that is public. It can be fetched again later."
            value={given}
            onChange={setGiven}
            autoFocus
          />
        ) : (
          <TextField label="Text" rows={8} value={given} onChange={setGiven} autoFocus />
        )}
        <TextField
          label="Name"
          hint="Searches show it; chosen by the platform if empty."
          value={name}
          onChange={setName}
        />
        <TextField
          label="Metadata"
          rows={3}
          inputClass="react-aria-TextArea mono"
          placeholder={'{"line": "pumps"}'}
          hint="A JSON object that searches can filter by."
          error={typeof parsed === "string" ? parsed : undefined}
          value={metadata}
          onChange={setMetadata}
        />
        {add.isError && <Notice tone="bad">{errorText(add.error)}</Notice>}
        <div className="dialog-actions">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="main" type="submit" isDisabled={!isReady}>
            {from === "address" ? "Add the address" : "Add the text"}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
