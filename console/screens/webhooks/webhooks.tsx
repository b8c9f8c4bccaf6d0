import { useFilters } from "../../api/use-filters.ts";
import { Page } from "../../parts/page.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { Deliveries } from "./deliveries.tsx";
import { Endpoints } from "./endpoints.tsx";

const names = ["view"] as const;

/** Who is notified of what happens in runs, and what became of each message. */
export default function Webhooks() {
  const [{ view }, change] = useFilters(names);
  return (
    <Page title="Webhooks" about="Who is notified of what happens in runs, and whether the messages arrived.">
      <Tabs
        label="Webhooks"
        value={view}
        onChange={(next) => change({ view: next })}
        tabs={[
          { id: "endpoints", title: "Endpoints", content: <Endpoints /> },
          { id: "deliveries", title: "Deliveries", content: <Deliveries /> },
        ]}
      />
    </Page>
  );
}
