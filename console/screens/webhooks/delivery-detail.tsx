import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useMay } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";
import { Button } from "../../parts/button.tsx";
import { Id } from "../../parts/id.tsx";
import { notify, notifyFailure } from "../../parts/messages.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Facts } from "../../parts/page.tsx";
import { Panel } from "../../parts/split.tsx";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { durationText, exactText, Time } from "../../parts/time.tsx";
import { DeliveryStatus } from "./delivery-status.tsx";
import { type Delivery, deliveriesKey } from "./webhook-records.ts";

/** A message that is under way is looked at this often. */
const PENDING_MS = 3_000;

type DetailProps = { readonly id: string; readonly onClose: () => void };

/** One message: each try with its answer, why it failed, and the way to send it once more. */
export function DeliveryDetail({ id, onClose }: DetailProps) {
  const may = useMay();
  const client = useQueryClient();
  const path = { delivery_id: id };
  const { data, error, refetch } = useQuery({
    queryKey: [...deliveriesKey, "one", id],
    queryFn: () => platform.getWebhookDelivery({ path }),
    refetchInterval: ({ state }) => (state.data?.status === "pending" ? PENDING_MS : false),
  });
  const again = useMutation({
    mutationFn: () => platform.redeliverWebhook({ path }),
    onSuccess: () => notify("The message is sent once more."),
    onError: notifyFailure,
    onSettled: () => client.invalidateQueries({ queryKey: deliveriesKey }),
  });
  if (!data) {
    return (
      <Panel title="Delivery" back="All deliveries" onClose={onClose}>
        {error ? <Failed error={error} retry={() => refetch()} /> : <Skeleton lines={8} />}
      </Panel>
    );
  }
  const { type, status, reason, attempts, tries, next_try_at } = data;
  return (
    <Panel title={type} badge={<DeliveryStatus of={status} />} back="All deliveries" onClose={onClose}>
      {reason !== null && <Notice tone={status === "failed" ? "bad" : "warn"}>{reason}</Notice>}
      {may("webhooks:write") && status !== "pending" && (
        <div className="row">
          <Button
            icon={<RotateCw size={14} aria-hidden />}
            isDisabled={again.isPending}
            onPress={() => again.mutate()}
          >
            Redeliver
          </Button>
        </div>
      )}
      <Facts
        of={[
          ["Receiver", data.host],
          ["Tries", String(tries)],
          ["Next try", next_try_at === null ? undefined : <Time key="next" at={next_try_at} />],
          ["Created", exactText(data.created_at)],
          ["Run", data.run_id === null ? undefined : <Id key="run" value={data.run_id} />],
          ["Event", <Id key="event" value={data.event_id} />],
        ]}
      />
      {attempts.toReversed().map((attempt) => (
        <Attempt key={attempt.at} attempt={attempt} />
      ))}
    </Panel>
  );
}

function Attempt({ attempt }: { readonly attempt: Delivery["attempts"][number] }) {
  const { at, duration_ms, response_status, response, error } = attempt;
  return (
    <div className="stack-tight">
      <div className="field-label">
        {exactText(at)}: {response_status === null ? "no answer" : `answered ${response_status}`} after{" "}
        {durationText(duration_ms / 1000)}
      </div>
      {error !== null && <div className="plain-text">{error}</div>}
      {response !== null && response !== "" && <div className="mono plain-text">{response}</div>}
    </div>
  );
}
