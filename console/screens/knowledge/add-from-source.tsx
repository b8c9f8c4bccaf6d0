import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { CornerLeftUp, FileText, Folder } from "lucide-react";
import { useState } from "react";
import type { Operations } from "../../../client/index.ts";
import { platform } from "../../api/platform.ts";
import { sizeText } from "../../parts/amounts.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Select } from "../../parts/form/select.tsx";
import { notify, notifyFailure } from "../../parts/messages.tsx";
import { Empty, Failed, Skeleton } from "../../parts/state.tsx";
import { Time } from "../../parts/time.tsx";
import { type Base, keyOf, queryOf } from "./base.ts";
import { readContentsAgain } from "./use-contents.ts";

type Source = NonNullable<Operations["getKnowledgeConfig"]["answer"]["remote_content_sources"]>[number];
type Files = Operations["listSourceFiles"]["answer"];

type AddFromSourceProps = {
  readonly base: Base;
  readonly sources: readonly Source[];
  readonly onClose: () => void;
};

/** Files and folders of a configured source, each of which can be added. */
export function AddFromSource({ base, sources, onClose }: AddFromSourceProps) {
  const [source, setSource] = useState(sources[0]?.id ?? "");
  const [folder, setFolder] = useState<string>();
  const [page, setPage] = useState(1);
  const open = (prefix: string | undefined) => {
    setFolder(prefix);
    setPage(1);
  };
  const { data, error, refetch } = useQuery({
    queryKey: [...keyOf(base), "source", source, folder, page],
    queryFn: () =>
      platform.listSourceFiles({
        path: { knowledge_id: base.id ?? "", source_id: source },
        query: { page, ...(folder !== undefined && { prefix: folder }) },
      }),
    placeholderData: keepPreviousData,
  });
  const add = useMutation({
    mutationFn: (path: string) =>
      platform.addRemoteContent({ query: queryOf(base), body: { config_id: source, path } }),
    onSuccess: (_, path) => {
      notify(`${path} was added. It can be found when it has been processed.`);
      readContentsAgain(base);
    },
    onError: notifyFailure,
  });
  return (
    <Dialog title="Add from a source" isOpen onClose={onClose} wide>
      <Select
        label="Source"
        choices={sources.map(({ id, name, type }) => ({ id, text: name, about: type }))}
        value={source}
        onChange={(id) => {
          setSource(id);
          open(undefined);
        }}
      />
      {error && !data ? (
        <Failed error={error} retry={() => refetch()} />
      ) : !data ? (
        <Skeleton lines={5} />
      ) : (
        <Listing
          files={data}
          isDeeper={folder !== undefined}
          onUp={() => open(parentOf(folder))}
          onOpen={open}
          onAdd={(path) => add.mutate(path)}
          isBusy={add.isPending}
        />
      )}
      <div className="dialog-actions">
        {data && data.meta.total_pages > 1 && (
          <>
            <Button isDisabled={page === 1} onPress={() => setPage(page - 1)}>
              Earlier files
            </Button>
            <Button isDisabled={page >= data.meta.total_pages} onPress={() => setPage(page + 1)}>
              Further files
            </Button>
          </>
        )}
        <Button onPress={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

/** The folder above; the source's own beginning where there is none. */
function parentOf(folder: string | undefined): string | undefined {
  const above = folder?.replace(/[^/]*\/?$/, "");
  return above === "" ? undefined : above;
}

type ListingProps = {
  readonly files: Files;
  readonly isDeeper: boolean;
  readonly onUp: () => void;
  readonly onOpen: (prefix: string) => void;
  readonly onAdd: (path: string) => void;
  readonly isBusy: boolean;
};

function Listing({ files, isDeeper, onUp, onOpen, onAdd, isBusy }: ListingProps) {
  if (files.folders.length === 0 && files.files.length === 0 && !isDeeper) {
    return <Empty title="This source has no files" />;
  }
  return (
    <ul className="source-files">
      {isDeeper && (
        <li className="source-file">
          <CornerLeftUp size={15} aria-hidden />
          <button type="button" className="source-folder" onClick={onUp}>
            The folder above {files.prefix}
          </button>
        </li>
      )}
      {files.folders.map(({ prefix, name }) => (
        <li key={prefix} className="source-file">
          <Folder size={15} aria-hidden />
          <button type="button" className="source-folder cut" onClick={() => onOpen(prefix)}>
            {name}
          </button>
          <Button
            size="small"
            isDisabled={isBusy}
            onPress={() => onAdd(prefix.endsWith("/") ? prefix : `${prefix}/`)}
          >
            Add the folder
          </Button>
        </li>
      ))}
      {files.files.map(({ key, name, size, last_modified }) => (
        <li key={key} className="source-file">
          <FileText size={15} aria-hidden />
          <span className="cut" title={key}>
            {name}
          </span>
          <span className="small faint number">
            {size !== null && sizeText(size)} {last_modified !== null && <Time at={last_modified} />}
          </span>
          <Button size="small" isDisabled={isBusy} onPress={() => onAdd(key)}>
            Add
          </Button>
        </li>
      ))}
    </ul>
  );
}
