import { useMutation } from "@tanstack/react-query";
import { Download, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { useMay } from "../../../access/use-me.ts";
import { platform } from "../../../api/platform.ts";
import { useFilters } from "../../../api/use-filters.ts";
import { Button } from "../../../parts/button.tsx";
import { Confirm } from "../../../parts/dialog.tsx";
import { Select } from "../../../parts/form/select.tsx";
import { Id } from "../../../parts/id.tsx";
import { Menu } from "../../../parts/menu.tsx";
import { notify, notifyFailure } from "../../../parts/messages.tsx";
import { Meta, Page } from "../../../parts/page.tsx";
import { Failed, Skeleton } from "../../../parts/state.tsx";
import { Time } from "../../../parts/time.tsx";
import { DatasetCases } from "./dataset-cases.tsx";
import { exportCases, exportFormats } from "./export-cases.ts";
import { NewVersion } from "./new-dataset.tsx";
import { type Dataset, readDatasetListAgain, useDataset } from "./use-datasets.ts";

const back = { to: "/evaluations/datasets", text: "Datasets" };
const names = ["version"] as const;

/** One dataset: the cases of one of its versions. */
export function DatasetPage({ id }: { readonly id: string }) {
  const { data: dataset, error, refetch } = useDataset(id);
  const [{ version: chosen }, change] = useFilters(names);
  if (!dataset) {
    return (
      <Page title="Dataset" back={back}>
        {error ? <Failed error={error} retry={() => refetch()} /> : <Skeleton lines={8} />}
      </Page>
    );
  }
  const { version: newest } = dataset;
  const version = Number(chosen) || newest;
  const versions = Array.from({ length: newest }, (_, at) => newest - at);
  return (
    <Page
      title={dataset.name}
      back={back}
      about={
        <Meta>
          {dataset.description !== null && <span>{dataset.description}</span>}
          {dataset.user_id !== null && <span className="faint">by {dataset.user_id}</span>}
          <Time at={dataset.created_at} />
          <Id value={dataset.id} />
        </Meta>
      }
      actions={<Actions dataset={dataset} version={version} />}
    >
      {newest > 1 && (
        <Select
          label="Version"
          choices={versions.map((one) => ({
            id: String(one),
            text: one === newest ? `${one}, the newest` : String(one),
          }))}
          value={String(version)}
          onChange={(next) => change({ version: next === String(newest) ? "" : next })}
        />
      )}
      <DatasetCases key={version} dataset={dataset} version={version} />
    </Page>
  );
}

function Actions({ dataset, version }: { readonly dataset: Dataset; readonly version: number }) {
  const may = useMay();
  const [, navigate] = useLocation();
  const [open, setOpen] = useState<"version" | "delete">();
  const close = () => setOpen(undefined);
  const remove = useMutation({
    mutationFn: () => platform.removeDataset({ path: { dataset_id: dataset.id } }),
    onSuccess: () => {
      notify(`${dataset.name} is deleted.`);
      void readDatasetListAgain();
      navigate("/evaluations/datasets");
    },
    onError: notifyFailure,
  });
  const exports = exportFormats.map(({ id, text }) => ({
    id,
    text,
    onAction: () => {
      exportCases(dataset, version, id).then(notify, notifyFailure);
    },
  }));
  return (
    <>
      <Menu label="Export" size="normal" icon={<Download size={15} aria-hidden />} entries={exports} />
      {may("evals:delete") && (
        <Button icon={<Trash2 size={15} aria-hidden />} onPress={() => setOpen("delete")}>
          Delete
        </Button>
      )}
      {may("evals:write") && (
        <Button icon={<Plus size={15} aria-hidden />} onPress={() => setOpen("version")}>
          New version
        </Button>
      )}
      {open === "version" && <NewVersion dataset={dataset} onClose={close} />}
      <Confirm
        title="Delete this dataset?"
        isOpen={open === "delete"}
        onClose={close}
        action="Delete the dataset"
        isDangerous
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p>All of its versions are deleted. Evaluations that used it keep their cases.</p>
      </Confirm>
    </>
  );
}
