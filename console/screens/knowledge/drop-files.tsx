import { RotateCw, Upload as UploadIcon, X } from "lucide-react";
import { DropZone } from "react-aria-components/DropZone";
import { FileTrigger } from "react-aria-components/FileTrigger";
import type { FileDropItem } from "react-aria-components/GridList";
import { ProgressBar } from "react-aria-components/ProgressBar";
import { Text } from "react-aria-components/Text";
import { sizeText } from "../../parts/amounts.ts";
import { Button } from "../../parts/button.tsx";
import type { Base } from "./base.ts";
import { type Upload, useUploads } from "./use-uploads.ts";

/** Takes files that are dropped or chosen, and shows how they get on. */
export function DropFiles({ base, children }: { readonly base: Base; readonly children: React.ReactNode }) {
  const { uploads, add, retry, remove } = useUploads(base);
  return (
    <div className="stack-tight">
      <DropZone
        className="drop"
        onDrop={async ({ items }) => {
          const files = items.filter((item): item is FileDropItem => item.kind === "file");
          add(await Promise.all(files.map((item) => item.getFile())));
        }}
      >
        <UploadIcon size={18} aria-hidden />
        <Text slot="label" className="drop-text">
          Drop files here
        </Text>
        <FileTrigger allowsMultiple onSelect={(files) => files && add([...files])}>
          <Button>Choose files</Button>
        </FileTrigger>
        {children}
      </DropZone>
      {uploads.length > 0 && (
        <ul className="card uploads">
          {uploads.map((upload) => (
            <li key={upload.id} className="upload">
              <OneUpload upload={upload} onRetry={() => retry(upload)} onRemove={() => remove(upload.id)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

type OneUploadProps = {
  readonly upload: Upload;
  readonly onRetry: () => void;
  readonly onRemove: () => void;
};

function OneUpload({ upload, onRetry, onRemove }: OneUploadProps) {
  const { file, state, share, error, stop } = upload;
  const isFailed = state === "failed";
  return (
    <>
      <div className="upload-text">
        <span className="cut" title={file.name}>
          {file.name}
        </span>
        <span className="small faint number">{sizeText(file.size)}</span>
      </div>
      {isFailed ? (
        <span className="upload-state upload-error" role="alert">
          {error}
        </span>
      ) : state === "waiting" ? (
        <span className="upload-state small faint">Waiting for the previous file</span>
      ) : (
        <ProgressBar
          className="upload-state progress"
          aria-label={`Sending ${file.name}`}
          isIndeterminate={share === undefined}
          value={(share ?? 0) * 100}
        >
          {({ percentage, isIndeterminate }) => (
            <>
              <span className={isIndeterminate ? "progress-track progress-unknown" : "progress-track"}>
                <span
                  className="progress-bar"
                  style={{ width: isIndeterminate ? "30%" : `${percentage ?? 0}%` }}
                />
              </span>
              <span className="small faint number">
                {isIndeterminate ? "Sending" : share === 1 ? "Adding" : `${Math.floor(percentage ?? 0)} %`}
              </span>
            </>
          )}
        </ProgressBar>
      )}
      {isFailed && (
        <Button
          kind="plain"
          size="small"
          icon={<RotateCw size={13} aria-hidden />}
          label="Try again"
          onPress={onRetry}
        />
      )}
      <Button
        kind="plain"
        size="small"
        icon={<X size={13} aria-hidden />}
        label={isFailed ? "Close" : "Stop"}
        onPress={isFailed ? onRemove : stop}
      />
    </>
  );
}
