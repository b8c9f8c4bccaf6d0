import { FileText } from "lucide-react";
import { FileTrigger } from "react-aria-components/FileTrigger";
import { PlatformError } from "../../../../client/index.ts";
import { sizeText } from "../../../parts/amounts.ts";
import { Button } from "../../../parts/button.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { errorText } from "../../../parts/state.tsx";

type CasesFileProps = { readonly file: File | undefined; readonly onChange: (file: File) => void };

/** Chooses the file that the cases of a version come from. */
export function CasesFile({ file, onChange }: CasesFileProps) {
  return (
    <div className="stack-tight">
      <div className="row">
        <FileTrigger
          acceptedFileTypes={[".csv", ".json", "text/csv", "application/json"]}
          onSelect={(files) => files?.[0] && onChange(files[0])}
        >
          <Button icon={<FileText size={14} aria-hidden />}>
            {file ? "Choose another file" : "Choose a file"}
          </Button>
        </FileTrigger>
        {file && (
          <span className="cut small">
            {file.name} · {sizeText(file.size)}
          </span>
        )}
      </div>
      <p className="small faint">
        CSV with the names of the columns in its first line, or a JSON array of objects. The names are those
        of a case: input, expected_output, criteria, expected_tool_calls.
      </p>
    </div>
  );
}

/** Why a file was refused: each row and column that is wrong. */
export function Faults({ error }: { readonly error: unknown }) {
  if (!error) return null;
  const faults = faultsIn(error);
  return (
    <Notice tone="bad">
      {errorText(error)}
      {faults.length > 1 && (
        <ul>
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

function faultsIn(error: unknown): readonly string[] {
  const body: unknown = error instanceof PlatformError ? error.body : undefined;
  if (typeof body !== "object" || body === null || !("faults" in body) || !Array.isArray(body.faults))
    return [];
  return body.faults.map(({ path, message }) => (path ? `${path}: ${message}` : String(message)));
}
