import { useMutation, useQueryClient } from "@tanstack/react-query";
import { KeyRound, Pencil, Power, Send, Trash2 } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { Menu, type MenuEntry } from "../../parts/menu.tsx";
import { notify, notifyFailure } from "../../parts/messages.tsx";
import { EndpointForm } from "./endpoint-form.tsx";
import { deliveriesKey, type Endpoint, endpointsKey } from "./webhook-records.ts";

type EndpointActionsProps = { readonly endpoint: Endpoint; readonly onSecret: (secret: string) => void };

/** What can be done with an endpoint. What takes something away is asked about first. */
export function EndpointActions({ endpoint, onSecret }: EndpointActionsProps) {
  const { id: endpoint_id, url, enabled } = endpoint;
  const may = useMay();
  const client = useQueryClient();
  const [asking, setAsking] = useState<"change" | "rotate" | "remove">();
  const path = { endpoint_id };
  const settled = () => {
    setAsking(undefined);
    void client.invalidateQueries({ queryKey: endpointsKey });
    void client.invalidateQueries({ queryKey: deliveriesKey });
  };
  const shared = { onError: notifyFailure, onSettled: settled };
  const ping = useMutation({
    ...shared,
    mutationFn: () => platform.testWebhookEndpoint({ path }),
    onSuccess: () => notify("A ping is on its way. Deliveries show what becomes of it."),
  });
  const toggle = useMutation({
    ...shared,
    mutationFn: () => platform.updateWebhookEndpoint({ path, body: { enabled: !enabled } }),
    onSuccess: () => notify(enabled ? "Nothing is sent to it now." : "It receives events again."),
  });
  const rotate = useMutation({
    ...shared,
    mutationFn: () => platform.rotateWebhookSecret({ path, body: {} }),
    onSuccess: ({ secret }) => onSecret(secret),
  });
  const remove = useMutation({
    ...shared,
    mutationFn: () => platform.removeWebhookEndpoint({ path }),
    onSuccess: () => notify("The endpoint was deleted."),
  });
  const entries: MenuEntry[] = [
    {
      id: "change",
      text: "Change it",
      icon: <Pencil size={14} aria-hidden />,
      onAction: () => setAsking("change"),
    },
    { id: "ping", text: "Send a ping", icon: <Send size={14} aria-hidden />, onAction: () => ping.mutate() },
    {
      id: "rotate",
      text: "Rotate the secret",
      icon: <KeyRound size={14} aria-hidden />,
      onAction: () => setAsking("rotate"),
    },
    {
      id: "toggle",
      text: enabled ? "Disable it" : "Enable it",
      icon: <Power size={14} aria-hidden />,
      onAction: () => toggle.mutate(),
    },
    ...(may("webhooks:delete")
      ? [
          {
            id: "remove",
            text: "Delete it",
            icon: <Trash2 size={14} aria-hidden />,
            onAction: () => setAsking("remove"),
          },
        ]
      : []),
  ];
  return (
    <>
      <Menu label={`Actions for ${url}`} entries={entries} />
      {asking === "change" && <EndpointForm endpoint={endpoint} onClose={() => setAsking(undefined)} />}
      <Confirm
        title="Rotate the secret?"
        isOpen={asking === "rotate"}
        onClose={() => setAsking(undefined)}
        action="Rotate the secret"
        isBusy={rotate.isPending}
        onConfirm={() => rotate.mutate()}
      >
        <p>
          Messages to {url} are signed with the new secret and, for a day, with the old one too. The new one
          is shown once.
        </p>
      </Confirm>
      <Confirm
        title="Delete this endpoint?"
        isOpen={asking === "remove"}
        onClose={() => setAsking(undefined)}
        action="Delete the endpoint"
        isDangerous
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p>What is still to be sent to {url} is skipped.</p>
      </Confirm>
    </>
  );
}
