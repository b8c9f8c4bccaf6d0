import { Plus, Table2 } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../../access/use-me.ts";
import { readingOf, useRows } from "../../../api/reading-of.ts";
import { countText } from "../../../parts/amounts.ts";
import { Button } from "../../../parts/button.tsx";
import type { Column } from "../../../parts/list/list.tsx";
import { ListView } from "../../../parts/list/list-view.tsx";
import { Page } from "../../../parts/page.tsx";
import { Time } from "../../../parts/time.tsx";
import { NewDataset } from "./new-dataset.tsx";
import { type Dataset, useDatasetList } from "./use-datasets.ts";

const back = { to: "/evaluations", text: "Evaluations" };

/** Every dataset that the reader may see, newest first. */
export function DatasetList() {
  const may = useMay();
  const [isNew, setNew] = useState(false);
  const pages = useDatasetList();
  const rows = useRows(pages);
  const create = may("evals:write") && (
    <Button kind="main" icon={<Plus size={15} aria-hidden />} onPress={() => setNew(true)}>
      New dataset
    </Button>
  );
  return (
    <Page
      title="Datasets"
      back={back}
      about="Cases under a name, which several evaluations share. A version never changes."
      actions={rows.length > 0 && create}
    >
      <ListView
        label="Datasets"
        list={{ rows, reading: readingOf(pages) }}
        keyOf={({ id }) => id}
        columns={columns}
        to={({ id }) => `/evaluations/datasets/${encodeURIComponent(id)}`}
        rowHeight={60}
        empty={{
          title: "There is no dataset yet",
          icon: Table2,
          text: "Store the questions that matter to you once, and evaluate each version with them.",
          action: create || <p>You need the scope “evals:write” to store one.</p>,
        }}
      />
      {isNew && <NewDataset onClose={() => setNew(false)} />}
    </Page>
  );
}

const columns: readonly Column<Dataset>[] = [
  {
    id: "name",
    title: "Dataset",
    width: "minmax(160px, 2fr)",
    cell: ({ name, description }) => (
      <div>
        <div className="cut" dir="auto">
          {name}
        </div>
        {description !== null && (
          <div className="cut small faint" dir="auto">
            {description}
          </div>
        )}
      </div>
    ),
  },
  {
    id: "cases",
    title: "Cases",
    width: "80px",
    end: true,
    cell: ({ cases }) => <span className="number">{countText(cases)}</span>,
  },
  {
    id: "version",
    title: "Version",
    width: "80px",
    end: true,
    from: 480,
    cell: ({ version }) => <span className="number">{version}</span>,
  },
  {
    id: "when",
    title: "Changed",
    width: "110px",
    end: true,
    from: 640,
    cell: ({ updated_at }) => <Time at={updated_at} />,
  },
];
