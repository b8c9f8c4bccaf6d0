import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "react-aria-components/Form";
import { useMay } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Checkbox, TextField } from "../../parts/form/fields.tsx";
import { Notice } from "../../parts/notice.tsx";
import { errorText } from "../../parts/state.tsx";
import { endpointsKey } from "./webhook-records.ts";

type AddEndpointProps = { readonly onAdded: (secret: string) => void; readonly onClose: () => void };

/** Registers a receiver of the events of runs; its other settings are the API's to change. */
export function AddEndpoint({ onAdded, onClose }: AddEndpointProps) {
  const may = useMay();
  const client = useQueryClient();
  const [url, setUrl] = useState("");
  const [description, setDescription] = useState("");
  const [isForAll, setForAll] = useState(false);
  const [hasContent, setContent] = useState(false);
  const add = useMutation({
    mutationFn: () =>
      platform.createWebhookEndpoint({
        body: {
          url: url.trim(),
          ...(description.trim() !== "" && { description: description.trim() }),
          ...(isForAll && { audience: "everybody" as const }),
          include_content: hasContent,
        },
      }),
    onSuccess: ({ secret }) => {
      void client.invalidateQueries({ queryKey: endpointsKey });
      onAdded(secret);
    },
  });
  return (
    <Dialog title="Add an endpoint" isOpen onClose={onClose}>
      <Form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (url.trim() !== "") add.mutate();
        }}
      >
        <TextField label="Address" placeholder="https://" value={url} onChange={setUrl} />
        <TextField label="Description (optional)" value={description} onChange={setDescription} />
        {may("webhooks:everybody") && (
          <Checkbox isSelected={isForAll} onChange={setForAll}>
            Runs of all users, not only yours
          </Checkbox>
        )}
        <Checkbox isSelected={hasContent} onChange={setContent}>
          Messages carry what was said in the runs
        </Checkbox>
        {add.isError && <Notice tone="bad">{errorText(add.error)}</Notice>}
        <div className="dialog-actions">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="main" type="submit" isDisabled={add.isPending || url.trim() === ""}>
            Add the endpoint
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
