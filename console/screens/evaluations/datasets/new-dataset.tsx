import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { platform } from "../../../api/platform.ts";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { TextField } from "../../../parts/form/fields.tsx";
import { notify } from "../../../parts/messages.tsx";
import { CasesFile, Faults } from "./cases-file.tsx";
import { type Dataset, readDatasetsAgain } from "./use-datasets.ts";

/** Stores the cases of a file under a name. */
export function NewDataset({ onClose }: { readonly onClose: () => void }) {
  const [, navigate] = useLocation();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [file, setFile] = useState<File>();
  const create = useMutation({
    mutationFn: () =>
      platform.createDataset({
        body: { name: name.trim(), ...(description && { description }), ...(file && { file: [file] }) },
      }),
    onSuccess: ({ id }) => {
      notify(`${name.trim()} is stored.`);
      void readDatasetsAgain();
      navigate(`/evaluations/datasets/${encodeURIComponent(id)}`);
    },
  });
  return (
    <Dialog title="New dataset" isOpen onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Faults error={create.error} />
        <TextField label="Name" value={name} onChange={setName} maxLength={255} />
        <TextField label="Description (optional)" value={description} onChange={setDescription} rows={2} />
        <CasesFile file={file} onChange={setFile} />
        <div className="dialog-actions">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="main" type="submit" isDisabled={name.trim() === "" || !file || create.isPending}>
            Store the dataset
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type NewVersionProps = { readonly dataset: Dataset; readonly onClose: () => void };

/** Adds a version with the cases of a file; earlier versions stay as they are. */
export function NewVersion({ dataset, onClose }: NewVersionProps) {
  const [file, setFile] = useState<File>();
  const add = useMutation({
    mutationFn: () =>
      platform.createDatasetVersion({
        path: { dataset_id: dataset.id },
        body: { ...(file && { file: [file] }) },
      }),
    onSuccess: ({ version }) => {
      notify(`Version ${version} is stored.`);
      void readDatasetsAgain();
      onClose();
    },
  });
  return (
    <Dialog title="New version" isOpen onClose={onClose}>
      <div className="form">
        <Faults error={add.error} />
        <p className="soft">Evaluations keep the version that they began with.</p>
        <CasesFile file={file} onChange={setFile} />
        <div className="dialog-actions">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="main" isDisabled={!file || add.isPending} onPress={() => add.mutate()}>
            Store the version
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
