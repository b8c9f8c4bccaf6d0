import { useCallback, useRef, useState } from "react";
import { platform } from "../../api/platform.ts";
import { notify } from "../../parts/messages.tsx";
import { errorText } from "../../parts/state.tsx";
import { type Base, queryOf } from "./base.ts";
import { readContentsAgain } from "./use-contents.ts";

export type Upload = {
  readonly id: number;
  readonly file: File;
  readonly state: "waiting" | "sending" | "failed";
  /** From 0 to 1; undefined where it is not known. */
  readonly share?: number;
  readonly error?: string;
  readonly stop: () => void;
};

let last = 0;

/** Files on their way into a base, one at a time. One that has arrived is in the list of contents instead. */
export function useUploads(base: Base) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const line = useRef<Promise<void>>(Promise.resolve());
  const change = useCallback((id: number, changes: Partial<Upload>) => {
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...changes } : one)));
  }, []);
  const remove = useCallback((id: number) => setUploads((all) => all.filter((one) => one.id !== id)), []);

  const send = useCallback(
    async (id: number, file: File, controller: AbortController) => {
      if (controller.signal.aborted) return remove(id);
      change(id, { state: "sending" });
      try {
        // Of a small file, which travels in one request, nothing is reported between its start and its end.
        const onProgress = ({ sent, total }: { readonly sent: number; readonly total: number }) => {
          if (sent > 0) change(id, { share: sent / total });
        };
        await platform.knowledge.upload(file, { ...queryOf(base), onProgress, signal: controller.signal });
        notify(`${file.name} was added. It can be found when it has been processed.`);
        remove(id);
      } catch (error) {
        if (controller.signal.aborted) remove(id);
        else change(id, { state: "failed", error: errorText(error) });
      }
      readContentsAgain(base);
    },
    [base, change, remove],
  );

  const add = useCallback(
    (files: readonly File[]) => {
      for (const file of files) {
        const id = ++last;
        const controller = new AbortController();
        const stop = () => controller.abort();
        setUploads((all) => [...all, { id, file, state: "waiting", stop }]);
        line.current = line.current.then(() => send(id, file, controller));
      }
    },
    [send],
  );
  const retry = useCallback(
    ({ id, file }: Upload) => {
      remove(id);
      add([file]);
    },
    [remove, add],
  );
  return { uploads, add, retry, remove };
}
