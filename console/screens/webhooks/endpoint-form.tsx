import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "react-aria-components/Form";
import { useMay } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Checkbox, TextField } from "../../parts/form/fields.tsx";
import { notify } from "../../parts/messages.tsx";
import { Notice } from "../../parts/notice.tsx";
import { errorText } from "../../parts/state.tsx";
import { EventChoice } from "./event-choice.tsx";
import { type Endpoint, type EventType, endpointsKey } from "./webhook-records.ts";

type EndpointFormProps = {
  /** The receiver that is changed; a new one where there is none. */
  readonly endpoint?: Endpoint;
  /** Called with the secret of a new receiver, which is shown this once. */
  readonly onAdded?: (secret: string) => void;
  readonly onClose: () => void;
};

/** A receiver of events: where it is, what it is sent, and how much of that. Whose runs it is about is said once, at its creation. */
export function EndpointForm({ endpoint, onAdded, onClose }: EndpointFormProps) {
  const may = useMay();
  const client = useQueryClient();
  const [url, setUrl] = useState(endpoint?.url ?? "");
  const [description, setDescription] = useState(endpoint?.description ?? "");
  const [events, setEvents] = useState<readonly EventType[]>(endpoint?.events ?? []);
  const [isForAll, setForAll] = useState(false);
  const [hasContent, setContent] = useState(endpoint?.include_content ?? false);
  const save = useMutation({
    mutationFn: async (): Promise<string | undefined> => {
      const body = {
        url: url.trim(),
        description: description.trim() === "" ? null : description.trim(),
        events: [...events],
        include_content: hasContent,
      };
      if (endpoint) {
        await platform.updateWebhookEndpoint({ path: { endpoint_id: endpoint.id }, body });
        return undefined;
      }
      const audience = isForAll ? ("everybody" as const) : ("own" as const);
      return (await platform.createWebhookEndpoint({ body: { ...body, audience } })).secret;
    },
    onSuccess: (secret) => {
      void client.invalidateQueries({ queryKey: endpointsKey });
      if (secret === undefined) notify("The endpoint is changed.");
      else onAdded?.(secret);
      onClose();
    },
  });
  return (
    <Dialog title={endpoint ? "Change the endpoint" : "Add an endpoint"} isOpen onClose={onClose}>
      <Form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (url.trim() !== "") save.mutate();
        }}
      >
        <TextField label="Address" placeholder="https://" value={url} onChange={setUrl} />
        <TextField label="Description (optional)" value={description} onChange={setDescription} />
        <EventChoice chosen={events} onChange={setEvents} />
        {!endpoint && may("webhooks:everybody") && (
          <Checkbox isSelected={isForAll} onChange={setForAll}>
            Runs of all users, not only yours
          </Checkbox>
        )}
        <Checkbox isSelected={hasContent} onChange={setContent}>
          Messages carry what was said in the runs
        </Checkbox>
        {save.isError && <Notice tone="bad">{errorText(save.error)}</Notice>}
        <div className="dialog-actions">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="main" type="submit" isDisabled={save.isPending || url.trim() === ""}>
            {endpoint ? "Save the endpoint" : "Add the endpoint"}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
