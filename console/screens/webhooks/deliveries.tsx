import { useMemo } from "react";
import { addressOf } from "../../api/address.ts";
import { platform } from "../../api/platform.ts";
import { useFilters } from "../../api/use-filters.ts";
import { usePagedList } from "../../api/use-paged-list.ts";
import { type Filter, Filters, isFiltered } from "../../parts/list/filters.tsx";
import type { Column } from "../../parts/list/list.tsx";
import { ListView, noMatch } from "../../parts/list/list-view.tsx";
import { Split } from "../../parts/split.tsx";
import { Time } from "../../parts/time.tsx";
import { DeliveryDetail } from "./delivery-detail.tsx";
import { DeliveryStatus, statusTexts } from "./delivery-status.tsx";
import { type Delivery, deliveriesKey } from "./webhook-records.ts";

const names = ["view", "status", "endpoint", "run", "id"] as const;
const statuses = ["pending", "delivered", "failed", "skipped"] as const;
const filters: readonly Filter<"status" | "endpoint" | "run">[] = [
  {
    name: "status",
    label: "Status",
    choices: [{ id: "", text: "Any status" }, ...statuses.map((id) => ({ id, text: statusTexts[id][1] }))],
  },
  { name: "endpoint", label: "Endpoint", placeholder: "Endpoint id, or callback" },
  { name: "run", label: "Run", placeholder: "Run id" },
];

/** What was sent to receivers, with every try, and the way to send it once more. */
export function Deliveries() {
  const [values, change] = useFilters(names);
  const { status, endpoint, run } = values;
  const query = useMemo(
    () => ({
      ...(isStatus(status) && { status }),
      ...(endpoint && { endpoint_id: endpoint }),
      ...(run && { run_id: run }),
    }),
    [status, endpoint, run],
  );
  const list = usePagedList<Delivery>({
    key: [...deliveriesKey, "list", query],
    read: (asked, signal) => platform.listWebhookDeliveries({ query: { ...query, ...asked } }, { signal }),
    idOf: ({ id }) => id,
  });
  const close = () => change({ id: "" });
  return (
    <div className="stack">
      <Filters filters={filters} values={values} onChange={(changes) => change({ ...changes, id: "" })} />
      <Split
        isChosen={values.id !== ""}
        list={
          <ListView
            label="Deliveries"
            list={list}
            keyOf={({ id }) => id}
            columns={columns}
            to={({ id }) => addressOf("/webhooks", { ...values, id })}
            isSelected={({ id }) => id === values.id}
            rowHeight={56}
            empty={isFiltered(filters, values) ? noMatch("delivery") : { title: "Nothing has been sent yet" }}
          />
        }
        detail={
          values.id === "" ? (
            <div className="panel-empty">Nothing is selected</div>
          ) : (
            <DeliveryDetail key={values.id} id={values.id} onClose={close} />
          )
        }
      />
    </div>
  );
}

const isStatus = (text: string): text is (typeof statuses)[number] => statuses.some((one) => one === text);

const columns: readonly Column<Delivery>[] = [
  {
    id: "type",
    title: "Event",
    width: "minmax(120px, 1.4fr)",
    cell: ({ type, host }) => (
      <div className="two-lines">
        <div className="cut">{type}</div>
        <div className="cut small faint">{host}</div>
      </div>
    ),
  },
  {
    id: "status",
    title: "Status",
    width: "104px",
    cell: ({ status, tries }) => (
      <div>
        <DeliveryStatus of={status} />
        {tries > 1 && <div className="small faint">{tries} tries</div>}
      </div>
    ),
  },
  { id: "when", title: "Sent", width: "72px", end: true, cell: ({ created_at }) => <Time at={created_at} /> },
];
